import { type Archive, ArchiveRefused } from '#shared/formats/omanual/archive.ts';

import type { Platform } from '#desktop/engine/journal/platform.ts';
import type { Environment } from '#desktop/engine/platform/ports.ts';
import { troubleOf } from '#desktop/engine/sync/trouble.ts';
import type { ArchiveProgressTracker } from './archive-progress.ts';
import { indexOf, readGuides } from './reader.ts';
import type { ArchiveRecord } from '#desktop/engine/storage/archive-record.ts';
import type { ArchiveRows } from '#desktop/engine/storage/archive-rows.ts';
import { serialQueue } from '#desktop/engine/platform/serial-queue.ts';

/** What the indexer reads from and writes to. */
export interface IndexerDeps {
  environment: Environment;
  lock: Platform['lock'];
  progress: ArchiveProgressTracker;
  rows(): Promise<ArchiveRows>;
  openArchive(archiveid: string): Promise<Archive>;
}

/** Reads archives into the index, one after the other. */
export class ArchiveIndexer {
  readonly #deps: IndexerDeps;
  /** The files to be read, by archiveid. Reading of any other file stops. */
  readonly #wanted = new Map<string, string>();
  readonly #inOrder = serialQueue();
  #reading: { archiveid: string; ended: Promise<void> } | null = null;
  #closed = false;

  constructor(deps: IndexerDeps) {
    this.#deps = deps;
  }

  /** Queues an archive for reading. */
  queue(record: ArchiveRecord): void {
    const { archiveid, stored } = record;
    this.#wanted.set(archiveid, stored);
    this.#inOrder(() =>
      // All tabs queue the archive, but one reads it.
      this.#deps.lock('archives-read', async () => {
        if (this.#isUnwanted(record)) return;
        const known = await (await this.#deps.rows()).get(archiveid);
        if (known === null || known.isRead) return;
        const ended = this.#read(record);
        this.#reading = { archiveid, ended };
        await ended;
      }),
    ).catch(() => undefined);
  }

  /** Stops reading an archive. Resolves when nothing of it is written to the index any more. */
  async stop(archiveid: string): Promise<void> {
    this.#wanted.delete(archiveid);
    if (this.#reading?.archiveid === archiveid) await this.#reading.ended.catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#inOrder(async () => undefined);
  }

  #isUnwanted({ archiveid, stored }: ArchiveRecord): boolean {
    return this.#closed || this.#wanted.get(archiveid) !== stored;
  }

  async #read(record: ArchiveRecord): Promise<void> {
    const { archiveid } = record;
    const { environment, progress } = this.#deps;
    const rows = await this.#deps.rows();
    try {
      const archive = await this.#deps.openArchive(archiveid);
      const index = indexOf(archive, record.filename);
      await rows.put({ record, index, problem: null, isRead: false });
      const read = await readGuides(archive, environment, {
        put: (guides) => rows.putGuides(archiveid, guides),
        progress: (done, total) => progress.progress(archiveid, { done, total }),
        stopped: () => this.#isUnwanted(record),
      });
      if (this.#isUnwanted(record)) return;
      await rows.put({ record, index: { ...index, ...read }, problem: null, isRead: true });
    } catch (error) {
      if (this.#isUnwanted(record)) return;
      if (error instanceof ArchiveRefused) await rows.remove(archiveid);
      await rows.put({ record, index: null, problem: problemOf(error), isRead: false });
    } finally {
      progress.progress(archiveid, null);
    }
  }
}

/** Why an archive cannot be shown, in plain words, with the member that causes it. */
function problemOf(error: unknown): string {
  if (!(error instanceof ArchiveRefused)) return troubleOf(error).words;
  return error.member === '' ? error.message : `${error.member}: ${error.message}`;
}
