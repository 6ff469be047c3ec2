import { LRUCache } from 'lru-cache';

import {
  ArchiveRefused,
  type Archive,
  type ArchivedGuide,
  type ArchivedMedia,
  type Finding,
} from '#shared/formats/omanual/archive.ts';
import { memberFiles, type PackageFiles } from '#shared/formats/omanual/package-files.ts';
import { mediaBytes, mediaStream } from '#shared/formats/omanual/read-bytes.ts';
import type { ByteSource } from '#shared/formats/omanual/source.ts';
import type { ZipMember } from '#shared/formats/omanual/zip-directory.ts';
import type { StoredBlob } from '#server/media/blobs.ts';
import type { ImageFormat } from '#server/media/images.ts';
import { OverBudget, WorkerPool } from '#server/platform/worker-pool.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** Reads archives of imports, in workers. */
    archiveReading: ArchiveReading;
  }
}

/** A task for a worker, on an archive: to open it (`guide` is null), to read a guide, or to store pictures. */
export type ReadWork = { path: string; filename: string } & (
  | { guide: string | null }
  | {
      pictures: string[];
      blobs: PictureFolder;
    }
);

/** The folder of the blob store, and whether the worker stores pictures there (`Blobs`). */
export interface PictureFolder {
  folder: string;
  areLocal: boolean;
}

/** What `open` returns, without functions. */
type Opened = Pick<Archive, 'version' | 'producer' | 'base' | 'title' | 'entries' | 'categories'>;

/** The answer of a worker, as JSON. */
export type ReadAnswer =
  | { refused: { code: string; member: string; message: string } }
  | { pictures: ReadPicture[] }
  | ({ findings: readonly Finding[]; members: ZipMember[] } & (
      | { opened: Opened }
      | { guide: ArchivedGuide }
    ));

/** A picture of an archive, after a worker read it. */
export type ReadPicture =
  /** It is in the blob store. */
  | (StoredBlob & { format: ImageFormat; width: number; height: number })
  /** It is in this file, which the reader stores and removes. */
  | { ready: string; format: ImageFormat; width: number; height: number }
  /** It must be encoded again: its bytes are in this file, which the reader removes. */
  | { raw: string; size: number }
  /** It cannot be imported, for this reason. */
  | { unreadable: string };

/** An archive whose guides and pictures are read in a worker. */
export interface ReadableArchive extends Archive {
  /** Stores pictures in the blob store; returns one for each member. */
  pictures(members: readonly string[]): Promise<ReadPicture[]>;
  /** The size of a guide that was read, in characters of JSON. */
  characters(guide: string): number;
}

/** Longest answer of a worker, in characters: parsing it takes the event loop some 20 ms. */
export const longestAnswer = 4 * 1024 ** 2;

/** Characters of the answers of an import that are kept, since a guide is checked first and imported later. */
const mostKept = 8 * 1024 ** 2;

/**
 * Processor time and memory of one task. The largest guide that the format's reader accepts takes a fifth of the time on
 * a slow machine.
 */
const budget = { ms: 20_000, megabytes: 128 };

/** An archive to be opened. */
export interface ArchiveFile {
  path: string;
  filename: string;
  /** The same file, for its videos and documents. */
  source: ByteSource;
  /** For its pictures. */
  blobs: PictureFolder;
}

/**
 * Reads archives in a worker, because the sender decides what they cost: XML of a few megabytes can take seconds and
 * hundreds of megabytes, and a deflated picture expands a thousandfold. Videos and documents are read here, piece by
 * piece, by their entries in the directory. One worker, because one import runs at a time (JOB-2).
 *
 * - OMANUAL-IMPORT-16 Packages and lone documents are read in a worker with a budget of 20 seconds of processor time and
 *   128 MB for the index, for each guide, and for each 32 MB of pictures. An archive that needs more, or has a guide of
 *   more than 4 MB of text, is refused.
 * - OMANUAL-IMPORT-17 Each picture is read once, by the worker: unpacked, checked, measured, hashed and stored. Only one
 *   that must be encoded again is decoded, by the server (MEDIA-16).
 */
export class ArchiveReading implements AsyncDisposable {
  readonly #pool: WorkerPool<ReadWork, string>;

