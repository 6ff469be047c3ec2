import { BehaviorSubject } from 'rxjs';

import type { ByteSource } from '#shared/formats/omanual/source.ts';

import { chooseHome, type Arrival } from './choose-home.ts';
import { Homes, type Home } from './home.ts';
import { recoverCopies } from './recover-copies.ts';
import { Impostor } from '../sync/other-server.ts';
import { whoIs, type Introduced } from './who-is.ts';
import type { ServerClock } from '../platform/clock.ts';
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
import { ServerConnection, Unreachable } from '../sync/server-connection.ts';
import { errorFacts } from './log-work.ts';
import type { Platform } from '../journal/platform.ts';
import type { ConflictHandler } from '../platform/ports.ts';
import {
  unreachableWords,
  type Granted,
  type Proof,
  type Remembered,
  type Known,
  type Seated,
  type Sessions,
} from './session.ts';
import type { SupportLog } from '../journal/support-log.ts';
import { Problem } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import type { WaitingElsewhere } from '../api/sync-records.ts';

interface AccountSwitcherDeps {
  platform: Platform;
  journal: Journal;
  sessions: Sessions;
  clock: ServerClock;
  log: SupportLog;
  /** The bytes of an archive that a person opened. */
  archive: (fileId: string) => Promise<ByteSource | null>;
}

