import type { VideoFacts } from '#shared/model/guide.ts';
import type { Services } from '#server/core/services.ts';
import type { ImageAnswer } from '#server/features/guides/import/answer.ts';
import type { ImportedFile } from '#server/features/guides/import/files.ts';
import type { ImportedGuide } from '#server/features/guides/import/guide-from-answer.ts';
import {
  imageRefOf,
  isServerAvatar,
  type ImportedImage,
  type ImportedPicture,
} from '#server/features/guides/import/images.ts';
import { recogniseDocumentFile, recogniseVideo } from '#server/media/file-types.ts';
import { prepareImage } from '#server/media/images.ts';
import { clearPlace } from '#server/media/video-place.ts';
import { Problem } from '#shared/api/problem.ts';

import { imageDetails } from './answers.ts';
import type { Report } from './report.ts';
import { NotHad, type Source } from './source.ts';

/** Largest video or document, bytes. */
const mostFileBytes = 4 * 1024 ** 3;
/** Sizes of a picture, best first. */
const byQuality = ['original', 'huge', 'large', 'medium', '440x330', 'standard'] as const;
/** Refusals in a row after which the details of pictures are not asked for any more. */
const mostRefusals = 3;

/** A video in the blob store. */
export interface ReadyVideo {
  sha256: string;
  size: number;
  mime: string;
  filename: string;
}

/**
 * Fetches pictures, documents and videos into the blob store before the records that show them are stored. A file that is
 * here already is not fetched again.
 *
 * - MIRRORSITE-3 A file that cannot be had is reported, and fetched again with the next run. Meanwhile a picture is drawn, and
 *   a document or video leads to the other site.
 */
export class Media {
  readonly #services: Services;
  readonly #source: Source;
  readonly #report: Report;
  readonly #pictures = new Map<string, Promise<ImportedPicture | null>>();
  #refusals = 0;

  constructor(services: Services, source: Source, report: Report) {
    this.#services = services;
    this.#source = source;
    this.#report = report;
  }

  /**
   * The pictures with their bytes, where they are not here already. `answer`: the answer that has their addresses.
   * `isComplete`: whether all were had.
   */
  async pictures(
    images: readonly ImportedImage[],
    answer: unknown,
    what: string,
  ): Promise<{ images: ImportedImage[]; isComplete: boolean }> {
    const addresses = new Map(imagesIn(answer).map((image) => [image.guid, image]));
    let isComplete = true;
    const ready = await Promise.all(
      images.map(async (image): Promise<ImportedImage> => {
        if (isServerAvatar(image.ref)) return image;
        const file = await this.#picture(image.ref.guid, addresses.get(image.ref.guid), what);
        if (file === null) isComplete = false;
        return { ...image, file: file ?? undefined };
      }),
    );
    return { images: ready, isComplete };
  }

  /** The pictures that texts name by their numbers, as pictures of `title`. */
  async named(imageids: readonly number[], title: string): Promise<ImportedImage[]> {
    const found: ImportedImage[] = [];
    for (const imageid of new Set(imageids)) {
      try {
        const { image, markup } = await this.#source.read(`/media/images/${imageid}`, imageDetails);
        const ref = imageRefOf(image);
        const drawing = { placeholder: { guid: ref.guid, guideTitle: title } };
        const file = await this.#picture(ref.guid, image, title, markup);
        found.push({ ref, drawing, file: file ?? undefined });
      } catch (error) {
        if (!(error instanceof NotHad)) throw error;
        this.#report.lack('files', `picture ${imageid} in the text of ${title}`, error.message);
      }
    }
    return found;
  }

