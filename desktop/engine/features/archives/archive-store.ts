import { combineLatest, defer, map, type Observable, switchMap } from 'rxjs';

import { notFound } from '#shared/api/problem.ts';
import type { Archive, ArchivedGuide } from '#shared/formats/omanual/archive.ts';
import type { ByteSink, ByteSource } from '#shared/formats/omanual/source.ts';

import type { Journal } from '#desktop/engine/journal/journal.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import type { Environment } from '#desktop/engine/platform/ports.ts';
import { type ArchiveFiles, piecesOf } from '#desktop/engine/journal/archive-files.ts';
import { ArchiveProgressTracker, type ArchiveWork } from './archive-progress.ts';
import { ArchiveIndexer } from './indexer.ts';
import { ArchiveRecords } from './archive-records.ts';
import { mendHomes, type Mended } from './reconcile.ts';
import { OpenArchives } from './open-archives.ts';
import { readingAhead } from './reading-ahead.ts';
import type { ArchiveOrigin, ArchiveRecord } from '#desktop/engine/storage/archive-record.ts';
import type { ArchiveRows, GuideBrief, IndexedArchive } from '#desktop/engine/storage/archive-rows.ts';
import { dropFile, filesLock, storeFile } from './store-file.ts';

export interface ArchiveStoreDeps {
  environment: Environment;
  journal: Journal;
  lock: Platform['lock'];
  openFiles(): Promise<ArchiveFiles>;
  openRows(): Promise<ArchiveRows>;
  openArchive(source: ByteSource, filename: string): Promise<Archive>;
  /** The journal has other records of archives than before. */
  changed(): void;
}

export interface StoredArchive extends IndexedArchive, ArchiveWork {
  /** Of the whole file. */
  bytes: number;
}

const gone = 'The file is no longer on this device.';

/**
 * The archives of this device, whoever is signed in. Each has three homes: its file, the journal's record of it
 * (`ledger`), and what it holds in the index; here they come, change and go together.
 */
export class ArchiveStore {
  readonly ledger: ArchiveRecords;
  readonly progress = new ArchiveProgressTracker();
  readonly #deps: ArchiveStoreDeps;
  readonly #open = new OpenArchives((record) => this.#openFile(record));
  readonly #indexer: ArchiveIndexer;
  #started: Promise<ArchiveRows> | null = null;

