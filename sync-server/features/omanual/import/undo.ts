import { z } from 'zod';

import { keptItem, type KeptItem } from '#shared/model/archive-record.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { WikiVersion } from '#shared/model/wiki.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import { deleteGuide } from '#server/features/guides/delete-guide.ts';
import { saveGuide } from '#server/features/guides/store.ts';
import { childTitles } from '#server/features/wikis/relatives.ts';
import { removeWikis } from '#server/features/wikis/remove.ts';
import { contentOf as wikiContentOf, writeVersion } from '#server/features/wikis/store.ts';
import {
  findImport,
  effectsOf,
  rememberUndone,
  type Effect,
} from '#server/features/omanual/import/import-rows.ts';
import { findDocument } from '#server/storage/feed.ts';

import { contextForJob } from '../../../core/job.ts';
import { jobKind } from '../../../jobs/kind.ts';

/** Kind of the jobs that undo imports. */
export const undoKind = 'archive-undo';

export const undoInput = z.strictObject({ importid: z.int(), force: z.boolean() });
export const undoResult = z.strictObject({ undone: z.int(), kept: z.array(keptItem) });
type UndoResult = z.infer<typeof undoResult>;

/** Undoes all effects of an import. */
export const undoJob = jobKind({
  kind: undoKind,
  input: undoInput,
  cursor: z.strictObject({}),
  result: undoResult,
  run: (job, services) =>
    undoEffects(services, job.input.importid, { force: job.input.force }, async (done, total) => {
      await job.pause();
      job.progress(done, total, 'Taking back');
    }),
});

/**
 * Undoes the effects of an import, each in its own transaction that records the result: created records are deleted,
 * changed ones get their previous version. Records edited since stay, unless forced, and are reported.
 */
export async function undoEffects(
  services: Services,
  importid: number,
  { force }: { force: boolean },
  between: (done: number, total: number) => Promise<void> = async () => undefined,
): Promise<UndoResult> {
  const { reader } = services.storage;
  const row = await findImport(reader, importid);
  const effects = (await effectsOf(reader, importid)).filter((one) => one.action !== 'skipped').toReversed();
  // Guides first, because a category with guides cannot be deleted.
  const order = ['guide', 'category', 'image', 'video', 'document'];
  const sorted = effects.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const result: UndoResult = { undone: 0, kept: [] };
  for (const [index, effect] of sorted.entries()) {
    await between(index, sorted.length);
    if (effect.undone !== 'done') await undoOne(services, row?.userid ?? null, effect, force, result);
    else if (isRecord(effect)) result.undone += 1;
  }
  return result;
}

function isRecord({ kind }: Effect): boolean {
  return kind === 'guide' || kind === 'category';
}

async function undoOne(
  services: Services,
  userid: number | null,
  effect: Effect,
  force: boolean,
  result: UndoResult,
): Promise<void> {
  const files: string[] = [];
  await contextForJob(services, userid, async (ctx) => {
    if (!isRecord(effect)) {
      files.push(...(await removeMedia(ctx, effect)));
      return;
    }
    const kept =
      effect.kind === 'guide' ? await undoGuide(ctx, effect, force) : await undoCategory(ctx, effect, force);
    await rememberUndone(ctx, effect, kept?.reason ?? 'done');
    if (kept === null) result.undone += 1;
    else result.kept.push(kept);
  });
  for (const sha256 of files) await services.blobs.remove(sha256);
}

async function undoGuide(ctx: Context, effect: Effect, force: boolean): Promise<KeptItem | null> {
  const facts = await findDocument(ctx.db, 'guides', effect.id);
  if (facts === undefined) return null;
  const reason = await whyGuideStays(ctx, facts, effect);
  if (reason !== null && !force) return { kind: 'guide', id: effect.id, title: facts.title, reason };
  if (effect.action === 'created') {
    await deleteGuide(ctx, facts.guideid);
    await ctx.db
      .deleteFrom('imported_ids')
      .where('kind', '=', 'guide')
      .where('id', '=', facts.guideid)
      .execute();
    return null;
  }
  const before = await ctx.db
    .selectFrom('guide_revisions')
    .select('body')
    .where('guideid', '=', effect.id)
    .where('guide_revisionid', '=', effect.revision_before)
    .executeTakeFirst();
  if (before === undefined)
    return { kind: 'guide', id: effect.id, title: facts.title, reason: 'The version before is gone' };
  const old = JSON.parse(before.body) as GuideFacts;
  const { public: isPublic, userid, langid } = facts;
  await saveGuide(
    ctx,
    facts,
    contentOf(old),
    {
      public: isPublic,
      userid,
      langid,
      intro_video: old.intro_video,
      ...(old.prerequisite_releases === undefined
        ? {}
        : { prerequisite_releases: old.prerequisite_releases }),
    },
    { bumpGuide: true, deviceKeys: new Set() },
  );
  return null;
}