  /** The bytes of a picture; undefined if they are here, null if they cannot be had. */
  async #picture(
    guid: string,
    image: ImageAnswer | undefined,
    what: string,
    markup?: string | null,
  ): Promise<ImportedPicture | null | undefined> {
    const row = await this.#services.storage.reader
      .selectFrom('images')
      .select('sha256')
      .where('guid', '=', guid)
      .executeTakeFirst();
    if (row !== undefined && row.sha256 !== null) return undefined;
    const fetching =
      this.#pictures.get(guid) ??
      this.#fetchPicture(image, markup).catch((error: unknown) => {
        this.#refuse(`picture ${guid} of ${what}`, error);
        return null;
      });
    this.#pictures.set(guid, fetching);
    return fetching;
  }

  async #fetchPicture(image: ImageAnswer | undefined, known?: string | null): Promise<ImportedPicture> {
    if (image === undefined) throw new NotHad('The site names no address', null);
    const details = known === undefined ? await this.#details(image.id) : { markup: known, plain: undefined };
    const markup = isMarked(details.markup) ? details.markup : null;
    const [first, ...others] = byQuality.flatMap((size) => image[size] ?? []);
    const addresses = [markup === null ? undefined : details.plain, first, ...others].filter(
      (url) => url !== undefined,
    );
    for (const [index, url] of addresses.entries()) {
      const bytes = await this.#source.bytes(url).catch((error: unknown) => {
        const isLast = index === addresses.length - 1;
        if (isLast || !(error instanceof NotHad) || error.status === null) throw error;
        return null;
      });
      if (bytes === null) continue;
      const { bytes: kept, format, width, height } = await prepareImage('mirror', bytes, 'VARIABLE');
      this.#report.count('files', 'copied');
      return { ...(await this.#services.blobs.put(kept)), format, width, height, markup };
    }
    throw new NotHad('The site names no address', null);
  }

  /** The markers of a picture, and the address of the picture without them, if the site says so. */
  async #details(imageid: number): Promise<{ markup: string | null; plain: string | undefined }> {
    if (this.#refusals >= mostRefusals) return { markup: null, plain: undefined };
    try {
      const { markup, srcImageInfo } = await this.#source.read(`/media/images/${imageid}`, imageDetails);
      this.#refusals = 0;
      return { markup, plain: srcImageInfo?.image.original };
    } catch (error) {
      if (!(error instanceof NotHad)) throw error;
      this.#refusals += 1;
      if (this.#refusals === mostRefusals)
        this.#report.note('files', 'markers of pictures', `The site does not tell them: ${error.message}`);
      return { markup: null, plain: undefined };
    }
  }

  /** The documents of a guide that could be had, by their ids there. */
  async documents({
    facts,
  }: ImportedGuide): Promise<{ files: Map<number, ImportedFile>; isComplete: boolean }> {
    const files = new Map<number, ImportedFile>();
    let isComplete = true;
    for (const { documentid, guid, url, download_url, text, extension } of facts.documents) {
      const row = await this.#services.storage.reader
        .selectFrom('document_files')
        .select(['sha256', 'size', 'filename'])
        .where('guid', '=', guid)
        .executeTakeFirst();
      const here = row?.sha256 ?? null;
      if (row !== undefined && here !== null) {
        files.set(documentid, { sha256: here, size: row.size, filename: row.filename });
        continue;
      }
      const inUrl = decoded(/^\/Document\/[^/]+\/([^/?]+)/.exec(url)?.[1]);
      const name = inUrl ?? (extension === '' ? text : `${text}.${extension}`);
      try {
        await using file = await this.#source.file(download_url || url, mostFileBytes);
        const { filename } = await recogniseDocumentFile(file, name);
        files.set(documentid, { filename, ...(await file.keep()) });
        this.#report.count('files', 'copied');
      } catch (error) {
        this.#refuse(`document “${text}” of “${facts.title}”`, error);
        isComplete = false;
      }
    }
    return { files, isComplete };
  }

  /** The encodings of videos that could be had, by their addresses there. Those in `here` are not fetched. */
  async videos(
    videos: readonly VideoFacts[],
    here: ReadonlySet<string>,
    what: string,
  ): Promise<{ files: Map<string, ReadyVideo>; isComplete: boolean }> {
    const files = new Map<string, ReadyVideo>();
    let isComplete = true;
    for (const { filename: name, encodings } of videos)
      for (const { url, format } of encodings) {
        if (here.has(url) || files.has(url)) continue;
        try {
          await using file = await this.#source.file(url, mostFileBytes);
          const { mime, filename } = recogniseVideo(await file.read(0, 64), name || `video.${format}`);
          await clearPlace(file);
          files.set(url, { mime, filename, ...(await file.keep()) });
          this.#report.count('files', 'copied');
        } catch (error) {
          this.#refuse(`video ${url} of ${what}`, error);
          isComplete = false;
        }
      }
    return { files, isComplete };
  }

  /** Reports a file that was not had; throws what is no fault of the file or the site. */
  #refuse(what: string, error: unknown): void {
    if (error instanceof Problem && error.kind !== 'unavailable') {
      const [first] = error.details.errors ?? [];
      this.#report.lack('files', what, `It cannot be stored here: ${first?.message ?? error.message}`);
    } else if (error instanceof NotHad) this.#report.lack('files', what, error.message);
    else throw error;
  }
}

/** Whether a text has markers; `;null;` is written for none. */
function isMarked(markup: string | null): markup is string {
  return markup !== null && markup !== '' && markup !== ';null;';
}

function decoded(name: string | undefined): string | undefined {
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Every picture in an answer, wherever it is. */
function imagesIn(value: unknown): ImageAnswer[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.values(value).flatMap(imagesIn);
  const { guid, original, id } = value as { guid?: unknown; original?: unknown; id?: unknown };
  const isImage = typeof guid === 'string' && typeof original === 'string' && typeof id === 'number';
  return isImage ? [value as ImageAnswer, ...found] : found;
}
