import { readGuideTitle } from '#shared/sync/reading.ts';
import {
  collectionName,
  type FeedHead,
  type GuideTitle,
  type Pack,
  type SyncedCollection,
} from '#shared/sync/wire.ts';

import { sha256 } from '#desktop/engine/journal/bytes.ts';
import { gunzipText } from '#desktop/engine/platform/gunzip.ts';
import { toStored, type StoredRecord } from '#desktop/engine/storage/mirror-records.ts';
import { ForeignAnswer, NotNow, OtherHistory, SignInNeeded, Unreachable } from '../connection-errors.ts';
import { jsonIn } from '../recognise.ts';
import type { ServerConnection } from '../server-connection.ts';

/** A pack has ended: the load asks again what there is. */
export class PackEnded extends Unreachable {
  override name = 'PackEnded';
}

/** Files of titles that are fetched at the same time. */
const lanes = 4;

/** A file that a head names. */
type PackFile = Pick<Pack, 'hash' | 'bytes'>;

/**
 * Fetches packs. Bytes that arrived before a cut are kept for the next attempt. After a file that is not what the head
 * named, or an answer of something between device and server, this device asks for no more packs: loads go on by the
 * stream alone.
 */
export class PackFetcher {
  readonly #parts = new Map<string, Uint8Array<ArrayBuffer>[]>();
  #isUsable = true;

  /** Whether to ask for packs. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** The lines of a pack, or of its titles. */
  async linesOf(connection: ServerConnection, file: PackFile, signal: AbortSignal): Promise<string[]> {
    try {
      const bytes = await this.#bytesOf(connection, file, signal);
      this.#parts.delete(file.hash);
      if ((await sha256(bytes)) !== file.hash) throw new Error('A pack does not have its hash');
      return (await gunzipText(bytes)).split('\n').filter((line) => line !== '');
    } catch (error) {
      if (error instanceof PackEnded) this.#parts.delete(file.hash);
      if (error instanceof ForeignAnswer || !(error instanceof Unreachable || isRefusal(error)))
        this.#isUsable = false;
      throw error;
    }
  }

  async #bytesOf(
    connection: ServerConnection,
    { hash, bytes: size }: PackFile,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const parts = this.#parts.get(hash) ?? [];
    this.#parts.set(hash, parts);
    const before = parts.reduce((sum, part) => sum + part.length, 0);
    if (before < size) {
      const { token } = connection;
      const response = await connection.response(`/sync/1/packs/${hash}`, {
        signal,
        ...(before === 0 ? {} : { headers: { Range: `bytes=${before}-` } }),
      });
      const { status } = response;
      if (status === 401) throw new SignInNeeded(token);
      if (status === 404) throw new PackEnded('A pack has ended');
      if (status === 410) throw new OtherHistory('The server has another history');
      if (!response.ok) throw new NotNow(status, null);
      if (status !== 206) parts.length = 0;
      if (response.body !== null)
        for (const reader = response.body.getReader(); ;) {
          const { done, value } = await reader.read();
          if (done) break;
          parts.push(value);
        }
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof SignInNeeded || error instanceof OtherHistory;
}

/** A record of a pack, ready to be stored. */
export interface PackedRecord {
  c: SyncedCollection;
  record: StoredRecord;
}

/** The packs of a head that a load still needs. */
export class PackLoad {
  readonly #fetcher: PackFetcher;
  readonly #connection: ServerConnection;
  readonly #signal: AbortSignal;
  readonly #packs: readonly Pack[];
  readonly #titles = new Map<string, GuideTitle>();
  readonly #titleIds = new Set<string>();

  /** `done`: hashes of packs whose records are stored. */
  constructor(
    fetcher: PackFetcher,
    connection: ServerConnection,
    signal: AbortSignal,
    { packs = [] }: FeedHead,
    done: readonly string[],
  ) {
    this.#fetcher = fetcher;
    this.#connection = connection;
    this.#signal = signal;
    this.#packs = packs.filter(({ c, hash }) => collectionName.safeParse(c).success && !done.includes(hash));
  }

  /** How many records they have. */
  get records(): number {
    return this.#packs.reduce((sum, { records }) => sum + records, 0);
  }

  /** The titles of the guides in the packs. Those that cannot be fetched are left out: they come with their guides. */
  async titles(): Promise<GuideTitle[]> {
    const files = this.#packs.flatMap(({ titles }) => titles ?? []);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let file = files[next]; file !== undefined; file = files[next]) {
        next += 1;
        for (const line of await this.#fetcher.linesOf(this.#connection, file, this.#signal)) {
          const { data } = readGuideTitle.safeParse(jsonIn(line));
          if (data === undefined) continue;
          this.#titles.set(`${data.id} ${data.seq}`, data);
          this.#titleIds.add(data.id);
        }
      }
    };
    await Promise.allSettled(Array.from({ length: lanes }, work));
    return [...this.#titles.values()];
  }

  /** Whether a guide with this title is in one of them. */
  hasTitle(id: string): boolean {
    return this.#titleIds.has(id);
  }

  /** The records of each pack. While the caller uses one pack, only the next one is fetched. */
  async *batches(): AsyncGenerator<{ hash: string; records: Generator<PackedRecord> }> {
    const fetch = (pack: Pack | undefined): Promise<string[]> | null => {
      if (pack === undefined) return null;
      const lines = this.#fetcher.linesOf(this.#connection, pack, this.#signal);
      // The next iteration awaits it and handles a failure.
      lines.catch(() => undefined);
      return lines;
    };
    let next = fetch(this.#packs[0]);
    for (const [index, { hash }] of this.#packs.entries()) {
      const lines: string[] = (await next) ?? [];
      next = fetch(this.#packs[index + 1]);
      yield { hash, records: this.#recordsIn(lines) };
    }
  }

  *#recordsIn(lines: readonly string[]): Generator<PackedRecord> {
    for (const line of lines) {
      const [, c, id, seq] = /^\{"c":"(\w+)","id":"([^"\\]+)","seq":(\d+),"doc":/.exec(line) ?? [];
      const { data: kind } = collectionName.safeParse(c);
      if (kind === undefined || id === undefined) throw new Error('A line of a pack cannot be read');
      const body = line.slice(line.indexOf('"doc":') + 6, -1);
      const row = { c: kind, id, seq: Number(seq) };
      const title = kind === 'guides' ? this.#titles.get(`${id} ${row.seq}`) : undefined;
      yield {
        c: kind,
        // The fields of a guide are those of its title, so its facts need not be parsed.
        record:
          title === undefined
            ? toStored({ ...row, doc: JSON.parse(body) as object }, body)
            : { ...title, body },
      };
    }
  }
}
