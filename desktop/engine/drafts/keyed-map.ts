import { generateNKeysBetween } from 'fractional-indexing';
import * as Y from 'yjs';

import { longestRising } from '#shared/merge/order.ts';
import { must } from '#shared/must.ts';

/** An element of an ordered list. `order`: its fractional index. `removed`: it is deleted, but its texts stay. */
export type Entry = Y.Map<unknown>;
export type EntryMap = Y.Map<Entry>;

/** The entries that are not removed, in order. Entries with equal indexes, from two sessions, are ordered by key. */
export function entriesOf(map: EntryMap): [string, Entry][] {
  return [...map.entries()]
    .filter(([, entry]) => entry.get('removed') !== true)
    .toSorted(([a, left], [b, right]) => compare(orderOf(left), orderOf(right)) || compare(a, b));
}

/**
 * Gives the map exactly these keys in this order. Missing entries are added or restored, others are marked as removed,
 * and only entries that moved get a new index. `moved`: the key that an edit moved, if it did. `write` is called for
 * each key with its entry.
 */
export function writeEntries(
  map: EntryMap,
  keys: readonly string[],
  write: (key: string, entry: Entry) => void,
  moved?: string,
): void {
  const wanted = new Set(keys);
  for (const [key, entry] of entriesOf(map)) if (!wanted.has(key)) entry.set('removed', true);
  const fresh = new Set<string>(moved === undefined ? [] : [moved]);
  for (const key of keys) {
    const known = map.get(key);
    if (known === undefined) {
      fresh.add(key);
      map.set(key, new Y.Map());
    } else if (known.get('removed') === true) {
      fresh.add(key);
      known.delete('removed');
    }
    write(key, must(map.get(key), `entry ${key}`));
  }
  writeOrder(map, keys, fresh);
}

function writeOrder(map: EntryMap, keys: readonly string[], fresh: ReadonlySet<string>): void {
  const placed = keys.filter((key) => !fresh.has(key));
  const places = placed.map((key) => orderOf(must(map.get(key), `entry ${key}`)));
  const stay = new Set(longestRising(places, (a, b) => a < b).map((index) => placed[index]));
  let before: string | null = null;
  let run: string[] = [];
  const flush = (next: string | null): void => {
    generateNKeysBetween(before, next, run.length).forEach((order, index) => {
      map.get(run[index] ?? '')?.set('order', order);
    });
    run = [];
  };
  for (const key of keys) {
    if (!stay.has(key)) {
      run.push(key);
      continue;
    }
    const order = orderOf(must(map.get(key), `entry ${key}`));
    flush(order);
    before = order;
  }
  flush(null);
}

function orderOf(entry: Entry): string {
  const order = entry.get('order');
  return typeof order === 'string' ? order : '';
}

/** Compares by code unit, the order of fractional indexes. Locales sort differently. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
