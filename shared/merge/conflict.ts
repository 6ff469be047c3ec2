import { type ContentPath, pathId } from '#shared/rules/guide-content.ts';

import type { Span, TextVariants } from './text.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

/** `id` is derived from the place, so that a place has at most one conflict. */
type Common = { id: string; place: ContentPath };

/** Both sides changed the same words. `provisional`: the text in the merged record until the conflict is resolved. */
export type TextConflict = Common & {
  kind: 'text';
  base: string;
  mine: string;
  theirs: string;
  provisional: string;
  suggested: string;
  variants: TextVariants;
  spans: Span[];
};

/** Both sides changed one value differently. `both`: present when the two can be combined (the pictures of a step). */
export type ValueConflict = Common & {
  kind: 'value';
  base: Json;
  mine: Json;
  theirs: Json;
  provisional: Json;
  suggested: Json;
  both?: Json;
};

/** One side removed an element that the other edited. Until the conflict is resolved, the edited element stays. */
export type RemovalConflict = Common & {
  kind: 'removal';
  removedBy: 'mine' | 'theirs';
  base: Json;
  mine: Json;
  theirs: Json;
  provisional: Json;
  suggested: Json;
};

export type MergeConflict = TextConflict | ValueConflict | RemovalConflict;
export type Choice = 'mine' | 'theirs' | 'both' | { text: string };

/** A change that merged automatically, for the list "merged for you". `by`: the side that made it. */
export type AutomaticMerge = {
  place: ContentPath;
  kind: 'changed' | 'text' | 'added' | 'removed' | 'moved' | 'indented';
  by: 'theirs' | 'both';
};

export type MergeLog = { conflicts: MergeConflict[]; merges: AutomaticMerge[] };

/**
 * Casts plain data to `Json`; undefined becomes null. Generic code cannot prove to the compiler that fields of records
 * are plain data.
 */
export function asJson(value: unknown): Json {
  return (value === undefined ? null : value) as Json;
}

export function contest(
  log: MergeLog,
  conflict: MergeConflict extends infer C ? (C extends Common ? Omit<C, 'id'> : never) : never,
): void {
  log.conflicts.push({ id: pathId(conflict.place), ...conflict } as MergeConflict);
}

/** The choices that a conflict offers. */
export function choicesOf(conflict: MergeConflict): ('mine' | 'theirs' | 'both' | 'text')[] {
  if (conflict.kind === 'text') return ['mine', 'theirs', 'both', 'text'];
  return conflict.kind === 'value' && conflict.both !== undefined
    ? ['mine', 'theirs', 'both']
    : ['mine', 'theirs'];
}
