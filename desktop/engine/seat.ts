import { BehaviorSubject } from 'rxjs';

import type { ByteSource } from '#shared/omanual/source.ts';

import type { ServerClock } from './clock.ts';
import { Desk } from './desk.ts';
import type { Journal } from './journal/journal.ts';
import type { Platform } from './platform.ts';
import type { ConflictHandler } from './ports.ts';
import type { Proof, Sessions } from './session.ts';

interface SeatWorld {
  platform: Platform;
  journal: Journal;
  sessions: Sessions;
  clock: ServerClock;
  /** The bytes of an archive that a person opened. */
  archive: (fileId: string) => Promise<ByteSource | null>;
}

/** Who sits at this device: one person's desk at a time. Changes of who is signed in happen one after the other. */
export class Seat {
  readonly desks = new BehaviorSubject<Desk | null>(null);
  /** Decides about the 409s of every desk. */
  conflicts: ConflictHandler | null = null;
  readonly #world: SeatWorld;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(world: SeatWorld) {
    this.#world = world;
  }

  /** Opens the session that this device had last. */
  restore(): Promise<void> {
    return this.#inTurn(() => this.#restore());
  }

  /** Refuses what the server refuses; then the person sits here, and whoever sat here before has left. */
  async signIn(server: string, proof: Proof): Promise<void> {
    const { sessions } = this.#world;
    const granted = await sessions.ask(server, proof);
    const { session } = granted;
    await this.#inTurn(async () => {
      const isSeated = this.desks.value !== null && sessions.isOf(session.server, session.user.userid);
      // Nothing of the person before may be sent under the new token.
      if (!isSeated) await this.#leave();
      await sessions.take(granted);
      if (isSeated) sessions.opened();
      else await this.#take(session.server, session.user.userid);
    });
  }

  signOut(): Promise<void> {
    return this.#inTurn(async () => {
      await this.desks.value?.link
        .request('/api/2.0/user/token', { method: 'DELETE' }, 5000)
        .catch(() => undefined);
      await this.#leave();
      await this.#world.sessions.forget();
    });
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

  async #take(server: string, userid: number): Promise<void> {
    const desk = await Desk.open({ ...this.#world, conflicts: () => this.conflicts }, server, userid);
    this.desks.next(desk);
    this.#world.sessions.opened();
  }

  async #leave(): Promise<void> {
    const desk = this.desks.value;
    this.desks.next(null);
    await desk?.close();
  }

  async #restore(): Promise<void> {
    const last = await this.#world.sessions.restore();
    if (last !== null) await this.#take(last.server, last.user.userid);
  }

  async #followOtherTab(): Promise<void> {
    if (await this.#world.sessions.renew()) return;
    await this.#leave();
    await this.#restore();
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const result = this.#turn.then(change);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
