import type { Evidence } from '#test/support/api-evidence.ts';

/** Positions in a history, ascending, by what stands there. */
type Places = Map<string, number[]>;

/** The answers of one server in their order, and what can be asked of them (README.md, COVERAGE-2). */
export class History {
  readonly #all: readonly Evidence[];
  readonly #at = new Map<Evidence, number>();
  /** Where an id or text stands for the first time, in a request or an answer. */
  readonly #first = new Map<string, number>();
  readonly #answers: Places = new Map();
  readonly #successes: Places = new Map();
  /** How much was written before a place. */
  readonly #written: number[] = [0];

  constructor(all: readonly Evidence[]) {
    this.#all = all;
    for (const [at, one] of all.entries()) {
      this.#at.set(one, at);
      for (const name of [...one.sent, ...one.answered])
        if (!this.#first.has(name)) this.#first.set(name, at);
      for (const record of Object.keys(one.records)) add(this.#answers, record, at);
      if (succeeded(one)) add(this.#successes, questionOf(one), at);
      // A sign-in changes nothing that is read.
      this.#written.push((this.#written[at] ?? 0) + (isWrite(one) && one.grants === null ? 1 : 0));
    }
  }

  #place(one: Evidence): number {
    return this.#at.get(one) ?? -1;
  }

  isAfter(one: Evidence, other: Evidence): boolean {
    return this.#place(one) > this.#place(other);
  }

  after(one: Evidence): readonly Evidence[] {
    return this.#all.slice(this.#place(one) + 1);
  }

  /** What was written before, the latest first. */
  writesBefore(one: Evidence): readonly Evidence[] {
    return this.#all.slice(0, this.#place(one)).filter(isWrite).toReversed();
  }

  /** Whether an id or text stands here for the first time. */
  isNew(name: string, here: Evidence): boolean {
    return this.#first.get(name) === this.#place(here);
  }

  /** What the latest answer before this one said of a field of a record; undefined: none did. */
  earlierValues(here: Evidence, record: string, field: string): string[] | undefined {
    const places = this.#answers.get(record) ?? [];
    const last = places.findLastIndex((at) => at < this.#place(here));
    for (const at of places.slice(0, last + 1).toReversed()) {
      const leaves = this.#all[at]?.records[record] ?? [];
      const values = leaves.filter((leaf) => leaf.startsWith(`${field}=`));
      if (values.length > 0) return values;
    }
    return undefined;
  }

  /** The latest success before `write` of the same question as `read`, of the same caller. */
  sameQuestionBefore(write: Evidence, read: Evidence): Evidence | undefined {
    const places = this.#successes.get(questionOf(read)) ?? [];
    const at = places.findLast((place) => place < this.#place(write));
    return at === undefined ? undefined : this.#all[at];
  }

  /** How many calls after one answer, and up to another, wrote something. */
  writesBetween(from: Evidence, to: Evidence): number {
    return (this.#written[this.#place(to)] ?? 0) - (this.#written[this.#place(from) + 1] ?? 0);
  }
}

function add(places: Places, key: string, at: number): void {
  const known = places.get(key);
  if (known === undefined) places.set(key, [at]);
  else known.push(at);
}

export function succeeded({ status }: Evidence): boolean {
  return status >= 200 && status < 300;
}

/** Whether something was changed. */
export function isWrite(one: Evidence): boolean {
  return !one.reads && succeeded(one);
}

function questionOf({ method, path, query, caller, said }: Evidence): string {
  return [method, path, query, caller, ...said].join('\n');
}
