import { map } from 'rxjs';

import type { ByteSink } from '#shared/formats/omanual/source.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import { GuideIndex } from '../records/guide-index.ts';
import type { GuideRow } from '#desktop/engine/platform/ports.ts';
import { ArchiveDownloads } from './downloads.ts';
import type { GivenFile } from '#desktop/engine/journal/archive-files.ts';
import { archivedGuide, archivedGuideId } from './ids.ts';
import { ArchiveImports } from './imports.ts';
import { ArchiveMedia } from './media.ts';
import { ArchiveNewsKeeper } from './news.ts';
import type { GuideBrief } from '#desktop/engine/storage/archive-rows.ts';
import { ArchiveStore, type ArchiveStoreDeps } from './archive-store.ts';
import { dropFile, filesLock, storeFile } from './file-sink.ts';
import { ArchiveWatch } from './watch.ts';

/** How long a browser may need to read a file that it saves, ms. */
const givenMs = 10 * 60_000;

/** Number of search indexes in memory: those of the archives that were searched last. */
const mostIndexes = 2;

/** The archives of this device, with their media, search indexes, downloads and imports. */
export class ArchiveService {
  readonly store: ArchiveStore;
  readonly media: ArchiveMedia;
  readonly downloads: ArchiveDownloads;
  readonly imports: ArchiveImports;
  readonly news: ArchiveNewsKeeper;
  readonly #watch: ArchiveWatch;
  readonly #core: Core;
  readonly #indexes = new Map<string, GuideIndex>();

  constructor(core: Core, openArchive: ArchiveStoreDeps['openArchive']) {
    const { environment, journal, archives, lock } = core;
    this.#core = core;
    this.news = new ArchiveNewsKeeper(core);
    const changed = (): void => this.news.look();
    this.store = new ArchiveStore({ environment, journal, ...archives, lock, openArchive, changed });
    this.media = new ArchiveMedia(this.store);
    this.downloads = new ArchiveDownloads(core, this.store);
    this.imports = new ArchiveImports(core, this.store);
    this.#watch = new ArchiveWatch(core, this.store, this.downloads, this.news);
  }

  /** The search index of an archive. It is built in small pieces. */
  index(archiveid: string): GuideIndex {
    const known = this.#indexes.get(archiveid) ?? this.#newIndex(archiveid);
    this.#indexes.delete(archiveid);
    this.#indexes.set(archiveid, known);
    for (const [oldest, index] of this.#indexes) {
      if (this.#indexes.size <= mostIndexes) break;
      index.close();
      this.#indexes.delete(oldest);
    }
    known.start();
    return known;
  }

  /** Saves the output of `write` as a file for the person, but not among the archives. False when they cancel. */
  async giveOnce(about: GivenFile, write: (sink: ByteSink) => Promise<void>): Promise<boolean> {
    await this.store.start();
    const { environment, archives, lock } = this.#core;
    const stored = `given-${environment.uuid()}`;
    return lock(filesLock, async () => {
      const files = await archives.openFiles();
      await storeFile(files, stored, write);
      const isGiven = await files.give(stored, about);
      // If the app ends before, the next start removes the file.
      environment.setTimer(() => void dropFile(files, stored), givenMs);
      return isGiven;
    });
  }

  /** Removes an archive from this device, and the version that is being fetched for it. */
  async remove(archiveid: string): Promise<void> {
    this.#indexes.get(archiveid)?.close();
    this.#indexes.delete(archiveid);
    const own = await this.downloads.forget(archiveid);
    for (const one of new Set([...own, archiveid])) await this.store.remove(one);
  }

  async close(): Promise<void> {
    for (const index of this.#indexes.values()) index.close();
    this.downloads.close();
    this.imports.close();
    await this.#watch.close();
    await this.store.close();
  }

  #newIndex(archiveid: string): GuideIndex {
    const { store } = this;
    return new GuideIndex(
      {
        guideRows: () =>
          store.briefs(archiveid).pipe(map((guides) => guides.map((one) => rowOf(archiveid, one)))),
        guide: async (id) => {
          const named = archivedGuide(id);
          const guide = named === null ? null : await store.guide(archiveid, named.place);
          return guide === null ? null : { seq: 1, facts: guide.facts };
        },
      },
      this.#core.environment,
    );
  }
}

/** A guide of an archive in the form in which lists show guides. */
export function rowOf(archiveid: string, brief: GuideBrief): GuideRow {
  const { place, title, category, type, summary, difficulty, steps, imageGuid } = brief;
  return {
    id: archivedGuideId(archiveid, place),
    seq: 1,
    title,
    category,
    type,
    summary,
    difficulty,
    timeRequired: brief.time_required_max,
    steps,
    imageGuid,
    public: true,
    userid: 0,
    modifiedAt: brief.modified_date * 1000,
  };
}
