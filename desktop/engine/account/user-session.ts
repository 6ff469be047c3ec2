import {
  BehaviorSubject,
  combineLatest,
  distinctUntilChanged,
  filter,
  map,
  merge,
  type Observable,
  type Subscription,
} from 'rxjs';

import { Problem } from '#shared/api/problem.ts';
import type { FeedRow } from '#shared/sync/wire.ts';

import type { SyncState } from '../api/sync-records.ts';
import { isSignInRefused } from '../outbox/ask-answers.ts';
import type { JournaledRecords } from '../outbox/journaled-records.ts';
import type { JournaledOutbox } from '../outbox/outbox.ts';
import { RetryLoop } from '../platform/backoff.ts';
import type { ServerClock } from '../platform/clock.ts';
import { cleanUp, mirrorOf, type EngineDatabase } from '../storage/database.ts';
import { localDocument } from '../storage/local-document.ts';
import { NotNow, SignInNeeded } from '../sync/connection-errors.ts';
import type { MirrorCheck } from '../sync/mirror/check.ts';
import { completeness } from '../sync/mirror/mark.ts';
import { RxMirror } from '../sync/mirror/mirror.ts';
import { firstTitles } from '../sync/mirror/first-titles.ts';
import { rowSnapshotsIn, SnapshotTimer } from '../sync/mirror/row-snapshots.ts';
import { ServerConnection } from '../sync/server-connection.ts';
import type { Troubles } from '../sync/troubles.ts';
import { Contact } from './contact.ts';
import type { Home, Homes } from './home.ts';
import { type HomeStores, openStores } from './home-stores.ts';
import { HomeSync, type HomeSyncDeps, isOtherServer } from './home-sync.ts';
import { openHome, type HomeDatabase } from './leaving/home-database.ts';
import { waitingIn } from '../outbox/calls.ts';
import { HomeLeaving } from './leaving/home-leaving.ts';
import { LeavingMark } from './leaving/mark.ts';
import { keptIdOf, needsPerson } from './leaving/quarantine.ts';
import { ActivityShare } from './shared-activity.ts';
import { Station } from './station/station.ts';
import { StationContact } from './station/station-contact.ts';
import { syncStateOf } from './sync-state.ts';

export interface UserSessionDeps extends HomeSyncDeps {
  homes: Homes;
  clock: ServerClock;
}

/** Local document by which another tab asks the leading one for a round. */
const wishId = 'wish';
/** Local document that tells the next start that this database has copies of calls and drafts. */
const copiesId = 'copies';

/** Local document that tells other tabs that the station is another one now, or its people are. */
const stationId = 'station';

const tooOldToCheck =
  'The server is too old to check this device. Ask your administrator to update it. Your work is kept.';

/** The services of the home that is open: mirror, outbox, drafts and the connection to its server. */
export class UserSession {
  readonly mirror: RxMirror;
  readonly outbox: JournaledOutbox;
  readonly drafts: JournaledRecords;
  readonly leaving: HomeLeaving;
  readonly connection: ServerConnection;
  /** The station that the home belongs to; null: the home is a person's. */
  readonly station: Station | null;
  /** The state of sync for the status line; emits the present one first. */
  readonly sync: Observable<SyncState>;
  /** Whether this tab leads: only the leading tab pulls, sends and edits drafts. */
  readonly leads = new BehaviorSubject(false);
  /** Whether the mirror has every record, in any tab; emits the present state first. */
  readonly complete: Observable<boolean>;
  readonly #deps: UserSessionDeps;
  readonly #database: EngineDatabase;
  readonly #leaveHome: () => void;
  readonly #contact: Contact;
  readonly #homeSync: HomeSync;
  readonly #activity: ActivityShare;
  readonly #troubles: Troubles;
  readonly #starting: RetryLoop;
  readonly #rowTimer: SnapshotTimer;
  #rows: Subscription | undefined;
  readonly #subscriptions: Subscription[] = [];
  #hadCopies = false;
  #stationContact: StationContact | null = null;
  #closed = false;

