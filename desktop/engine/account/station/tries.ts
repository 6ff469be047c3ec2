import { z } from 'zod';

import { PinWait, pinWaitRule, type PinTries, type WaitRule } from '#shared/rules/pin-wait.ts';

import type { Platform } from '#desktop/engine/journal/platform.ts';
import type { Environment } from '#desktop/engine/platform/ports.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import { passOverFullDisk } from '#desktop/engine/platform/full-disk.ts';

/**
 * The waits of the whole station are shorter than those of a person: everybody waits. A right entry does not end them, so
 * that nobody gets free tries between sign-ins of their own; one wrong try is forgotten every five minutes.
 */
const stationRule: WaitRule = { free: 20, shortest: 30_000, longest: 5 * 60_000 };
const forgottenEvery = 5 * 60_000;

const count = z.object({ wrong: z.int().nonnegative(), at: z.number() });
const stored = z.object({
  /** Wrong tries since the enrolment. */
  failed: z.int().nonnegative(),
  all: count,
  people: z.record(z.string(), count),
});
type Stored = z.infer<typeof stored>;

const none: PinTries = { wrong: 0, at: 0 };

interface TriesDeps {
  platform: Pick<Platform, 'lock'> & { environment: Pick<Environment, 'now' | 'monotonic'> };
  journal: Journal;
  home: string;
}

/**
 * Counts wrong badges and PINs at a station, in the journal.
 *
 * - STATION-ENGINE-4 After five wrong PINs for one person in a row, that person waits 30 s, then twice as long each time,
 *   up to 15 minutes. After 20 wrong badges and PINs at the station, everybody waits, up to 5 minutes. A try counts before
 *   its result is known, in all windows, and after a restart.
 */
export class StationTries {
  readonly #deps: TriesDeps;
  readonly #id: string;
  readonly #waits = new Map<string, PinWait>();
  readonly #all: PinWait;
  /** What a full disk did not take. */
  #unstored: Stored | null = null;

  constructor(deps: TriesDeps) {
    this.#deps = deps;
    this.#id = `station-tries/${deps.home}`;
    this.#all = new PinWait(deps.platform.environment, stationRule);
  }

  /** Wrong tries since the enrolment, and how long everybody and each person (by `accountid`) waits, ms. */
  async read(): Promise<{ failed: number; all: number; people: ReadonlyMap<string, number> }> {
    const { failed, all, people } = await this.#read();
    return {
      failed,
      all: this.#all.secondsLeft(all) * 1000,
      people: new Map(Object.entries(people).map(([id, tries]) => [id, this.#left(id, tries)])),
    };
  }

  /** How long a try must wait, ms. `accountid`: of the person whose PIN it is; null: a badge, or a PIN alone. */
  async waitOf(accountid: string | null): Promise<number> {
    const { all, people } = await this.read();
    return Math.max(all, accountid === null ? 0 : (people.get(accountid) ?? 0));
  }

  /**
   * Counts a try, before its result is known. False: a wait is due, so the try is not looked at. `accountid`: as of `waitOf`.
   * Windows that try at the same time get no more tries than one.
   */
  async begin(accountid: string | null): Promise<boolean> {
    return this.#inTurn(async () => {
      if ((await this.waitOf(accountid)) > 0) return false;
      await this.#change((now, at) => {
        const own =
          accountid === null ? {} : { [accountid]: { wrong: (now.people[accountid]?.wrong ?? 0) + 1, at } };
        const all = { wrong: faded(now.all, at) + 1, at };
        this.#all.begin(all);
        for (const [id, tries] of Object.entries(own)) this.#waitFor(id).begin(tries);
        return { failed: now.failed + 1, all, people: { ...now.people, ...own } };
      });
      return true;
    });
  }

  /** The try that was counted was right. `accountid`: whose badge or PIN it was; `isNamed`: they had been named before. */
  async right(accountid: string, isNamed: boolean): Promise<void> {
    await this.#inTurn(() =>
      this.#change((now) => {
        const { [accountid]: _over, ...others } = now.people;
        const all = { ...now.all, wrong: Math.max(0, now.all.wrong - 1) };
        this.#all.end(all);
        return { failed: Math.max(0, now.failed - 1), all, people: isNamed ? others : now.people };
      }),
    );
  }

  /** Begins anew, after an enrolment. */
  async reset(): Promise<void> {
    this.#unstored = null;
    await this.#deps.journal
      .append([{ op: 'delete', collection: 'meta', id: this.#id }])
      .catch(passOverFullDisk);
  }

  async #read(): Promise<Stored> {
    const { values } = await this.#deps.journal.changes('meta', 0);
    const value = stored.safeParse(values.get(this.#id)).data;
    return this.#unstored ?? value ?? { failed: 0, all: none, people: {} };
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    return this.#deps.platform.lock(this.#id, run);
  }

  async #change(change: (now: Stored, at: number) => Stored): Promise<void> {
    const { platform, journal } = this.#deps;
    const next = change(await this.#read(), Math.max(0, platform.environment.now()));
    this.#unstored = next;
    await journal
      .append([{ op: 'put', collection: 'meta', id: this.#id, value: next }])
      .then(() => (this.#unstored = null), passOverFullDisk);
  }

  #left(accountid: string, tries: PinTries): number {
    return this.#waitFor(accountid).secondsLeft(tries) * 1000;
  }

  #waitFor(accountid: string): PinWait {
    const known = this.#waits.get(accountid) ?? new PinWait(this.#deps.platform.environment, pinWaitRule);
    this.#waits.set(accountid, known);
    return known;
  }
}

/** The wrong tries that still count. */
function faded({ wrong, at }: PinTries, now: number): number {
  return Math.max(0, wrong - Math.floor(Math.max(0, now - at) / forgottenEvery));
}
