import type { Inline, List, ListItem } from './tree.ts';

/** Maximum depth of lists; deeper items are read as items of this depth, which bounds every recursion over the tree. */
const MAX_LIST_DEPTH = 16;

interface OpenItem extends ListItem {
  lists: List[];
}

/** Shared by all items without inner lists; never modified. */
const NO_LISTS: List[] = [];

interface OpenList extends List {
  readonly items: OpenItem[];
}

/** Collects list items in order; the depth of an item is the number of its signs. */
export class ListBuilder {
  readonly #emit: (list: List) => void;
  /** The open lists by depth, outermost first. */
  readonly #open: OpenList[] = [];

  constructor(emit: (list: List) => void) {
    this.#emit = emit;
  }

  /** Emits the open list. */
  finish(): void {
    const list = this.#open[0];
    if (list !== undefined) this.#emit(list);
    this.#open.length = 0;
  }

  /** Adds an item, at most one level deeper than the previous one. */
  add(depth: number, ordered: boolean, children: readonly Inline[]): void {
    const level = Math.min(depth, this.#open.length + 1, MAX_LIST_DEPTH);
    this.#open.length = Math.min(this.#open.length, level);
    let list = this.#open[level - 1];
    if (list?.ordered !== ordered) {
      if (level === 1) this.finish();
      list = { type: 'list', ordered, items: [] };
      const parent = this.#open[level - 2]?.items.at(-1);
      if (parent?.lists === NO_LISTS) parent.lists = [list];
      else parent?.lists.push(list);
      this.#open[level - 1] = list;
    }
    list.items.push({ children, lists: NO_LISTS });
  }
}
