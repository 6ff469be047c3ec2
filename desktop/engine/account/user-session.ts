import {
  BehaviorSubject,
  combineLatest,
  distinctUntilChanged,
  firstValueFrom,
  map,
  type Observable,
  type Subscription,
} from 'rxjs';

import { stepKeyOf } from '#shared/rules/guide-content.ts';
import { Problem } from '#shared/api/problem.ts';
import type { ByteSource } from '#shared/formats/omanual/source.ts';
import { type FeedRow, type SyncedCollection, temporaryId } from '#shared/sync/wire.ts';

import { Contact } from './contact.ts';
import { OtherServer, Impostor } from '../sync/other-server.ts';
import type { Home, Homes } from './home.ts';
import type { ServerClock } from '../platform/clock.ts';
import { cleanUp, mirrorOf, type EngineDatabase } from '../storage/database.ts';
import type { Journal } from '../journal/journal.ts';
import { draftRecords, JournaledRecords } from '../outbox/journaled-records.ts';
import { HomeLeaving } from './leaving/home-leaving.ts';
import { openHome, type HomeDatabase } from './leaving/home-database.ts';
import { LeavingMark, takesAway } from './leaving/mark.ts';
import { wordRecords, keptIdOf, needsPerson } from './leaving/quarantine.ts';
import { ServerConnection, Unreachable } from '../sync/server-connection.ts';
import { localDocument } from '../storage/local-document.ts';
import { NotNow, SignInNeeded } from '../sync/mirror/answer.ts';
import { RxMirror } from '../sync/mirror/mirror.ts';
import type { MirrorCheck } from '../sync/mirror/check.ts';
import { Replicator } from '../sync/mirror/replicator.ts';
import { SeenPlace } from '../sync/mirror/seen-place.ts';
import { recordNamed, stepNamed } from '../outbox/replay-after-restore.ts';
import { offerAgain } from '../outbox/offer.ts';
import { backoff } from '../sync/backoff.ts';
import { isSignInRefused, keysKnown } from '../outbox/ask-answers.ts';
import { JournaledOutbox } from '../outbox/outbox.ts';
import { recoveredIds } from '../outbox/recovered-ids.ts';
import { Sender } from '../outbox/sender.ts';
import { ResponseHandler } from '../outbox/response-handler.ts';
import { StoredCalls } from '../outbox/stored-calls.ts';
import type { Platform } from '../journal/platform.ts';
import type { ConflictHandler } from '../platform/ports.ts';
import type { Sessions } from './session.ts';
import { isEqual, noActivity, readActivity, syncStateOf, type SharedActivity } from './sync-state.ts';
import { Troubles } from '../sync/troubles.ts';
import type { SyncState } from '../api/sync-records.ts';

export interface UserSessionDeps {
  platform: Platform;
  journal: Journal;
  sessions: Sessions;
  homes: Homes;
  clock: ServerClock;
  conflicts: () => ConflictHandler | null;
  /** The file of an archive that a call names; null when this device does not have it any more. */
  archive: (fileId: string) => Promise<ByteSource | null>;
}

/** What other tabs, and the next start, are told of what the leading tab does. */
const activityId = 'activity';
/** Another tab asks the leading one for a round. */
const wishId = 'wish';
/** Tells the next start that this database holds the copies of calls and drafts. */
const copiesId = 'copies';
const tellEvery = 250;

const tooOldToCheck =
  'The server is too old to check this device. Ask your administrator to update it. Your work is kept.';

/** Everything of one account on one server: the open database and what keeps it alive. */
export class UserSession {
  readonly mirror: RxMirror;
  readonly outbox: JournaledOutbox;
  readonly drafts: JournaledRecords;
  readonly leaving: HomeLeaving;
  readonly connection: ServerConnection;
  readonly sync: Observable<SyncState>;
  /** Whether this tab leads: it alone pulls, sends and edits drafts. */
  readonly leads = new BehaviorSubject(false);
  readonly #deps: UserSessionDeps;
  readonly #database: EngineDatabase;
  readonly #leaveHome: () => void;
  readonly #contact: Contact;
  readonly #responseHandler: ResponseHandler;
  readonly #sender: Sender;
  readonly #replicator: Replicator;
  readonly #activity = new BehaviorSubject<SharedActivity>(noActivity);
  readonly #troubles: Troubles;
  readonly #subscriptions: Subscription[] = [];
  #cancelTelling: (() => void) | null = null;
  /** Ends the wait before the next attempt to start. */
  #tryStart: () => void = () => undefined;
  #hadCopies = false;
  #closed = false;

