/** Weights of words by where they stand: title, description, text. */
export type Weight = 'A' | 'B' | 'C';

/** Longest word in the index, in characters; PostgreSQL allows 2,046 bytes. */
const longestWord = 200;
/** The highest position that PostgreSQL stores. */
const lastPosition = 16_383;
/** Most characters of an index entry; PostgreSQL allows 1 MB. */
const mostCharacters = 500_000;

/** The words of a text as they are compared: without case and diacritics. */
export function comparedWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
  return [...folded.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word.slice(0, longestWord));
}

/** A `tsvector` with the words of a record. Words consist of letters and digits only, so none needs escaping. */
export function vectorOf(record: { title: string; about: string; text: string }): string {
  const places = new Map<string, string[]>();
  const parts: [string, Weight][] = [
    [record.title, 'A'],
    [record.about, 'B'],
    [record.text, 'C'],
  ];
  let position = 0;
  let size = 0;
  for (const [text, weight] of parts)
    for (const word of comparedWords(text)) {
      position = Math.min(position + 1, lastPosition);
      const place = `${position}${weight}`;
      const known = places.get(word);
      size += place.length + 1 + (known === undefined ? word.length + 4 : 0);
      if (size > mostCharacters) break;
      if (known === undefined) places.set(word, [place]);
      else known.push(place);
    }
  return [...places].map(([word, at]) => `'${word}':${at.join(',')}`).join(' ');
}

/** A `tsquery` that matches all `words`, in text with one of `weights`; the last word may be a prefix. */
export function queryOf(words: readonly string[], weights: readonly Weight[]): string {
  return words
    .map((word, index) => `'${word}':${index === words.length - 1 ? '*' : ''}${weights.join('')}`)
    .join(' & ');
}
