import { z } from 'zod';

import { importReport, type ImportedItem, type ImportReportRecord } from '#shared/model/archive-record.ts';
import { invalid } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import { ArchiveRefused, type Archive, type ArchivedGuide } from '#shared/omanual/archive.ts';
import { openArchive } from '#shared/omanual/read.ts';
import { ownOrigin } from '#server/audit/origin.ts';
import type { Context, Services } from '#server/http/context.ts';
import { fileSource } from '#server/resources/omanual/archive-files.ts';
import { findImport, type ImportRow } from '#server/resources/omanual/import-rows.ts';
import { wantedBase } from '#server/resources/omanual/wanted-base.ts';
import { versionsOf } from '#server/resources/wikis/store.ts';

import { contextForJob, readingContext, requireOpenAccount } from '../context.ts';
import { choiceFor, ImportedIds, type IdChoice } from '../import/ids.ts';
import { jobKind, type RunningJob } from '../kind.ts';
import { categoryAction, parentsFirst, storeCategory } from './categories.ts';
import { effectsOf } from './effects.ts';
import { originOf, type Origin } from './existing.ts';
import type { Placing } from './facts.ts';
import { fetchArchive } from './fetch.ts';
import { mostListed, Notes } from './notes.ts';
import {
  forgetMapping,
  mappingOf,
  numberedGuide,
  reservedTogether,
  reserveNumbers,
  type NumberedGuide,
} from './numbers.ts';
import { authorOf, guideAction, storeGuide, type GuideAction } from './store-guide.ts';
import { readMedia, storeMedia, withNames, type ReadyMedia } from './stored-media.ts';
import { undoEffects } from './undo.ts';

/** Kind of the jobs that import archives. */
export const importKind = 'archive-import';

export const importInput = z.strictObject({ importid: z.int() });
/** `ids`: whether numbers stay what they were, decided once. */
const cursor = z.strictObject({ ids: z.enum(['keep', 'map']) });
type Cursor = z.infer<typeof cursor>;

/**
 * Imports an archive: everything is read and checked before anything is stored; then each category and each guide is one
 * transaction with its media, and with a line that says that it is done. A killed import goes on after the last line.
 */
export const importJob = jobKind({
  kind: importKind,
  input: importInput,
  cursor,
  result: importReport,
  async run(job, services) {
    try {
      return await new Import(job, services, await prepared(job, services)).run();
    } catch (error) {
      throw error instanceof ArchiveRefused ? refusal(error) : error;
    }
  },
  async abandon(job, services) {
    await undoEffects(services, job.input.importid, { force: false });
    await forgetMapping(services, job.input.importid);
  },
});

/** A refused archive in the words of the API: the member is the field. */
function refusal({ member, message, code }: ArchiveRefused): Error {
  return invalid(member === '' ? 'file' : member, `${message} (${code})`);
}

/** The import with its file on disk. */
async function prepared(
  job: RunningJob<z.infer<typeof importInput>, Cursor>,
  services: Services,
): Promise<ImportRow> {
  const { importid } = job.input;
  const { reader } = services.storage;
  const row = must(await findImport(reader, importid), 'the import');
  await requireOpenAccount(reader, row.userid);
  if (row.sha256 !== null || row.url === null) return row;
  const file = await fetchArchive(services, importid, row.url, job);
  await services.storage.write(ownOrigin(services, 'import'), (tx) =>
    tx
      .updateTable('archive_imports')
      .set({ ...file, received: file.size })
      .where('importid', '=', importid)
      .execute(),
  );
  return { ...row, ...file };
}

/** A guide of the archive whose media are in the blob store; null: it was to be skipped when it was read. */
interface ReadGuide {
  guide: ArchivedGuide;
  ready: ReadyMedia[] | null;
}

class Import {
  readonly #job: RunningJob<z.infer<typeof importInput>, Cursor>;
  readonly #services: Services;
  readonly #row: ImportRow;
  readonly #notes = new Notes(mostListed);
  readonly #items: ImportedItem[] = [];
  #files = 0;
  #choice: IdChoice = 'map';

