import { isProblemCode } from '#shared/api/problem.ts';

import { refusedSentences } from './refused-sentences.ts';
import { refusalCodes } from './refusals.ts';

const place = /\{(\d*)\}/g;

/** Sentences with places for values, those with the most words of their own first. */
const patterns = Object.entries(refusedSentences)
  .filter(([english]) => english.includes('{}'))
  .map(([english, german]) => {
    const parts = english.split('{}').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
    return { pattern: new RegExp(`^${parts.join('(.+?)')}$`, 's'), german, length: parts.join('').length };
  })
  .toSorted((a, b) => b.length - a.length);

function known(sentence: string): string | undefined {
  const exact = Object.hasOwn(refusedSentences, sentence) ? refusedSentences[sentence] : undefined;
  if (exact !== undefined) return exact;
  for (const { pattern, german } of patterns) {
    const values = pattern.exec(sentence)?.slice(1);
    if (values !== undefined)
      return german.replaceAll(place, (_, number: string) => {
        const value = values[Number(number) - 1] ?? '';
        return known(value) ?? value;
      });
  }
  return undefined;
}

/** The German of an English refusal: of its sentence, also with a full stop or a name before it, or else of its code. */
export function germanRefusal(sentence: string, code?: string): string {
  const translated = known(sentence);
  if (translated !== undefined) return translated;
  if (sentence.endsWith('.')) {
    const plain = known(sentence.slice(0, -1));
    if (plain !== undefined) return `${plain}.`;
  }
  const [, name, rest] = /^([^:]+): (.+)$/s.exec(sentence) ?? [];
  const named = rest === undefined ? undefined : known(rest);
  if (named !== undefined) return `${name}: ${named}`;
  return isProblemCode(code) ? refusalCodes[code] : sentence;
}
