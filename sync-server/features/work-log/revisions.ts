import type { GuideFacts } from '#shared/model/guide.ts';
import type { EarlierRevision } from '#shared/model/planned-orders.ts';
import type { ReleaseFacts } from '#shared/model/release-facts.ts';
import type { WorkedRevision } from '#shared/model/revision.ts';
import type { EntryFacts, WorkLogEntry } from '#shared/model/work-log.ts';
import { highestForm, isSameRevision, workedRevisionOf } from '#shared/rules/work-revision.ts';
import type { Context } from '#server/core/context.ts';

import { withApproval } from '../approvals/facts.ts';
import { formsOf } from '../approvals/signed-forms.ts';
import { countOf } from '../guides/counted.ts';
import { findVisibleGuide } from '../guides/policy.ts';

/** What a caller says about the revision that they saw. */
export interface SeenRevision {
  /** The highest form revision of the guide's own steps; undefined: the present one. */
  form_revisionid?: number | undefined;
  /** Whether they worked by changes of their own that were not saved yet. */
  unsaved?: boolean | undefined;
}

/**
 * A stored version of a guide as the revision that an order is worked by. `at`: when, in ms.
 *
 * - WORK-REVISION-1 An order is bound to the revision that it was started by, with its forms: the number as people count it,
 *   its date, and whether it was approved then. Work by changes that the server did not have yet is marked as such.
 */
export async function revisionOf(
  ctx: Context,
  version: GuideFacts,
  { form_revisionid, unsaved = false }: SeenRevision,
  at: number,
): Promise<WorkedRevision> {
  const latest = highestForm(version, await formsOf(ctx.db, version));
  const facts = await withApproval(ctx.db, version, false);
  const counted = { ...facts, revision: await countOf(ctx.db, version) };
  return {
    ...workedRevisionOf(counted, Math.min(form_revisionid ?? latest, latest), at),
    ...(unsaved ? { unsaved: true as const } : {}),
  };
}

/**
 * The revisions by which a planned order was started and by which it was to be, if they differ; undefined if not, or if the
 * worker had changes of their own. `release`: what the order names.
 *
 * - PLANNED-12 If the guide changed before a start of a planned order arrived, the order says by which revision it was
 *   started and which one the guide had, to those who are to do it and to their leads, until the worker changes to the new
 *   one.
 */
export async function earlierThanPlanned(
  ctx: Context,
  { guideid, revisions: [worked] = [] }: EntryFacts,
  release: ReleaseFacts | undefined,
): Promise<EarlierRevision | undefined> {
  const guide = await findVisibleGuide(ctx, guideid);
  if (guide === undefined || worked?.counted === undefined || worked.unsaved === true) return undefined;
  const present = release?.revision ?? (await revisionOf(ctx, guide, {}, ctx.services.now()));
  if (present.counted === undefined || isSameRevision(worked, present)) return undefined;
  return { worked: worked.counted, present: present.counted };
}

/** The decisions about revisions in an entry of the API. */
export function revisionRecords({ revisions }: EntryFacts): Pick<WorkLogEntry, 'revisions'> {
  if (revisions === undefined) return {};
  return {
    revisions: revisions.map(({ counted, at, ...decision }) => ({
      ...decision,
      ...(counted === undefined ? {} : { revision_number: counted.number, revision_date: counted.date }),
      at: Math.floor(at / 1000),
    })),
  };
}