  /** `overrides` lower the budget in tests. */
  constructor(overrides: Partial<typeof budget> = {}) {
    this.#pool = new WorkerPool({
      program: new URL('reading-worker.ts', import.meta.url),
      workers: 1,
      budget: { ...budget, ...overrides },
      mostWaiting: 1000,
      mostOfOne: 200,
    });
  }

  /** The process id of the worker; undefined if it does not run. */
  get pid(): number | undefined {
    return this.#pool.pids[0];
  }

  /**
   * Starts the worker, so that it is there when an archive has arrived: loading its code takes as long as reading a
   * small archive.
   */
  prepare(): void {
    this.#pool.prepare();
  }

  /**
   * Opens an archive for `caller`.
   * @throws ArchiveRefused, also when its guides and pictures are read
   */
  async open(caller: string, file: ArchiveFile): Promise<ReadableArchive> {
    const { path, filename, source, blobs } = file;
    const read = (work: { guide: string | null } | { pictures: string[] }): Promise<string> =>
      this.#pool.do(caller, { path, filename, blobs, ...work }).catch((error: unknown) => {
        throw error instanceof OverBudget ? tooCostly('guide' in work ? work.guide : null) : error;
      });
    const archive = new ReadArchive(read, source);
    await archive.open();
    return archive;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool[Symbol.asyncDispose]();
  }
}

function tooCostly(guide: string | null): ArchiveRefused {
  const what = guide === null || guide === '' ? 'The archive' : guide;
  return new ArchiveRefused(
    'too-large',
    guide ?? '',
    `${what} takes more time or memory to read than an import may.`,
  );
}

type Answer = Exclude<ReadAnswer, { refused: unknown } | { pictures: unknown }>;

class ReadArchive implements ReadableArchive {
  version: Archive['version'] = '1.0';
  producer: Archive['producer'] = 'unknown';
  base = '';
  title = '';
  entries: Archive['entries'] = [];
  categories: Archive['categories'] = [];
  readonly #read: (work: { guide: string | null } | { pictures: string[] }) => Promise<string>;
  readonly #source: ByteSource;
  /** The findings by their content, because each worker reports those of the index, and guides are read twice. */
  readonly #findings = new Map<string, Finding>();
  /** Entries in the directory of the videos and documents of what was read. */
  readonly #members = new Map<string, ZipMember>();
  /** Answers about guides, as JSON. */
  readonly #kept = new LRUCache<string, string>({
    maxSize: mostKept,
    sizeCalculation: ({ length }) => length,
  });

  /** Their lengths; of all guides. */
  readonly #characters = new Map<string, number>();

  constructor(
    read: (work: { guide: string | null } | { pictures: string[] }) => Promise<string>,
    source: ByteSource,
  ) {
    this.#read = read;
    this.#source = source;
  }

  get findings(): readonly Finding[] {
    return [...this.#findings.values()];
  }

  async open(): Promise<void> {
    const answer = this.#noted(await this.#read({ guide: null }));
    if ('opened' in answer) Object.assign(this, answer.opened);
  }

  async guide(member: string): Promise<ArchivedGuide> {
    const text = this.#kept.get(member) ?? (await this.#read({ guide: member }));
    this.#kept.set(member, text);
    this.#characters.set(member, text.length);
    const answer = this.#noted(text);
    if ('guide' in answer) return answer.guide;
    throw new Error(`The worker answered with no guide for ${member}`);
  }

  characters(guide: string): number {
    return this.#characters.get(guide) ?? 0;
  }

  async pictures(members: readonly string[]): Promise<ReadPicture[]> {
    const answer = parsed(await this.#read({ pictures: [...members] }));
    if ('pictures' in answer) return answer.pictures;
    throw new Error('The worker answered with no pictures');
  }

  async media(member: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    return mediaStream(this.#files(member), member);
  }

  async bytes(member: string, most: number): Promise<Uint8Array<ArrayBuffer>> {
    return mediaBytes(this.#files(member), member, most);
  }

  #files(member: string): Pick<PackageFiles, 'size' | 'bytes' | 'pieces' | 'head'> {
    const entry = this.#members.get(member);
    if (entry === undefined) throw new ArchiveRefused('missing', member, `The package has no ${member}.`);
    return memberFiles(this.#source, [entry]);
  }

  /** The answer, whose findings and members are noted. */
  #noted(text: string): Answer {
    const answer = parsed(text);
    if ('pictures' in answer) throw new Error('The worker answered with pictures');
    for (const finding of answer.findings) {
      const key = JSON.stringify(finding);
      if (!this.#findings.has(key)) this.#findings.set(key, finding);
    }
    for (const entry of answer.members) this.#members.set(entry.name, entry);
    return answer;
  }
}

/** @throws ArchiveRefused if the worker refused the archive */
function parsed(text: string): Exclude<ReadAnswer, { refused: unknown }> {
  const answer = JSON.parse(text) as ReadAnswer;
  if (!('refused' in answer)) return answer;
  const { code, member, message } = answer.refused;
  throw new ArchiveRefused(code, member, message);
}

/** The names of the members that hold the videos and documents of these media. */
export function membersOf(media: readonly ArchivedMedia[]): string[] {
  return media.flatMap(({ kind, member }) => (member === null || kind === 'image' ? [] : [member]));
}
