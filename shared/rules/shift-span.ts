/** Longest span of a shift summary, seconds. */
export const longestShift = 7 * 24 * 3600;

/** Why a span cannot be summarised; null: it can. Times in UNIX seconds. */
export function spanRefusal({ from, to }: { from: number; to: number }): string | null {
  if (to <= from) return 'The end must be after the beginning';
  return to - from > longestShift ? 'A shift summary spans at most 7 days' : null;
}
