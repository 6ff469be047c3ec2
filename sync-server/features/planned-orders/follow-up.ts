import type { NewFollowUp } from '#shared/api/planned-orders.ts';
import { conflict } from '#shared/api/problem.ts';
import type { PlannedOrder } from '#shared/model/planned-orders.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';
import { findDocument } from '#server/storage/feed.ts';

import { mustSeeDeviation } from '../deviations/policy.ts';
import { representDeviation } from '../deviations/store.ts';
import { mustSeeGuide } from '../guides/policy.ts';
import { insertPlanned } from './insert.ts';
import { mustPlanFor, readAssignee } from './policy.ts';
import { readRelease } from './release-texts.ts';
import { answered } from './store.ts';

/**
 * Plans a follow-up order of a deviation. Throws 409 with the deviation if it has one.
 *
 * - FOLLOW-UP-1 Whoever sees a deviation and plans orders may plan a follow-up order of it: by the guide of the deviation and
 *   for the serial numbers of its work order, unless the planner names others.
 * - FOLLOW-UP-2 A deviation has at most one follow-up order that is not withdrawn, which the database ensures. The first one
 *   to arrive counts, also of two that were planned offline. Once it is withdrawn, another one may be planned.
 */
export async function planFollowUp(
  ctx: Context,
  deviationid: number,
  body: NewFollowUp,
): Promise<Remembered<PlannedOrder>> {
  const { guideid, entryid, title, ...deviation } = await mustSeeDeviation(ctx, deviationid);
  const { due = null, priority = 'normal', note = '', workorderid, releaseid } = body;
  const assignee = await readAssignee(ctx, body);
  mustPlanFor(ctx, assignee);
  const planned = {
    guideid: body.guideid ?? guideid,
    workorderid,
    ...assignee,
    due,
    priority,
    serials: body.serials ?? (await serialsOf(ctx, entryid)),
    note,
    planned_by: mustUserid(ctx),
    follows: { deviationid, entryid, workorderid: deviation.workorderid, title },
  };
  await mustSeeGuide(ctx, planned.guideid);
  const named = releaseid == null ? {} : { release: await readRelease(ctx, planned.guideid, releaseid) };
  const facts = await insertPlanned(ctx, { ...planned, ...named }, undefined, ctx.key);
  if (facts === undefined) throw conflict(await representDeviation(ctx, deviationid));
  return answered(ctx, facts);
}

/** The serial or lot numbers of an entry. Whoever sees a deviation of it sees the entry. */
async function serialsOf(ctx: Context, entryid: number): Promise<string[]> {
  return (await findDocument(ctx.db, 'workLog', entryid))?.serials ?? [];
}
