import { MARK_NAMES, type Inline, type MarkName } from './tree.ts';

/** A set of marks: bit n is `MARK_NAMES[n]`. */
export type MarkSet = number;

export function markBit(name: MarkName): MarkSet {
  return 1 << MARK_NAMES.indexOf(name);
}

/** The marks of a set in canonical order. */
export function marksIn(set: MarkSet): MarkName[] {
  return MARK_NAMES.filter((_, index) => (set & (1 << index)) !== 0);
}

/**
 * Decides the nesting of marks: a mark that lasts longer encloses one that ends sooner, so that few marks are
 * interrupted.
 */
export class MarkStack {
  /** Open marks as bits, outermost first. */
  readonly open: MarkSet[] = [];

  /** Number of open marks that stay open before content with this set. */
  kept(set: MarkSet): number {
    let kept = 0;
    while (kept < this.open.length && (set & (this.open[kept] ?? 0)) !== 0) kept++;
    return kept;
  }

  /**
   * The marks to open before content with this set, outermost first, after the others are closed. `endOf`: returns
   * where a mark ends, by its number.
   */
  toOpen(set: MarkSet, endOf: (mark: number) => number): MarkSet[] {
    let bits = set;
    for (const bit of this.open) bits &= ~bit;
    if ((bits & (bits - 1)) === 0) return bits === 0 ? [] : [bits];
    const missing: MarkSet[] = [];
    for (let mark = 0; mark < MARK_NAMES.length; mark++) {
      if ((bits & (1 << mark)) === 0) continue;
      const end = endOf(mark);
      let place = missing.length;
      while (place > 0 && endOf(numberOf(missing[place - 1] ?? 1)) < end) place--;
      missing.splice(place, 0, 1 << mark);
    }
    return missing;
  }
}

/** The end of the run of each mark in a list of mark sets, which must be read in order. */
export class RunEnds {
  readonly #sets: readonly MarkSet[];
  /** Per mark: the index after its last known run. */
  readonly #ends = MARK_NAMES.map(() => 0);

  constructor(sets: readonly MarkSet[]) {
    this.#sets = sets;
  }

  /** The index after the run of a mark that covers `index`. */
  of(mark: number, index: number): number {
    let end = this.#ends[mark] ?? 0;
    if (end <= index) {
      end = index;
      while (end < this.#sets.length && ((this.#sets[end] ?? 0) & (1 << mark)) !== 0) end++;
      this.#ends[mark] = end;
    }
    return end;
  }
}

/** Builds a properly nested tree from elements in order, each with a set of marks. */
export class MarkedTree {
  readonly root: Inline[] = [];
  /** The end of each active mark; set it before adding content inside the mark. */
  readonly ends = MARK_NAMES.map(() => 0);
  readonly #levels: Inline[][] = [this.root];
  readonly #stack = new MarkStack();
  readonly #endOf = (mark: number): number => this.ends[mark] ?? 0;
  #current = this.root;
  #set: MarkSet = 0;

  add(item: Inline, set: MarkSet): void {
    if (set !== this.#set) this.#change(set);
    this.#current.push(item);
  }

  #change(set: MarkSet): void {
    const { open } = this.#stack;
    const kept = this.#stack.kept(set);
    while (open.length > kept) {
      open.pop();
      this.#levels.pop();
    }
    this.#current = this.#levels[kept] ?? this.root;
    for (const bit of this.#stack.toOpen(set, this.#endOf)) {
      const children: Inline[] = [];
      this.#current.push({ type: 'mark', mark: nameOf(bit), children });
      this.#levels.push(children);
      open.push(bit);
      this.#current = children;
    }
    this.#set = set;
  }
}

/** The number of the mark of a single bit. */
export function numberOf(bit: MarkSet): number {
  return 31 - Math.clz32(bit);
}

export function nameOf(bit: MarkSet): MarkName {
  return MARK_NAMES[numberOf(bit)] ?? 'em';
}
