/** Wrong badges and PINs before everybody waits, and wrong PINs in a row of one person, until that person does (STATION-ENGINE-4). */
const free = { all: 20, person: 5 };
/** The shortest wait, ms. */
const shortest = 30_000;

/** Counts wrong tries at the station, as its app must. */
export class StationTries {
  #failed = 0;
  /** Tries whose outcome nobody saw. */
  #unknown = 0;
  #isLost = false;
  /** `least` and `most`: the station may not have known the person, and then counts for everybody alone. */
  readonly #people = new Map<number, { least: number; most: number; at: number }>();
  #all = { wrong: 0, at: 0 };

  /** The device enrolled, and counts anew. */
  reset(): void {
    this.#failed = 0;
    this.#unknown = 0;
    this.#isLost = false;
    this.#people.clear();
    this.#all = { wrong: 0, at: 0 };
  }

  /** The journal was damaged, or full: what it counted is not certain any more. */
  lose(): void {
    this.#isLost = true;
  }

  /** The app died during a try. */
  noteUnknown(person: number | null): void {
    this.#unknown += 1;
    if (person !== null) this.#people.delete(person);
  }

  /**
   * `person`: who was named; null: nobody. `isKnown`: whether the station knows that person; null: perhaps. `at`: ms by a
   * clock that nobody sets.
   */
  noteWrong(person: number | null, isKnown: boolean | null, at: number): void {
    this.#failed += 1;
    this.#all = { wrong: this.#all.wrong + 1, at };
    if (person === null || isKnown === false) return;
    const { least, most } = this.#people.get(person) ?? { least: 0, most: 0 };
    this.#people.set(person, { least: least + (isKnown === true ? 1 : 0), most: most + 1, at });
  }

  noteRight(person: number | null): void {
    if (person !== null) this.#people.delete(person);
  }

  /** Whether a try must be looked at (`no`), must not (`yes`), or either. */
  mustWait(person: number | null, at: number): 'yes' | 'no' | 'maybe' {
    const own = person === null ? undefined : this.#people.get(person);
    if (!this.#isLost && own !== undefined && own.least >= free.person && at < own.at + shortest - 1000)
      return 'yes';
    const isFree =
      (own?.most ?? 0) + this.#unknown < free.person && this.#all.wrong + this.#unknown < free.all;
    return isFree ? 'no' : 'maybe';
  }

  /** What is wrong with the count that the station shows; null: nothing. */
  flawOf(shown: number): string | null {
    if (this.#isLost || (shown >= this.#failed && shown <= this.#failed + this.#unknown)) return null;
    return `shows ${shown} wrong badges and PINs after ${this.#failed}`;
  }
}