async function whyGuideStays(ctx: Context, facts: GuideFacts, effect: Effect): Promise<string | null> {
  if (facts.guide_revisionid !== effect.revision_after) return 'It was edited since';
  if (effect.action === 'changed') return null;
  const order = await ctx.db
    .selectFrom('work_log')
    .select('entryid')
    .where('guideid', '=', effect.id)
    .limit(1)
    .executeTakeFirst();
  if (order !== undefined) return 'Work orders were run by it';
  const comment = await ctx.db
    .selectFrom('comments')
    .select('commentid')
    .where('guideid', '=', effect.id)
    .where('status', '!=', 'deleted')
    .limit(1)
    .executeTakeFirst();
  return comment === undefined ? null : 'It was commented on';
}

async function undoCategory(ctx: Context, effect: Effect, force: boolean): Promise<KeptItem | null> {
  const facts = await findDocument(ctx.db, 'wikis', effect.id);
  if (facts === undefined) return null;
  const kept = (reason: string): KeptItem => ({
    kind: 'category',
    id: effect.id,
    title: facts.title,
    reason,
  });
  const isEdited = facts.revisionid !== effect.revision_after || facts.unpatrolled !== undefined;
  if (isEdited && !force) return kept('It was edited since');
  if (effect.action === 'changed') {
    const before = await ctx.db
      .selectFrom('wiki_revisions')
      .select('body')
      .where('wikiid', '=', effect.id)
      .where('revisionid', '=', effect.revision_before)
      .executeTakeFirst();
    if (before === undefined) return kept('The version before is gone');
    const { title, parent } = facts;
    const content = wikiContentOf(JSON.parse(before.body) as WikiVersion);
    await writeVersion(ctx, facts, { ...content, title, parent }, true);
    return null;
  }
  // Guides and categories of others still need it, even if the undo is forced.
  if ((await childTitles(ctx.db, facts.title)).length > 0) return kept('There are categories below it');
  const guide = await ctx.db
    .selectFrom('guides')
    .select('guideid')
    .where('category', '=', facts.title)
    .where('deleted', '=', 0)
    .limit(1)
    .executeTakeFirst();
  if (guide !== undefined) return kept('There are guides in it');
  await removeWikis(ctx, [facts]);
  return null;
}

/** Removes the row of a file that no record shows. Returns the hashes of blobs that no row needs. */
async function removeMedia(ctx: Context, effect: Effect): Promise<string[]> {
  const row = await fileOf(ctx, effect);
  if (row === undefined || (await isShown(ctx, effect, row.guid))) return [];
  await removeFile(ctx, effect);
  await ctx.db
    .deleteFrom('media_manager')
    .where('kind', '=', effect.kind)
    .where('id', '=', effect.id)
    .execute();
  await rememberUndone(ctx, effect, 'done');
  return row.sha256 === null || (await isNeeded(ctx, row.sha256)) ? [] : [row.sha256];
}

async function fileOf(
  { db }: Context,
  { kind, id }: Effect,
): Promise<{ guid: string; sha256: string | null } | undefined> {
  switch (kind) {
    case 'image':
      return db.selectFrom('images').select(['guid', 'sha256']).where('imageid', '=', id).executeTakeFirst();
    case 'video':
      return db
        .selectFrom('video_files')
        .select(['guid', 'sha256'])
        .where('videoid', '=', id)
        .executeTakeFirst();
    default:
      return db
        .selectFrom('document_files')
        .select(['guid', 'sha256'])
        .where('documentid', '=', id)
        .executeTakeFirst();
  }
}

async function removeFile({ db }: Context, { kind, id }: Effect): Promise<void> {
  if (kind === 'image') await db.deleteFrom('images').where('imageid', '=', id).execute();
  else if (kind === 'video') await db.deleteFrom('video_files').where('videoid', '=', id).execute();
  else await db.deleteFrom('document_files').where('documentid', '=', id).execute();
}

/** Whether a record shows the file, or a text shows the picture. */
async function isShown({ db }: Context, { kind, id }: Effect, guid: string): Promise<boolean> {
  const use = await db
    .selectFrom('file_uses')
    .select('file')
    .where('file', '=', guid)
    .limit(1)
    .executeTakeFirst();
  if (use !== undefined || kind !== 'image') return use !== undefined;
  const text = await db
    .selectFrom('text_pictures')
    .select('imageid')
    .where('imageid', '=', id)
    .limit(1)
    .executeTakeFirst();
  return text !== undefined;
}

async function isNeeded(ctx: Context, sha256: string): Promise<boolean> {
  for (const table of ['images', 'video_files', 'document_files'] as const) {
    const row = await ctx.db
      .selectFrom(table)
      .select('guid')
      .where('sha256', '=', sha256)
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
}
