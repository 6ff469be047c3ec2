import { BehaviorSubject } from 'rxjs';

import type { ByteSource } from '#shared/formats/omanual/source.ts';

import { chooseHome, isSame, type Arrival } from './choose-home.ts';
import { Homes } from './home.ts';
import { encryptHomes } from './encrypt-homes.ts';
import { recoverCopies } from './recover-copies.ts';
import { Unreachable } from '../sync/connection-errors.ts';
import { introductionOf } from './introduction.ts';
import type { Introduced } from './who-is.ts';
import type { ServerClock } from '../platform/clock.ts';
import { HomeChanged } from '../platform/held.ts';
import { serialQueue } from '../platform/serial-queue.ts';
import { UserSession } from './user-session.ts';
import type { Journal } from '../journal/journal.ts';
import {
  askRemoval,
  cancelRemoval,
  eraseHomes,
  erasedHomes,
  type ErasedHome,
  finishRemoval,
  readHome,
  workIn,
} from './leaving/home-removal.ts';
import type { LibraryChoice } from '../api/engine.ts';
import type { ExitProof } from '../api/station-records.ts';
import { ServerConnection } from '../sync/server-connection.ts';
import { errorFacts } from './log-work.ts';
import type { Platform } from '../journal/platform.ts';
import type { ConflictHandler } from '../platform/ports.ts';
import type { Sessions } from './session.ts';
import { serverAddress, unreachableMessage, type Granted, type Proof } from './sign-in-request.ts';
import { grantedToAdministrator, keepStation, requestEnrolment } from './station/enrol.ts';
import { StationStore } from './station/station-store.ts';
import type { StoredSession, Known, SessionOfHome } from './session-store.ts';
import type { SupportLog } from '../journal/support-log.ts';
import { Problem } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';

interface AccountSwitcherDeps {
  platform: Platform;
  journal: Journal;
  saves: () => number;
  sessions: Sessions;
  clock: ServerClock;
  log: SupportLog;
  /** The file of an archive that a call names; null when this device does not have it any more. */
  archive: (fileId: string) => Promise<ByteSource | null>;
}

/** Signs people in and out. One session is open at a time, and changes of it run one after the other. */
export class AccountSwitcher {
  readonly userSessions = new BehaviorSubject<UserSession | null>(null);
  /** Decides about the 409s of every session. */
  conflicts: ConflictHandler | null = null;
  /** Runs each time before a session is left. */
  beforeLeaving: () => Promise<void> = async () => undefined;
  readonly #deps: AccountSwitcherDeps;
  readonly #homes: Homes;
  readonly #inTurn = serialQueue();

  constructor(deps: AccountSwitcherDeps) {
    this.#deps = deps;
    this.#homes = new Homes(deps.platform, deps.journal);
  }

  /** Opens the session that this device had last. */
  restore(): Promise<void> {
    return this.#inTurn(() => this.#restore());
  }

  /**
   * Signs a person in, and closes the session that was open. `apart`: the person begins with a new home at this address, and
   * work that may not be sent there stays in its home.
   * @throws Problem with the server's words, UnprovedServer (ACCOUNT-4)
   */
  async signIn(server: string, proof: Proof, apart = false): Promise<void> {
    this.#mustNotBeStation();
    const granted = await this.#deps.sessions.ask(server, proof);
    try {
      const introduced = await introductionOf(granted, this.#connectionFor(granted));
      await this.#inTurn(() => this.#arrive(granted, introduced, apart));
    } catch (error) {
      await this.#revokeToken(granted);
      throw error;
    }
  }

  /**
   * Makes this device the station that a code belongs to. `apart`: as for `signIn`.
   * @throws Problem with the server's words, UnprovedServer (ACCOUNT-4)
   */
  async enrol(address: string, code: string, apart = false): Promise<void> {
    const { platform, journal, sessions } = this.#deps;
    if (sessions.current().status !== 'expired') this.#mustNotBeStation();
    const { granted, record } = await requestEnrolment(platform, serverAddress(address), code);
    const keep = (home: string): Promise<void> => keepStation({ platform, journal, home }, record);
    try {
      const introduced = await introductionOf(granted, this.#connectionFor(granted));
      await this.#inTurn(() => this.#arrive(granted, introduced, apart, keep));
    } catch (error) {
      await this.#revokeToken(granted);
      throw error;
    }
  }

  /**
   * Ends station mode. `proof`: of an administrator; null is enough while the server has ended the station's token.
   *
   * - STATION-ENGINE-12 A device stays a station until an administrator proves with their password, online, who they are, or
   *   the server has ended its token. Nobody else signs in or out on it. What waits stays in the home of the station, and is
   *   sent after the device was enrolled again as this station.
   * @throws Problem
   */
  async leaveStation(proof: ExitProof | null): Promise<void> {
    const { sessions, platform } = this.#deps;
    const open = this.userSessions.value;
    if (open === null || open.station === null) throw new Problem('invalid', 'This device is not a station');
    if (proof !== null && 'code' in proof) await open.station.checkExit(proof.code);
    else if (proof !== null)
      await this.#revokeToken(await grantedToAdministrator(platform, open.home, proof));
    else if (sessions.current().status !== 'expired')
      throw new Problem('forbidden', 'An administrator must confirm this with their code or password');
    await this.#inTurn(async () => {
      if (this.userSessions.value !== open) throw new HomeChanged();
      await this.#endToken(open);
      await this.#leave();
      await sessions.forget();
      await new StationStore(platform, open.home.home).forget();
      await this.#showElsewhere();
    });
  }

