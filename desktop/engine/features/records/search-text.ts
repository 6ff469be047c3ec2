import { tokensOf } from '#shared/merge/words.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { plainLine, plainText } from '#shared/formats/wikitext/plain-text.ts';

import type { SupplyView } from '#desktop/engine/api/records.ts';

/** The texts of a guide by field. Excerpts are searched in this order. */
export interface SearchText {
  title: string;
  subject: string;
  category: string;
  summary: string;
  parts: string;
  tools: string;
  lines: string;
  introduction: string;
}

/** The fields of a search text, in the order in which excerpts are searched. */
export const searchFields = [
  'title',
  'subject',
  'category',
  'summary',
  'parts',
  'tools',
  'lines',
  'introduction',
] as const satisfies (keyof SearchText)[];

/** The searchable texts of a guide, without wiki syntax. */
export function searchTextOf(content: GuideContent | GuideFacts): SearchText {
  const { title, subject, category, summary } = content;
  const lines = content.steps.flatMap((step) => [
    step.title,
    ...step.lines.map((line) => plainLine(line.text_raw)),
  ]);
  return {
    title,
    subject,
    category,
    summary,
    parts: content.parts.map(supplyName).join('\n'),
    tools: content.tools.map(supplyName).join('\n'),
    lines: lines.filter((line) => line !== '').join('\n'),
    introduction: plainText(content.introduction_raw),
  };
}

/** A part or tool in one line: its text and its type. */
export function supplyName({ text, type }: Pick<SupplyView, 'text' | 'type'>): string {
  return type === '' ? text : `${text}, ${type}`;
}

// Letters that Unicode decomposition does not split.
const letters: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

// Most words are ASCII; decomposing the others is slow.
const ascii = /^[\da-z]*$/i;

/** The form of a word in the index: lower case, without diacritics. */
export function foldWord(word: string): string {
  if (ascii.test(word)) return word.toLowerCase();
  const plain = word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.replaceAll(/[ßøæœłđðþı]/g, (letter) => letters[letter] ?? letter);
}

const word = /[\p{L}\p{N}]/u;

/** The words of a text in their form in the index. */
export function searchWords(text: string): string[] {
  return tokensOf(text)
    .filter((token) => word.test(token))
    .map(foldWord);
}

const snippetCharacters = 160;

/**
 * An excerpt of a guide: the line with the most different words of `found`, shortened, with the positions of these
 * words.
 */
export function snippetOf(
  text: SearchText,
  found: ReadonlySet<string>,
): { text: string; marks: [number, number][] } | null {
  let best: { text: string; marks: [number, number][]; distinct: number } | null = null;
  for (const field of searchFields) {
    for (const line of text[field].split('\n')) {
      const { marks, distinct } = marksIn(line, found);
      if (distinct > (best?.distinct ?? 0)) best = { text: line, marks, distinct };
    }
  }
  return best === null ? null : shortened(best.text, best.marks);
}

function marksIn(line: string, found: ReadonlySet<string>): { marks: [number, number][]; distinct: number } {
  const marks: [number, number][] = [];
  const seen = new Set<string>();
  let at = 0;
  for (const token of tokensOf(line)) {
    const folded = word.test(token) ? foldWord(token) : '';
    if (found.has(folded)) {
      marks.push([at, at + token.length]);
      seen.add(folded);
    }
    at += token.length;
  }
  return { marks, distinct: seen.size };
}

function shortened(text: string, marks: [number, number][]): { text: string; marks: [number, number][] } {
  if (text.length <= snippetCharacters) return { text, marks };
  const first = marks[0]?.[0] ?? 0;
  const space = first <= 40 ? -1 : text.lastIndexOf(' ', first - 40);
  const start = first <= 40 ? 0 : Math.max(space + 1, first - 60);
  const end = Math.min(text.length, start + snippetCharacters);
  const [before, after] = [start > 0 ? '…' : '', end < text.length ? '…' : ''];
  return {
    text: before + text.slice(start, end) + after,
    marks: marks
      .filter(([from, to]) => from >= start && to <= end)
      .map(([from, to]) => [from - start + before.length, to - start + before.length]),
  };
}
