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
    const missing: MarkSet[] = [];
    for (let mark = 0; mark < MARK_NAMES.length; mark++) {
      if ((bits & (1 << mark)) === 0) continue;
      const end = this.#runEnd(mark, index);
      let place = missing.length;
      while (place > 0 && this.#runEnd(31 - Math.clz32(missing[place - 1] ?? 1), index) < end) place--;
      missing.splice(place, 0, 1 << mark);
    }
    return missing;
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
  let current = root;
  let previous = 0;
  for (let index = 0; index < items.length; index++) {
    const set = sets[index] ?? 0;
    if (set !== previous) {
      const kept = stack.kept(set);
      while (stack.open.length > kept) {
        stack.open.pop();
        levels.pop();
      }
      current = levels[kept] ?? root;
      for (const bit of stack.toOpen(index)) {
        const children: Inline[] = [];
        current.push({ type: 'mark', mark: nameOf(bit), children });
        levels.push(children);
        stack.open.push(bit);
        current = children;
      }
      previous = set;
    }
    const item = items[index];
    if (item !== undefined) current.push(item);
  }
  return root;
}

export function nameOf(bit: MarkSet): MarkName {
  return MARK_NAMES[31 - Math.clz32(bit)] ?? 'em';
}
