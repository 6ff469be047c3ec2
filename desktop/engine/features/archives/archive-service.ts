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
import { dropFile, filesLock, storeFile } from './store-file.ts';
import { ArchiveWatch } from './watch.ts';

/** A browser reads a file that it was given for as long, ms. */
const givenMs = 10 * 60_000;

/** Only the archives that were searched last are kept ready for it. */
const mostIndexes = 2;

/** The archives of this device with what is made of them while they are looked at. */
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
    const { environment, journal, archives } = core;
    this.#core = core;
    this.news = new ArchiveNewsKeeper(core);
    const changed = (): void => this.news.look();
    this.store = new ArchiveStore({ environment, journal, ...archives, openArchive, changed });
    this.media = new ArchiveMedia(this.store);
    this.downloads = new ArchiveDownloads(core, this.store);
    this.imports = new ArchiveImports(core, this.store);
    this.#watch = new ArchiveWatch(core, this.store, this.downloads, this.news);
  }

  /** The words of an archive's guides, read a little at a time. */
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

  /** Gives the person what `write` writes, without keeping it here; false when they change their mind. */
  async giveOnce(about: GivenFile, write: (sink: ByteSink) => Promise<void>): Promise<boolean> {
    await this.store.start();
    const { environment, archives } = this.#core;
    const stored = `given-${environment.uuid()}`;
    return archives.lock(filesLock, async () => {
      const files = await archives.openFiles();
      await storeFile(files, stored, write);
      const isGiven = await files.give(stored, about);
      // What is left of it is removed at the next start.
      environment.setTimer(() => void dropFile(files, stored), givenMs);
      return isGiven;
    });
  }

  /** Takes an archive off this device, and what was being fetched for it. */
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

/** A guide of an archive as lists show it. */
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
