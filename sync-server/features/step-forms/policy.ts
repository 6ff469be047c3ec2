import { notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { Context } from '#server/core/context.ts';

import { mustEditGuide, mustSeeGuide } from '../guides/policy.ts';

async function guideOfStep(ctx: Context, stepid: number): Promise<number> {
  const step = await ctx.db
    .selectFrom('steps')
    .select('guideid')
    .where('stepid', '=', stepid)
    .where('deleted', '=', 0)
    .executeTakeFirst();
  if (step === undefined) throw notFound('Step');
  return step.guideid;
}

/** The guide of a step; throws 404 if the step does not exist or its guide may not be seen. */
export async function mustSeeStep(ctx: Context, stepid: number): Promise<GuideFacts> {
  return mustSeeGuide(ctx, await guideOfStep(ctx, stepid));
}

/** The guide of a step; throws 404 as above, 403 unless the caller may edit the guide. */
export async function mustEditStep(ctx: Context, stepid: number): Promise<GuideFacts> {
  return mustEditGuide(ctx, await guideOfStep(ctx, stepid));
}
