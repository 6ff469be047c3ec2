import type { RevisionBody } from '#shared/api/work-log.ts';
import { invalid } from '#shared/api/problem.ts';
import type { EntryFacts, WorkLogEntry } from '#shared/model/work-log.ts';
import { eventTime } from '#shared/rules/work-log.ts';
import { can } from '#server/features/can.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';
import { findStored } from '#server/storage/feed.ts';

import { factsOfVersion } from '../approvals/revision-hash.ts';
import { findVisibleGuide } from '../guides/policy.ts';
import { followFulfilment } from '../planned-orders/publish.ts';
import { followRevisions } from '../tracing/follow.ts';
import { audienceOfEntry, mustSeeEntry } from './policy.ts';
import { revisionOf } from './revisions.ts';
import { answered, refuseImpossible } from './store.ts';
import { followVersion } from './versions.ts';

/**
 * Records a decision about the revision of an open entry.
 *
 * - WORK-REVISION-5 When the guide changes while an order is open, the person decides whether the order goes on by its
 *   revision or changes to the new one. The decision is recorded with the person and the time. Values stay; after a change
 *   the required fields are those of the new revision.
 */
export async function decideRevision(
  ctx: Context,
  entryid: number,
  { decision, guide_revisionid, form_revisionid, ...moment }: RevisionBody,
): Promise<Remembered<WorkLogEntry>> {
  const entry = await mustSeeEntry(ctx, entryid);
  const { guideid, revisions = [] } = entry;
  const version = await factsOfVersion(ctx.db, { guideid, guide_revisionid });
  const present = await findVisibleGuide(ctx, guideid);
  const isSeen =
    version !== null &&
    (present?.guide_revisionid === guide_revisionid || can(ctx.viewer, 'guide.see', version));
  if (!isSeen) throw invalid('guide_revisionid', 'The guide never had this revision');
  await refuseImpossible(ctx, entry, 'data');
  const at = eventTime(entry, moment, ctx.services.now());
  const revision = await revisionOf(ctx, version, { form_revisionid }, at);
  const next: EntryFacts = {
    ...entry,
    ...(decision === 'switch' ? { guide_revisionid } : {}),
    revisions: [...revisions, { decision, ...revision, userid: mustUserid(ctx), at }],
  };
  ctx.changes.put('workLog', entryid, next, await audienceOfEntry(ctx, next));
  await followFulfilment(ctx, next);
  await followRevisions(ctx, next);
  await followVersion(ctx, next, (await findStored(ctx, 'guides', guideid)) ?? null);
  return answered(ctx, next);
}