  #mustNotBeStation(): void {
    if ((this.userSessions.value?.station ?? null) !== null)
      throw new Problem('forbidden', 'This device is a station. An administrator must end that first');
  }

  /** `keep`: stores what must be in the home before its session is. */
  async #arrive(
    granted: Granted,
    introduced: Introduced | null,
    apart: boolean,
    keep?: (home: string) => Promise<void>,
  ): Promise<void> {
    const { sessions, platform, journal } = this.#deps;
    const { server, user, token, identity } = granted;
    const account = identity?.account ?? null;
    const { userid, username } = user;
    const isActing = user.impersonator !== undefined;
    const arrival: Arrival = { origin: server, userid, username, account, introduced, isActing };
    const open = this.userSessions.value;
    const isOpen = open !== null && isSame(open.home, arrival) && sessions.isOf(open.home);
    if (isOpen && (keep === undefined || open.station !== null)) {
      await keep?.(open.home.home);
      await open.station?.reload();
      await sessions.take({ server, user, home: open.home.home }, token);
      sessions.opened();
      return;
    }
    const before = await this.#homes.all();
    const last = await sessions.known();
    let taken: SessionOfHome | null = null;
    try {
      // No work of the previous person may be sent under the new token.
      await this.#leave();
      const connection = this.#connectionFor(granted);
      const home = await chooseHome(arrival, { platform, journal, homes: this.#homes, connection, apart });
      await cancelRemoval(journal, home.home);
      await this.#homes.keep(home);
      const actsFrom = isActing ? last.session : null;
      await keep?.(home.home);
      taken = { server, user, home: home.home, ...(actsFrom === null ? {} : { actsFrom }) };
      await sessions.take(taken, token);
      await this.#take(taken);
      const left = before.find((one) => one.home === home.home);
      if (left !== undefined && left.origin !== home.origin) await sessions.forgetToken(left);
    } catch (error) {
      await this.#goBack(last, taken).catch((cause: unknown) => this.#noteFailure('not-restored', cause));
      throw error instanceof Unreachable
        ? new Problem('unavailable', unreachableMessage(server), { cause: error })
        : error;
    }
  }

  /** Restores the session `last`, because the home of the `taken` session could not be opened (ACCOUNT-12). */
  async #goBack(last: Known, taken: SessionOfHome | null): Promise<void> {
    await this.#leave();
    if (taken === null) return this.#resume();
    // What a full disk does not store of this is valid until the app ends.
    await this.#deps.sessions
      .putBack(last, taken)
      .catch((error: unknown) => this.#noteFailure('session-not-put-back', error));
    await this.#resume(last.session);
  }

  /** Restores the session while the app runs. If that fails, the person has to sign in. */
  async #resume(known?: StoredSession | null): Promise<void> {
    try {
      await this.#restore(known);
    } catch (error) {
      this.#deps.sessions.setAside();
      await this.#showElsewhere();
      throw error;
    }
  }

  #connectionFor({ server, token }: Granted): ServerConnection {
    const { platform, clock } = this.#deps;
    return new ServerConnection(server, () => token, platform.appId, platform.environment, clock);
  }

  /** Ends a token for which no home was opened. */
  async #revokeToken(granted: Granted): Promise<void> {
    await this.#connectionFor(granted)
      .request('/api/2.0/user/token', { method: 'DELETE' }, 5000)
      .catch(() => undefined);
  }

  /**
   * Signs out. `library`: see `Actions.signOut`.
   * @throws Problem invalid when the library is to be removed and has work that the server does not have
   */
  signOut(library: LibraryChoice): Promise<void> {
    return this.#inTurn(async () => {
      this.#mustNotBeStation();
      const userSession = this.userSessions.value;
      const withWork = library === 'remove-with-work';
      if (userSession !== null && library !== 'keep') {
        const work = withWork ? 0 : await workIn(this.#removal, userSession.home.home);
        if (work > 0) throw new Problem('invalid', waitingMessage(work));
        await askRemoval(this.#removal, userSession.home, withWork);
      }
      if (userSession !== null) await this.#endToken(userSession);
      const own = await this.#deps.sessions.actsFrom();
      await this.#leave();
      await this.#deps.sessions.forget();
      await eraseHomes(this.#removal).finally(() => this.#showElsewhere());
      if (own === null) return;
      // An administrator who acted as another person returns to their own session.
      await this.#deps.sessions.take(own.session, own.token);
      await this.#take(own.session);
    });
  }

  /** Ends the token of a session at the server, if that can be reached. */
  async #endToken({ connection }: UserSession): Promise<void> {
    await connection.request('/api/2.0/user/token', { method: 'DELETE' }, 5000).catch(() => undefined);
  }

  erasedHomes(): Promise<ErasedHome[]> {
    return erasedHomes(this.#deps.journal);
  }

  async countHomes(): Promise<number> {
    return (await this.#homes.all()).length;
  }

  readHomes(take: (body: string) => void): Promise<void> {
    return this.#inTurn(async () => {
      const userSession = this.userSessions.value;
      await this.#readOthers(take);
      if (userSession !== null) for await (const body of userSession.leaving.bodies()) take(body);
    });
  }

  /** Calls `take` with the facts of every record of the homes that are not open, as text. */
  readOtherHomes(take: (body: string) => void): Promise<void> {
    return this.#inTurn(() => this.#readOthers(take));
  }

  async #readOthers(take: (body: string) => void): Promise<void> {
    const own = this.userSessions.value?.home.home;
    for (const { home } of await this.#homes.all())
      if (home !== own) await readHome(this.#removal, home, take);
  }

  finishRemoval(home: string): Promise<void> {
    return finishRemoval(this.#removal, home);
  }

  get #removal(): { platform: Platform; journal: Journal; homes: Homes } {
    return { platform: this.#deps.platform, journal: this.#deps.journal, homes: this.#homes };
  }

  /** Handles a message of another tab about signing in or out. */
  heard(word: Parameters<Sessions['hear']>[0]): Promise<void> {
    return this.#inTurn(async () => {
      if ((await this.#deps.sessions.hear(word)) === 'changed') await this.#followOtherTab();
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#leave());
  }

  async #take(session: SessionOfHome): Promise<void> {
    const known = (await this.#homes.all()).find(({ home }) => home === session.home);
    const home = { ...must(known, 'the home of the session'), origin: session.server };
    const deps = { ...this.#deps, homes: this.#homes, conflicts: () => this.conflicts };
    const userSession = await UserSession.open(deps, home);
    await this.#deps.sessions.noteCopies(userSession.hadCopies);
    this.userSessions.next(userSession);
    this.#deps.sessions.opened();
    await this.#showElsewhere();
  }

  /** Shows the work in homes that are not open (ACCOUNT-9). */
  async #showElsewhere(): Promise<void> {
    const all = (await this.#homes.all()).map(({ home }) => home);
    const elsewhere = await this.#homes.waitingElsewhere(this.userSessions.value?.home.home);
    this.#deps.sessions.showElsewhere(all, elsewhere);
  }

  async #leave(): Promise<void> {
    const userSession = this.userSessions.value;
    // A draft that cannot be stored now could not be stored before, and the person was told.
    await this.beforeLeaving().catch((error: unknown) => this.#noteFailure('drafts-not-stored', error));
    this.userSessions.next(null);
    await userSession?.close();
    await this.#deps.log.turn();
  }

  /** `known`: the session to restore in place of the stored one. */
  async #restore(known?: StoredSession | null): Promise<void> {
    const { sessions } = this.#deps;
    await this.#homes.adopt(await sessions.known());
    // If this fails, the next start tries again.
    await eraseHomes(this.#removal).catch((error: unknown) => this.#noteFailure('removal-failed', error));
    const last = await sessions.restore(known);
    const all = await this.#homes.all();
    const closed = all.filter(({ home }) => home !== last?.home);
    await encryptHomes(this.#deps, all, closed, (error) => this.#noteFailure('encryption-failed', error));
    await recoverCopies(this.#deps, closed);
    if (last === null) await this.#showElsewhere();
    else await this.#take(last);
  }

  async #followOtherTab(): Promise<void> {
    if (await this.#deps.sessions.renew()) {
      await this.userSessions.value?.station?.reload();
      return this.#showElsewhere();
    }
    await this.#leave();
    await this.#resume();
  }

  #noteFailure(what: string, error: unknown): void {
    const home = this.userSessions.value?.home.home ?? null;
    this.#deps.log.note({ home, what, facts: errorFacts(error) });
  }
}

function waitingMessage(changes: number): string {
  return `${changes === 1 ? '1 change is' : `${changes} changes are`} on this device only. Save, send or export your work first.`;
}
