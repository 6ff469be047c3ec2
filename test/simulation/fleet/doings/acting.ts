import type { Actions, Views } from '#desktop/engine/engine.ts';
import type { PlayableGuide } from '#desktop/engine/api/records.ts';

import type { Doing } from '../plan.ts';
import type { SeenOf, UserSession } from '../user-session.ts';
import { wordOf } from '../words.ts';
import type { Done, Written } from './done.ts';

/** Performs a kind of action. */
export type Perform = (acting: Acting) => Promise<void>;

/** An action in progress: what the person chooses among, and its result so far. */
export class Acting {
  readonly doing: Doing;
  readonly done: Done;
  readonly #userSession: UserSession;

  constructor(userSession: UserSession, doing: Doing, done: Done) {
    this.#userSession = userSession;
    this.doing = doing;
    this.done = done;
  }

  get actions(): Actions {
    return this.#userSession.actions;
  }

  /** Ids of guides that had a draft on this device. */
  get drafts(): Set<string> {
    return this.#userSession.drafts;
  }

  look<V extends keyof Views>(name: V, ...args: Parameters<Views[V]>): Promise<SeenOf<V>> {
    return this.#userSession.look(name, ...args);
  }

  /** Describes the action, which now has something to act on. */
  say(what: string): void {
    this.done.what = what;
  }

  pick(nth: number): number {
    return this.doing.picks[nth] ?? 0;
  }

  one<T>(items: readonly T[], nth: number): T | undefined {
    return items.length === 0 ? undefined : items[this.pick(nth) % items.length];
  }

  /** A new word of the person. */
  word(kind: Written['kind'], nth = 0): string {
    const word = wordOf(this.doing.id, nth);
    this.done.written.push({ word, kind });
    return word;
  }

  /** A key for a new step or line; not a word of the person. */
  key(nth: number): string {
    return `key-${this.doing.id}-${nth}`;
  }

  /** The work order to act on, or one that is about it. */
  order<T extends { workorderid: string }>(items: readonly T[], nth: number): T | undefined {
    const { order } = this.doing;
    const named =
      order === undefined ? undefined : items.find(({ workorderid }) => workorderid === wordOf(order));
    return named ?? this.one(items, nth);
  }

  /** The guide to act on; null: the person sees none. */
  async guide(): Promise<PlayableGuide | null> {
    const id = await this.#guideid();
    return id === undefined ? null : this.look('guide', id);
  }

  async #guideid(): Promise<string | undefined> {
    const { guides } = await this.look('library', { category: null });
    const named = guides.find(({ guideid }) => guideid === String(this.doing.guide));
    return (named ?? this.one(guides, 0))?.guideid;
  }
}
