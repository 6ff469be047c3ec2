import { decodeEntities, inOneRow } from './loose-html.ts';
import type { DocumentReport } from './findings.ts';
import { type XmlElement, elementIn, textIn } from './xml-tree.ts';

/**
 * The text of an element on one line, trimmed; '' for a missing element and for a placeholder such as `{time
 * required}`.
 */
export function fieldText(element: XmlElement | undefined, report: DocumentReport): string {
  if (element === undefined) return '';
  const text = oneRow(textIn(element));
  if (!/^\{[^{}]*\}$/.test(text)) return text;
  report.add('dropped', 'placeholder', element, `${text.slice(0, 100)} is a placeholder of the producer.`);
  return '';
}

/** The text of the child element with this name. */
export function childText(element: XmlElement, name: string, report: DocumentReport): string {
  return fieldText(elementIn(element, name), report);
}

/** An attribute on one line, trimmed; '' when it is missing. */
export function attributeText(element: XmlElement, name: string): string {
  return oneRow(element.attributes.get(name) ?? '');
}

/** The path of a picture, else of the largest of its sizes. */
export function picturePath(element: XmlElement): string {
  const sizes = ['large', 'medium', 'standard', 'thumbnail', 'mini'];
  return textIn(element).trim() || (sizes.map((size) => attributeText(element, size)).find(Boolean) ?? '');
}

function oneRow(text: string): string {
  return inOneRow(decodeEntities(text)).trim();
}

/** A whole number that fits an integer column; null for anything else. */
export function wholeNumber(text: string): number | null {
  const trimmed = text.trim();
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : null;
}

const dateTime = /^(\d{4,5}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/;

/** A date as UNIX seconds; null when it is not readable. A date without a zone is taken as UTC. */
export function dateSeconds(text: string): { seconds: number; hasZone: boolean } | null {
  const [, day, time = '00:00', zone] = dateTime.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  const written = zone === undefined || zone === 'Z' ? 'Z' : zone.replace(/(\d{2}):?(\d{2})$/, '$1:$2');
  const milliseconds = Date.parse(`${day}T${time}${written}`);
  return Number.isNaN(milliseconds)
    ? null
    : { seconds: Math.floor(milliseconds / 1000), hasZone: zone !== undefined };
}

const numberWords: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  half: 0.5,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};
const unitSeconds: readonly (readonly [RegExp, number])[] = [
  [/^s(?:ec|$)/, 1],
  [/^mo/, 30 * 86_400],
  [/^m/, 60],
  [/^h/, 3600],
  [/^d/, 86_400],
  [/^w/, 7 * 86_400],
];

/**
 * Reads a duration for people as minimum and maximum in seconds: `15 minutes`, `15 to30 minutes`, `One Hour`, `1 - 2
 * hours`, `10` (minutes). A single time is the maximum, and the minimum is unknown. Null when it is not readable.
 */
export function readTime(text: string): { min: number; max: number } | null {
  if (text === '' || /^no estimate$/i.test(text)) return { min: 0, max: 0 };
  const pattern =
    /(\d{1,6}(?:[.,]\d{1,3})?|\b(?:a|an|half|one|two|three|four|five|six|seven|eight|nine|ten)\b)\s*([a-z]*)/gi;
  const found = [...text.slice(0, 200).matchAll(pattern)].map(([, count = '', unit = '']) => ({
    count: numberWords[count.toLowerCase()] ?? Number(count.replace(',', '.')),
    seconds: unitSeconds.find(([name]) => name.test(unit.toLowerCase()))?.[1],
  }));
  if (found.length === 0 || found.length > 2) return null;
  const last = found.at(-1)?.seconds ?? 60;
  const times = found.map(({ count, seconds }) => Math.round(count * (seconds ?? last)));
  const isRange = times.length === 2 && /-|–|\bto|\bor\b/i.test(text);
  const [first = 0, second = 0] = times;
  if (times.length === 2 && !isRange) return { min: 0, max: first + second };
  return times.length === 1
    ? { min: 0, max: first }
    : { min: Math.min(first, second), max: Math.max(first, second) };
}