  private constructor(
    deps: UserSessionDeps,
    { database, leave }: HomeDatabase,
    stores: HomeStores,
    connection: ServerConnection,
    contact: Contact,
    station: Station | null,
  ) {
    const { journal, sessions } = deps;
    const { environment } = deps.platform;
    const { outbox, drafts, kept, troubles } = stores;
    this.#deps = deps;
    this.#database = database;
    this.#leaveHome = leave;
    this.#troubles = troubles;
    this.#contact = contact;
    this.outbox = outbox;
    this.drafts = drafts;
    this.connection = connection;
    this.station = station;
    connection.reportWaiting(() => waitingIn(outbox.index));
    this.complete = completeness(database);
    this.mirror = new RxMirror(mirrorOf(database), rowSnapshotsIn(database), firstTitles(database));
    this.#rowTimer = new SnapshotTimer(environment, () => this.mirror.saveGuideRows());
    this.#activity = new ActivityShare(database, environment, () => outbox.index);
    this.#starting = new RetryLoop(environment, troubles.of('start'));
    const mark = new LeavingMark(journal, contact.home.home);
    this.leaving = new HomeLeaving({ database, outbox, journal, kept, mark, now: () => environment.now() });
    this.#homeSync = new HomeSync(deps, {
      ...stores,
      database,
      mirror: this.mirror,
      connection,
      contact,
      leaving: this.leaving,
      mark,
      beat: () => this.#activity.tell(),
    });
    this.sync = combineLatest([
      connection.online,
      this.#activity.state,
      outbox.calls,
      sessions.state,
      troubles.latest,
      combineLatest([this.leaving.kept, this.leaving.unreadable]).pipe(
        map(([items, unread]) => new Set(items.filter(needsPerson).map(keptIdOf)).size + unread.length),
      ),
    ]).pipe(
      map(([isOnline, activity, , session, trouble, keptCount]) =>
        syncStateOf({ isOnline, activity, calls: outbox.index, session, trouble, kept: keptCount }),
      ),
      distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
    );
  }

  /** Opens a home. What was opened is closed again if anything fails. */
  static async open(deps: UserSessionDeps, home: Home): Promise<UserSession> {
    const { platform, journal, sessions, clock, homes } = deps;
    const opened = await openHome({ platform, journal, home: home.home });
    const undo = [async () => opened.leave(), () => opened.database.close()];
    try {
      const stores = await openStores(opened.database, deps, home, undo);
      const connection = new ServerConnection(
        home.origin,
        () => sessions.tokenOf(home),
        platform.appId,
        platform.environment,
        clock,
        undefined,
        stores.seen,
      );
      const contact = new Contact(connection, home, homes);
      const station = await Station.open({ platform, journal, clock, home: home.home });
      undo.push(async () => station?.close());
      const userSession = new UserSession(deps, opened, stores, connection, contact, station);
      await userSession.#start();
      return userSession;
    } catch (error) {
      // Errors while closing are dropped: the first error is the one to report.
      for (const step of undo.toReversed()) await step().catch(() => undefined);
      throw error;
    }
  }

  /** Whether an earlier start left a database with copies of calls and drafts. */
  get hadCopies(): boolean {
    return this.#hadCopies;
  }

  /** The home that is open. */
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
    this.#starting.now();
    this.#homeSync.now();
    this.#stationContact?.now();
  }

  /**
   * Compares the mirror with the server and corrects what differs; in the leading tab only.
   * @throws Problem in another tab, or when the server is too old
   */
  async check(): Promise<MirrorCheck> {
    if (!this.leads.value)
      throw new Problem('conflict', 'Another window of this app syncs this device. Check the device there.');
    try {
      return await this.#homeSync.replicator.check();
    } catch (cause) {
      // Servers of protocol 5 have nothing to compare with.
      if (cause instanceof NotNow && cause.status === 404)
        throw new Problem('unavailable', tooOldToCheck, { cause });
      throw cause;
    }
  }

  /**
   * A request of an action with the token, to the server of this home only (ACCOUNT-10).
   * @throws Problem when another server is at the address, or the person must sign in
   * @throws Unreachable, ForeignAnswer
   */
  async response(path: string, init?: RequestInit): Promise<Response> {
    try {
      await this.#homeSync.meet();
    } catch (error) {
      if (isOtherServer(error)) throw new Problem('unavailable', error.message, { cause: error });
      if (error instanceof SignInNeeded) throw new Problem('unauthorized', 'Sign in again', { cause: error });
      throw error;
    }
    const { token } = this.connection;
    const response = await this.connection.response(path, init);
    // The API does not repeat the request: a cache may hold a refusal that was meant for another person (MIRROR-18).
    const isCertain = init?.method !== undefined && init.method !== 'GET';
    if (response.status === 401 && (isCertain || (await isSignInRefused(this.connection))))
      this.#deps.sessions.expire(token);
    return response;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.#activity.close();
    this.#starting.close();
    this.#rowTimer.close();
    try {
      await this.#stationContact?.close();
      this.station?.close();
      await this.#homeSync.stop();
      // Without it, the next start only takes longer.
      if (this.leads.value) await this.mirror.saveGuideRows().catch(() => undefined);
      this.#rows?.unsubscribe();
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
    const isRestored = await this.#activity.restore();
    this.#hadCopies = isRestored || (await this.#database.getLocal(copiesId)) !== null;
    if (!this.#hadCopies) await this.#database.upsertLocal(copiesId, {}).catch(() => undefined);
    this.#subscriptions.push(this.#activity.follow(() => this.leads.value));
    if (this.station !== null) this.#followStation(this.station);
    void this.#database.waitForLeadership().then(
      () => this.#lead(),
      () => undefined,
    );
  }

  #followStation(station: Station): void {
    const { sessions, platform } = this.#deps;
    const isShutOut = (): boolean => sessions.current().status === 'expired';
    station.follow(isShutOut);
    this.#subscriptions.push(
      sessions.state.subscribe(() => isShutOut() && station.lock('shut-out')),
      station.changed.subscribe(() => {
        const mark = { at: platform.environment.now() };
        void this.#database.upsertLocal(stationId, mark).catch(() => undefined);
      }),
      localDocument(this.#database, stationId).subscribe((mark) => {
        if (mark !== null) void station.reload().catch(() => undefined);
      }),
    );
  }

  #contactOf(station: Station): StationContact {
    const { sessions, platform } = this.#deps;
    const status = sessions.state.pipe(
      map((session) => session.status),
      distinctUntilChanged(),
    );
    return new StationContact({
      environment: platform.environment,
      station,
      accountid: this.home.account,
      appVersion: platform.appVersion ?? '',
      response: (path, init) => this.response(path, init),
      maySync: () => sessions.current().status === 'signed-in',
      waiting: () => waitingIn(this.outbox.index),
      news: merge(this.connection.online, status, this.mirror.arrived.pipe(filter(isAboutPeople))),
    });
  }

  async #lead(): Promise<void> {
    if (this.#closed) return;
    await this.drafts.refresh();
    if (this.#closed) return;
    this.leads.next(true);
    this.#rows = this.mirror.guideRows().subscribe(() => this.#rowTimer.changed());
    const { journal, platform, sessions } = this.#deps;
    const { replicator, sender } = this.#homeSync;
    this.#subscriptions.push(
      replicator.activity.subscribe((activity) => this.#activity.show(activity)),
      this.connection.interference.subscribe((interference) => this.#activity.show({ interference })),
      this.connection.tooOld.subscribe((tooOld) => this.#activity.show({ tooOld })),
      this.connection.waitUntil.subscribe((waitUntil) => this.#activity.show({ waitUntil })),
      this.outbox.calls.subscribe(() => this.#activity.show({})),
      localDocument(this.#database, wishId).subscribe((wish) => wish !== null && this.now()),
      this.connection.online.subscribe((isOnline) => this.#homeSync.noteOnline(isOnline)),
      // The platform notices the network before any request does: waits end.
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
    await this.#starting.run(async () => {
      // If records were lost, the device is equal to the server only when they are loaded again (MIRROR-20).
      if (!(await replicator.start())) this.#activity.show({ lastSyncedAt: null });
    });
    await this.#starting.run(() => sender.start());
    if (this.#closed) return;
    if (this.station !== null) this.#stationContact = this.#contactOf(this.station);
    try {
      await this.outbox.log.prune(platform.environment.now());
      await cleanUp(this.#database);
      await journal.checkSpace();
    } catch {
      // On a full disk this is done after another start.
    }
  }
}

/** Whether rows of the feed may mean that other people sign in here, or in another way. */
function isAboutPeople(rows: readonly FeedRow[]): boolean {
  return rows.some(({ c }) => c === 'people' || c === 'viewer');
}
