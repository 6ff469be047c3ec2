import type { GuideFacts } from '#shared/model/guide.ts';
import { isReservedTag } from '#shared/model/tag.ts';
import { must } from '#shared/must.ts';
import type { ArchivedGuide } from '#shared/formats/omanual/archive.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { addTag } from '#server/features/guides/marks.ts';
import { mustSeeGuide } from '#server/features/guides/policy.ts';
import { writeGuide } from '#server/features/guides/store.ts';
import { guideImported } from '#server/features/merits/reputation-events.ts';
import { type ImportRow, rememberDone } from '#server/features/omanual/import/import-rows.ts';

import { emptyGuideRow, ImportedIds } from '../../guides/import/ids.ts';
import { requireCategory } from './categories.ts';
import { existingGuide, type Origin } from './existing.ts';
import { placedFacts, type Placing } from './facts.ts';
import type { ImportNotes } from '../findings.ts';
import { reviseGuide } from './revise.ts';
import type { ReadyMedia } from './ready-media.ts';
import { sameSteps } from './same-steps.ts';
import { effectsOfMedia, storeMedia } from './stored-media.ts';

/** The action for a guide; `id`: the existing guide. */
export interface GuideAction {
  action: 'created' | 'changed' | 'skipped';
  id: number | null;
}

/** Decides by the rules of the import and the permissions of the importer. */
export async function guideAction(
  ctx: Context,
  guide: ArchivedGuide,
  { origin, existing, notes }: { origin: Origin; existing: 'skip' | 'new' | 'revision'; notes: ImportNotes },
): Promise<GuideAction> {
  for (const { title, foreignId } of guide.missingPrerequisites) {
    const named = title === '' ? `guide ${foreignId}` : title;
    notes.add(
      'unresolved',
      'prerequisite-missing',
      guide.member,
      `It builds on ${named}, which is not inside`,
    );
  }
  if (existing === 'new') return { action: 'created', id: null };
  const known = await existingGuide(ctx, guide, origin);
  if (known === undefined) return { action: 'created', id: null };
  if (existing === 'skip') return { action: 'skipped', id: known.guideid };
  if (can(ctx.viewer, 'guide.edit', known)) return { action: 'changed', id: known.guideid };
  notes.add('dropped', 'guide-not-editable', guide.member, 'The guide is here and you may not edit it');
  return { action: 'skipped', id: known.guideid };
}

/** The author of an imported guide: the importer, or the only person here with the author's name. */
export async function authorOf(
  ctx: Context,
  row: ImportRow,
  name: string,
  notes: ImportNotes,
  member: string,
): Promise<number> {
  if (row.author === 'importer' || name === '') return row.userid;
  const found = await ctx.db
    .selectFrom('users')
    .select('userid')
    .where('username', '=', name)
    .where('enabled', '=', 1)
    .limit(2)
    .execute();
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.userid;
  notes.add(
    'guessed',
    'author-unknown',
    member,
    `There is no account of ${name}; the importer becomes the author of the guide`,
  );
  return row.userid;
}

/** Stores a guide with its media, and records the effects. */
export async function storeGuide(
  ctx: Context,
  guide: ArchivedGuide,
  decided: GuideAction,
  options: { importid: number; placing: Placing; ready: ReadyMedia[]; importer: number },
): Promise<GuideAction> {
  const { importid, placing, ready, importer } = options;
  const { member } = guide;
  if (decided.action === 'skipped') {
    await rememberDone(ctx, importid, { kind: 'guide', member, id: decided.id ?? 0, action: 'skipped' });
    return decided;
  }
  await requireCategory(ctx, importid, placing.category, importer);
  const stored = await storeMedia(ctx, ready, placing.userid, placing.choice);
  await rememberDone(ctx, importid, ...effectsOfMedia(stored, member));
  if (decided.action === 'changed') {
    const before = await mustSeeGuide(ctx, must(decided.id, 'the guide that is here'));
    const placed = await placedFacts(ctx, before.guideid, guide, { ...placing, choice: 'map' }, stored);
    const same = sameSteps(before.steps, guide.facts.steps, placing.origin.isOwn);
    const after = await reviseGuide(ctx, before, placed, same);
    // Saving equal content makes no version.
    const action = after.guide_revisionid === before.guide_revisionid ? 'skipped' : 'changed';
    await rememberDone(ctx, importid, {
      kind: 'guide',
      member,
      id: before.guideid,
      action,
      revision_before: before.guide_revisionid,
      revision_after: after.guide_revisionid,
    });
    return { action, id: before.guideid };
  }
  const guideid = must(await placing.ids.find('guide', guide.facts.guideid), 'the reserved guideid');
  const placed = await placedFacts(ctx, guideid, guide, placing, stored);
  await ctx.db
    .insertInto('guides')
    .values({ ...emptyGuideRow(placing.userid), guideid, created_date: placed.created_date })
    .execute();
  await guideImported(ctx, await writeGuide(ctx, { ...placed, ...archivedAuthor(guide, placing) }, importer));
  for (const tag of guide.tags) if (!isReservedTag(tag)) await addTag(ctx, placed, tag);
  if (guide.foreignId !== null && placing.origin.host !== '')
    await new ImportedIds(ctx, placing.origin.host).remember('guide', guide.foreignId, guideid);
  await rememberDone(ctx, importid, {
    kind: 'guide',
    member,
    id: guideid,
    action: 'created',
    revision_after: placed.guide_revisionid,
  });
  return { action: 'created', id: guideid };
}

/** Keeps the author's name from the archive for later archives of the guide, until it gets another author here. */
function archivedAuthor(
  { author, facts }: ArchivedGuide,
  { userid }: Placing,
): Pick<GuideFacts, 'archived_author'> {
  if (author === '') return {};
  return { archived_author: { given_userid: userid, userid: facts.userid, name: author } };
}
