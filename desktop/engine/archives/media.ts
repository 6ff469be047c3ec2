import { firstValueFrom, map } from 'rxjs';

import type { ArchivedMedia } from '#shared/omanual/archive.ts';

import type { ArchiveShelf } from './shelf.ts';

/** So many files of archives are unpacked at the same time. */
const parallel = 4;

/** Pictures, videos and documents of archives, unpacked when they are looked at. */
export class ArchiveMedia {
  readonly #shelf: ArchiveShelf;
  readonly #known = new Map<string, Map<string, ArchivedMedia>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(shelf: ArchiveShelf) {
    this.#shelf = shelf;
  }

  /** What an archive says of one of its files. */
  async find(archiveid: string, guid: string): Promise<ArchivedMedia | undefined> {
    const known = this.#known.get(archiveid)?.get(guid);
    if (known !== undefined) return known;
    const archive = await this.#shelf.find(archiveid);
    const ofCategories = archive?.index?.categories.flatMap(({ media }) => media) ?? [];
    const ofGuides = await firstValueFrom(
      this.#shelf.guides(archiveid).pipe(map((guides) => guides.flatMap(({ guide }) => guide.media))),
    );
    const all = new Map([...ofCategories, ...ofGuides].map((media) => [media.guid, media]));
    this.#known.set(archiveid, all);
    return all.get(guid);
  }

  /** The bytes of one of its files; undefined when it is only linked, or gone. */
  async read(archiveid: string, guid: string): Promise<Blob | undefined> {
    const media = await this.find(archiveid, guid);
    const member = media?.member ?? null;
    if (media === undefined || member === null) return undefined;
    await this.#turn();
    try {
      const archive = await this.#shelf.opened(archiveid);
      const bytes = await new Response(await archive.media(member)).blob();
      return bytes.slice(0, bytes.size, media.mime);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    while (this.#running >= parallel) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }
}
