import { BehaviorSubject, combineLatest, defer, map, type Observable, switchMap } from 'rxjs';

import { type Archive, type ArchivedGuide, ArchiveRefused } from '#shared/omanual/archive.ts';
import type { ByteSink, ByteSource } from '#shared/omanual/source.ts';
import { notFound } from '#shared/api/problem.ts';

import type { Journal } from '../journal/journal.ts';
import type { Platform } from '../platform.ts';
import type { Environment } from '../ports.ts';
import { type ArchiveFiles, type GivenFile, piecesOf } from './files.ts';
import { mendHomes, type Mended } from './mend.ts';
import { OpenArchives } from './open-archives.ts';
import { indexOf, readGuides } from './reader.ts';
import { archiveKey, type ArchiveOrigin, type ArchiveRecord, recordsIn } from './record.ts';
import type { ArchiveRows, IndexedArchive, IndexedGuide } from './rows.ts';
import { dropFile, storeFile } from './store-file.ts';

export interface ShelfWorld {
  environment: Environment;
  journal: Journal;
  lock: Platform['lock'];
  openFiles(): Promise<ArchiveFiles>;
  openRows(): Promise<ArchiveRows>;
  openArchive(source: ByteSource, filename: string): Promise<Archive>;
  /** The journal has other records of archives than before. */
  changed(): void;
}

/** How far work on an archive is; bytes while fetching, guides while reading. */
export interface ArchiveProgress {
  done: number;
  total: number;
}

export interface ShelvedArchive extends IndexedArchive {
  /** Of the whole file. */
  bytes: number;
  /** As much of it as is on this device. */
  kept: number;
  progress: ArchiveProgress | null;
}

/** A browser reads a file that it was given for as long, ms. */
const givenMs = 10 * 60_000;
const filesLock = 'archives';
const gone = 'The file is no longer on this device.';

