import { forbidden, notFound, Problem } from '#shared/api/problem.ts';
import type { DeviationFacts } from '#shared/model/deviations.ts';
import type { Context } from '#server/core/context.ts';
import { findPresent } from '#server/storage/feed.ts';
import { can as canShared } from '#server/features/can.ts';

import { mustSeeEntry } from '../work-log/policy.ts';
import { can } from './access.ts';

/** The deviation; throws the same 404 if it does not exist or its entry may not be seen. */
export async function mustSeeDeviation(ctx: Context, deviationid: number): Promise<DeviationFacts> {
  const [facts] = await findPresent(ctx, 'deviations', [deviationid]);
  if (facts === undefined) throw notFound('Deviation');
  try {
    await mustSeeEntry(ctx, facts.entryid);
  } catch (error) {
    throw error instanceof Problem && error.status === 404 ? notFound('Deviation') : error;
  }
  return facts;
}

/** Throws 404 if the entry may not be seen, 403 for people who never held it. */
export async function mustReport(ctx: Context, entryid: number): Promise<void> {
  const entry = await mustSeeEntry(ctx, entryid);
  if (!canShared(ctx.viewer, 'entry.act', { entry }))
    throw forbidden('Only people who worked on this order report a deviation in it', ['Admin']);
}

/** Throws 404 as above, 403 unless the caller may decide. */
export async function mustDecide(ctx: Context, deviationid: number): Promise<void> {
  const { entryid } = await mustSeeDeviation(ctx, deviationid);
  const entry = await mustSeeEntry(ctx, entryid);
  if (!can(ctx.viewer, 'deviation.decide', { entry }))
    throw forbidden('Only a lead of the team decides, and not about work of their own', ['Admin']);
}
