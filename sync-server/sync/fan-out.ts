import { setImmediate as otherRequests } from 'node:timers/promises';

import type { Principal } from '#server/storage/feed.ts';
import type { Services } from '#server/core/services.ts';
import { accessChangesAfter, newestAccessChange } from '#server/storage/access-changes.ts';

import { textWithLines } from './feed-line.ts';
import { checkpointTextOf, scanFeed, type Checkpoint, type Scanned } from './feed-reader.ts';
import { RowDecision, type SentLine } from './row-decision.ts';

/** Rows that are read at once. */
const pageSize = 200;
/** Streams that are served before others get a turn of the event loop: some milliseconds of work. */
const slice = 100;

/** A stream that has got everything of the feed up to a position, and whose viewer has not changed since. */
export interface LiveStream {
  readonly userid: number;
  readonly principals: readonly Principal[];
  readonly protocol: number;
  /** Everything up to here was sent, or is not for this stream. */
  position: Checkpoint;
  /** Whether its connection takes more, and its session has not expired. */
  isReady: () => boolean;
  /** Sends an event after which the stream is at `position`. */
  deliver: (event: Buffer, position: Checkpoint) => void;
  /** Is called when the stream must read the feed itself, with its current rights, from its position. */
  fallBehind: () => void;
}

/**
 * Sends the changes of the feed to the streams that follow it. Each row is read, decided and serialized once, whatever
 * the number of streams, and costs only the streams of its audience.
 *
 * - EVENT-3 A stream gets what a pull from its position would report. What a row means depends on the person's rights,
 *   so a stream whose session or rights changed reads the feed itself before any later row reaches it
 *   (`feed-reader.ts`). So does one whose connection is full, once it takes more.
 * - EVENT-4 A stream is not told of rows that it may not see, nor of their number. Its checkpoint follows with the
 *   heartbeat.
 * - EVENT-14 The same holds for what other nodes on the database wrote: a stream reads its rights after it has learned of
 *   all of their commits.
 * - EVENT-5 Other requests get a turn after every 100 streams.
 */
