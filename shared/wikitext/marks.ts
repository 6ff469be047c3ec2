import { MARK_NAMES } from './tree.ts';
import type { Inline, MarkName } from './tree.ts';

/** A set of marks: bit n stands for `MARK_NAMES[n]`. */
export type MarkSet = number;

export function markBit(name: MarkName): MarkSet {
  return 1 << MARK_NAMES.indexOf(name);
}

/** The marks of a set in canonical order. */
export function marksIn(set: MarkSet): MarkName[] {
  return MARK_NAMES.filter((_, index) => (set & (1 << index)) !== 0);
}

/**
 * Decides which marks stand around which for a row of items with mark sets: a mark that lasts longer
 * encloses one that ends sooner, so few marks are interrupted. Walk the items in order.
 */
export class MarkStack {
  readonly #sets: ArrayLike<MarkSet>;
  /** Per mark: the index after the run that was looked at last. */
  readonly #ends = MARK_NAMES.map(() => 0);
  /** Open marks as bits, outermost first. */
  readonly open: MarkSet[] = [];

  constructor(sets: ArrayLike<MarkSet>) {
    this.#sets = sets;
  }

  /** How many of the open marks stay open in front of an item with this set. */
  kept(set: MarkSet): number {
    let kept = 0;
    while (kept < this.open.length && (set & (this.open[kept] ?? 0)) !== 0) kept++;
    return kept;
  }

  /** The marks to open in front of item `index`, outermost first, once the others are closed. */
  toOpen(index: number): MarkSet[] {
    let bits = this.#sets[index] ?? 0;
    for (const bit of this.open) bits &= ~bit;
    if ((bits & (bits - 1)) === 0) return bits === 0 ? [] : [bits];
    const missing = MARK_NAMES.map((_, n) => n).filter((n) => (bits & (1 << n)) !== 0);
    missing.sort((a, b) => this.#runEnd(b, index) - this.#runEnd(a, index) || a - b);
    return missing.map((n) => 1 << n);
  }

  #runEnd(mark: number, index: number): number {
    let end = this.#ends[mark] ?? 0;
    if (end <= index) {
      end = index;
      while (end < this.#sets.length && ((this.#sets[end] ?? 0) & (1 << mark)) !== 0) end++;
      this.#ends[mark] = end;
    }
    return end;
  }
}

/** Turns a row of items with mark sets into a well-nested tree. */
export function nestMarks(items: readonly Inline[], sets: readonly MarkSet[]): Inline[] {
  const root: Inline[] = [];
  const levels: Inline[][] = [root];
  const stack = new MarkStack(sets);
  let previous = 0;
  items.forEach((item, index) => {
    const set = sets[index] ?? 0;
    if (set !== previous) {
      const kept = stack.kept(set);
      stack.open.length = kept;
      levels.length = kept + 1;
      for (const bit of stack.toOpen(index)) {
        const children: Inline[] = [];
        levels.at(-1)?.push({ type: 'mark', mark: nameOf(bit), children });
        levels.push(children);
        stack.open.push(bit);
      }
      previous = set;
    }
    levels.at(-1)?.push(item);
  });
  return root;
}

export function nameOf(bit: MarkSet): MarkName {
  return MARK_NAMES[31 - Math.clz32(bit)] ?? 'em';
}
