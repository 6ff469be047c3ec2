import { BehaviorSubject } from 'rxjs';

import type { ByteSource } from '#shared/formats/omanual/source.ts';

import { chooseHome, type Arrival } from './choose-home.ts';
import { Homes, type Home } from './home.ts';
import { recoverCopies } from './recover-copies.ts';
import { Impostor } from '../sync/other-server.ts';
import { whoIs, type Introduced } from './who-is.ts';
import type { ServerClock } from '../platform/clock.ts';
import { Desk } from './desk.ts';
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
import { Link, Unreachable } from '../sync/link.ts';
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

interface SeatWorld {
  platform: Platform;
  journal: Journal;
  sessions: Sessions;
  clock: ServerClock;
  log: SupportLog;
  /** The bytes of an archive that a person opened. */
  archive: (fileId: string) => Promise<ByteSource | null>;
}

/** Who sits at this device: one person's desk at a time. Changes of who is signed in happen one after the other. */
export class Seat {
  readonly desks = new BehaviorSubject<Desk | null>(null);
  /** Decides about the 409s of every desk. */
  conflicts: ConflictHandler | null = null;
  /** Runs each time before a desk is left. */
  beforeLeaving: () => Promise<void> = async () => undefined;
  readonly #world: SeatWorld;
  readonly #homes: Homes;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(world: SeatWorld) {
    this.#world = world;
    this.#homes = new Homes(world.platform, world.journal);
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
    const granted = await this.#world.sessions.ask(server, proof);
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
    const { sessions, platform, journal } = this.#world;
    const { server, user, token, identity } = granted;
    const account = identity?.account ?? null;
    const { userid, username } = user;
    const isActing = user.impersonator !== undefined;
    const arrival: Arrival = { origin: server, userid, username, account, introduced, isActing };
    const seat = this.desks.value;
    if (seat !== null && isSame(seat.home, arrival) && sessions.isOf(seat.home)) {
      await sessions.take({ server, user, home: seat.home.home }, token);
      sessions.opened();
      return;
    }
    const before = await this.#homes.all();
    const last = await sessions.known();
    let taken: Seated | null = null;
    try {
      // Nothing of the person before may be sent under the new token.
      await this.#leave();
      const link = this.#linkFor(granted);
      const home = await chooseHome(arrival, { platform, journal, homes: this.#homes, link, apart });
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
    await this.#world.sessions
      .putBack(last, taken)
      .catch((error: unknown) => this.#noteFailure('session-not-put-back', error));
    await this.#resume(last.session);
  }

  /** Restores the session while the app runs; whoever cannot sit down again has to sign in. */
  async #resume(known?: Remembered | null): Promise<void> {
    try {
      await this.#restore(known);
    } catch (error) {
      this.#world.sessions.setAside();
      await this.#showElsewhere();
      throw error;
    }
  }

  #linkFor({ server, token }: Granted): Link {
    const { platform, clock } = this.#world;
    return new Link(server, () => token, platform.appId, platform.environment, clock);
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
      const desk = this.desks.value;
      const withWork = library === 'remove-with-work';
      if (desk !== null && library !== 'keep') {
        const work = withWork ? 0 : await workIn(this.#removal, desk.home.home);
        if (work > 0) throw new Problem('invalid', waitingWords(work));
        await askRemoval(this.#removal, desk.home, withWork);
      }
      await desk?.link.request('/api/2.0/user/token', { method: 'DELETE' }, 5000).catch(() => undefined);
      const own = await this.#world.sessions.actsFrom();
      await this.#leave();
      await this.#world.sessions.forget();
      await eraseHomes(this.#removal).finally(() => this.#showElsewhere());
      if (own === null) return;
      // An administrator who acted as another person is themselves again.
      await this.#world.sessions.take(own.session, own.token);
      await this.#take(own.session);
    });
  }

  erasedHomes(): Promise<ErasedHome[]> {
    return erasedHomes(this.#world.journal);
  }

  async countHomes(): Promise<number> {
    return (await this.#homes.all()).length;
  }

  readHomes(take: (body: string) => void): Promise<void> {
    return this.#inTurn(async () => {
      const desk = this.desks.value;
      for (const { home } of await this.#homes.all())
        if (home !== desk?.home.home) await readHome(this.#removal, home, take);
      if (desk !== null) for await (const body of desk.leaving.bodies()) take(body);
    });
  }

  finishRemoval(home: string): Promise<void> {
    return finishRemoval(this.#removal, home);
  }

  get #removal(): { platform: Platform; journal: Journal; homes: Homes } {
    return { platform: this.#world.platform, journal: this.#world.journal, homes: this.#homes };
  }

  /** Another tab said that somebody signed in or out. */
  heard(word: Parameters<Sessions['hear']>[0]): Promise<void> {
    return this.#inTurn(async () => {
      if ((await this.#world.sessions.hear(word)) === 'changed') await this.#followOtherTab();
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#leave());
  }

  async #take(session: Seated): Promise<void> {
    const known = (await this.#homes.all()).find(({ home }) => home === session.home);
    const home = { ...must(known, 'the home of the session'), origin: session.server };
    const world = { ...this.#world, homes: this.#homes, conflicts: () => this.conflicts };
    const desk = await Desk.open(world, home);
    await this.#world.sessions.noteCopies(desk.hadCopies);
    this.desks.next(desk);
    this.#world.sessions.opened();
    await this.#showElsewhere();
  }

  /** What waits on this device beside what is open (SI9). */
  async #showElsewhere(): Promise<void> {
    const waiting = await this.#homes.waiting(this.desks.value?.home.home);
    const homes = new Map((await this.#homes.all()).map((one) => [one.home, one]));
    const elsewhere = [...waiting].map(([home, changes]): WaitingElsewhere => ({
      home,
      server: homes.get(home)?.origin ?? null,
      username: homes.get(home)?.username ?? '',
      changes,
    }));
    this.#world.sessions.showElsewhere([...homes.keys()], elsewhere);
  }

  async #leave(): Promise<void> {
    const desk = this.desks.value;
    // What cannot be stored now could not be stored before either: whoever typed it was told.
    await this.beforeLeaving().catch((error: unknown) => this.#noteFailure('drafts-not-stored', error));
    this.desks.next(null);
    await desk?.close();
    await this.#world.log.turn();
  }

  /** `known`: the session that counts, whatever is stored. */
  async #restore(known?: Remembered | null): Promise<void> {
    const { sessions } = this.#world;
    await this.#homes.adopt(await sessions.known());
    // What fails now is tried again at the next start.
    await eraseHomes(this.#removal).catch((error: unknown) => this.#noteFailure('removal-failed', error));
    const last = await sessions.restore(known);
    const closed = (await this.#homes.all()).filter(({ home }) => home !== last?.home);
    await recoverCopies(this.#world, closed);
    if (last === null) await this.#showElsewhere();
    else await this.#take(last);
  }

  async #followOtherTab(): Promise<void> {
    if (await this.#world.sessions.renew()) return this.#showElsewhere();
    await this.#leave();
    await this.#resume();
  }

  #noteFailure(what: string, error: unknown): void {
    const home = this.desks.value?.home.home ?? null;
    this.#world.log.note({ home, what, facts: errorFacts(error) });
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
