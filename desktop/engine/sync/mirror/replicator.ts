import { BehaviorSubject, type Observable } from 'rxjs';

import { must } from '#shared/must.ts';
import { collectionNames, type FeedRow } from '#shared/sync/wire.ts';

import { mirrorOf, type EngineDatabase } from '#desktop/engine/storage/database.ts';
import type { ServerConnection } from '../server-connection.ts';
import { NotNow, OtherHistory, SignInNeeded, Unreachable } from '../connection-errors.ts';
import { backoff } from '#desktop/engine/platform/backoff.ts';
import { EndableWait } from '#desktop/engine/platform/endable-wait.ts';
import type { Environment } from '#desktop/engine/platform/ports.ts';
import type { TroubleNotes } from '../troubles.ts';
import type { MirrorCheck } from './check.ts';
import { followEvents } from './events.ts';
import { Feed } from './feed.ts';
import { loadAndMark } from './marked-load.ts';
import { newKinds, readMark, writeMark, type Mark } from './mark.ts';
import { PackFetcher } from './packs.ts';
import { MirrorWriter, type Writes } from './mirror-writer.ts';

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
  /** Emits the ids of guides that somebody opens and that are not there. */
  missed: Observable<string>;
  /** How often something was saved in the journal. */
  saves: () => number;
  /** Called before rows are stored. */
  onRowsReceived(rows: FeedRow[]): Promise<void>;
  /**
   * Called after rows were stored; the mirror is complete up to `place`. `roundStartedAt` (ms since 1970) is set when a
   * pull that began at that time reached the end of the feed.
   */
  stored(rows: FeedRow[], place: string, roundStartedAt: number | null): Promise<void>;
  /** Called before records are removed that a load did not bring again. */
  leaving: () => Promise<void>;
  /** Called when the mirror was loaded again because the server has another history. */
  rebuilt(): Promise<void>;
  /** Called after `rebuilt`: calls may be sent again. */
  goOn(): void;
  maySync(): boolean;
  /** Verifies that the server is the one that the mirror was loaded from; called before any other request (ACCOUNT-5). */
  meet(): Promise<void>;
  /** Called when the connection ended: another server may answer next. */
  doubt(): void;
  noteExpired(token: string | null): void;
  /** Called whenever the event stream shows that the server is there. */
  beat(): void;
}

/** The checkpoint is stored at most this often, ms. Rows after the stored one are only pulled again. */
const markEvery = 1000;
/** How long after a failed request the event stream is tested, ms. */
const probeAfter = 500;

/** Keeps the mirror up to date in the leading tab: first load, pull and events, repeated after each failure. */
export class Replicator {
  readonly activity = new BehaviorSubject<Activity>({ phase: 'idle', progress: null, connected: false });
  readonly #deps: ReplicatorDeps;
  readonly #stop = new AbortController();
  #stream = new AbortController();
  #feed: Feed | null = null;
  #writer: MirrorWriter | null = null;
  /** As it was last read or written. */
  #mark: Mark | null = null;
  #isRebuilding = false;
  readonly #pause: EndableWait;
  readonly #packs = new PackFetcher();
  #running: Promise<void> = Promise.resolve();
  #cancelMark: (() => void) | null = null;
  #failures = 0;
  #busy = 0;

  constructor(deps: ReplicatorDeps) {
    this.#deps = deps;
    this.#pause = new EndableWait(deps.environment);
  }

  /** Returns whether the mirror is complete, or was complete before the server's history changed. */
  async start(): Promise<boolean> {
    const mark = await readMark(this.#deps.database);
    this.#isRebuilding = mark?.isRebuild ?? false;
    this.#running = this.#run();
    return mark?.state === 'ready' || this.#isRebuilding;
  }

  /** Syncs now: ends a wait, or pulls in addition to an open event stream. */
  now(): void {
    this.#failures = 0;
    this.#pause.end();
    if (this.activity.value.connected) this.askRound();
  }

  /** Pulls to the end of the feed in addition to the event stream. */
  askRound(): void {
    if (this.#feed === null) return;
    void this.#pull(this.#feed).catch((error: unknown) => {
      this.#note(error);
      // The stream may be dead too: open it again.
      this.#stream.abort();
    });
  }

