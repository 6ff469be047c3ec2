import type { GuideFacts } from '#shared/model/guide.ts';
import type { WorkedRevision } from '#shared/model/revision.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import type { WorkVersion } from '#shared/model/work-version.ts';
import { concernsSecondPerson } from '#shared/rules/second-person.ts';
import { foldEntry } from '#shared/rules/work-log.ts';
import {
  highestForm,
  isSameRevision,
  revisionInForce,
  versionText,
  workedRevisionOf,
} from '#shared/rules/work-revision.ts';
import { guideAudience, type GuideAccess } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments, findPresent, findStored, type Principal } from '#server/storage/feed.ts';
import { prepared, preparedList } from '#server/storage/prepared.ts';
import type { Db } from '#server/storage/tables.ts';

import { factsOfVersion } from '../approvals/revision-hash.ts';
import { contentOfForms, formsOf } from '../approvals/signed-forms.ts';
import { countOf } from '../guides/counted.ts';
import { entryAudience } from './access.ts';

/**
 * Publishes the text of the revision that an order is bound to, if the guide has another one now. `guide`: the present
 * guide; null if it was deleted. `present`: its revision now, if known.
 *
 * - WORK-REVISION-2 While the guide has another revision than an open order, everyone who sees the order also gets the text
 *   and forms of its revision, if they may see the guide now and could see it then. The text stays with the order after
 *   its end, and goes when the order changes to the present revision, or the guide is deleted.
 * - WORK-REVISION-7 Devices get the text once, however often the guide changes after that.
 */
export async function followVersion(
  ctx: Context,
  entry: EntryFacts,
  guide: GuideFacts | null,
  present?: WorkedRevision,
): Promise<void> {
  const bound = revisionInForce(entry);
  if (bound === undefined) return;
  const { entryid } = entry;
  const [known] = await findPresent(ctx, 'workVersions', [entryid]);
  const isOpen = foldEntry(entry).endtime === null;
  const isNeeded =
    guide !== null &&
    bound.unsaved !== true &&
    (isOpen
      ? !isSameRevision(bound, present ?? (await presentRevision(ctx.db, guide)))
      : known !== undefined);
  const { guideid } = entry;
  const { guide_revisionid } = bound;
  const then = isNeeded ? await factsOfVersion(ctx.db, { guideid, guide_revisionid }) : null;
  if (guide !== null && then !== null) {
    const version = await versionOf(ctx.db, entryid, then, bound.form_revisionid);
    ctx.changes.putIfNew(
      'workVersions',
      entryid,
      version,
      versionAudience(readersOf(ctx, entry, guide), then, guide),
    );
  } else if (known !== undefined) ctx.changes.remove('workVersions', entryid);
}

/** As {@link followVersion}, for all open entries of a guide that changed. */
export async function followGuide(ctx: Context, guide: GuideFacts): Promise<void> {
  const rows = await openEntries(ctx.db, { guideid: guide.guideid });
  const ids = rows.map(({ entryid }) => entryid);
  if (ids.length === 0) return;
  const present = await presentRevision(ctx.db, guide);
  for (const entry of await findDocuments(ctx.db, 'workLog', ids))
    await followVersion(ctx, entry, guide, present);
}

const openEntries = prepared<{ guideid: number }, { entryid: number }>((db, value) =>
  db
    .selectFrom('work_log')
    .select('entryid')
    .where('guideid', '=', value('guideid'))
    .where('status', 'in', ['started', 'paused', 'suspended']),
);

/** As {@link followVersion}, after an event of the entry. Most events change nothing about it. */
export async function followEvent(ctx: Context, entry: EntryFacts): Promise<void> {
  const last = entry.events.at(-1);
  const type = last?.type;
  if (type !== 'start' && type !== 'assume' && type !== 'suspend' && !concernsSecondPerson(last)) return;
  await followVersion(ctx, entry, (await findStored(ctx, 'guides', entry.guideid)) ?? null);
}

async function presentRevision(db: Db, guide: GuideFacts): Promise<WorkedRevision> {
  const counted = { ...guide, revision: await countOf(db, guide) };
  const forms = highestForm(guide, await formsOf(db, guide));
  return workedRevisionOf(counted, forms, 0);
}

/** What devices get of a version: nothing that depends on the viewer. */
async function versionOf(
  db: Db,
  entryid: number,
  facts: GuideFacts,
  form_revisionid: number,
): Promise<WorkVersion> {
  const revision = await countOf(db, facts);
  const guide = { ...versionText(facts), revision };
  return { entryid, guide, forms: await formsAt(db, facts, form_revisionid) };
}

/** The forms of the steps of a version when the highest form revision among them was `form_revisionid`. */
export async function formsAt(
  db: Db,
  { guideid, steps }: Pick<GuideFacts, 'guideid' | 'steps'>,
  form_revisionid: number,
): Promise<StepForm[]> {
  const stepids = steps.map(({ stepid }) => stepid);
  const rows = await highestRevisions(db, stepids, { most: form_revisionid });
  const found = new Map(rows.map((row) => [row.stepid, Number(row.form_revisionid)]));
  const forms = steps.flatMap(({ stepid }) => {
    const revision = found.get(stepid);
    return revision === undefined ? [] : [{ stepid, form_revisionid: revision }];
  });
  return ((await contentOfForms(db, forms)) ?? []).map((content) => ({ ...content, guideid }));
}

const highestRevisions = preparedList<{ most: number }, number, { stepid: number; form_revisionid: number }>(
  (db, stepids, value) =>
    db
      .selectFrom('step_form_revisions')
      .select(['stepid', ({ fn }) => fn.max('form_revisionid').as('form_revisionid')])
      .where('stepid', 'in', stepids)
      .where('form_revisionid', '<=', value('most'))
      .groupBy('stepid'),
);

function readersOf({ seconds }: Context, entry: EntryFacts, guide: GuideAccess): Principal[] {
  return entryAudience({ entry, guide, seconds });
}

/**
 * Those who may see a guide now, and could see a version of it then; of a public guide only `readers`, who need the
 * version.
 */
export function versionAudience(
  readers: readonly Principal[],
  then: GuideAccess,
  now: GuideAccess,
): Principal[] {
  const [before, present] = [guideAudience(then), guideAudience(now)];
  if (!before.includes('public')) return present.includes('public') ? before : both(before, present);
  return present.includes('public') ? [...readers] : present;
}

function both(one: readonly Principal[], other: readonly Principal[]): Principal[] {
  return one.filter((principal) => other.includes(principal));
}