  private constructor(
    deps: UserSessionDeps,
    { database, leave }: HomeDatabase,
    outbox: JournaledOutbox,
    drafts: JournaledRecords,
    kept: JournaledRecords,
    connection: ServerConnection,
    contact: Contact,
    troubles: Troubles,
  ) {
    const { environment } = deps.platform;
    this.#deps = deps;
    this.#database = database;
    this.#leaveHome = leave;
    const { home } = contact.home;
    const mark = new LeavingMark(deps.journal, home);
    this.#troubles = troubles;
    this.outbox = outbox;
    this.drafts = drafts;
    this.connection = connection;
    this.#contact = contact;
    this.mirror = new RxMirror(mirrorOf(database));
    const now = (): number => environment.now();
    this.leaving = new HomeLeaving({ database, outbox, journal: deps.journal, kept, mark, now });
    const clockAtStart = now() - environment.monotonic();
    const steadyNow = (): number => clockAtStart + environment.monotonic();
    const pulling = troubles.of('pulling');
    const noteExpired = (token: string | null): void => deps.sessions.expire(token);
    const maySync = (): boolean => deps.sessions.current().status === 'signed-in';
    this.#replicator = new Replicator({
      environment,
      connection,
      database,
      maySync,
      meet: () => this.#meet(),
      doubt: () => contact.doubt(),
      noteExpired,
      ...pulling,
      noteTrouble: (error) => {
        if (!isStranger(error)) pulling.noteTrouble(error);
      },
      beat: () => this.#tell(),
      onRowsReceived: async (rows) => {
        if (rows.some(takesAway)) await mark.set(now());
        await this.#responseHandler.onRowsReceived(rows);
      },
      leaving: () => mark.set(now()),
      stored: (rows, place, roundStartedAt) => this.#stored(rows, place, roundStartedAt),
      rebuilt: () => this.#offerAgain(),
      goOn: () => {
        this.#sender.now();
        this.leaving.rebuilt.next();
      },
    });
    this.#responseHandler = new ResponseHandler({
      environment,
      steadyNow,
      outbox,
      feed: (rows) => this.#replicator.deliver(rows),
      conflicts: deps.conflicts,
      askRound: () => this.#replicator.askRound(),
    });
    const maySend = (): boolean => maySync() && contact.isKnown && !this.#replicator.isRebuilding;
    this.#sender = new Sender({
      environment,
      steadyNow,
      connection,
      outbox,
      responseHandler: this.#responseHandler,
      journal: deps.journal,
      archive: deps.archive,
      userid: contact.home.userid,
      maySend,
      noteExpired,
      noteOtherHistory: () => this.#replicator.noteOtherHistory(),
      ...troubles.of('sending'),
    });
    this.sync = combineLatest([
      connection.online,
      this.#activity,
      outbox.calls,
      deps.sessions.state,
      troubles.latest,
      combineLatest([this.leaving.kept, this.leaving.unreadable]).pipe(
        map(([items, unread]) => new Set(items.filter(needsPerson).map(keptIdOf)).size + unread.length),
      ),
    ]).pipe(
      map(([isOnline, activity, , session, trouble, kept]) =>
        syncStateOf({ isOnline, activity, calls: outbox.index, session, trouble, kept }),
      ),
      distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
    );
  }

  static async open(deps: UserSessionDeps, place: Home): Promise<UserSession> {
    const { platform, journal } = deps;
    const opened = await openHome({ platform, journal, home: place.home });
    const undo = [async () => opened.leave(), () => opened.database.close()];
    try {
      return await UserSession.#openIn(opened, deps, place, undo);
    } catch (error) {
      // Whatever else fails on the way back, the first error is the one to tell.
      for (const step of undo.toReversed()) await step().catch(() => undefined);
      throw error;
    }
  }

  /** `undo`: takes what ends each thing that was opened, in its order. */
  static async #openIn(
    opened: HomeDatabase,
    deps: UserSessionDeps,
    place: Home,
    undo: (() => Promise<unknown>)[],
  ): Promise<UserSession> {
    const { platform, journal, sessions, clock, homes } = deps;
    const { home, origin, userid } = place;
    const { database } = opened;
    const troubles = new Troubles();
    const seen = await SeenPlace.open(journal, home);
    const records = new RxMirror(mirrorOf(database));
    const outbox = await JournaledOutbox.open({
      environment: platform.environment,
      journal,
      stored: new StoredCalls(database.outbox),
      home,
      userid,
      multiInstance: platform.multiInstance,
      lock: platform.lock,
      ...troubles.of('calls'),
      reading: troubles.of('reading calls'),
      seen,
      recordOf: async (call) => {
        const named = recordNamed(call);
        const uid = named === null ? undefined : await uidOf(records, named);
        return named === null || uid === undefined ? undefined : { ...named, uid };
      },
      stepOf: async (call) => {
        const named = stepNamed(call);
        const guide = named === null ? null : await records.get('guides', named.guideid);
        const step = guide?.facts.steps.find(({ stepid }) => String(stepid) === named?.id);
        return step === undefined ? undefined : { id: step.stepid, key: stepKeyOf(step) };
      },
    });
    undo.push(() => outbox.close());
    const inHome = { environment: platform.environment, journal, home, lock: platform.lock };
    const drafts = await JournaledRecords.open(draftRecords, {
      ...inHome,
      ...troubles.of('drafts'),
      reading: troubles.of('reading drafts'),
      rows: database.drafts,
    });
    undo.push(() => drafts.close());
    const kept = await JournaledRecords.open(wordRecords, {
      ...inHome,
      ...troubles.of('kept'),
      reading: troubles.of('reading kept'),
      rows: database.kept,
    });
    undo.push(() => kept.close());
    if (outbox.hasRecovered || drafts.hasRecovered) {
      const ids = [
        ...outbox.present().flatMap(({ needs }) => needs.map(temporaryId)),
        ...(await firstValueFrom(drafts.ids)),
      ];
      await outbox.learnIds(await recoveredIds(mirrorOf(database), new Set(ids)), { canWait: true });
    }
    const connection = new ServerConnection(
      origin,
      () => sessions.tokenOf(place),
      platform.appId,
      platform.environment,
      clock,
      undefined,
      seen,
    );
    const contact = new Contact(connection, place, homes);
    const userSession = new UserSession(deps, opened, outbox, drafts, kept, connection, contact, troubles);
    await userSession.#start();
    return userSession;
  }

  /** Whether the database was there before, with its copies of calls and drafts. */
  get hadCopies(): boolean {
    return this.#hadCopies;
  }

  /** Whose session it is. */
  get home(): Home {
    return this.#contact.home;
  }

  /** Asks for a round now, from the leading tab or through it. */
  now(): void {
    this.#troubles.forget();
    if (!this.leads.value) {
      const wish = { at: this.#deps.platform.environment.now() };
      void this.#database.upsertLocal(wishId, wish).catch(() => undefined);
      return;
    }
    this.#tryStart();
    this.connection.askedToWait(null);
    this.#sender.now();
    this.#replicator.now();
  }

  /** Compares the mirror with the server and mends what differs; in the leading tab only. */
  async check(): Promise<MirrorCheck> {
    if (!this.leads.value)
      throw new Problem('conflict', 'Another window of this app syncs this device. Check the device there.');
    try {
      return await this.#replicator.check();
    } catch (cause) {
      // Servers of protocol 5 have nothing to compare with.
      if (cause instanceof NotNow && cause.status === 404)
        throw new Problem('unavailable', tooOldToCheck, { cause });
      throw cause;
    }
  }

  /**
   * A request of an action, with the token, to nobody but the server of this home (ACCOUNT-10).
   * @throws Problem when another one is there
   * @throws Unreachable, ForeignAnswer
   */
  async response(path: string, init?: RequestInit): Promise<Response> {
    try {
      await this.#meet();
    } catch (error) {
      if (isStranger(error)) throw new Problem('unavailable', error.message, { cause: error });
      if (error instanceof SignInNeeded) throw new Problem('unauthorized', 'Sign in again', { cause: error });
      throw error;
    }
    const { token } = this.connection;
    const response = await this.connection.response(path, init);
    // The API repeats no request: a cache may have kept a refusal meant for another person (MIRROR-18).
    const isCertain = init?.method !== undefined && init.method !== 'GET';
    if (response.status === 401 && (isCertain || (await isSignInRefused(this.connection))))
      this.#deps.sessions.expire(token);
    return response;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.#cancelTelling?.();
    this.#tryStart();
    try {
      await this.#sender.stop();
      await this.#replicator.stop();
      await this.outbox.close();
      await this.drafts.close();
      await this.leaving.close();
      this.leads.complete();
      await this.#database.close();
    } finally {
      this.#leaveHome();
    }
  }

  async #start(): Promise<void> {
    const told = await this.#database.getLocal<object>(activityId);
    const last = told === null ? undefined : readActivity(told.toJSON().data);
    this.#hadCopies = last !== undefined || (await this.#database.getLocal(copiesId)) !== null;
    if (!this.#hadCopies) await this.#database.upsertLocal(copiesId, {}).catch(() => undefined);
    if (last !== undefined) this.#activity.next({ ...noActivity, lastSyncedAt: last.lastSyncedAt });
    this.#subscriptions.push(
      localDocument(this.#database, activityId).subscribe((told) => {
        if (!this.leads.value && told !== null) this.#activity.next(readActivity(told));
      }),
    );
    void this.#database.waitForLeadership().then(
      () => this.#lead(),
      () => undefined,
    );
  }

  async #lead(): Promise<void> {
    if (this.#closed) return;
    await this.drafts.refresh();
    if (this.#closed) return;
    this.leads.next(true);
    const { journal, platform, sessions } = this.#deps;
    this.#subscriptions.push(
      this.#replicator.activity.subscribe((activity) => this.#show(activity)),
      this.connection.interference.subscribe((interference) => this.#show({ interference })),
      this.connection.tooOld.subscribe((tooOld) => this.#show({ tooOld })),
      this.connection.waitUntil.subscribe((waitUntil) => this.#show({ waitUntil })),
      this.outbox.calls.subscribe(() => this.#show({})),
      localDocument(this.#database, wishId).subscribe((wish) => wish !== null && this.now()),
      this.connection.online.subscribe((isOnline) => {
        if (isOnline) {
          this.#replicator.now();
          void this.#meetBeside();
          return;
        }
        this.#contact.doubt();
        this.#replicator.probe();
      }),
      // The network is back before any request could tell: backoffs end.
      platform.environment.online
        .pipe(distinctUntilChanged())
        .subscribe((isOnline) => isOnline && this.now()),
      sessions.state
        .pipe(
          map(({ status }) => status),
          distinctUntilChanged(),
        )
        .subscribe((status) => status === 'signed-in' && this.now()),
    );
    await this.#untilDone(async () => {
      // Where records were lost, the device is equal to the server only when they are loaded again (MIRROR-20).
      if (!(await this.#replicator.start())) this.#show({ lastSyncedAt: null });
    });
    await this.#untilDone(() => this.#sender.start());
    if (this.#closed) return;
    try {
      await this.outbox.log.prune(platform.environment.now());
      await cleanUp(this.#database);
      await journal.checkSpace();
    } catch {
      // What a full disk keeps here goes after another start.
    }
  }

  /** Tries `work` again after each failure, until it succeeds or the session is closed. */
  async #untilDone(work: () => Promise<void>): Promise<void> {
    const { noteTrouble, noteSuccess } = this.#troubles.of('start');
    const { environment } = this.#deps.platform;
    for (let failures = 1; !this.#closed; failures += 1) {
      try {
        await work();
        return noteSuccess();
      } catch (error) {
        if (this.#closed) return;
        noteTrouble(error);
        await new Promise<void>((resolve) => {
          const cancel = environment.setTimer(resolve, backoff(failures, environment.random()));
          this.#tryStart = () => {
            cancel();
            resolve();
          };
        });
      }
    }
  }

  /** Before anything is asked or sent: which server is it? (ACCOUNT-5) */
  async #meet(): Promise<void> {
    if (this.#contact.isKnown) return;
    const { noteTrouble, noteSuccess } = this.#troubles.of('meeting');
    try {
      await this.#contact.meet();
    } catch (error) {
      if (isStranger(error)) noteTrouble(error);
      throw error;
    }
    noteSuccess();
    this.#sender.now();
  }

  /** The event stream may have outlived what a request did not: then nobody else asks who is there. */
  async #meetBeside(): Promise<void> {
    if (this.#deps.sessions.current().status !== 'signed-in') return;
    await this.#meet().catch(() => undefined);
  }

  async #stored(rows: FeedRow[], place: string, roundStartedAt: number | null): Promise<void> {
    await this.#responseHandler.onRowsStored(rows, Number(place.split('.')[0]), roundStartedAt);
    if (rows.length > 0) this.mirror.arrived.next(rows);
  }

  async #offerAgain(): Promise<void> {
    const { journal, platform, conflicts } = this.#deps;
    const handler = conflicts();
    if (handler === null) throw new Unreachable('The app is still starting');
    await this.#sender.settled();
    await this.leaving.doubtServer((keys) => keysKnown(this.connection, keys));
    // The number of a guide may be another one's by now.
    await this.#deps.sessions.forgetNames(({ home }) => home === this.home.home);
    const files = new Set((await journal.listFiles()).map(({ id }) => id));
    await offerAgain({
      connection: this.connection,
      outbox: this.outbox,
      now: () => platform.environment.now(),
      hasFile: async (id) => files.has(id),
      isMistaken: (call) => handler.isMistaken(call),
      idsNow: (temporaries) => recoveredIds(mirrorOf(this.#database), temporaries),
      uidNow: (record) => uidOf(this.mirror, record),
      overwriting: (calls) => handler.overwriting(calls),
      meetHistory: (made) => handler.meetHistory(made),
    });
  }

  /** Equal since now, equal still, or equal until now: all three are the last moment of being equal. */
  #show(change: Partial<SharedActivity>): void {
    const before = this.#activity.value;
    const after = { ...before, ...change };
    const calls = this.outbox.index;
    const wasEqual = isEqual(after, calls) || isEqual(before, calls);
    if (wasEqual) after.lastSyncedAt = this.#deps.platform.environment.now();
    if (Object.keys(change).length === 0 && !wasEqual) return;
    this.#activity.next(after);
    this.#tell();
  }

  /** Tells the other tabs, not more often than they can read. */
  #tell(): void {
    if (this.#closed) return;
    this.#cancelTelling ??= this.#deps.platform.environment.setTimer(() => {
      this.#cancelTelling = null;
      if (isEqual(this.#activity.value, this.outbox.index)) {
        this.#activity.next({
          ...this.#activity.value,
          lastSyncedAt: this.#deps.platform.environment.now(),
        });
      }
      void this.#database.upsertLocal(activityId, this.#activity.value).catch(() => undefined);
    }, tellEvery);
  }
}

/** Whether what answered is not the server of this home. */
function isStranger(error: unknown): error is OtherServer | Impostor {
  return error instanceof OtherServer || error instanceof Impostor;
}

/** What names a record for ever, as the mirror knows it. */
async function uidOf(
  mirror: RxMirror,
  { c, id }: { c: SyncedCollection; id: string },
): Promise<string | undefined> {
  const facts = (await mirror.get(c, id))?.facts;
  return facts !== undefined && 'uid' in facts ? facts.uid : undefined;
}
