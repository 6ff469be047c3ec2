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
import { OverBudget, WorkerPool } from '#server/platform/worker-pool.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** Reads archives of imports, in workers. */
    archiveReading: ArchiveReading;
  }
}

/** A task for a worker: to open an archive, or to read a guide of it. */
export interface ReadWork {
  path: string;
  filename: string;
  /** null: open it. */
  guide: string | null;
}

/** What `open` returns, without functions. */
type Opened = Pick<Archive, 'version' | 'producer' | 'base' | 'title' | 'entries' | 'categories'>;

/** The answer of a worker, as JSON. */
export type ReadAnswer =
  | { refused: { code: string; member: string; message: string } }
  | ({ findings: readonly Finding[]; members: ZipMember[] } & (
      | { opened: Opened }
      | { guide: ArchivedGuide }
    ));

/** Longest answer of a worker, in characters: parsing it takes the event loop some 20 ms. */
export const longestAnswer = 4 * 1024 ** 2;

/**
 * Processor time and memory of one task. The largest guide that the format's reader accepts takes a fifth of the time on
 * a slow machine.
 */
const budget = { ms: 20_000, megabytes: 128 };

/**
 * Reads archives in workers, because the sender decides what they cost: XML of a few megabytes can take seconds and
 * hundreds of megabytes. Pictures, videos and documents are read here, piece by piece, by their entries in the directory.
 *
 * - OMANUAL-IMPORT-16 Packages and lone documents are read in a worker with a budget of 20 seconds of processor time and
 *   128 MB for the index and for each guide. An archive that needs more, or has a guide of more than 4 MB of text, is
 *   refused.
 */
export class ArchiveReading implements AsyncDisposable {
  readonly #pool: WorkerPool<ReadWork, string>;

  /** `overrides` lower the budget in tests. */
  constructor(overrides: Partial<typeof budget> = {}) {
    this.#pool = new WorkerPool({
      program: new URL('reading-worker.ts', import.meta.url),
      workers: 2,
      budget: { ...budget, ...overrides },
      mostWaiting: 1000,
      mostOfOne: 200,
    });
  }

  /**
   * Opens the archive at `path` for `caller`; `source` is the same file, for its media.
   * @throws ArchiveRefused, also when its guides are read
   */
  async open(caller: string, path: string, filename: string, source: ByteSource): Promise<Archive> {
    const read = (guide: string | null): Promise<ReadAnswer> =>
      this.#pool
        .do(caller, { path, filename, guide })
        .then((answer) => JSON.parse(answer) as ReadAnswer)
        .catch((error: unknown) => {
          throw error instanceof OverBudget ? tooCostly(guide) : error;
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

class ReadArchive implements Archive {
  version: Archive['version'] = '1.0';
  producer: Archive['producer'] = 'unknown';
  base = '';
  title = '';
  entries: Archive['entries'] = [];
  categories: Archive['categories'] = [];
  readonly #read: (guide: string | null) => Promise<ReadAnswer>;
  readonly #source: ByteSource;
  /** The findings by their content, because each worker reports those of the index, and guides are read twice. */
  readonly #findings = new Map<string, Finding>();
  /** Entries in the directory of the media of what was read. */
  readonly #members = new Map<string, ZipMember>();

  constructor(read: (guide: string | null) => Promise<ReadAnswer>, source: ByteSource) {
    this.#read = read;
    this.#source = source;
  }

  get findings(): readonly Finding[] {
    return [...this.#findings.values()];
  }

  async open(): Promise<void> {
    const answer = await this.#answer(null);
    if ('opened' in answer) Object.assign(this, answer.opened);
  }

  async guide(member: string): Promise<ArchivedGuide> {
    const answer = await this.#answer(member);
    if ('guide' in answer) return answer.guide;
    throw new Error(`The worker answered with no guide for ${member}`);
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

  async #answer(guide: string | null): Promise<Exclude<ReadAnswer, { refused: unknown }>> {
    const answer = await this.#read(guide);
    if ('refused' in answer) {
      const { code, member, message } = answer.refused;
      throw new ArchiveRefused(code, member, message);
    }
    for (const finding of answer.findings) {
      const key = JSON.stringify(finding);
      if (!this.#findings.has(key)) this.#findings.set(key, finding);
    }
    for (const entry of answer.members) this.#members.set(entry.name, entry);
    return answer;
  }
}

/** The names of the members that hold these media. */
export function membersOf(media: readonly ArchivedMedia[]): string[] {
  return media.flatMap(({ member }) => (member === null ? [] : [member]));
}
