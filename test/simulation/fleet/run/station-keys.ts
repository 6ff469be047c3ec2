/** The badge and PIN of a person at the server; null: none. */
interface Keys {
  badge: { number: string; id: number } | null;
  pin: string | null;
}

/** What everybody shows at the station, as the server has it. */
export type KeysOfAll = ReadonlyMap<number, Keys>;

/** Badges and PINs, by the number of their person. */
export class StationKeys {
  #now: KeysOfAll = new Map();
  /** Those of before the last change of each person. */
  readonly #former = new Map<number, { badge: string | null; pin: string | null }>();
  #count = 0;

  /** As the server has them now. */
  get now(): KeysOfAll {
    return this.#now;
  }

  of(person: number): Keys {
    return this.#now.get(person) ?? { badge: null, pin: null };
  }

  formerBadge(person: number): string | null {
    return this.#former.get(person)?.badge ?? null;
  }

  formerPin(person: number): string | null {
    return this.#former.get(person)?.pin ?? null;
  }

  /** A number that no badge had. */
  newNumber(): string {
    return `card-${(this.#count += 1)}`;
  }

  /** A PIN that nobody had. */
  newPin(): string {
    return String(700_000 + (this.#count += 1) * 1013);
  }

  noteBadge(person: number, badge: Keys['badge']): void {
    this.#note(person, { ...this.of(person), badge });
  }

  notePin(person: number, pin: string): void {
    this.#note(person, { ...this.of(person), pin });
  }

  /** The keys are again those of a backup. */
  restore(keys: KeysOfAll): void {
    this.#now = keys;
  }

  #note(person: number, keys: Keys): void {
    const before = this.of(person);
    const former = this.#former.get(person) ?? { badge: null, pin: null };
    const badge = before.badge?.number ?? null;
    this.#former.set(person, {
      badge: badge !== null && badge !== keys.badge?.number ? badge : former.badge,
      pin: before.pin !== null && before.pin !== keys.pin ? before.pin : former.pin,
    });
    this.#now = new Map([...this.#now, [person, keys]]);
  }
}