  constructor(deps: ArchiveStoreDeps) {
    this.#deps = deps;
    this.ledger = new ArchiveRecords(deps.journal, () => deps.changed());
    this.#indexer = new ArchiveIndexer({
      ...deps,
      progress: this.progress,
      rows: () => this.start(),
      openArchive: (archiveid) => this.opened(archiveid),
    });
  }

  // What is looked at.

  /** All of them; emits the present ones first. */
  get archives(): Observable<StoredArchive[]> {
    return combineLatest([this.#rows((rows) => rows.archives), this.progress.all]).pipe(
      map(([archives, workOn]) =>
        archives.map((archive) => {
          const work = workOn(archive.record.archiveid);
          return { ...archive, ...work, bytes: archive.record.fetching?.size ?? work.kept };
        }),
      ),
    );
  }

  /** The guides of an archive that were read so far, in the order of its index. */
  briefs(archiveid: string): Observable<GuideBrief[]> {
    return this.#rows((rows) => rows.briefs(archiveid));
  }

  /** A guide, and again whenever it is another one; null while it is not read, and when it is gone. */
  guideAt(archiveid: string, place: number): Observable<ArchivedGuide | null> {
    return this.#rows((rows) => rows.guideAt(archiveid, place));
  }

  async guide(archiveid: string, place: number): Promise<ArchivedGuide | null> {
    return (await this.start()).guide(archiveid, place);
  }

  async find(archiveid: string): Promise<IndexedArchive | null> {
    return (await this.start()).get(archiveid);
  }

  async records(): Promise<ArchiveRecord[]> {
    await this.start();
    return this.ledger.all();
  }

  /** The opened archive; the few that were used last stay open. */
  async opened(archiveid: string): Promise<Archive> {
    return this.#open.get(await this.#recordOf(archiveid));
  }

  files(): Promise<ArchiveFiles> {
    return this.#deps.openFiles();
  }

  // What comes.

  /**
   * Keeps a file as an archive; it is safe on this device when this resolves, and read from then on. The same bytes
   * again are the same archive.
   * @throws ArchiveRefused before anything is kept
   */
  async add(source: ByteSource, filename: string, origin: ArchiveOrigin): Promise<string> {
    await this.start();
    await this.#deps.openArchive(readingAhead(source), filename);
    return this.#store(filename, origin, async (sink, archiveid) => {
      let done = 0;
      for await (const piece of piecesOf(source)) {
        await sink.write(piece);
        done += piece.length;
        this.progress.progress(archiveid, { done, total: source.size });
      }
    });
  }

  /** Keeps what `write` writes as an archive. */
  async make(
    filename: string,
    origin: ArchiveOrigin,
    write: (sink: ByteSink) => Promise<void>,
  ): Promise<string> {
    await this.start();
    return this.#store(filename, origin, write);
  }

  /** Journals a record and shows it; a whole file is read from then on. */
  async keep(record: ArchiveRecord): Promise<void> {
    await this.ledger.put(record);
    await this.#show({ record, index: null, problem: null, isRead: false });
    if (record.fetching === null) this.#indexer.soon(record);
  }

  // What changes.

  /** Changes the record of an archive that is being fetched, and what is shown of it. */
  async change(archiveid: string, edit: (record: ArchiveRecord) => ArchiveRecord): Promise<void> {
    const record = await this.ledger.edit(archiveid, edit);
    if (record === null) return;
    const index = (await this.find(archiveid))?.index ?? null;
    await this.#show({ record, index, problem: record.fetching?.problem ?? null, isRead: false });
  }

  /** A whole file takes the place of the archive whose next version it is; without one it is an archive of its own. */
  async finish(record: ArchiveRecord, sha256: string): Promise<string> {
    const replaces = record.fetching?.replaces ?? null;
    const before = replaces === null ? undefined : await this.ledger.find(replaces);
    const next = { ...record, archiveid: before?.archiveid ?? record.archiveid, sha256, fetching: null };
    if (before === undefined) await this.keep(next);
    else await this.#supersede(before, next, record.archiveid);
    return next.archiveid;
  }

  async #supersede(before: ArchiveRecord, next: ArchiveRecord, fetchedAs: string): Promise<void> {
    const rows = await this.start();
    await this.ledger.supersede(next, fetchedAs);
    await this.#indexer.stop(before.archiveid);
    for (const archiveid of [fetchedAs, before.archiveid]) await rows.remove(archiveid);
    await this.#show({ record: next, index: null, problem: null, isRead: false });
    await this.#removeFile(before.stored);
    this.#indexer.soon(next);
  }

  // What goes.

  /** Takes an archive off this device. */
  async remove(archiveid: string): Promise<void> {
    const rows = await this.start();
    const record = await this.ledger.find(archiveid);
    await this.#indexer.stop(archiveid);
    this.progress.progress(archiveid, null);
    await rows.remove(archiveid);
    await this.ledger.forget(archiveid);
    if (record !== undefined) await this.#removeFile(record.stored);
  }

  /** Gives the person a copy of the file; false when they change their mind. */
  async give(archiveid: string, title: string): Promise<boolean> {
    const { stored, filename } = await this.#recordOf(archiveid);
    return (await this.files()).give(stored, { filename, title });
  }

  // Beginning and end.

  /** Brings journal, files and index together; everything else waits for it. */
  start(): Promise<ArchiveRows> {
    this.#started ??= this.#start().catch((error: unknown) => {
      // Whoever asks next tries again.
      this.#started = null;
      throw error;
    });
    return this.#started;
  }

  async close(): Promise<void> {
    const rows = await this.#started?.catch(() => null);
    await this.#indexer.close();
    await rows?.close();
  }

  async #start(): Promise<ArchiveRows> {
    const rows = await this.#deps.openRows();
    try {
      await this.#deps.lock(filesLock, async () => {
        const [files, records] = [await this.files(), await this.ledger.all()];
        const mended = await mendHomes({
          files,
          rows,
          records,
          unreadable: await this.ledger.unreadable(),
          journal: (record) => this.ledger.put(record),
        });
        for (const one of mended) await this.#takeUp(rows, one);
      });
    } catch (error) {
      await rows.close();
      throw error;
    }
    return rows;
  }

  async #takeUp(rows: ArchiveRows, { record, known, size }: Mended): Promise<void> {
    if (size !== undefined) this.progress.size(record.archiveid, size);
    const isLost = size === undefined && record.fetching === null;
    const told = known?.problem === gone ? null : (known?.problem ?? null);
    const problem = isLost ? gone : (record.fetching?.problem ?? told);
    const isRead = known?.isRead ?? false;
    await rows.put({ record, index: known?.index ?? null, problem, isRead });
    if (record.fetching === null && problem === null && !isRead) this.#indexer.soon(record);
  }

  // The three homes.

  /** Keeps what `write` writes; resolves with the id of the archive that has these bytes. */
  async #store(
    filename: string,
    origin: ArchiveOrigin,
    write: (sink: ByteSink, archiveid: string) => Promise<void>,
  ): Promise<string> {
    const { environment, lock } = this.#deps;
    const archiveid = environment.uuid();
    const stored = `archive-${archiveid}`;
    return lock(filesLock, async () => {
      const writing = storeFile(await this.files(), stored, (sink) => write(sink, archiveid));
      const sha256 = await writing.finally(() => this.progress.progress(archiveid, null));
      const same = (await this.ledger.all()).find((one) => one.sha256 === sha256);
      if (same === undefined) {
        const addedAt = environment.now();
        await this.keep({ archiveid, stored, filename, addedAt, origin, sha256, fetching: null });
      } else await this.#removeFile(stored);
      return same?.archiveid ?? archiveid;
    });
  }

  async #show(archive: IndexedArchive): Promise<void> {
    const { archiveid, stored } = archive.record;
    await (await this.start()).put(archive);
    const size = await (await this.files()).size(stored);
    if (size !== undefined) this.progress.size(archiveid, size);
  }

  async #openFile({ stored, filename }: ArchiveRecord): Promise<Archive> {
    return this.#deps.openArchive(readingAhead(await (await this.files()).source(stored)), filename);
  }

  async #recordOf(archiveid: string): Promise<ArchiveRecord> {
    const archive = await this.find(archiveid);
    if (archive === null) throw notFound('Archive');
    return archive.record;
  }

  async #removeFile(stored: string): Promise<void> {
    this.#open.forget(stored);
    await dropFile(await this.files(), stored);
  }

  #rows<T>(look: (rows: ArchiveRows) => Observable<T>): Observable<T> {
    return defer(() => this.start()).pipe(switchMap(look));
  }
}
