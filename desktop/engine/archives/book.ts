import { firstValueFrom, map } from 'rxjs';

import type { Core } from '../core.ts';
import { GuideIndex } from '../views/guide-index.ts';
import type { GuideRow } from '../ports.ts';
import { ArchiveDownloads } from './downloads.ts';
import { archivedGuide, archivedGuideId } from './ids.ts';
import { ArchiveImports } from './imports.ts';
import { ArchiveMedia } from './media.ts';
import { ArchiveNewsKeeper } from './news.ts';
import type { IndexedGuide } from './rows.ts';
import { ArchiveShelf, type ShelfWorld } from './shelf.ts';
import { ArchiveWatch } from './watch.ts';

/** Only the archives that were searched last are kept ready for it. */
const mostIndexes = 2;

/** The archives of this device with what is made of them while they are looked at. */
export class ArchiveBook {
  readonly shelf: ArchiveShelf;
  readonly media: ArchiveMedia;
  readonly downloads: ArchiveDownloads;
  readonly imports: ArchiveImports;
  readonly news: ArchiveNewsKeeper;
  readonly #watch: ArchiveWatch;
  readonly #core: Core;
  readonly #indexes = new Map<string, GuideIndex>();

  constructor(core: Core, openArchive: ShelfWorld['openArchive']) {
    const { environment, journal, archives } = core;
    this.#core = core;
    this.news = new ArchiveNewsKeeper(core);
    const changed = (): void => this.news.look();
    this.shelf = new ArchiveShelf({ environment, journal, ...archives, openArchive, changed });
    this.media = new ArchiveMedia(this.shelf);
    this.downloads = new ArchiveDownloads(core, this.shelf);
    this.imports = new ArchiveImports(core, this.shelf);
    this.#watch = new ArchiveWatch(core, this.shelf, this.downloads, this.news);
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

  /** Takes an archive off this device, and what was being fetched for it. */
  async remove(archiveid: string): Promise<void> {
    const own = await this.downloads.forget(archiveid);
    for (const one of new Set([...own, archiveid])) await this.shelf.remove(one);
  }

  async close(): Promise<void> {
    for (const index of this.#indexes.values()) index.close();
    this.downloads.close();
    this.imports.close();
    await this.#watch.close();
    await this.shelf.close();
  }

  #newIndex(archiveid: string): GuideIndex {
    const { shelf } = this;
    return new GuideIndex(
      {
        guideRows: () =>
          shelf.guides(archiveid).pipe(map((guides) => guides.map((one) => rowOf(archiveid, one)))),
        guide: async (id) => {
          const place = archivedGuide(id)?.place;
          const guides = await firstValueFrom(shelf.guides(archiveid));
          const facts = guides.find((one) => one.place === place)?.guide.facts;
          return facts === undefined ? null : { seq: 1, facts };
        },
      },
      this.#core.environment,
    );
  }
}

/** A guide of an archive as lists show it. */
export function rowOf(archiveid: string, { place, guide: { facts } }: IndexedGuide): GuideRow {
  return {
    id: archivedGuideId(archiveid, place),
    seq: 1,
    title: facts.title,
    category: facts.category,
    type: facts.type,
    summary: facts.summary,
    difficulty: facts.difficulty,
    timeRequired: facts.time_required_max,
    steps: facts.steps.length,
    imageGuid: facts.image?.guid ?? '',
    public: true,
    userid: 0,
    modifiedAt: facts.modified_date * 1000,
  };
}