/** Signs people in and out: one session is open at a time, and changes happen one after the other. */
export class AccountSwitcher {
  readonly userSessions = new BehaviorSubject<UserSession | null>(null);
  /** Decides about the 409s of every session. */
  conflicts: ConflictHandler | null = null;
  /** Runs each time before a session is left. */
  beforeLeaving: () => Promise<void> = async () => undefined;
  readonly #deps: AccountSwitcherDeps;
  readonly #homes: Homes;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: AccountSwitcherDeps) {
    this.#deps = deps;
    this.#homes = new Homes(deps.platform, deps.journal);
  }

  /** Opens the session that this device had last. */
  restore(): Promise<void> {
    return this.#inTurn(() => this.#restore());
  }

  /**
   * Refuses what the server refuses; then the person sits here, and whoever sat here before has left. `apart`: work that
   * may not leave for this address stays where it is, and the person begins anew here.
   */
  async signIn(server: string, proof: Proof, apart = false): Promise<void> {
    const granted = await this.#deps.sessions.ask(server, proof);
    try {
      const introduced = await this.#introduction(granted);
      await this.#inTurn(() => this.#arrive(granted, introduced, apart));
    } catch (error) {
      await this.#giveTokenBack(granted);
      throw error;
    }
  }

  /** Who the server is: asked before anything of the person is opened. */
  async #introduction(granted: Granted): Promise<Introduced | null> {
    const { server, identity } = granted;
    if (identity === null) return null;
    try {
      const introduced = await whoIs(this.#linkFor(granted));
      if (introduced !== null && introduced.server === identity.server) return introduced;
    } catch (cause) {
      if (cause instanceof Impostor) throw new Problem('unavailable', cause.message, { cause });
      if (cause instanceof Unreachable) throw new Problem('unavailable', unreachableWords(server), { cause });
      throw cause;
    }
    throw new Problem('unavailable', `${server} does not say clearly which server it is. Try again`);
  }

  async #arrive(granted: Granted, introduced: Introduced | null, apart: boolean): Promise<void> {
    const { sessions, platform, journal } = this.#deps;
    const { server, user, token, identity } = granted;
    const account = identity?.account ?? null;
    const { userid, username } = user;
    const isActing = user.impersonator !== undefined;
    const arrival: Arrival = { origin: server, userid, username, account, introduced, isActing };
    const open = this.userSessions.value;
    if (open !== null && isSame(open.home, arrival) && sessions.isOf(open.home)) {
      await sessions.take({ server, user, home: open.home.home }, token);
      sessions.opened();
      return;
    }
    const before = await this.#homes.all();
    const last = await sessions.known();
    let taken: Seated | null = null;
    try {
      // Nothing of the person before may be sent under the new token.
      await this.#leave();
      const connection = this.#linkFor(granted);
      const home = await chooseHome(arrival, { platform, journal, homes: this.#homes, connection, apart });
      await cancelRemoval(journal, home.home);
      await this.#homes.keep(home);
      const actsFrom = isActing ? last.session : null;
      taken = { server, user, home: home.home, ...(actsFrom === null ? {} : { actsFrom }) };
      await sessions.take(taken, token);
      await this.#take(taken);
      const left = before.find((one) => one.home === home.home);
      if (left !== undefined && left.origin !== home.origin) await sessions.forgetToken(left);
    } catch (error) {
      await this.#goBack(last, taken).catch((cause: unknown) => this.#noteFailure('not-restored', cause));
      throw error instanceof Unreachable
        ? new Problem('unavailable', unreachableWords(server), { cause: error })
        : error;
    }
  }

  /** Whoever sat here `last` sits here again, since the home of the session that was `taken` could not be opened. */
  async #goBack(last: Known, taken: Seated | null): Promise<void> {
    await this.#leave();
    if (taken === null) return this.#resume();
    // What a full disk does not store of this holds until the app ends.
    await this.#deps.sessions
      .putBack(last, taken)
      .catch((error: unknown) => this.#noteFailure('session-not-put-back', error));
    await this.#resume(last.session);
  }

  /** Restores the session while the app runs; whoever cannot sit down again has to sign in. */
  async #resume(known?: Remembered | null): Promise<void> {
    try {
      await this.#restore(known);
    } catch (error) {
      this.#deps.sessions.setAside();
      await this.#showElsewhere();
      throw error;
    }
  }

  #linkFor({ server, token }: Granted): ServerConnection {
    const { platform, clock } = this.#deps;
    return new ServerConnection(server, () => token, platform.appId, platform.environment, clock);
  }

  /** A token that opens nothing here is no use to anybody else. */
  async #giveTokenBack(granted: Granted): Promise<void> {
    await this.#linkFor(granted)
      .request('/api/2.0/user/token', { method: 'DELETE' }, 5000)
      .catch(() => undefined);
  }

  /** Throws `Problem` invalid when the library is to be removed and work is in it that nobody was told of. */
  signOut(library: LibraryChoice): Promise<void> {
    return this.#inTurn(async () => {
      const userSession = this.userSessions.value;
      const withWork = library === 'remove-with-work';
      if (userSession !== null && library !== 'keep') {
        const work = withWork ? 0 : await workIn(this.#removal, userSession.home.home);
        if (work > 0) throw new Problem('invalid', waitingWords(work));
        await askRemoval(this.#removal, userSession.home, withWork);
      }
      await userSession?.connection
        .request('/api/2.0/user/token', { method: 'DELETE' }, 5000)
        .catch(() => undefined);
      const own = await this.#deps.sessions.actsFrom();
      await this.#leave();
      await this.#deps.sessions.forget();
      await eraseHomes(this.#removal).finally(() => this.#showElsewhere());
      if (own === null) return;
      // An administrator who acted as another person is themselves again.
      await this.#deps.sessions.take(own.session, own.token);
      await this.#take(own.session);
    });
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
      for (const { home } of await this.#homes.all())
        if (home !== userSession?.home.home) await readHome(this.#removal, home, take);
      if (userSession !== null) for await (const body of userSession.leaving.bodies()) take(body);
    });
  }

  finishRemoval(home: string): Promise<void> {
    return finishRemoval(this.#removal, home);
  }

  get #removal(): { platform: Platform; journal: Journal; homes: Homes } {
    return { platform: this.#deps.platform, journal: this.#deps.journal, homes: this.#homes };
  }

  /** Another tab said that somebody signed in or out. */
  heard(word: Parameters<Sessions['hear']>[0]): Promise<void> {
    return this.#inTurn(async () => {
      if ((await this.#deps.sessions.hear(word)) === 'changed') await this.#followOtherTab();
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#leave());
  }

  async #take(session: Seated): Promise<void> {
    const known = (await this.#homes.all()).find(({ home }) => home === session.home);
    const home = { ...must(known, 'the home of the session'), origin: session.server };
    const deps = { ...this.#deps, homes: this.#homes, conflicts: () => this.conflicts };
    const userSession = await UserSession.open(deps, home);
    await this.#deps.sessions.noteCopies(userSession.hadCopies);
    this.userSessions.next(userSession);
    this.#deps.sessions.opened();
    await this.#showElsewhere();
  }

  /** What waits on this device beside what is open (ACCOUNT-9). */
  async #showElsewhere(): Promise<void> {
    const waiting = await this.#homes.waiting(this.userSessions.value?.home.home);
    const homes = new Map((await this.#homes.all()).map((one) => [one.home, one]));
    const elsewhere = [...waiting].map(([home, changes]): WaitingElsewhere => ({
      home,
      server: homes.get(home)?.origin ?? null,
      username: homes.get(home)?.username ?? '',
      changes,
    }));
    this.#deps.sessions.showElsewhere([...homes.keys()], elsewhere);
  }

  async #leave(): Promise<void> {
    const userSession = this.userSessions.value;
    // What cannot be stored now could not be stored before either: whoever typed it was told.
    await this.beforeLeaving().catch((error: unknown) => this.#noteFailure('drafts-not-stored', error));
    this.userSessions.next(null);
    await userSession?.close();
    await this.#deps.log.turn();
  }

  /** `known`: the session that counts, whatever is stored. */
  async #restore(known?: Remembered | null): Promise<void> {
    const { sessions } = this.#deps;
    await this.#homes.adopt(await sessions.known());
    // What fails now is tried again at the next start.
    await eraseHomes(this.#removal).catch((error: unknown) => this.#noteFailure('removal-failed', error));
    const last = await sessions.restore(known);
    const closed = (await this.#homes.all()).filter(({ home }) => home !== last?.home);
    await recoverCopies(this.#deps, closed);
    if (last === null) await this.#showElsewhere();
    else await this.#take(last);
  }

  async #followOtherTab(): Promise<void> {
    if (await this.#deps.sessions.renew()) return this.#showElsewhere();
    await this.#leave();
    await this.#resume();
  }

  #noteFailure(what: string, error: unknown): void {
    const home = this.userSessions.value?.home.home ?? null;
    this.#deps.log.note({ home, what, facts: errorFacts(error) });
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const result = this.#turn.then(change);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

function waitingWords(changes: number): string {
  return `${changes === 1 ? '1 change is' : `${changes} changes are`} on this device only. Save, send or export your work first.`;
}

/** Whether whoever signed in is the one who sits there, at the same address. */
function isSame(home: Home, { origin, userid, account, introduced }: Arrival): boolean {
  if (home.origin !== origin || home.userid !== userid) return false;
  if (introduced === null) return home.server === null;
  return home.server === introduced.server && home.account === account;
}
