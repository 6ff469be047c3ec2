import { isProblemCode } from '#shared/api/problem.ts';

import { refusedSentences } from './refused-sentences.ts';
import { refusalCodes } from './refusals.ts';
import { connectionSentences, reportedSentences } from './reported-sentences.ts';

const sentences: Readonly<Record<string, string>> = {
  ...connectionSentences,
  ...reportedSentences,
  ...refusedSentences,
};

const place = /\{(\d*)\}/g;

/** Sentences with places for values, those with the most words of their own first. */
const patterns = Object.entries(sentences)
  .filter(([english]) => english.includes('{}'))
  .map(([english, german]) => {
    const parts = english.split('{}').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
    return { pattern: new RegExp(`^${parts.join('(.+?)')}$`, 's'), german, length: parts.join('').length };
  })
  .toSorted((a, b) => b.length - a.length);

function exactly(sentence: string): string | undefined {
  const exact = Object.hasOwn(sentences, sentence) ? sentences[sentence] : undefined;
  if (exact !== undefined) return exact;
  for (const { pattern, german } of patterns) {
    const values = pattern.exec(sentence)?.slice(1);
    if (values !== undefined)
      return german.replaceAll(place, (_, number: string) => valueWords(values[Number(number) - 1] ?? ''));
  }
  return undefined;
}

/** The German of one sentence, with or without a full stop. */
function one(sentence: string): string | undefined {
  const plain = sentence.endsWith('.') ? exactly(sentence.slice(0, -1)) : undefined;
  return plain === undefined ? exactly(sentence) : `${plain}.`;
}

/** The German of a sentence, or of several. */
function known(text: string): string | undefined {
  const parts = text.split(/(?<=\.) (?=[\p{Lu}\d])/u);
  const each = parts.length === 1 ? [] : parts.map(one);
  if (each.length > 0 && !each.includes(undefined)) return each.join(' ');
  const whole = one(text);
  if (whole !== undefined || each.every((german) => german === undefined)) return whole;
  return parts.map((part, index) => each[index] ?? part).join(' ');
}

function valueWords(value: string): string {
  return known(value) ?? value.replace(/^(\d+)\.(\d) (?=[MG]B$)/, '$1,$2 ');
}

/** The German of an English refusal or report: of its sentence, also with a name or code beside it, or else of its code. */
export function germanRefusal(sentence: string, code?: string): string {
  const translated = known(sentence);
  if (translated !== undefined) return translated;
  const [, coded, behind] = /^(.+)( \([a-z-]+\))$/s.exec(sentence) ?? [];
  const bare = coded === undefined ? undefined : known(coded);
  if (bare !== undefined) return `${bare}${behind}`;
  const [, name, rest] = /^([^:]+): (.+)$/s.exec(sentence) ?? [];
  const named = rest === undefined ? undefined : known(rest);
  if (named !== undefined) return `${name}: ${named}`;
  return isProblemCode(code) ? refusalCodes[code] : sentence;
}
