import type { NumberValue, NumberView } from '#desktop/engine/api/reports.ts';
import { formatDate, formatNumber, withUnit } from '#desktop/renderer/text/format.ts';
import { reportText } from '#desktop/renderer/text/en/reports.ts';
import type { ValueLimits } from '#shared/model/work-log.ts';
import { capability, individualsChart, type IndividualsChart } from '#shared/rules/statistics.ts';

import { limitWords } from '../work-orders/value-table.tsx';
import type { Individuals, Nothing, Presentation } from './presentation.ts';
import { formatIndex, formatMeasured } from './words.ts';

/** The individuals chart of a number field, with Cp and Cpk by its latest limits. */
export function presentNumbers(view: NumberView, nothing: Nothing): Presentation | Nothing {
  const { numbers: words } = reportText;
  const { orders, label, unit, more, values } = view;
  if (orders === 0) return nothing;
  const latest = values.at(-1);
  if (latest === undefined) return { title: words.gone, hint: words.goneHint };
  const chart = individualsChart(values.map(({ value }) => value));
  const { min, max } = latest;
  const { cp, cpk } = chart === null ? { cp: null, cpk: null } : capability(chart, { min, max });
  const shown = (value: number): string => withUnit(formatMeasured(value), unit);
  const outside = new Set(chart?.outside);
  const isUnstable = outside.size > 0;
  return {
    title: words.title(label),
    figures: [
      { name: words.values, value: formatNumber(values.length) },
      ...(chart === null ? [] : [{ name: words.mean, value: shown(chart.centre) }]),
      { name: words.outside, value: formatNumber(outside.size), ...(isUnstable && { mark: true as const }) },
      ...(cp === null ? [] : [{ name: words.cp, value: formatIndex(cp) }]),
      ...(cpk === null
        ? []
        : [{ name: words.cpk, value: formatIndex(cpk), ...(cpk < 1 && { mark: true as const }) }]),
    ],
    summary:
      chart === null
        ? [words.few]
        : [
            words.summary(values.length, shown(chart.centre), shown(chart.lower), shown(chart.upper)),
            isUnstable ? words.outsideCount(outside.size) : words.inControl,
          ],
    notes: [
      words.note,
      ...(isUnstable && cpk !== null ? [words.unstable] : []),
      ...(min === null && max === null ? [words.noLimits] : []),
      ...(values.some((one) => one.min !== min || one.max !== max) ? [words.changedLimits] : []),
      ...(more ? [words.more(values.length)] : []),
    ],
    chart: chart === null ? null : drawn(view, chart, { min, max }),
    columns: [words.time, words.value, words.limits, words.state, words.order, words.person],
    // The latest is asked for most.
    rows: values.map((value, place) => rowOf(value, unit, outside.has(place))).toReversed(),
    csv: [
      [
        words.csv.time,
        words.csv.value,
        words.csv.unit,
        words.csv.min,
        words.csv.max,
        words.csv.outside,
        words.csv.order,
        words.csv.person,
      ],
      ...values.map((one, place) => [
        new Date(one.at * 1000).toISOString(),
        one.value,
        unit,
        one.min ?? '',
        one.max ?? '',
        outside.has(place) ? words.csv.yes : words.csv.no,
        one.workorderid,
        one.username,
      ]),
    ],
    filename: words.filename,
  };
}

function rowOf(
  { entryid, workorderid, username, at, value, min, max }: NumberValue,
  unit: string,
  isOutside: boolean,
): Presentation['rows'][number] {
  const { numbers: words } = reportText;
  const isBeyond = (min !== null && value < min) || (max !== null && value > max);
  return {
    key: String(entryid),
    cells: [
      formatDate(at * 1000),
      isBeyond ? { words: withUnit(value, unit), mark: true } : withUnit(value, unit),
      limitWords({ limits: min === null && max === null ? null : { min, max }, unit }),
      isOutside ? { words: words.outOfControl, mark: true } : '',
      { words: workorderid, href: `/work-orders/${entryid}` },
      username === '' ? reportText.unknownPerson : username,
    ],
  };
}

function drawn(
  { label, unit, values }: NumberView,
  { centre, lower, upper, outside }: IndividualsChart,
  { min, max }: ValueLimits,
): Individuals {
  const { numbers: words } = reportText;
  return {
    kind: 'individuals',
    name: label,
    labels: values.map(({ at, workorderid }) => `${formatDate(at * 1000)}, ${workorderid}`),
    values: values.map(({ value }) => value),
    outside,
    lines: [
      { name: words.mean, value: centre, look: 'centre' },
      { name: words.upperControl, value: upper, look: 'control' },
      { name: words.lowerControl, value: lower, look: 'control' },
      ...(max === null ? [] : [{ name: words.upper, value: max, look: 'limit' as const }]),
      ...(min === null ? [] : [{ name: words.lower, value: min, look: 'limit' as const }]),
    ],
    words: (value) => withUnit(formatMeasured(value), unit),
  };
}