export class FanOut {
  readonly #services: Services;
  readonly #live = new Set<LiveStream>();
  readonly #byPrincipal = new Map<string, Set<LiveStream>>();
  readonly #byUser = new Map<number, Set<LiveStream>>();
  /** Up to here rows were read; streams that join must have them. */
  #read: Checkpoint = { seq: 0, nonce: '0' };
  /** Up to here every live stream was served. */
  #served: Checkpoint = this.#read;
  /** The newest change of rights that was seen. */
  #change = 0;
  #isRunning = false;
  #isPending = false;
  #stopListening: (() => void) | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Lets a stream follow the feed from its position. `version`: the version of the database at which its viewer and its
   * position were read.
   * @returns Whether it follows. If not, something was written meanwhile, and it must read again
   */
  async join(stream: LiveStream, version: number): Promise<boolean> {
    const { storage, bus } = this.#services;
    if (this.#live.size === 0 && !this.#isRunning) {
      this.#change = await newestAccessChange(storage.reader);
      this.#read = stream.position;
      this.#served = stream.position;
    }
    // A change of rights on another node must not have been missed.
    await storage.refresh?.();
    if (storage.version() !== version || stream.position.seq < this.#read.seq) return false;
    this.#stopListening ??= bus.listen(() => this.wake());
    this.#live.add(stream);
    for (const principal of stream.principals) addTo(this.#byPrincipal, principal, stream);
    addTo(this.#byUser, stream.userid, stream);
    return true;
  }

  /** Ends following. The stream's position then includes everything that it was served. */
  leave(stream: LiveStream): void {
    if (!this.#live.delete(stream)) return;
    for (const principal of stream.principals) removeFrom(this.#byPrincipal, principal, stream);
    removeFrom(this.#byUser, stream.userid, stream);
    stream.position = later(stream.position, this.#served);
    if (this.#live.size > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** The position of a stream that follows. */
  positionOf(stream: LiveStream): Checkpoint {
    return later(stream.position, this.#served);
  }

  /** Reads what moved, soon. */
  wake(): void {
    this.#isPending = true;
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (this.#isPending && this.#live.size > 0) {
        this.#isPending = false;
        if (await this.#serveNext()) this.#isPending = true;
      }
    } catch (error) {
      this.#services.log.error({ err: error }, 'changes could not be sent to the open event streams');
      // They read the feed themselves, and join again.
      for (const stream of this.#live) this.#release(stream);
    } finally {
      this.#isRunning = false;
    }
  }

  /** Serves the next rows. Returns whether there are more. */
  async #serveNext(): Promise<boolean> {
    const db = this.#services.storage.reader;
    const { scanned, next } = await scanFeed(db, this.#read.seq, pageSize);
    for (const { change, userid } of await accessChangesAfter(db, this.#change)) {
      this.#change = change;
      for (const stream of this.#byUser.get(userid) ?? []) this.#release(stream);
    }
    const last = scanned.at(-1);
    if (last === undefined) return false;
    const reached = { seq: last.seq, nonce: last.nonce };
    this.#read = reached;
    const lines = await this.#decide(scanned);
    const checkpoint = await checkpointTextOf(this.#services, reached);
    await this.#deliver(lines, checkpoint, reached);
    this.#served = reached;
    return next !== undefined;
  }

  /** The lines for each stream that gets any. */
  async #decide(scanned: readonly Scanned[]): Promise<Map<LiveStream, SentLine[]>> {
    const lines = new Map<LiveStream, SentLine[]>();
    for (const row of scanned) {
      if (row.collection === '$access') {
        for (const stream of this.#byUser.get(row.userid ?? 0) ?? []) this.#release(stream);
        continue;
      }
      const decision = await RowDecision.of(this.#services.storage.reader, row);
      let count = 0;
      for (const stream of this.#concerned(decision)) {
        count += 1;
        if (count % slice === 0) await otherRequests();
        if (!this.#live.has(stream) || stream.position.seq >= row.seq) continue;
        const line = await decision.lineFor(stream);
        if (line !== null) listOf(lines, stream).push(line);
      }
    }
    return lines;
  }

  /** The streams that may get a line of a row. */
  #concerned({ principals, userid }: RowDecision): Iterable<LiveStream> {
    const groups = [
      ...principals.map((principal) => this.#byPrincipal.get(principal)),
      userid === null ? undefined : this.#byUser.get(userid),
    ].filter((group) => group !== undefined);
    const [only] = groups;
    return groups.length === 1 && only !== undefined
      ? [...only]
      : new Set(groups.flatMap((group) => [...group]));
  }

  async #deliver(
    lines: ReadonlyMap<LiveStream, SentLine[]>,
    checkpoint: string,
    reached: Checkpoint,
  ): Promise<void> {
    const events = new Map<string, Buffer>();
    let count = 0;
    for (const [stream, some] of lines) {
      count += 1;
      if (count % slice === 0) await otherRequests();
      if (!this.#live.has(stream)) continue;
      if (!stream.isReady()) {
        this.#release(stream);
        continue;
      }
      const name = some.length === 1 ? (some[0]?.name ?? '') : some.map((line) => line.name).join(' ');
      let event = events.get(name);
      if (event === undefined) {
        event = eventOf(some, checkpoint);
        events.set(name, event);
      }
      stream.deliver(event, reached);
    }
  }

  #release(stream: LiveStream): void {
    this.leave(stream);
    stream.fallBehind();
  }
}

/** The bytes of an event with these lines. */
function eventOf(lines: readonly SentLine[], checkpoint: string): Buffer {
  const data = textWithLines(
    { checkpoint },
    lines.map(({ text }) => text),
  );
  return Buffer.from(`id: ${checkpoint}\nevent: rows\ndata: ${data}\n\n`);
}

function later(one: Checkpoint, other: Checkpoint): Checkpoint {
  return one.seq >= other.seq ? one : other;
}

function listOf<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function addTo<K>(groups: Map<K, Set<LiveStream>>, key: K, stream: LiveStream): void {
  const group = groups.get(key) ?? new Set();
  group.add(stream);
  groups.set(key, group);
}

function removeFrom<K>(groups: Map<K, Set<LiveStream>>, key: K, stream: LiveStream): void {
  const group = groups.get(key);
  group?.delete(stream);
  if (group?.size === 0) groups.delete(key);
}
