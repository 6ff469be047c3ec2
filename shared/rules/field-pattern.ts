import { isCostlyPattern, longestMatchedText } from './pattern-effort.ts';

/** The expression that the whole text must match; null if the pattern is none. */
function expressionOf(pattern: string): RegExp | null {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    return null;
  }
}

/** Why a pattern of a field is refused; null if it can be used. */
export function fieldPatternFlaw(pattern: string): string | null {
  if (expressionOf(pattern) === null) return 'the pattern is no regular expression';
  return isCostlyPattern(`^(?:${pattern})$`)
    ? 'the pattern could take forever to try; avoid repeats and alternatives inside repeats'
    : null;
}

/** Whether a text is what the pattern asks for. A text that is too long to try is not. */
export function matchesPattern(pattern: string, text: string): boolean {
  return text.length <= longestMatchedText && expressionOf(pattern)?.test(text) === true;
}
