import { guides } from '#shared/api/guides.ts';
import { Problem } from '#shared/api/problem.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { Context } from '#server/http/context.ts';
import { handle } from '#server/http/handle.ts';

import { createGuide, patchGuide, removeGuide, setPublic } from './edit.ts';
import { addStep, orderSteps, patchStep, removeStep } from './edit-steps.ts';
import { listFeatured, listGuides } from './list.ts';
import { addTag, listTags, mark, removeTag, unmark } from './marks.ts';
import { mustCreateGuide, mustDeleteGuide, mustEditGuide, mustSeeGuide, mustTagGuide } from './policy.ts';
import { fullGuide, fullStep } from './record.ts';
import { readRevision } from './revisions.ts';

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

async function mayTag({ params }: WithGuide, ctx: Context): Promise<void> {
  await mustTagGuide(ctx, params.guideid);
}

/** The answer of an edit: the guide without the steps of its prerequisites. */
async function edited(ctx: Context, facts: GuideFacts): Promise<Guide> {
  ctx.answersWith('guide', facts.guideid);
  return fullGuide(ctx, facts, { ownStepsOnly: true });
}

async function publishOrNot(
  ctx: Context,
  guideid: number,
  revisionid: number,
  isPublic: boolean,
): Promise<Guide> {
  return edited(ctx, await setPublic(ctx, guideid, revisionid, isPublic));
}

export const guideHandlers = handle(guides, {
  list: ({ query }, ctx) => listGuides(ctx, query),
  featured: ({ query }, ctx) => listFeatured(ctx, query),
  read: {
    allow: maySee,
    run: async ({ params, query }, ctx) => {
      if (query.type === 'XML')
        throw new Problem('not-implemented', 'XML answers are not there yet; ask for JSON');
      const facts =
        query.revisionid === undefined
          ? await mustSeeGuide(ctx, params.guideid)
          : await readRevision(ctx, params.guideid, query.revisionid);
      return fullGuide(ctx, facts, {
        ownStepsOnly: query.excludePrerequisiteSteps,
        stepCommentCounts: query.stepComments,
      });
    },
  },
  create: {
    allow: (_, ctx) => mustCreateGuide(ctx),
    run: async ({ body }, ctx) => edited(ctx, await createGuide(ctx, body)),
  },
  patch: {
    allow: mayEdit,
    run: async ({ params, revisionid, body }, ctx) =>
      edited(ctx, await patchGuide(ctx, params.guideid, revisionid, body)),
  },
  remove: {
    allow: async ({ params }, ctx) => void (await mustDeleteGuide(ctx, params.guideid)),
    run: ({ params, revisionid }, ctx) => removeGuide(ctx, params.guideid, revisionid),
  },
  publish: {
    allow: mayEdit,
    run: ({ params, revisionid }, ctx) => publishOrNot(ctx, params.guideid, revisionid, true),
  },
  unpublish: {
    allow: mayEdit,
    run: ({ params, revisionid }, ctx) => publishOrNot(ctx, params.guideid, revisionid, false),
  },
  publishSingular: {
    allow: mayEdit,
    run: ({ params, revisionid }, ctx) => publishOrNot(ctx, params.guideid, revisionid, true),
  },
  unpublishSingular: {
    allow: mayEdit,
    run: ({ params, revisionid }, ctx) => publishOrNot(ctx, params.guideid, revisionid, false),
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
      ctx.answersWith('step', params.stepid);
      return fullStep(ctx, facts, params.stepid);
    },
  },
  removeStep: {
    allow: mayEditStep,
    run: async ({ params, revisionid }, ctx) =>
      edited(ctx, await removeStep(ctx, params.guideid, params.stepid, revisionid)),
  },
  orderSteps: {
    allow: mayEdit,
    run: async ({ params, revisionid, body }, ctx) =>
      edited(ctx, await orderSteps(ctx, params.guideid, revisionid, body.stepids)),
  },
  tags: { allow: maySee, run: ({ params }, ctx) => listTags(ctx, params.guideid) },
  addTag: {
    allow: mayTag,
    run: async ({ params, body }, ctx) => {
      const facts = await mustSeeGuide(ctx, params.guideid);
      await addTag(ctx, facts, body.tag);
      return edited(ctx, facts);
    },
  },
  removeTag: {
    allow: mayTag,
    run: async ({ params, body }, ctx) => {
      const facts = await mustSeeGuide(ctx, params.guideid);
      await removeTag(ctx, facts, body.tag);
      return edited(ctx, facts);
    },
  },
});
