import { querySwitch } from '#shared/api/endpoint.ts';
import { guides } from '#shared/api/guides.ts';
import { invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';
import { can } from '#server/features/can.ts';
import { handle } from '#server/http/handle.ts';

import { guideDocumentAnswer } from '../omanual/documents.ts';
import { guidePageAnswer } from '../omanual/pages.ts';
import { otherEditors } from './editors.ts';
import { createGuide, mustBeCurrent, patchGuide, removeGuide, setPublic } from './edit.ts';
import { addStep, orderSteps, patchStep, removeStep } from './edit-steps.ts';
import { listCollections, listFeatured, listGuides } from './list.ts';
import { addTag, listTags, mark, removeTag, unmark } from './marks.ts';
import {
  mustCreateGuide,
  mustDecidePrivacy,
  mustDeleteGuide,
  mustEditGuide,
  mustHandOver,
  mustListPrivateGuides,
  mustSeeGuide,
  mustShareGuide,
  mustTagGuide,
} from './policy.ts';
import { fullGuide, fullStep } from './record.ts';
import { findRevision, readRevision } from './released.ts';

interface WithGuide {
  params: { guideid: number };
}

async function maySee({ params }: WithGuide, ctx: Context): Promise<void> {
  await mustSeeGuide(ctx, params.guideid);
}

async function mayEdit({ params }: WithGuide, ctx: Context): Promise<void> {
  await mustEditGuide(ctx, params.guideid);
}

async function mayEditStep(
  { params }: { params: { guideid: number; stepid: number } },
  ctx: Context,
): Promise<void> {
  const facts = await mustSeeGuide(ctx, params.guideid);
  if (!facts.steps.some((step) => step.stepid === params.stepid))
    throw new Problem('not-found', 'Step not found');
  await mustEditGuide(ctx, params.guideid);
}

async function mayShare({ params }: WithGuide, ctx: Context): Promise<void> {
  await mustShareGuide(ctx, params.guideid);
}

async function mayTag({ params }: WithGuide, ctx: Context): Promise<void> {
  await mustTagGuide(ctx, params.guideid);
}

/**
 * The answer to an edit: the guide without the steps of its prerequisites.
 *
 * - GUIDE-REFUSAL-7 A conflict never shows the steps of prerequisites.
 */
async function edited(ctx: Context, facts: GuideFacts): Promise<Remembered<Guide>> {
  if (!can(ctx.viewer, 'guide.see', facts)) return givenAway(ctx, facts);
  return ctx.respondWithRecord('guide', facts.guideid, fullGuide(ctx, facts, { ownStepsOnly: true }));
}

/**
 * The answer to a call that gave a private guide to another author: a replay shows the version that the caller gave
 * away, and nothing that its author made of it.
 */
async function givenAway(ctx: Context, facts: GuideFacts): Promise<Remembered<Guide>> {
  const { guideid, guide_revisionid } = facts;
  const answer = ctx.respondWithRecord(
    'givenGuide',
    `${guideid}/${guide_revisionid}`,
    representGiven(ctx, facts),
  );
  ctx.note.object = { kind: 'guide', id: String(guideid) };
  return answer;
}

async function representGiven(ctx: Context, facts: GuideFacts): Promise<Guide> {
  return fullGuide(ctx, facts, { ownStepsOnly: true, withoutComments: true });
}

async function publishOrNot(
  ctx: Context,
  guideid: number,
  revisionid: number,
  isPublic: boolean,
): Promise<Remembered<Guide>> {
  return edited(ctx, await setPublic(ctx, guideid, revisionid, isPublic));
}

/**
 * Refusals have this order:
 *
 * - GUIDE-REFUSAL-1 401 for callers who are not signed in, even if the record is missing or the request is invalid,
 *   before the body is read.
 * - GUIDE-REFUSAL-2 400 for a body that is not JSON, for any call.
 * - GUIDE-REFUSAL-3 404 for records that are missing or may not be seen, before anything else is checked.
 * - GUIDE-REFUSAL-4 403 for callers who may see the record but not do this, before the body is checked.
 * - GUIDE-REFUSAL-5 422 for a missing revision, unknown fields and wrong values, even with a stale revision.
 * - GUIDE-REFUSAL-6 409 last, with the current record as the body.
 *
 * Further rules of all calls:
 *
 * - GUIDE-REFUSAL-8 A revision may also be given in `If-Match` or, by older clients, in the body.
 * - GUIDE-REFUSAL-9 A step must belong to the guide in the path.
 * - LIVE-6 The order of steps may be in the body or in the query (`stepids=2,1` or `stepids[]=2&stepids[]=1`); the body
 *   counts if it has one.
 */
export const guideHandlers = handle(
  guides,
  {
    list: {
      allow: ({ query }, ctx) => {
        if (querySwitch.parse(query['includePrivate'])) mustListPrivateGuides(ctx);
      },
      run: ({ query }, ctx) => listGuides(ctx, query),
    },
    featured: ({ query }, ctx) => listFeatured(ctx, query),
    collections: ({ query }, ctx) => listCollections(ctx, query),
    read: {
      allow: maySee,
      run: async ({ params, query }, ctx) => {
        const facts =
          query.revisionid === undefined && query.guide_revisionid === undefined
            ? await mustSeeGuide(ctx, params.guideid)
            : await readRevision(ctx, params.guideid, query);
        if (query.type === 'XML') return guideDocumentAnswer(ctx, facts);
        if (query.type === 'HTML') return guidePageAnswer(ctx, facts);
        return fullGuide(ctx, facts, {
          ownStepsOnly: query.excludePrerequisiteSteps,
          stepCommentCounts: query.stepComments,
        });
      },
    },
    create: {
      allow: ({ asked }, ctx) => {
        mustCreateGuide(ctx);
        mustHandOver(ctx, { userid: mustUserid(ctx) }, asked);
      },
      run: async ({ body }, ctx) => edited(ctx, await createGuide(ctx, body)),
    },
    patch: {
      allow: async ({ params, asked }, ctx) => {
        const facts = await mustEditGuide(ctx, params.guideid);
        mustHandOver(ctx, facts, asked);
        mustDecidePrivacy(ctx, facts, asked);
      },
      run: async ({ params, revisionid, body }, ctx) =>
        edited(ctx, await patchGuide(ctx, params.guideid, revisionid, body)),
    },
    remove: {
      allow: async ({ params }, ctx) => void (await mustDeleteGuide(ctx, params.guideid)),
      run: ({ params, revisionid }, ctx) => removeGuide(ctx, params.guideid, revisionid),
    },
    publish: {
      allow: mayShare,
      run: ({ params, revisionid }, ctx) => publishOrNot(ctx, params.guideid, revisionid, true),
    },
    unpublish: {
      allow: mayShare,
      run: ({ params, revisionid }, ctx) => publishOrNot(ctx, params.guideid, revisionid, false),
    },
    publishSingular: {
      allow: mayShare,
      run: ({ params, revisionid }, ctx) => publishOrNot(ctx, params.guideid, revisionid, true),
    },
    unpublishSingular: {
      allow: mayShare,
      run: ({ params, revisionid }, ctx) => publishOrNot(ctx, params.guideid, revisionid, false),
    },
    editors: {
      allow: mayEdit,
      run: ({ params, body }, ctx) => otherEditors(ctx, params.guideid, body.open),
    },
    complete: { allow: maySee, run: ({ params }, ctx) => mark(ctx, 'completions', params.guideid) },
    uncomplete: { allow: maySee, run: ({ params }, ctx) => unmark(ctx, 'completions', params.guideid) },
    addStep: {
      allow: mayEdit,
      run: async ({ params, revisionid, body }, ctx) =>
        edited(ctx, await addStep(ctx, params.guideid, revisionid, body)),
    },
    patchStep: {
      allow: mayEditStep,
      run: async ({ params, revisionid, body }, ctx) => {
        const facts = await patchStep(ctx, params.guideid, params.stepid, revisionid, body);
        return ctx.respondWithRecord('step', params.stepid, fullStep(ctx, facts, params.stepid));
      },
    },
    removeStep: {
      allow: mayEditStep,
      run: async ({ params, revisionid }, ctx) =>
        edited(ctx, await removeStep(ctx, params.guideid, params.stepid, revisionid)),
    },
    orderSteps: {
      allow: mayEdit,
      run: async ({ params, query, revisionid, body }, ctx) => {
        const stepids = body.stepids ?? query.stepids;
        if (stepids === undefined)
          throw invalid('stepids', 'Name every step of the guide, in their new order');
        return edited(ctx, await orderSteps(ctx, params.guideid, revisionid, stepids));
      },
    },
    tags: { allow: maySee, run: ({ params }, ctx) => listTags(ctx, params.guideid) },
    addTag: {
      allow: mayTag,
      run: async ({ params, revisionid, body }, ctx) => {
        const facts = await mustSeeGuide(ctx, params.guideid);
        await mustBeCurrent(ctx, facts, revisionid);
        await addTag(ctx, facts, body.tag);
        return edited(ctx, facts);
      },
    },
    removeTag: {
      allow: mayTag,
      run: async ({ params, revisionid, body }, ctx) => {
        const facts = await mustSeeGuide(ctx, params.guideid);
        await mustBeCurrent(ctx, facts, revisionid);
        await removeTag(ctx, facts, body.tag);
        return edited(ctx, facts);
      },
    },
  },
  {
    guide: async (ctx, id) => fullGuide(ctx, await mustSeeGuide(ctx, Number(id)), { ownStepsOnly: true }),
    step: (ctx, id) => representStep(ctx, Number(id)),
    givenGuide: async (ctx, id) => {
      const [guideid, guide_revisionid] = id.split('/').map(Number);
      const facts = await findRevision(ctx, must(guideid, 'the guide'), { guide_revisionid });
      return representGiven(ctx, must(facts, 'the version that was given away'));
    },
  },
);

async function representStep(ctx: Context, stepid: number): Promise<unknown> {
  const row = await ctx.db
    .selectFrom('steps')
    .select('guideid')
    .where('stepid', '=', stepid)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Step');
  return fullStep(ctx, await mustSeeGuide(ctx, row.guideid), stepid);
}
