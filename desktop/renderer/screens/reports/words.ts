import { formatLocale } from '#desktop/renderer/text/language.ts';
import type { ReportStep } from '#desktop/engine/api/reports.ts';
import { formatEstimate } from '#desktop/renderer/text/format.ts';
import { reportText } from '#desktop/renderer/text/en/reports.ts';

const percent = new Intl.NumberFormat(formatLocale(), { style: 'percent', maximumFractionDigits: 1 });
const three = new Intl.NumberFormat(formatLocale(), { maximumSignificantDigits: 3 });
const five = new Intl.NumberFormat(formatLocale(), { maximumSignificantDigits: 5 });
const index = new Intl.NumberFormat(formatLocale(), { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A share between 0 and 1. */
export function formatShare(share: number): string {
  return percent.format(share);
}

/** A computed number, such as a mean. */
export function formatMeasured(value: number): string {
  return five.format(value);
}

/** A ratio such as deviations for each order. */
export function formatRatio(value: number): string {
  return three.format(value);
}

/** Cp or Cpk. */
export function formatIndex(value: number): string {
  return index.format(value);
}

/** A share as percent with one decimal, for files. */
export function percentNumber(share: number): number {
  return Math.round(share * 1000) / 10;
}

/** Working time: in seconds below two minutes. */
export function formatWork(seconds: number): string {
  return seconds < 120 ? reportText.seconds(Math.round(seconds)) : formatEstimate(seconds);
}

/** The name of a step. `stepid` 0 means that something was recorded at no step. */
export function stepWords({ number, title }: ReportStep): string {
  return number === null ? reportText.oldStep : reportText.step(number, title);
}

const minute = 60;
const hour = 60 * minute;
const timeSteps = [
  1,
  5,
  15,
  30,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
];

/** The step of an axis from 0 to `greatest` seconds with at most `most` steps: a round time. */
export function timeStep(greatest: number, most: number): number {
  const day = 24 * hour;
  return timeSteps.find((step) => greatest / step <= most) ?? Math.ceil(greatest / most / day) * day;
}
