import type * as Y from 'yjs';

import { hunksBetween, tokensOf } from '#shared/merge/words.ts';

/** Changes a shared text to a value, with the smallest changes: word by word, and letter by letter within words. */
export function setText(text: Y.Text, value: string): void {
  const old = text.toJSON();
  if (old === value) return;
  const tokens = tokensOf(old);
  const offsets = [0];
  for (const token of tokens) offsets.push((offsets.at(-1) ?? 0) + token.length);
  for (const hunk of hunksBetween(tokens, tokensOf(value)).toReversed()) {
    replace(
      text,
      offsets[hunk.start] ?? 0,
      tokens.slice(hunk.start, hunk.end).join(''),
      hunk.tokens.join(''),
    );
  }
}

function replace(text: Y.Text, at: number, old: string, next: string): void {
  const shortest = Math.min(old.length, next.length);
  let prefix = 0;
  while (prefix < shortest && old[prefix] === next[prefix]) prefix += 1;
  if (isHighSurrogate(old.charCodeAt(prefix - 1))) prefix -= 1;
  let suffix = 0;
  while (suffix < shortest - prefix && old.at(-1 - suffix) === next.at(-1 - suffix)) suffix += 1;
  if (suffix > 0 && isLowSurrogate(old.charCodeAt(old.length - suffix))) suffix -= 1;
  const removed = old.length - prefix - suffix;
  // Inserted before the removed words, so that text which a replica inserts after those stays after this one.
  const inserted = next.slice(prefix, next.length - suffix);
  if (inserted !== '') text.insert(at + prefix, inserted);
  if (removed > 0) text.delete(at + prefix + inserted.length, removed);
}

/** Surrogate pairs are kept together: Yjs replaces both halves of a pair that an edit splits. */
function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
