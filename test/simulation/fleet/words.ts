const wordPattern = /\bq[0-9a-z]+z\b/g;

/** Words of this simulation in a text. */
export function wordsIn(text: string): string[] {
  return text.match(wordPattern) ?? [];
}

/** The nth word of an action: nothing else in a run writes it, and no other bytes look like it in base64. */
export function wordOf(id: number, nth = 0): string {
  return `q${String(id).padStart(6, '0')}${String.fromCharCode(97 + nth)}z`;
}
