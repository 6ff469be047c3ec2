import { type Observable, BehaviorSubject } from 'rxjs';

import type { FileSum } from '#desktop/engine/api/offline-records.ts';
import type { MediaCache } from './queue.ts';
import { type KnownFiles, type MediaNeed, knownOf } from './needs.ts';

/** The kinds of files that people know. */
export type FileKind = 'pictures' | 'documents' | 'videos';

/** Bytes per pixel of a picture, while this device has too few to tell. */
const usualBytesPerPixel = 0.2;
/** From how many pictures the bytes per pixel follow. */
const fewPictures = 12;
/** Bytes of a document or video whose size is not known, while no other is. */
const usualBytes = { documents: 1_000_000, videos: 20_000_000 };
/** Most files about whose size the server is asked at a time; the others count as much as these on average. */
const mostAsked = 200;
/** Number of parallel questions. */
const parallel = 4;

/** The kind of a file by its key. */
export function kindOf(key: string): FileKind {
  if (key.startsWith('document:')) return 'documents';
  return key.startsWith('video:') ? 'videos' : 'pictures';
}

interface Deps {
  files: MediaCache['files'];
  /** The media index, as it is now. */
  known: () => KnownFiles;
  /** A request to the session's server; `path` begins with `/`. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

interface Sized {
  key: string;
  bytes: number;
  isExact: boolean;
}

/**
 * The sizes of files: exact where the file is on this device, in the media index, or the server was asked; the others are
 * estimated.
 *
 * - CARRY-4 Sizes are shown before the choice: those that are not known exactly are estimated, pictures from their
 *   dimensions, and the sum says so.
 */
export class FileSizes {
  readonly #deps: Deps;
  readonly #told = new Map<string, number>();
  readonly #changed = new BehaviorSubject(0);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Emits once at first, and whenever the server told sizes. */
  get changed(): Observable<unknown> {
    return this.#changed;
  }

  /** Asks the server for the sizes of documents and videos that are not known. Without an answer they stay estimates. */
  async ask(needs: readonly MediaNeed[]): Promise<void> {
    const open = needs
      .filter((need) => kindOf(need.key) !== 'pictures' && this.#exact(need) === undefined)
      .filter(({ url }) => url.startsWith('/'))
      .slice(0, mostAsked);
    if (open.length === 0) return;
    const next = async (): Promise<void> => {
      for (let need = open.pop(); need !== undefined; need = open.pop()) {
        const response = await this.#deps.request(need.url, { method: 'HEAD' });
        const stated = response.headers.get('Content-Length');
        if (response.ok && stated !== null) this.#told.set(need.key, Number(stated));
      }
    };
    await Promise.allSettled(Array.from({ length: parallel }, next));
    this.#changed.next(this.#changed.value + 1);
  }

  /** The size of each file. */
  of(needs: readonly MediaNeed[]): Sized[] {
    const known = needs.map((need) => ({ need, exact: this.#exact(need) }));
    const pictures = known.filter(({ need, exact }) => need.pixels > 0 && exact !== undefined);
    const perPixel =
      pictures.length < fewPictures
        ? usualBytesPerPixel
        : sumOf(pictures.map(({ exact = 0 }) => exact)) / sumOf(pictures.map(({ need }) => need.pixels));
    const average = (kind: 'documents' | 'videos'): number => {
      const sizes = known.flatMap(({ need, exact }) =>
        exact === undefined || kindOf(need.key) !== kind ? [] : [exact],
      );
      return sizes.length === 0 ? usualBytes[kind] : sumOf(sizes) / sizes.length;
    };
    const averages = { documents: average('documents'), videos: average('videos') };
    return known.map(({ need: { key, pixels }, exact }) => {
      const kind = kindOf(key);
      const guess = kind === 'pictures' ? (pixels === 0 ? 480_000 : pixels) * perPixel : averages[kind];
      return { key, bytes: exact ?? Math.round(guess), isExact: exact !== undefined };
    });
  }

  #exact(need: MediaNeed): number | undefined {
    const { files, known } = this.#deps;
    return files.sizeOf(need.key) ?? knownOf(need, known())?.bytes ?? this.#told.get(need.key);
  }
}

/** Number and size of files. */
export function sumOfFiles(files: readonly Sized[]): FileSum {
  return {
    count: files.length,
    bytes: sumOf(files.map(({ bytes }) => bytes)),
    isEstimate: files.some(({ isExact }) => !isExact),
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
