import { Problem } from '#shared/api/problem.ts';
import type { AnsweredQuestion } from '#shared/model/quiz.ts';
import type { Services } from '#server/core/services.ts';
import { publishCourse, publishProgress } from '#server/features/courses/publish.ts';
import { publishGuideQuizzes, publishQuiz, publishSession } from '#server/features/quizzes/publish.ts';
import { mustFindSession, recordOf, surveyOf } from '#server/features/quizzes/session-rows.ts';

import { contextForJob } from '../../core/job.ts';

/** Name of the row in `meta` which says that all old records were published. */
const done = 'training_published';

/** Sending results to devices, continued after the start. */
interface Publishing {
  /** Settles when all results are sent, or it was stopped. */
  over: Promise<void>;
  /** Results not sent by then are sent after the next start. */
  stop: () => Promise<void>;
}

/**
 * Sends devices, once, the quizzes, sessions and courses stored by an older version of the server. Completed sessions
 * follow while the server runs: their answers are scored again.
 */
export async function publishTraining(services: Services): Promise<Publishing> {
  const { reader } = services.storage;
  const published = await reader
    .selectFrom('meta')
    .select('value')
    .where('name', '=', done)
    .executeTakeFirst();
  if (published !== undefined) return { over: Promise.resolve(), stop: async () => undefined };
  await publishStored(services);
  const { promise: stopped, resolve: stop } = Promise.withResolvers<'stopped'>();
  const over = publishResults(services, stopped).catch((error: unknown) =>
    services.log.error({ err: error }, 'telling devices of results failed; the next start does it'),
  );
  return {
    over,
    stop: () => {
      stop('stopped');
      return over;
    },
  };
}

/** Publishes everything except completed sessions. */
async function publishStored(services: Services): Promise<void> {
  await contextForJob(services, null, async (ctx) => {
    for (const { quizid } of await ctx.db
      .selectFrom('quizzes')
      .select('quizid')
      .where('deleted', '=', 0)
      .execute())
      await publishQuiz(ctx, quizid);
    for (const { sessionid } of await ctx.db
      .selectFrom('quiz_sessions')
      .select('sessionid')
      .where('status', '!=', 'completed')
      .execute())
      await publishSession(ctx, sessionid);
    const guides = await ctx.db.selectFrom('quiz_associations').select('guideid').distinct().execute();
    for (const { guideid } of guides) await publishGuideQuizzes(ctx, guideid);
    for (const { courseid } of await ctx.db.selectFrom('courses').select('courseid').execute())
      await publishCourse(ctx, courseid);
    const progress = await ctx.db
      .selectFrom('course_stage_completions as done')
      .innerJoin('course_stages', 'course_stages.course_stageid', 'done.course_stageid')
      .select(['courseid', 'userid'])
      .distinct()
      .execute();
    for (const { courseid, userid } of progress) await publishProgress(ctx, courseid, userid);
  });
}

/** Scores and publishes each completed session. Scoring happens outside of the transaction. */
async function publishResults(services: Services, stopped: Promise<'stopped'>): Promise<void> {
  const { reader } = services.storage;
  const sessions = await reader
    .selectFrom('quiz_sessions')
    .select(['sessionid', 'quiz_revisionid'])
    .where('status', '=', 'completed')
    .orderBy('sessionid')
    .execute();
  /** Versions of quizzes that exceed the budget; each attempt would use all of it. */
  const costly = new Set<number>();
  for (const { sessionid, quiz_revisionid } of sessions) {
    const scoring = costly.has(quiz_revisionid)
      ? null
      : answeredOf(services, sessionid, () => costly.add(quiz_revisionid));
    const answered = await Promise.race([stopped, scoring]);
    if (answered === 'stopped') return;
    await contextForJob(services, null, (ctx) => publishSession(ctx, sessionid, answered));
  }
  await contextForJob(services, null, (ctx) =>
    ctx.db.insertInto('meta').values({ name: done, value: '1' }).execute(),
  );
}

/** The scored answers of a completed session; null if its quiz can no longer be scored. */
async function answeredOf(
  services: Services,
  sessionid: number,
  isCostly: () => void,
): Promise<readonly AnsweredQuestion[] | null> {
  const { reader } = services.storage;
  const row = await mustFindSession(reader, sessionid);
  const { response_json } = recordOf(row);
  try {
    const survey = await surveyOf(reader, row);
    return (await services.scoring.marks(row.userid, survey, response_json)).questions;
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'invalid') throw error;
    if (error.details.errors?.some(({ field }) => field === 'quizid') === true) isCostly();
    return null;
  }
}
