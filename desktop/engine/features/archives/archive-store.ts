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
import { reconcile, type Reconciled } from './reconcile.ts';
import { OpenArchives } from './open-archives.ts';
import { readingAhead } from './reading-ahead.ts';
import type { ArchiveOrigin, ArchiveRecord } from '#desktop/engine/storage/archive-record.ts';
import type { ArchiveRows, GuideBrief, IndexedArchive } from '#desktop/engine/storage/archive-rows.ts';
import { dropFile, filesLock, storeFile } from './file-sink.ts';

/** What the store of archives needs. */
export interface ArchiveStoreDeps {
  environment: Environment;
  journal: Journal;
  lock: Platform['lock'];
  openFiles(): Promise<ArchiveFiles>;
  openRows(): Promise<ArchiveRows>;
  openArchive(source: ByteSource, filename: string): Promise<Archive>;
  /** Called after each change of the archives' records in the journal. */
  changed(): void;
}

/** An archive on this device, with the state of the work on it. */
export interface StoredArchive extends IndexedArchive, ArchiveWork {
  /** Size of the complete file. */
  bytes: number;
}

const gone = 'The file is no longer on this device.';

/**
 * The archives of this device, independent of who is signed in. Each is stored in three places: its file, its record in
 * the journal (`ledger`), and its contents in the index. This class changes them together.
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

  // Reading.

  /** All archives; emits the present ones first. */
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

  /** The guides of an archive that have been read, in the order of its index. */
  briefs(archiveid: string): Observable<GuideBrief[]> {
    return this.#rows((rows) => rows.briefs(archiveid));
  }

  /** A guide; emits again after each change. Null while it has not been read, and after it was removed. */
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

  /** The opened archive. Those that were used last stay open. */
  async opened(archiveid: string): Promise<Archive> {
    return this.#open.get(await this.#recordOf(archiveid));
  }

  files(): Promise<ArchiveFiles> {
    return this.#deps.openFiles();
  }

  // Adding.

  /**
   * Stores a file as an archive, and begins to read it. The archive is safe on this device when this resolves. Equal
   * bytes are the same archive. Resolves to its id.
   * @throws ArchiveRefused before anything is stored
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

  /** Stores the output of `write` as an archive. Resolves to its id. */
  async make(
    filename: string,
    origin: ArchiveOrigin,
    write: (sink: ByteSink) => Promise<void>,
  ): Promise<string> {
    await this.start();
    return this.#store(filename, origin, write);
  }

  /** Journals a record and lists it. If the file is complete, begins to read it. */
  async keep(record: ArchiveRecord): Promise<void> {
    await this.ledger.put(record);
    await this.#show({ record, index: null, problem: null, isRead: false });
    if (record.fetching === null) this.#indexer.queue(record);
  }

  // Changing.

  /** Changes the record of an archive that is being fetched, in the journal and in the index. */
  async change(archiveid: string, edit: (record: ArchiveRecord) => ArchiveRecord): Promise<void> {
    const record = await this.ledger.edit(archiveid, edit);
    if (record === null) return;
    const index = (await this.find(archiveid))?.index ?? null;
    await this.#show({ record, index, problem: record.fetching?.problem ?? null, isRead: false });
  }

  /** Allows loading what an archive only links to. */
  async allowLinks(archiveid: string): Promise<void> {
    const record = await this.ledger.edit(archiveid, (before) => ({ ...before, loadsLinks: true }));
    const known = await this.find(archiveid);
    if (record !== null && known !== null) await this.#show({ ...known, record });
  }

  /**
   * Finishes a fetch: the file replaces the archive of which it is the next version, or becomes an archive of its own.
   */
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
    this.#indexer.queue(next);
  }

  // Removing, and saving a copy.

  /** Removes an archive from this device. */
  async remove(archiveid: string): Promise<void> {
    const rows = await this.start();
    const record = await this.ledger.find(archiveid);
    await this.#indexer.stop(archiveid);
    this.progress.progress(archiveid, null);
    await rows.remove(archiveid);
    await this.ledger.forget(archiveid);
    if (record !== undefined) await this.#removeFile(record.stored);
  }

  /** Saves a copy of the file for the person. False when they cancel. */
  async give(archiveid: string, title: string): Promise<boolean> {
    const { stored, filename } = await this.#recordOf(archiveid);
    return (await this.files()).give(stored, { filename, title });
  }

  // Start and end.

  /** Reconciles journal, files and index. All other methods wait for it. */
  start(): Promise<ArchiveRows> {
    this.#started ??= this.#start().catch((error: unknown) => {
      // The next caller tries again.
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
        const reconciled = await reconcile({
          files,
          rows,
          records,
          unreadable: await this.ledger.unreadable(),
          journal: (record) => this.ledger.put(record),
        });
        for (const one of reconciled) await this.#listReconciled(rows, one);
      });
    } catch (error) {
      await rows.close();
      throw error;
    }
    return rows;
  }

  async #listReconciled(rows: ArchiveRows, { record, known, size }: Reconciled): Promise<void> {
    if (size !== undefined) this.progress.size(record.archiveid, size);
    const isLost = size === undefined && record.fetching === null;
    const earlier = known?.problem === gone ? null : (known?.problem ?? null);
    const problem = isLost ? gone : (record.fetching?.problem ?? earlier);
    const isRead = known?.isRead ?? false;
    await rows.put({ record, index: known?.index ?? null, problem, isRead });
    if (record.fetching === null && problem === null && !isRead) this.#indexer.queue(record);
  }

  // The three places.

  /**
   * Stores the output of `write`. Resolves to the id of the archive that has these bytes, which may have existed
   * before.
   */
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
