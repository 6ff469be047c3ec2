import { BehaviorSubject } from 'rxjs';

import type { FeedRow } from '#shared/sync/wire.ts';

import { mirrorOf, type EngineDatabase } from '#desktop/engine/storage/database.ts';
import type { ServerConnection } from '../server-connection.ts';
import { Unreachable } from '../connection-errors.ts';
import { backoff } from '#desktop/engine/platform/backoff.ts';
import type { Environment } from '#desktop/engine/platform/ports.ts';
import type { TroubleNotes } from '../troubles.ts';
import { NotNow, OtherHistory, SignInNeeded } from './answer.ts';
import type { MirrorCheck } from './check.ts';
import { loadMirror } from './bootstrap.ts';
import { followEvents } from './events.ts';
import { Feed } from './feed.ts';
import { isBlank } from './guide-rows.ts';
import { readMark, writeMark, type Mark } from './mark.ts';
import { MirrorWriter, type Writes } from './mirror-writer.ts';
import { SeenLists } from './seen-lists.ts';

/** What the leading tab is doing. */
export interface Activity {
  phase: 'first-sync' | 'syncing' | 'idle';
  progress: { received: number; total: number } | null;
  /** The event stream is open and everything before it was pulled. */
  connected: boolean;
}

export interface ReplicatorDeps extends TroubleNotes {
  environment: Environment;
  connection: ServerConnection;
  database: EngineDatabase;
  onRowsReceived(rows: FeedRow[]): Promise<void>;
  /** `roundStartedAt`: set when a pull reached the end of the feed that began at this moment. */
  stored(rows: FeedRow[], place: string, roundStartedAt: number | null): Promise<void>;
  /** Something that the mirror held is about to be taken away, because a load did not bring it again. */
  leaving(): Promise<void>;
  /** The mirror was built anew, because the server has another history. */
  rebuilt(): Promise<void>;
  /** Calls may be sent again. */
  goOn(): void;
  maySync(): boolean;
  /** Makes sure that the server is the one that the mirror is of; until then nothing else is asked of it (ACCOUNT-5). */
  meet(): Promise<void>;
  /** The way to the server has ended: what answers next may be another. */
  doubt(): void;
  noteExpired(token: string | null): void;
  /** The event stream showed a sign of life. */
  beat(): void;
}

/** The place is written at most this often, ms: what lies after it is only pulled again. */
const markEvery = 1000;
const probeAfter = 500;

/** Keeps the mirror up to date in the leading tab: first load, pull, events, and again after every failure. */
export class Replicator {
  readonly activity = new BehaviorSubject<Activity>({ phase: 'idle', progress: null, connected: false });
  readonly #deps: ReplicatorDeps;
  readonly #stop = new AbortController();
  #stream = new AbortController();
  #feed: Feed | null = null;
  #writer: MirrorWriter | null = null;
  /** As it was read or written last. */
  #mark: Mark | null = null;
  #isRebuilding = false;
  #wake: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #cancelMark: (() => void) | null = null;
  #failures = 0;
  #busy = 0;

  constructor(deps: ReplicatorDeps) {
    this.#deps = deps;
  }

  /** Returns whether the mirror is complete, or was before the server's history became another. */
  async start(): Promise<boolean> {
    const mark = await readMark(this.#deps.database);
    this.#isRebuilding = mark?.isRebuild ?? false;
    this.#running = this.#run();
    return mark?.state === 'ready' || this.#isRebuilding;
  }

  /** Tries now: ends a wait, or pulls beside an open event stream. */
  now(): void {
    this.#failures = 0;
    this.#wake();
    if (this.activity.value.connected) this.askRound();
  }

  /** Pulls to the end of the feed beside the event stream. */
  askRound(): void {
    if (this.#feed === null) return;
    void this.#pull(this.#feed).catch((error: unknown) => {
      this.#note(error);
      // A stream beside which a pull fails may be dead: begin again.
      this.#stream.abort();
    });
  }

  /**
   * Pulls to the end of the feed, then compares the whole mirror with the server and mends what differs.
   * @throws Unreachable while the mirror is not complete
   */
  async check(): Promise<MirrorCheck> {
    const feed = this.#feed;
    if (feed === null) throw new Unreachable('The first sync is not finished');
    await this.#pull(feed);
    return this.#during(() => feed.check());
  }

