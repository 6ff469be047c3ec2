import { z } from 'zod';

import { sameValue } from '#shared/rules/same-value.ts';

const whole = z.int().nonnegative();
/** Ranges of the document: client, clock and length, one after the other. */
const ranges = z.array(whole);
const step = z.tuple([ranges, ranges]);

/** A step of undo or redo in its stored form: what it inserted and what it deleted. */
export type StoredStep = z.infer<typeof step>;

const history = z.object({
  undo: z.array(step),
  redo: z.array(step),
  /** Deleted parts that were put back: client, clock and length of the part, client and clock of its copy. */
  copies: z.array(whole),
});

/** Undo and redo of a draft in their stored form, the last step last. The words themselves are in the document. */
export type StoredHistory = z.infer<typeof history>;

/** How a stack changed: its first `from` steps stayed. */
const tail = z.object({ from: whole, steps: z.array(step) });

const historyChange = z.object({
  undo: tail.optional(),
  redo: tail.optional(),
  copies: z.array(whole).optional(),
});

/** The difference between two histories, which is small after one edit. */
export type HistoryChange = z.infer<typeof historyChange>;

export const emptyHistory: StoredHistory = { undo: [], redo: [], copies: [] };

/** The stored history of a draft; empty if it cannot be read, or none is stored. */
export function readHistory(value: unknown): StoredHistory {
  return history.safeParse(value).data ?? emptyHistory;
}

/** A history after a stored change of it. Null if the change cannot be read, or is of another history. */
export function changedHistory(before: StoredHistory, value: unknown): StoredHistory | null {
  const { data } = historyChange.safeParse(value);
  if (data === undefined) return null;
  const undo = withTail(before.undo, data.undo);
  const redo = withTail(before.redo, data.redo);
  return undo === null || redo === null ? null : { undo, redo, copies: data.copies ?? before.copies };
}

/** What changed between two histories; undefined when nothing did. */
export function changeOfHistory(before: StoredHistory, after: StoredHistory): HistoryChange | undefined {
  const change: HistoryChange = {
    ...named('undo', tailOf(before.undo, after.undo)),
    ...named('redo', tailOf(before.redo, after.redo)),
    ...(sameValue(before.copies, after.copies) ? {} : { copies: after.copies }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

type Tail = z.infer<typeof tail>;

function named(name: 'undo' | 'redo', found: Tail | undefined): HistoryChange {
  return found === undefined ? {} : { [name]: found };
}

function tailOf(before: readonly StoredStep[], after: readonly StoredStep[]): Tail | undefined {
  const isSame = (at: number): boolean => before[at] === after[at] || sameValue(before[at], after[at]);
  let from = 0;
  while (from < before.length && from < after.length && isSame(from)) from += 1;
  return from === before.length && from === after.length ? undefined : { from, steps: after.slice(from) };
}

function withTail(before: StoredStep[], change: Tail | undefined): StoredStep[] | null {
  if (change === undefined) return before;
  return change.from > before.length ? null : [...before.slice(0, change.from), ...change.steps];
}