  constructor(job: RunningJob<z.infer<typeof importInput>, Cursor>, services: Services, row: ImportRow) {
    this.#job = job;
    this.#services = services;
    this.#row = row;
  }

  async run(): Promise<ImportReportRecord> {
    const { importid, filename } = this.#row;
    await using source = await fileSource(this.#services.archives.uploadPath(importid));
    const archive = await openArchive(source, filename);
    const { site } = this.#services;
    const origin = originOf(archive.base, [site.address, this.#row.base, await wantedBase(this.#services)]);
    await this.#check(archive, origin);
    if (this.#row.dry_run === 1) return this.#report(archive);
    this.#items.length = 0;
    this.#files = 0;
    await this.#importCategories(archive, origin);
    await this.#importGuides(archive, origin);
    await forgetMapping(this.#services, importid);
    return this.#report(archive);
  }

  /** Reads all of it: what is refused is refused before anything is stored. Guides to be made get their numbers. */
  async #check(archive: Archive, origin: Origin): Promise<void> {
    const { userid, existing } = this.#row;
    const total = archive.entries.length;
    if (total === 0 && archive.categories.length === 0)
      throw invalid('file', 'There is nothing in the archive');
    const reading = await readingContext(this.#services, userid, '');
    this.#choice = this.#job.cursor?.ids ?? (await this.#decide(archive, origin));
    for (const category of archive.categories) {
      const action = await categoryAction(reading, category, existing);
      this.#say({ kind: 'category', member: category.member, title: category.facts.title, action, id: null });
    }
    let waiting: NumberedGuide[] = [];
    for (const [index, { member }] of archive.entries.entries()) {
      await this.#job.pause();
      this.#job.progress(index, total, 'Checking');
      const guide = await archive.guide(member);
      this.#files += guide.media.filter((one) => one.member !== null).length;
      const { action, id } = await guideAction(reading, guide, { origin, existing, notes: this.#notes });
      this.#say({ kind: 'guide', member, title: guide.facts.title, action, id });
      if (this.#row.dry_run === 1) continue;
      waiting.push(numberedGuide(guide));
      if (waiting.length < reservedTogether && index + 1 < total) continue;
      await reserveNumbers(this.#services, this.#row, waiting, { origin, choice: this.#choice });
      waiting = [];
    }
  }

  async #decide(archive: Archive, origin: Origin): Promise<IdChoice> {
    if (this.#row.dry_run === 1) return 'map';
    return contextForJob(this.#services, null, async (ctx) => {
      const mayKeep = archive.producer === 'benchbook' && this.#row.existing !== 'new' && origin.host !== '';
      const ids = mayKeep ? await choiceFor(ctx, origin.host) : 'map';
      await this.#job.advance(ctx, { ids });
      return ids;
    });
  }

  async #importCategories(archive: Archive, origin: Origin): Promise<void> {
    const { importid, userid, existing } = this.#row;
    const effects = await effectsOf(this.#services.storage.reader, importid);
    const done = new Map(effects.filter((one) => one.kind === 'category').map((one) => [one.id, one]));
    for (const category of parentsFirst(archive.categories)) {
      await this.#job.pause();
      const { member } = category;
      const { title } = category.facts;
      const ready = await readMedia(
        this.#services,
        archive,
        withNames(category.media, category.facts.documents ?? []),
        this.#notes,
      );
      await this.#write(async (ctx) => {
        const [here] = await versionsOf(ctx.db, 'CATEGORY', title);
        const known = here === undefined ? undefined : done.get(here.wikiid);
        if (known !== undefined) {
          this.#say({ kind: 'category', member, title, action: known.action, id: known.id });
          return;
        }
        const action = await categoryAction(ctx, category, existing);
        const used = action === 'skipped' ? [] : ready;
        const stored = await storeMedia(ctx, used, userid, this.#choice);
        const placing = this.#placing(ctx, origin, userid, '');
        const id = await storeCategory(ctx, importid, category, action, { placing, stored });
        this.#files += used.length;
        this.#say({ kind: 'category', member, title, action, id });
      });
    }
  }

  async #importGuides(archive: Archive, origin: Origin): Promise<void> {
    const effects = await effectsOf(this.#services.storage.reader, this.#row.importid);
    const done = new Map(effects.filter((one) => one.kind === 'guide').map((one) => [one.member, one]));
    const total = archive.entries.length;
    let next: Promise<ReadGuide | null> = Promise.resolve(null);
    const begin = (index: number): void => {
      const member = archive.entries[index]?.member;
      next =
        member === undefined || done.has(member)
          ? Promise.resolve(null)
          : this.#readGuide(archive, member, origin);
      // Its failure counts when it is that guide's turn.
      next.catch(() => undefined);
    };
    begin(0);
    try {
      for (const [index, { member, title }] of archive.entries.entries()) {
        await this.#job.pause();
        this.#job.progress(index, total, 'Importing');
        const read = await next;
        begin(index + 1);
        const before = done.get(member);
        if (before !== undefined)
          this.#say({ kind: 'guide', member, title, action: before.action, id: before.id });
        else await this.#importGuide(archive, must(read, 'the guide that was read'), origin);
      }
    } finally {
      await next.catch(() => undefined);
    }
    this.#job.progress(total, total, 'Imported');
  }

  /** Reads a guide and puts its media into the blob store, while the one before it is written. */
  async #readGuide(archive: Archive, member: string, origin: Origin): Promise<ReadGuide> {
    const guide = await archive.guide(member);
    const { action } = await this.#decided(guide, origin);
    return { guide, ready: action === 'skipped' ? null : await this.#media(archive, guide) };
  }

  #media(archive: Archive, { media, facts }: ArchivedGuide): Promise<ReadyMedia[]> {
    return readMedia(this.#services, archive, withNames(media, facts.documents), this.#notes);
  }

  async #decided(guide: ArchivedGuide, origin: Origin): Promise<GuideAction> {
    const reading = await readingContext(this.#services, this.#row.userid, '');
    return guideAction(reading, guide, { origin, existing: this.#row.existing, notes: this.#notes });
  }

  async #importGuide(archive: Archive, read: ReadGuide, origin: Origin): Promise<void> {
    const { importid } = this.#row;
    const { guide } = read;
    const { member, facts } = guide;
    // Again: the guide before may be the same one.
    const decided = await this.#decided(guide, origin);
    const ready = decided.action === 'skipped' ? [] : (read.ready ?? (await this.#media(archive, guide)));
    await this.#write(async (ctx) => {
      const userid = await authorOf(ctx, this.#row, guide.author, this.#notes, member);
      const category = facts.category || archive.categories[0]?.facts.title || 'Imported guides';
      const placing = this.#placing(ctx, origin, userid, category);
      const isPublic = this.#isPublic(archive, guide);
      const item = await storeGuide(ctx, guide, decided, {
        importid,
        placing: { ...placing, isPublic },
        ready,
        importer: this.#row.userid,
      });
      this.#files += ready.length;
      this.#say({ kind: 'guide', member, title: facts.title, ...item });
    });
  }

  /** As the archive says, where it says it: only our own do. */
  #isPublic({ producer }: Archive, { facts }: ArchivedGuide): boolean {
    const { visibility } = this.#row;
    return visibility === 'archived' ? producer === 'benchbook' && facts.public : visibility === 'public';
  }

  #placing(ctx: Context, origin: Origin, userid: number, category: string): Placing {
    const ids = new ImportedIds(ctx, mappingOf(this.#row.importid));
    return { userid, isPublic: false, category, choice: this.#choice, origin, ids };
  }

  /** One piece of the import: a transaction with the rights of the importer, and what texts name judged by them. */
  #write(work: (ctx: Context) => Promise<void>): Promise<void> {
    return contextForJob(this.#services, this.#row.userid, work, 'person');
  }

  #say(item: ImportedItem): void {
    this.#items.push(item);
  }

  #report({ version, producer, base, findings }: Archive): ImportReportRecord {
    const count = (action: ImportedItem['action']): number =>
      this.#items.filter((one) => one.action === action).length;
    return {
      version,
      producer,
      base,
      created: count('created'),
      changed: count('changed'),
      skipped: count('skipped'),
      media: this.#files,
      items: this.#items.slice(0, mostListed),
      findings: this.#notes.after(findings),
    };
  }
}
