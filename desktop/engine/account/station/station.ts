import { BehaviorSubject, type Observable, Subject } from 'rxjs';
import { z } from 'zod';

import { Problem } from '#shared/api/problem.ts';
import type { StationSelf } from '#shared/model/station.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { StationLockReason, StationProof, StationSignIn } from '#desktop/engine/api/station-records.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import type { Recorder } from '#desktop/engine/outbox/recorded.ts';
import type { Clock } from '#desktop/engine/platform/clock.ts';
import { passOverFullDisk } from '#desktop/engine/platform/full-disk.ts';
import { serialQueue } from '#desktop/engine/platform/serial-queue.ts';
import { Presence } from './presence.ts';
import { mostFormer, StationStore, type StationRecord } from './station-store.ts';
import { StationTries } from './tries.ts';
import { isExitCode, isOf, shownHash, type Shown, type StationPerson } from './verify.ts';

/** The person who is signed in at the station. `since`: ms since 1970. */
export interface PresentPerson {
  userid: number;
  accountid: string;
  username: string;
  since: number;
}

/** Why nobody is signed in, and who was last. */
export interface StationLocked {
  why: StationLockReason;
  userid: number | null;
  username: string;
  at: number;
}

/** What is known of the station now. */
export interface StationState {
  self: StationSelf;
  /** When `self` was read from the server, ms since 1970. */
  readAt: number;
  /** People who no longer are of the station. */
  former: StationRecord['former'];
  person: PresentPerson | null;
  lock: StationLocked | null;
  failedTries: number;
  /** Until when nobody may try, and each person (by `accountid`), ms since 1970; null, absent: they may. */
  waitUntil: number | null;
  waits: ReadonlyMap<string, number>;
}

/**
 * What came of a try to sign in. `address`: where the person was when the station locked; null: nowhere. `until`: when the next
 * try is looked at, ms since 1970; null: at once.
 */
export type Tried =
  | { result: 'right'; person: PresentPerson; address: string | null }
  | { result: 'wrong' | 'early' | 'ambiguous'; until: number | null };

interface StationDeps {
  platform: Pick<Platform, 'environment' | 'lock' | 'secrets'>;
  journal: Journal;
  clock: Clock;
  home: string;
}

const address = z.object({ address: z.string() });

/** Under which tries of the exit code are counted, beside the `accountid` of people. */
const exitTries = 'exit';

/**
 * The station that the open home belongs to, and who is signed in there in this window. Only memory holds who that is, so
 * a start begins locked.
 *
 * - STATION-ENGINE-1 What a person does at a station is recorded as theirs: it is stored with their account and the time,
 *   sent in their name, and shown as done by them. An action is theirs from its beginning, even if the station locks before
 *   it is finished. Nobody changes or discards what another person of the station recorded.
 * - STATION-ENGINE-5 While nobody is signed in, nothing is recorded.
 * - STATION-ENGINE-6 A person signs in by badge, by name and PIN, or by PIN alone, as the station allows. It needs no network.
 *   Somebody else who signs in takes the place of the person before.
 * - STATION-ENGINE-7 The station locks `idle_seconds` after the last touch. Orders that run go on. The same person returns
 *   to where they were, after a restart too.
 * - STATION-ENGINE-8 When the server no longer names the person, or their badge or PIN, the person who is signed in by it is
 *   locked out and told why. What they recorded stays.
 */
export class Station {
  readonly #deps: StationDeps;
  readonly #store: StationStore;
  readonly #tries: StationTries;
  readonly #state: BehaviorSubject<StationState>;
  readonly #presence: Presence;
  readonly #inTurn = serialQueue();
  /** Emits when another window of this device must read the station anew. */
  readonly changed = new Subject<void>();
  #secret: string;
  #shown: Shown | null = null;
  #addresses = new Map<string, string>();
  #isShutOut: () => boolean = () => false;

