import { notFound } from '#shared/api/problem.ts';
import type { LoadForReplay } from '#server/http/call.ts';
import type { Context } from '#server/core/context.ts';
import { representSignOn, representToken } from '#server/features/sign-on/requests.ts';
import { loadSite } from '#server/core/site.ts';

import { mustFindProcess } from './approvals/processes.ts';
import { representRequest } from './approvals/requests.ts';
import { representComment } from './comments/store.ts';
import { mustSeeGuide } from './guides/policy.ts';
import { fullGuide, fullStep } from './guides/record.ts';
import { representRelease } from './guides/releases.ts';
import { representSharedTeams, representSharedUsers } from './guides/sharing.ts';
import { representDocument, representVideo } from './media/files.ts';
import { representImage } from './media/store.ts';
import { representArchiveImport } from './omanual/imports.ts';
import { representMade } from './omanual/made.ts';
import { representPost, representStory } from './posts/handlers.ts';
import { mustFindAppId } from './site/app-ids.ts';
import { associationsOf, representAttachment } from './quizzes/guides.ts';
import { mustFindQuiz, mustManageQuizzes } from './quizzes/policy.ts';
import { representAttempt, representSession } from './quizzes/session-records.ts';
import { representQuiz } from './quizzes/store.ts';
import { siteRecordOf } from './site/record.ts';
import { representForm } from './step-forms/store.ts';
import { listMembers } from './teams/members.ts';
import { representTeam } from './teams/store.ts';
import { mustImpersonate } from './tokens/policy.ts';
import { representImpersonation } from './tokens/store.ts';
import { representUser } from './users/store.ts';
import { mustFindDelivery, mustFindWebhook } from './webhooks/store.ts';
import { mustFindAssignment } from './courses/assignments.ts';
import { mustManageCourse, mustManageCourses } from './courses/policy.ts';
import { representImport } from './external-training-modules/imports.ts';
import { representModule } from './external-training-modules/modules.ts';
import { mustManageModules } from './external-training-modules/policy.ts';
import { listEntries } from './translation/glossary.ts';
import { representWiki } from './wikis/record.ts';
import { representEntry } from './work-log/store.ts';

/** The answer to a replayed call: the current record, with the caller's current permissions. */
export const loadForReplay: LoadForReplay = async (kind, id, ctx) => {
  switch (kind) {
    case 'guide':
      return fullGuide(ctx, await mustSeeGuide(ctx, Number(id)), { ownStepsOnly: true });
    case 'step':
      return representStep(ctx, Number(id));
    case 'comment':
      return representComment(ctx, Number(id));
    case 'entry':
      return representEntry(ctx, Number(id));
    case 'form':
      return representForm(ctx, Number(id));
    case 'image':
      return representImage(ctx, Number(id));
    case 'rotation':
      return { jobID: Number(id), status: 'finished', image: await representImage(ctx, Number(id)) };
    case 'document':
      return representDocument(ctx, Number(id));
    case 'video':
      return representVideo(ctx, Number(id));
    case 'user':
      return representUser(ctx, Number(id));
    case 'signOn':
      return representSignOn(ctx, id);
    case 'signOnToken':
      return representToken(ctx, id);
    case 'impersonation':
      mustImpersonate(ctx);
      return representImpersonation(ctx, Number(id));
    case 'team':
      return representTeam(ctx, Number(id));
    case 'teamMembers':
      return listMembers(ctx, Number(id));
    case 'site':
      return siteRecordOf(await loadSite(ctx.db));
    case 'appid':
      return mustFindAppId(ctx.db, id);
    case 'webhook':
      return mustFindWebhook(ctx.db, Number(id));
    case 'replayed':
      return { replayed: Number(id) };
    case 'delivery':
      return mustFindDelivery(ctx.db, Number(id));
    case 'wiki':
      return representWiki(ctx, Number(id));
    case 'glossary':
      return listEntries(ctx.db);
    case 'release':
      return representRelease(ctx, Number(id));
    case 'story':
      return representStory(ctx, Number(id));
    case 'post':
      return representPost(ctx, Number(id));
    case 'sharedUsers':
      return representSharedUsers(ctx, Number(id));
    case 'remainingUsers':
      return { users: await representSharedUsers(ctx, Number(id)) };
    case 'approvalProcess':
      return mustFindProcess(ctx.db, Number(id));
    case 'approvalDefault':
      return JSON.parse(id) as unknown;
    case 'approvalRequest':
      return representRequest(ctx, Number(id));
    case 'archive':
      return representMade(ctx, Number(id));
    case 'archiveImport':
      return representArchiveImport(ctx, Number(id));
    case 'sharedTeams':
      return representSharedTeams(ctx, Number(id));
    case 'trainingModule':
      mustManageModules(ctx);
      return representModule(ctx, Number(id));
    case 'trainingImport':
      mustManageModules(ctx);
      return representImport(ctx, Number(id));
    case 'course':
      return mustManageCourse(ctx, Number(id));
    case 'courseAssignment':
      mustManageCourses(ctx);
      return mustFindAssignment(ctx, Number(id));
    case 'quiz':
      mustManageQuizzes(ctx);
      return representQuiz(ctx, await mustFindQuiz(ctx, Number(id)));
    case 'quizzesDeleted':
      mustManageQuizzes(ctx);
      return JSON.parse(id) as unknown;
    case 'quizAssociations':
      return associationsOf(ctx, (await mustSeeGuide(ctx, Number(id))).guideid);
    case 'quizAttachment':
      return representAttachment(ctx, Number(id));
    case 'quizAttempt':
      return representAttempt(ctx, Number(id));
    case 'quizSession':
      return representSession(ctx, Number(id));
    case 'quizCancelled':
      return { ok: true };
    default:
      throw new Error(`Nothing represents ${String(kind satisfies never)}`);
  }
};

async function representStep(ctx: Context, stepid: number): Promise<unknown> {
  const row = await ctx.db
    .selectFrom('steps')
    .select('guideid')
    .where('stepid', '=', stepid)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Step');
  return fullStep(ctx, await mustSeeGuide(ctx, row.guideid), stepid);
}