  /** The server does not know a place that this device told: whatever is asked for next finds the same. */
  noteOtherHistory(): void {
    this.askRound();
    this.#wake();
  }

  /** A request failed although the event stream is open: finds out which of the two is right. */
  probe(): void {
    if (!this.activity.value.connected) return;
    this.#deps.environment.setTimer(() => this.activity.value.connected && this.askRound(), probeAfter);
  }

  /** While the server has another history than the mirror, calls name ids that may mean something else now. */
  get isRebuilding(): boolean {
    return this.#isRebuilding;
  }

  /** Stores rows that came with the answer of a call; false while the mirror is not complete and so takes no rows. */
  async deliver(rows: FeedRow[]): Promise<boolean> {
    const feed = this.#feed;
    if (feed === null) return false;
    await this.#during(() => feed.deliver(rows));
    return true;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#feed?.stop();
    await this.#running;
    this.#cancelMark?.();
    // A full disk must not keep the app from closing.
    await this.#writePlace().catch(() => undefined);
    this.activity.complete();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        if (this.#deps.maySync()) await this.#session();
        else await this.#wait(null);
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        await this.#recover(error).catch((failure: unknown) => this.#backOff(failure));
      }
    }
  }

  /** From catching up to the end of the event stream. */
  async #session(): Promise<void> {
    await this.#deps.meet();
    const feed = this.#feed ?? (await this.#openFeed());
    await this.#pull(feed);
    const listener = {
      opened: () => {
        this.#failures = 0;
        this.#show({ connected: true });
      },
      rows: ({ rows, checkpoint }: { rows: FeedRow[]; checkpoint: string }) => {
        this.#deps.connection.learnPlace(checkpoint);
        return this.#during(() => feed.deliver(rows, checkpoint));
      },
      beat: () => this.#deps.beat(),
    };
    this.#stream = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, this.#stream.signal]);
    try {
      await followEvents(this.#deps.connection, feed.place, listener, signal);
    } finally {
      this.#deps.doubt();
      if (!this.#stop.signal.aborted) this.#show({ connected: false });
    }
    throw new Unreachable('The event stream ended');
  }

  async #openFeed(): Promise<Feed> {
    const { database } = this.#deps;
    const stored = await readMark(database);
    const mark = stored?.state === 'ready' ? stored : await this.#load(stored);
    if (this.#stop.signal.aborted) throw new Unreachable('The engine was closed');
    const writer = this.#writerAfter(mark.writes);
    const deps = {
      ...this.#deps,
      collections: mirrorOf(database),
      writer,
      stored: (rows: FeedRow[], place: string) => this.#stored(rows, place),
    };
    const feed = new Feed(deps, mark.place, mark.history);
    this.#mark = mark;
    this.#writer = writer;
    this.#feed = feed;
    if (mark.isRebuild) await this.#tellRebuilt(feed, mark);
    return feed;
  }

  /** What depends on the old history is put right before anything else goes on; a failure repeats it. */
  async #tellRebuilt(feed: Feed, mark: Mark): Promise<void> {
    try {
      await this.#deps.rebuilt();
      await this.#writeMark({ ...mark, isRebuild: false });
      this.#isRebuilding = false;
      this.#deps.goOn();
    } catch (error) {
      this.#feed = null;
      await feed.stop();
      throw error;
    }
  }

  #writerAfter(writes: Writes): MirrorWriter {
    const { database, environment } = this.#deps;
    return new MirrorWriter(
      { environment, collections: mirrorOf(database), closing: this.#stop.signal },
      writes,
    );
  }

  /** Loads the whole mirror; it counts only when it is complete. */
  async #load(stored: Mark | null): Promise<Mark> {
    const { connection, database, environment } = this.#deps;
    const seen = new SeenLists(database);
    // Without its lists, what it had brought before the cut would be taken for what it did not bring.
    const goesOn = stored?.load !== undefined && (await seen.read(stored.load.lists)) !== null;
    const cursor = goesOn ? (stored.load ?? null) : null;
    const writer = this.#writerAfter(goesOn ? stored.writes : { loadId: environment.uuid(), counts: {} });
    const isRebuild = stored?.isRebuild ?? false;
    const loading = (): Mark => ({
      state: 'loading',
      place: '',
      history: '',
      isRebuild,
      writes: writer.writes,
    });
    if (cursor === null) {
      await this.#writeMark(loading());
      await writer.begin();
    }
    let lists = cursor?.lists ?? 0;
    const blank = await Promise.all(Object.values(mirrorOf(database)).map(isBlank));
    this.#show({ phase: 'first-sync', progress: { received: 0, total: 0 } });
    try {
      const { place, history } = await loadMirror({
        connection,
        signal: this.#stop.signal,
        collections: mirrorOf(database),
        writer,
        isEmpty: blank.every(Boolean),
        cursor,
        seen,
        keep: async (load) => {
          lists = Math.max(lists, load.lists);
          await this.#writeMark({ ...loading(), load });
          // The way works: the next cut is waited out like a first one.
          this.#failures = 0;
        },
        monotonic: () => environment.monotonic(),
        progress: (received, total) => this.#show({ progress: { received, total } }),
        leaving: () => this.#deps.leaving(),
      });
      const mark: Mark = { ...loading(), state: 'ready', place, history };
      await this.#writeMark(mark);
      await seen.clear(lists);
      return mark;
    } finally {
      this.#show({ phase: 'idle', progress: null });
    }
  }

  async #pull(feed: Feed): Promise<void> {
    const startedAt = this.#deps.environment.now();
    await this.#during(() => feed.pull());
    await this.#deps.stored([], feed.place, startedAt);
    this.#deps.noteSuccess();
  }

  async #stored(rows: FeedRow[], place: string): Promise<void> {
    this.#cancelMark ??= this.#deps.environment.setTimer(() => {
      this.#cancelMark = null;
      // What lies after the place that is stored is only pulled again.
      this.#writePlace().catch(() => undefined);
    }, markEvery);
    await this.#deps.stored(rows, place, null);
  }

  async #writePlace(): Promise<void> {
    if (this.#feed === null || this.#writer === null || this.#mark === null) return;
    await this.#writeMark({ ...this.#mark, place: this.#feed.place, writes: this.#writer.writes });
  }

  async #writeMark(mark: Mark): Promise<void> {
    this.#mark = mark;
    await writeMark(this.#deps.database, mark);
  }

  async #recover(error: unknown): Promise<void> {
    await (error instanceof OtherHistory ? this.#startOver() : this.#backOff(error));
  }

  async #backOff(error: unknown): Promise<void> {
    const { environment } = this.#deps;
    this.#note(error);
    if (!this.#deps.maySync()) return this.#wait(null);
    this.#failures += 1;
    const asked = error instanceof NotNow ? error.wait : null;
    if (asked !== null) this.#deps.connection.askedToWait(asked);
    await this.#wait(asked ?? backoff(this.#failures - 1, environment.random()));
  }

  #note(error: unknown): void {
    if (error instanceof SignInNeeded) this.#deps.noteExpired(error.token);
    else if (!(error instanceof Unreachable || error instanceof OtherHistory) && !this.#stop.signal.aborted)
      this.#deps.noteTrouble(error);
  }

  /** Another history: the mirror is loaded anew, what waits in the outbox stays (MIRROR-7). */
  async #startOver(): Promise<void> {
    const feed = this.#feed;
    this.#feed = null;
    this.#isRebuilding = true;
    await feed?.stop();
    const writes = { loadId: '', counts: {} };
    await this.#writeMark({ state: 'loading', place: '', history: '', isRebuild: true, writes });
    await this.#deps.connection.forgetPlace();
  }

  async #during<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    this.#show({ phase: 'syncing' });
    try {
      return await work();
    } finally {
      this.#busy -= 1;
      if (this.#busy === 0) this.#show({ phase: 'idle' });
    }
  }

  #show(change: Partial<Activity>): void {
    if (this.#stop.signal.aborted) return;
    this.activity.next({ ...this.activity.value, ...change });
  }

  /** Waits `ms`, or without end, until `now()`. */
  #wait(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const cancel = ms === null ? () => undefined : this.#deps.environment.setTimer(resolve, ms);
      this.#wake = () => {
        cancel();
        resolve();
      };
      if (this.#stop.signal.aborted) this.#wake();
    });
  }
}
