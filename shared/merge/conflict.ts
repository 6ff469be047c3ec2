import { type Place, placeId } from '#shared/rules/guide-content.ts';

import type { Span, TextVariants } from './text.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

/** `id` follows from the place alone: there is one conflict at most in a place. */
type Common = { id: string; place: Place };

/** Both rewrote the same words. `provisional` is what the merged record holds meanwhile. */
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

/** Both gave one value another value. `both` where the two can stand together (pictures of a step). */
export type ValueConflict = Common & {
  kind: 'value';
  base: Json;
  mine: Json;
  theirs: Json;
  provisional: Json;
  suggested: Json;
  both?: Json;
};

/** One removed what the other edited. The edited element stays meanwhile. */
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

/** Something that merged by itself, for the list "merged for you". `by`: whose change it is. */
export type AutomaticMerge = {
  place: Place;
  kind: 'changed' | 'text' | 'added' | 'removed' | 'moved' | 'indented';
  by: 'theirs' | 'both';
};

export type MergeLog = { conflicts: MergeConflict[]; merges: AutomaticMerge[] };

/** Records and their fields are plain data; generic code cannot show that to the compiler. */
export function asJson(value: unknown): Json {
  return (value === undefined ? null : value) as Json;
}

export function contest(
  log: MergeLog,
  conflict: MergeConflict extends infer C ? (C extends Common ? Omit<C, 'id'> : never) : never,
): void {
  log.conflicts.push({ id: placeId(conflict.place), ...conflict } as MergeConflict);
}

/** What a person can choose for a conflict. */
export function choicesOf(conflict: MergeConflict): ('mine' | 'theirs' | 'both' | 'text')[] {
  if (conflict.kind === 'text') return ['mine', 'theirs', 'both', 'text'];
  return conflict.kind === 'value' && conflict.both !== undefined
    ? ['mine', 'theirs', 'both']
    : ['mine', 'theirs'];
}
