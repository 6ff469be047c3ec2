import type { TimeCount, TimeRequired } from '#shared/rules/guide-record.ts';
import { readNumber } from '#shared/text/typed-number.ts';

import { text } from './en.ts';
import { formatLocale } from './language.ts';

const locale = formatLocale();
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const clockTime = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayAndTime = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
const number = new Intl.NumberFormat(locale);

/** A number with thousands separators. */
export function formatNumber(value: number): string {
  return number.format(value);
}

/** Working time as hh:mm:ss. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** An estimate in seconds as "40 min", "1 h 30 min" or "3 days"; empty for 0. */
export function formatEstimate(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes <= 0) return '';
  if (minutes < 60) return text.units.minutes(minutes);
  if (minutes >= 24 * 60 && minutes % (24 * 60) === 0) return text.units.days(minutes / (24 * 60));
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 ? text.units.hours(hours) : `${text.units.hours(hours)} ${text.units.minutes(rest)}`;
}

/** The time that a guide requires: "30 minutes", "2–3 hours", "1 hour – 2 days". */
export function formatTimeRequired(time: TimeRequired | null): string {
  if (time === null) return text.units.noEstimate;
  const name = ({ count, unit }: TimeCount): string => text.units.counts[unit](count);
  const { from, to } = time;
  if (from === null) return name(to);
  return from.unit === to.unit ? `${from.count}–${name(to)}` : `${name(from)} – ${name(to)}`;
}

/** The difficulty of a guide, by its name in the API. */
export function difficultyName(name: string): string {
  return text.difficulties.names[name] ?? name;
}

/** "just now", "2 minutes ago", "yesterday", or the date after a week. */
export function formatSince(at: number, now: number): string {
  const passed = Math.max(0, now - at);
  if (passed < minuteMs) return text.units.justNow;
  if (passed < hourMs) return relative.format(-Math.floor(passed / minuteMs), 'minute');
  if (passed < dayMs) return relative.format(-Math.floor(passed / hourMs), 'hour');
  if (passed < 7 * dayMs) return relative.format(-Math.floor(passed / dayMs), 'day');
  return dayAndTime.format(at);
}

/** The time of day. */
export function formatTime(at: number): string {
  return clockTime.format(at);
}

/** The date, from ms since 1970. */
export function formatDay(at: number): string {
  return day.format(at);
}

/** Date and time. */
export function formatDate(at: number): string {
  return dayAndTime.format(at);
}

/** "4 MB", "1.2 GB". */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && step > 1 ? 1 : 0,
  }).format(value);
}

/** The decimal separator of the language. */
export const decimalSeparator = locale === 'de' ? ',' : '.';

/**
 * A measured number or a limit with the digits in which it is stored, such as “2.50”.
 *
 * - LANGUAGE-8 Measured numbers and their limits are shown with the decimal separator of the language and all their
 *   digits. They are not grouped: “1.234” would be another number for somebody who reads it in another language. Counts
 *   are grouped. CSV files have numbers as they are stored.
 */
export function formatDigits(value: string | number): string {
  return String(value).replace('.', decimalSeparator);
}

/** A number as a person typed it (LANGUAGE-9); NaN for what is none, or may be two. 0 for nothing, as `Number`. */
export function typedNumber(words: string): number {
  const read = readNumber(words, decimalSeparator);
  return read !== null && 'value' in read ? Number(read.value) : Number.NaN;
}

/** A number or a text with its unit. The space does not break. `unit`: '' if there is none. */
export function withUnit(value: string | number, unit: string): string {
  const words = typeof value === 'number' ? formatDigits(value) : value;
  return unit === '' ? words : `${words}\u00a0${unit}`;
}

/** Names in a sentence: "Ana, Ben, and Mira". */
export function formatList(names: readonly string[]): string {
  return new Intl.ListFormat(locale).format(names);
}
