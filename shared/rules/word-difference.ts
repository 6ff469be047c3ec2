import { hunksBetween, tokensOf } from '#shared/merge/words.ts';

/** A part of a text that both versions have, or only one of them. */
export interface WordSpan {
  text: string;
  in: 'both' | 'before' | 'after';
}

/**
 * The difference between two versions of a text, word by word.
 *
 * - COMPARE-1 The spans in `both` and `before` make up the earlier text, those in `both` and `after` the later one.
 */
export function wordDifference(before: string, after: string): WordSpan[] {
  const [old, now] = [tokensOf(before), tokensOf(after)];
  const spans: WordSpan[] = [];
  const put = (tokens: readonly string[], side: WordSpan['in']): void => {
    if (tokens.length > 0) spans.push({ text: tokens.join(''), in: side });
  };
  let at = 0;
  for (const { start, end, tokens } of hunksBetween(old, now)) {
    put(old.slice(at, start), 'both');
    put(old.slice(start, end), 'before');
    put(tokens, 'after');
    at = end;
  }
  put(old.slice(at), 'both');
  return spans;
}
