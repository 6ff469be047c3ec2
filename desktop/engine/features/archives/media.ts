import type { ArchivedMedia } from '#shared/formats/omanual/archive.ts';
import { pictureSize } from '#shared/formats/omanual/media-kinds.ts';
import { maxPixels } from '#shared/model/upload-limits.ts';

import type { ArchivedFile, FileOwner } from './ids.ts';
import type { ArchiveStore } from './archive-store.ts';

/** How many files of archives are unpacked at the same time. */
const parallel = 4;

/** Pictures, videos and documents of archives. They are unpacked when they are shown. */
export class ArchiveMedia {
  readonly #store: ArchiveStore;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(store: ArchiveStore) {
    this.#store = store;
  }

  /** The entry of a file in the present version of an archive. */
  async find({ archiveid, place, guid }: ArchivedFile): Promise<ArchivedMedia | undefined> {
    const media = await this.#mediaAt(archiveid, place);
    return media.find((one) => one.guid === guid);
  }

  /**
   * The content of a file; undefined when the archive only links to it, it is gone, or it is a picture of more than 50
   * megapixels, which could take all memory of the device.
   */
  async read(file: ArchivedFile): Promise<Blob | undefined> {
    const media = await this.find(file);
    const member = media?.member ?? null;
    if (media === undefined || member === null) return undefined;
    await this.#turn();
    try {
      const archive = await this.#store.opened(file.archiveid);
      const bytes = await new Response(await archive.media(member)).blob();
      if (media.kind === 'image' && (await isTooLarge(bytes))) return undefined;
      return bytes.slice(0, bytes.size, media.mime);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #mediaAt(archiveid: string, place: FileOwner): Promise<readonly ArchivedMedia[]> {
    if (place !== 'categories') return (await this.#store.guide(archiveid, place))?.media ?? [];
    const archive = await this.#store.find(archiveid);
    return archive?.index?.categories.flatMap(({ media }) => media) ?? [];
  }

  async #turn(): Promise<void> {
    while (this.#running >= parallel) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }
}

/** The first bytes of a picture, in which its size is found. */
const headBytes = 64 * 1024;

async function isTooLarge(picture: Blob): Promise<boolean> {
  const size = pictureSize(new Uint8Array(await picture.slice(0, headBytes).arrayBuffer()));
  return size !== null && size.width * size.height > maxPixels;
}