/** The archives of this device, whoever is signed in: their files, the journal's records of them, and their index. */
export class ArchiveShelf {
  readonly #world: ShelfWorld;
  readonly #progress = new BehaviorSubject<ReadonlyMap<string, ArchiveProgress>>(new Map());
  readonly #sizes = new BehaviorSubject<ReadonlyMap<string, number>>(new Map());
  readonly #open = new OpenArchives((archiveid) => this.#openFile(archiveid));
  readonly #removed = new Set<string>();
  #started: Promise<ArchiveRows> | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(world: ShelfWorld) {
    this.#world = world;
  }

  /** All of them; emits the present ones first. */
  get archives(): Observable<ShelvedArchive[]> {
    return combineLatest([
      defer(() => this.start()).pipe(switchMap((rows) => rows.archives)),
      this.#progress,
      this.#sizes,
    ]).pipe(
      map(([archives, progress, sizes]) =>
        archives.map((archive) => {
          const { archiveid, fetching } = archive.record;
          const kept = sizes.get(archiveid) ?? 0;
          return {
            ...archive,
            bytes: fetching?.size ?? kept,
            kept,
            progress: progress.get(archiveid) ?? null,
          };
        }),
      ),
    );
  }

  /** The guides of an archive that were read so far, in the order of its index. */
  guides(archiveid: string): Observable<IndexedGuide[]> {
    return defer(() => this.start()).pipe(switchMap((rows) => rows.guides(archiveid)));
  }

  async guide(archiveid: string, place: number): Promise<ArchivedGuide | null> {
    return (await this.start()).guide(archiveid, place);
  }

  async find(archiveid: string): Promise<IndexedArchive | null> {
    return (await this.start()).get(archiveid);
  }

  /** Brings journal, files and index together; everything else waits for it. */
  start(): Promise<ArchiveRows> {
    this.#started ??= this.#start().catch((error: unknown) => {
      // Whoever asks next tries again.
      this.#started = null;
      throw error;
    });
    return this.#started;
  }

  /**
   * Keeps a file as an archive; it is safe on this device when this resolves, and read from then on. The same bytes
   * again are the same archive.
   * @throws ArchiveRefused before anything is kept
   */
  async add(source: ByteSource, filename: string, origin: ArchiveOrigin): Promise<string> {
    await this.start();
    await this.#world.openArchive(source, filename);
    return this.#store(filename, origin, async (sink, archiveid) => {
      let done = 0;
      for await (const piece of piecesOf(source)) {
        await sink.write(piece);
        done += piece.length;
        this.progress(archiveid, { done, total: source.size });
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

  /** Gives the person what `write` writes, without keeping it here; false when they change their mind. */
  async giveOnce(about: GivenFile, write: (sink: ByteSink) => Promise<void>): Promise<boolean> {
    await this.start();
    const stored = `given-${this.#world.environment.uuid()}`;
    return this.#world.lock(filesLock, async () => {
      const files = await this.files();
      await storeFile(files, this.#world.environment, stored, write);
      const isGiven = await files.give(stored, about);
      // A browser may still be reading it; what is left is removed at the next start.
      this.#world.environment.setTimer(() => void this.#removeFile(stored), givenMs);
      return isGiven;
    });
  }

  /** Journals a record and shows it; a whole file is read from then on. */
  async keep(record: ArchiveRecord): Promise<void> {
    await this.#journal(record);
    await this.#show({ record, index: null, problem: null, isRead: false });
    if (record.fetching === null) this.#readSoon(record);
  }

  /** Changes what the journal says of an archive that is being fetched. */
  async change(record: ArchiveRecord): Promise<void> {
    if (this.#removed.has(record.archiveid)) return;
    await this.#journal(record);
    const before = await this.find(record.archiveid);
    const index = before?.index ?? null;
    await this.#show({ record, index, problem: record.fetching?.problem ?? null, isRead: false });
  }

  /** A whole file takes the place of the archive whose next version it is; without one it is an archive of its own. */
  async finish(record: ArchiveRecord, sha256: string): Promise<string> {
    const { replaces = null } = record.fetching ?? {};
    const rows = await this.start();
    const before = (await this.#records()).find(({ archiveid }) => archiveid === replaces);
    if (before === undefined) {
      await this.keep({ ...record, sha256, fetching: null });
      return record.archiveid;
    }
    const { archiveid } = before;
    const whole = { ...record, archiveid, sha256, fetching: null };
    await this.#world.journal.append([
      { op: 'put', collection: 'meta', id: archiveKey(archiveid), value: whole },
      { op: 'delete', collection: 'meta', id: archiveKey(record.archiveid) },
    ]);
    this.#world.changed();
    this.#open.forget(archiveid);
    await rows.remove(record.archiveid);
    await rows.remove(archiveid);
    await this.#show({ record: whole, index: null, problem: null, isRead: false });
    await this.#removeFile(before.stored);
    this.#readSoon(whole);
    return archiveid;
  }

  async records(): Promise<ArchiveRecord[]> {
    await this.start();
    return this.#records();
  }

  /** Takes an archive off this device. */
  async remove(archiveid: string): Promise<void> {
    const rows = await this.start();
    this.#removed.add(archiveid);
    this.#open.forget(archiveid);
    this.progress(archiveid, null);
    const record = (await this.#records()).find((one) => one.archiveid === archiveid);
    await rows.remove(archiveid);
    await this.#world.journal.forget('meta', [archiveKey(archiveid)]);
    this.#world.changed();
    if (record !== undefined) await this.#removeFile(record.stored);
  }

  /** Gives the person a copy of the file; false when they change their mind. */
  async give(archiveid: string, title: string): Promise<boolean> {
    const { stored, filename } = await this.#recordOf(archiveid);
    return (await this.files()).give(stored, { filename, title });
  }

  /** The bytes of an archive's file. */
  async source(archiveid: string): Promise<ByteSource> {
    const { stored } = await this.#recordOf(archiveid);
    return (await this.files()).source(stored);
  }

  /** The opened archive; the few that were used last stay open. */
  opened(archiveid: string): Promise<Archive> {
    return this.#open.get(archiveid);
  }

  files(): Promise<ArchiveFiles> {
    return this.#world.openFiles();
  }

  /** Shows how far work on an archive is; null: it is done. */
  progress(archiveid: string, progress: ArchiveProgress | null): void {
    const next = new Map(this.#progress.value);
    if (progress === null) next.delete(archiveid);
    else next.set(archiveid, progress);
    this.#progress.next(next);
  }

  /** How much of a file is here. */
  noteSize(archiveid: string, size: number): void {
    this.#sizes.next(new Map(this.#sizes.value).set(archiveid, size));
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#started === null) return;
    const rows = await this.#started.catch(() => null);
    await this.#work;
    await rows?.close();
  }

  async #start(): Promise<ArchiveRows> {
    const rows = await this.#world.openRows();
    try {
      await this.#world.lock(filesLock, () => this.#mend(rows));
    } catch (error) {
      await rows.close();
      throw error;
    }
    return rows;
  }

  async #mend(rows: ArchiveRows): Promise<void> {
    const mended = await mendHomes({
      files: await this.files(),
      rows,
      records: await this.#records(),
      journal: (record) => this.#journal(record),
    });
    for (const one of mended) await this.#takeUp(rows, one);
  }

  async #takeUp(rows: ArchiveRows, { record, known, size }: Mended): Promise<void> {
    if (size !== undefined) this.noteSize(record.archiveid, size);
    const isLost = size === undefined && record.fetching === null;
    const told = known?.problem === gone ? null : (known?.problem ?? null);
    const problem = isLost ? gone : (record.fetching?.problem ?? told);
    const isRead = known?.isRead ?? false;
    await rows.put({ record, index: known?.index ?? null, problem, isRead });
    if (record.fetching === null && problem === null && !isRead) this.#readSoon(record);
  }

  #readSoon(record: ArchiveRecord): void {
    const reading = this.#work.then(() =>
      // Every tab sees what is unread; one reads.
      this.#world.lock('archives-read', async () => {
        const known = await this.find(record.archiveid);
        if (known !== null && !known.isRead) await this.#read(record);
      }),
    );
    this.#work = reading.catch(() => undefined);
  }

  async #read(record: ArchiveRecord): Promise<void> {
    const { archiveid } = record;
    const isStopped = (): boolean => this.#closed || this.#removed.has(archiveid);
    if (isStopped()) return;
    const rows = await this.start();
    try {
      const archive = await this.opened(archiveid);
      const index = indexOf(archive, record.filename);
      await rows.put({ record, index, problem: null, isRead: false });
      const findings = await readGuides(archive, this.#world.environment, {
        put: (guides) => rows.putGuides(archiveid, guides),
        progress: (done, total) => this.progress(archiveid, { done, total }),
        stopped: isStopped,
      });
      if (isStopped()) return;
      await rows.put({ record, index: { ...index, findings }, problem: null, isRead: true });
    } catch (error) {
      if (isStopped()) return;
      if (error instanceof ArchiveRefused) await rows.remove(archiveid);
      await rows.put({ record, index: null, problem: problemOf(error), isRead: false });
    } finally {
      this.progress(archiveid, null);
    }
  }

  async #openFile(archiveid: string): Promise<Archive> {
    const { filename } = await this.#recordOf(archiveid);
    return this.#world.openArchive(await this.source(archiveid), filename);
  }

  /** Keeps what `write` writes; resolves with the id of the archive that has these bytes. */
  async #store(
    filename: string,
    origin: ArchiveOrigin,
    write: (sink: ByteSink, archiveid: string) => Promise<void>,
  ): Promise<string> {
    const { environment, lock } = this.#world;
    const archiveid = environment.uuid();
    const stored = `archive-${archiveid}`;
    return lock(filesLock, async () => {
      const writing = storeFile(await this.files(), environment, stored, (sink) => write(sink, archiveid));
      const sha256 = await writing.finally(() => this.progress(archiveid, null));
      return this.#keepNew({ archiveid, stored, filename, origin, sha256 });
    });
  }

  /** Keeps a whole file, unless the same bytes are here already; resolves with the id of the archive that has them. */
  async #keepNew(whole: Omit<ArchiveRecord, 'addedAt' | 'fetching'>): Promise<string> {
    const same = (await this.#records()).find(({ sha256 }) => sha256 === whole.sha256);
    if (same !== undefined) {
      await this.#removeFile(whole.stored);
      return same.archiveid;
    }
    await this.keep({ ...whole, addedAt: this.#world.environment.now(), fetching: null });
    return whole.archiveid;
  }

  async #journal(record: ArchiveRecord): Promise<void> {
    const id = archiveKey(record.archiveid);
    await this.#world.journal.append([{ op: 'put', collection: 'meta', id, value: record }]);
    this.#world.changed();
  }

  async #show(archive: IndexedArchive): Promise<void> {
    await (await this.start()).put(archive);
    const size = await (await this.files()).size(archive.record.stored);
    if (size !== undefined) this.noteSize(archive.record.archiveid, size);
  }

  async #records(): Promise<ArchiveRecord[]> {
    const { meta } = await this.#world.journal.entries();
    return recordsIn(meta);
  }

  async #recordOf(archiveid: string): Promise<ArchiveRecord> {
    const archive = await this.find(archiveid);
    if (archive === null) throw notFound('Archive');
    return archive.record;
  }

  async #removeFile(stored: string): Promise<void> {
    await dropFile(await this.files(), stored);
  }
}

/** Why an archive cannot be shown, in plain words, with the member that is the reason. */
export function problemOf(error: unknown): string {
  if (!(error instanceof ArchiveRefused)) return error instanceof Error ? error.message : String(error);
  return error.member === '' ? error.message : `${error.member}: ${error.message}`;
}