  private constructor(deps: StationDeps, { secret, self, at, former }: StationRecord) {
    const { environment } = deps.platform;
    this.#deps = deps;
    this.#store = new StationStore(deps.platform, deps.home);
    this.#tries = new StationTries(deps);
    this.#secret = secret;
    const lock: StationLocked = { why: 'started', userid: null, username: '', at: environment.now() };
    this.#state = new BehaviorSubject<StationState>({
      self,
      readAt: at,
      former,
      person: null,
      lock,
      failedTries: 0,
      waitUntil: null,
      waits: new Map(),
    });
    this.#presence = new Presence(environment, () => this.lock('idle'));
  }

  /** Null: the home is not that of a station. */
  static async open(deps: StationDeps): Promise<Station | null> {
    const record = await new StationStore(deps.platform, deps.home).read();
    if (record === null) return null;
    const station = new Station(deps, record);
    await station.#readTries();
    return station;
  }

  /** Emits the present state first. */
  get state(): Observable<StationState> {
    return this.#state;
  }

  get now(): StationState {
    return this.#state.value;
  }

  /**
   * A person as one who records now.
   * @throws Problem unauthorized when nobody is signed in
   */
  recorder(person: PresentPerson | null): Recorder {
    if (person === null) throw new Problem('unauthorized', 'Sign in at this station first');
    const at = new Date(this.#deps.clock.serverNow()).toISOString();
    const station = this.now.self.stationid;
    return { userid: person.userid, recorded: { for: person.accountid, at, station } };
  }

  /** `isShutOut`: whether the server has ended the token of this device. Then nobody signs in. */
  follow(isShutOut: () => boolean): void {
    this.#isShutOut = isShutOut;
  }

  /**
   * Signs a person in. Tries run one after the other.
   * @throws Problem when the station does not take such a proof, or is shut out
   */
  signIn(proof: StationProof): Promise<Tried> {
    return this.#inTurn(() => this.#signIn(proof));
  }

  /**
   * Checks the code that ends station mode.
   *
   * - STATION-ENGINE-14 An administrator's code ends station mode without a network. Wrong ones are slowed and counted as the
   *   PINs of a person are, in all windows and after a restart.
   * @throws Problem forbidden when it is wrong, or not looked at yet
   */
  checkExit(code: string): Promise<void> {
    return this.#inTurn(async () => {
      const isLookedAt = await this.#tries.begin(exitTries);
      if (isLookedAt && (await isExitCode(this.now.self, code, this.#secret)))
        return this.#tries.right(exitTries, true);
      const until = await this.#untilOf(exitTries);
      const seconds = Math.ceil(((until ?? 0) - this.#deps.platform.environment.now()) / 1000);
      const words = seconds > 0 ? `Try again in ${seconds} seconds` : 'Try again';
      throw new Problem('forbidden', `The code was not accepted. ${words}`);
    });
  }

  /** Locks the station, unless it is locked. */
  lock(why: StationLockReason): void {
    const { person } = this.now;
    if (person === null) return;
    const { userid, username, accountid } = person;
    if (why === 'signed-out') this.#forgetAddress(accountid);
    this.#shown = null;
    this.#presence.end();
    this.#show({ person: null, lock: { why, userid, username, at: this.#deps.platform.environment.now() } });
  }

  /** Somebody touched the device. */
  touch(): void {
    if (this.now.person !== null) this.#presence.touch(this.now.self.settings.idle_seconds);
  }

  /** Notes where the person is. A full disk only loses the note. */
  noteAddress(text: string): void {
    const { person } = this.now;
    if (person === null || this.#addresses.get(person.accountid) === text) return;
    this.#addresses.set(person.accountid, text);
    const id = this.#addressId(person.accountid);
    this.#deps.journal
      .append([{ op: 'put', collection: 'meta', id, value: { address: text } }])
      .catch(() => undefined);
  }

  /** Stores what the server says of this station now, and ends what it no longer allows. */
  async adopt(self: StationSelf): Promise<void> {
    const at = this.#deps.platform.environment.now();
    const isSame = sameValue(self, this.now.self);
    // The time is stored now and then: writing is not free on the flash of a tablet.
    if (isSame && at - this.now.readAt < 10 * 60_000) return;
    const former = formerOf(this.now, self);
    await this.#store.write({ secret: this.#secret, self, at, former });
    this.#take(self, at, former);
    if (!isSame) this.changed.next();
  }

  /** Reads anew what another window, or an enrolment, has stored. */
  async reload(): Promise<void> {
    const record = await this.#store.read();
    if (record === null) return;
    this.#secret = record.secret;
    this.#take(record.self, record.at, record.former);
    await this.#readTries();
  }

  close(): void {
    this.#presence.end();
    this.#state.complete();
    this.changed.complete();
  }

  async #signIn(proof: StationProof): Promise<Tried> {
    const { self } = this.now;
    if (this.#isShutOut())
      throw new Problem('forbidden', 'This station was shut out. An administrator must enrol it again');
    const way: StationSignIn = 'badge' in proof ? 'badge' : 'userid' in proof ? 'tile' : 'pin';
    if (!self.settings.sign_in.includes(way))
      throw new Problem('forbidden', 'This station has other ways to sign in');
    const named = 'userid' in proof ? self.people.filter(({ userid }) => userid === proof.userid) : null;
    const whose = named?.[0]?.accountid ?? null;
    if (!(await this.#tries.begin(whose))) return { result: 'early', until: await this.#untilOf(whose) };
    const shown = await ('badge' in proof
      ? shownHash(self, 'badge', proof.badge)
      : shownHash(self, 'pin', proof.pin));
    // While it was hashed, the server may have said that somebody is gone.
    const { people } = this.now.self;
    const found = (named === null ? people : people.filter(({ accountid }) => accountid === whose)).filter(
      (one) => isOf(one, shown, this.#secret),
    );
    const [one] = found;
    if (one === undefined || found.length > 1) {
      if (one !== undefined) await this.#tries.right(one.accountid, false);
      const until = await this.#untilOf(whose);
      return { result: one === undefined ? 'wrong' : 'ambiguous', until };
    }
    await this.#tries.right(one.accountid, named !== null);
    await this.#readTries();
    // Read first: the screen that opens for the person notes where it is.
    const at = await this.#addressOf(one.accountid);
    return { result: 'right', person: this.#enter(one, shown), address: at };
  }

  async #addressOf(accountid: string): Promise<string | null> {
    const known = this.#addresses.get(accountid);
    if (known !== undefined) return known;
    const { values } = await this.#deps.journal.changes('meta', 0);
    return address.safeParse(values.get(this.#addressId(accountid))).data?.address ?? null;
  }

  #enter({ userid, accountid, username }: StationPerson, shown: Shown): PresentPerson {
    if (this.now.person?.accountid !== accountid) this.lock('locked');
    const person = { userid, accountid, username, since: this.#deps.platform.environment.now() };
    this.#shown = shown;
    this.#show({ person, lock: null });
    this.touch();
    return person;
  }

  #take(self: StationSelf, at: number, former: StationState['former']): void {
    this.#show({ self, readAt: at, former });
    const { person } = this.now;
    if (person === null) return;
    const now = self.people.find(({ accountid }) => accountid === person.accountid);
    const shown = this.#shown;
    if (now === undefined) this.lock('person-removed');
    else if (shown !== null && !isOf(now, shown, this.#secret))
      this.lock(shown.kind === 'badge' ? 'badge-revoked' : 'pin-changed');
    else if (now.username !== person.username) this.#show({ person: { ...person, username: now.username } });
  }

  /** Until when a try of this person waits, after the tries were read anew. */
  async #untilOf(accountid: string | null): Promise<number | null> {
    await this.#readTries();
    const { waitUntil, waits } = this.now;
    const own = accountid === null ? undefined : waits.get(accountid);
    return own === undefined ? waitUntil : Math.max(own, waitUntil ?? 0);
  }

  async #readTries(): Promise<void> {
    const now = this.#deps.platform.environment.now();
    const { failed, all, people } = await this.#tries.read();
    const waits = [...people].filter(([, left]) => left > 0).map(([id, left]) => [id, now + left] as const);
    this.#show({ failedTries: failed, waitUntil: all > 0 ? now + all : null, waits: new Map(waits) });
  }

  #forgetAddress(accountid: string): void {
    this.#addresses.delete(accountid);
    this.#deps.journal
      .append([{ op: 'delete', collection: 'meta', id: this.#addressId(accountid) }])
      .catch(passOverFullDisk);
  }

  #addressId(accountid: string): string {
    return `station-address/${this.#deps.home}/${accountid}`;
  }

  #show(change: Partial<StationState>): void {
    this.#state.next({ ...this.#state.value, ...change });
  }
}

/** The people who no longer are of the station, those who left last first. */
function formerOf({ self, former }: StationState, now: StationSelf): StationState['former'] {
  const present = new Set(now.people.map(({ userid }) => userid));
  const known = new Map(
    [...self.people, ...former].map(({ userid, username }) => [userid, { userid, username }]),
  );
  return [...known.values()].filter(({ userid }) => !present.has(userid)).slice(0, mostFormer);
}
