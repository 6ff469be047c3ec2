import type { Inline, List, ListItem } from './tree.ts';

/** Deeper items are read as items of this depth, which bounds every recursion over the tree. */
const MAX_LIST_DEPTH = 16;

interface OpenItem extends ListItem {
  readonly lists: OpenList[];
}

interface OpenList extends List {
  readonly items: OpenItem[];
}

/** Collects list items in order; the depth of an item is the length of its run of signs. */
export class ListBuilder {
  readonly lists: OpenList[] = [];
  /** The open list of every depth, outermost first. */
  readonly #open: OpenList[] = [];

  /** An item can be at most one deeper than the one in front of it. */
  add(depth: number, ordered: boolean, children: readonly Inline[]): void {
    const level = Math.min(depth, this.#open.length + 1, MAX_LIST_DEPTH);
    this.#open.length = Math.min(this.#open.length, level);
    let list = this.#open[level - 1];
    if (list?.ordered !== ordered) {
      list = { type: 'list', ordered, items: [] };
      (this.#open[level - 2]?.items.at(-1)?.lists ?? this.lists).push(list);
      this.#open[level - 1] = list;
    }
    list.items.push({ children, lists: [] });
  }
}