  /**
   * Pulls to the end of the feed, then compares the whole mirror with the server and corrects what differs.
   * @throws Unreachable while the mirror is not complete
   */
  async check(): Promise<MirrorCheck> {
    const feed = this.#feed;
    if (feed === null) throw new Unreachable('The first sync is not finished');
    await this.#pull(feed);
    return this.#during(() => feed.check());
  }

  /** The server does not know a checkpoint that this device sent. The next pull gets the same answer and rebuilds. */
  noteOtherHistory(): void {
    this.askRound();
    this.#pause.end();
  }

  /** Called when a request failed although the event stream is open: a pull shows whether the server can be reached. */
  probe(): void {
    if (!this.activity.value.connected) return;
    this.#deps.environment.setTimer(() => this.activity.value.connected && this.askRound(), probeAfter);
  }

  /** While the mirror is rebuilt for another history, the ids in waiting calls may mean other records on the server. */
  get isRebuilding(): boolean {
    return this.#isRebuilding;
  }

  /** Stores rows that came with the response to a call. Returns false while the mirror is not complete and takes none. */
  async deliver(rows: FeedRow[]): Promise<boolean> {
    const feed = this.#feed;
    if (feed === null) return false;
    await this.#during(() => feed.deliver(rows));
    return true;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#pause.end();
    await this.#feed?.stop();
    await this.#running;
    this.#cancelMark?.();
    // A full disk must not prevent the app from closing.
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

  /** Pulls to the end of the feed, then follows the event stream until it ends. */
  async #session(): Promise<void> {
    await this.#deps.meet();
    const feed = this.#feed ?? (await this.#openFeed());
    await this.#pull(feed);
    await this.#loadNewKinds(feed);
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
      records: mirrorOf(database),
      writer,
      stored: (rows: FeedRow[], place: string) => this.#stored(rows, place),
    };
    const feed = new Feed(deps, mark.place, mark.history);
    this.#mark = mark;
    this.#writer = writer;
    this.#feed = feed;
    if (mark.isRebuild) await this.#finishRebuild(feed, mark);
    return feed;
  }

  /** Runs `rebuilt` before the mirror is used further. After a failure it runs again. */
  async #finishRebuild(feed: Feed, mark: Mark): Promise<void> {
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

  /** Loads the records of kinds that an update of the app brought (MIRROR-23). */
  async #loadNewKinds(feed: Feed): Promise<void> {
    const mark = must(this.#mark, 'the mark of an open feed');
    const kinds = newKinds(mark);
    if (kinds.length === 0) return;
    await this.#during(() => feed.check(kinds));
    this.#mark = { ...mark, kinds: collectionNames };
    await this.#writePlace();
  }

  #writerAfter(writes: Writes): MirrorWriter {
    const { database, environment } = this.#deps;
    return new MirrorWriter({ environment, records: mirrorOf(database), closing: this.#stop.signal }, writes);
  }

  async #load(stored: Mark | null): Promise<Mark> {
    const { connection, database, environment, leaving } = this.#deps;
    this.#show({ phase: 'first-sync', progress: { received: 0, total: 0 } });
    try {
      return await loadAndMark(stored, {
        connection,
        database,
        environment,
        signal: this.#stop.signal,
        leaving,
        writerAfter: (writes) => this.#writerAfter(writes),
        writeMark: (mark) => this.#writeMark(mark),
        packs: this.#packs,
        missed: this.#deps.missed,
        saves: this.#deps.saves,
        progress: (received, total) => this.#show({ progress: { received, total } }),
        // The connection works: the next interruption is waited out like a first one.
        batchStored: () => void (this.#failures = 0),
      });
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
      // Rows after the stored checkpoint are only pulled again.
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

  /** The server has another history: the mirror is loaded again, and waiting calls stay (MIRROR-7). */
  async #startOver(): Promise<void> {
    const feed = this.#feed;
    this.#feed = null;
    this.#isRebuilding = true;
    await feed?.stop();
    const writes = { loadId: '', counts: {} };
    await this.#writeMark({
      state: 'loading',
      place: '',
      history: '',
      isRebuild: true,
      writes,
      kinds: collectionNames,
    });
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

  /** Waits until `now()` is called, but at most `ms`; null: without limit. */
  async #wait(ms: number | null): Promise<void> {
    if (!this.#stop.signal.aborted) await this.#pause.for(ms);
  }
}
