import type { DurationRow, Report } from '#desktop/engine/api/reports.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { reportText } from '#desktop/renderer/text/en/reports.ts';
import type { DurationGroup } from '#shared/api/reports.ts';

import type { Nothing, Presentation } from './presentation.ts';
import { formatWork, stepWords } from './words.ts';

/** Bars that are drawn; the table has all. */
const mostBars = 12;

/** Durations by guide, step or person. */
export function presentDurations(
  { orders, more, rows }: Report<DurationRow>,
  by: DurationGroup,
  nothing: Nothing,
): Presentation | Nothing {
  const { durations: words } = reportText;
  if (rows.length === 0) return nothing;
  const named = rows.map((row) => ({ ...row, label: labelOf(row, by) }));
  const byTime = named.toSorted((a, b) => b.median - a.median);
  const shown = by === 'step' ? inOrder(named) : byTime;
  const [longest] = byTime;
  const drawn = shown.slice(0, mostBars);
  return {
    title: words.title[by],
    figures: [
      { name: words.orders, value: formatNumber(orders) },
      { name: words.longest, value: formatWork(longest?.median ?? 0) },
      { name: words.worked, value: formatWork(rows.reduce((sum, { total }) => sum + total, 0)) },
    ],
    summary: [
      ...(longest === undefined || rows.length === 1
        ? []
        : [words.summary(longest.label, formatWork(longest.median), formatWork(longest.p90))]),
      reportText.basis(orders),
    ],
    notes: [words.note, ...(more ? [reportText.more(rows.length)] : [])],
    chart: {
      kind: 'bars',
      labels: drawn.map(({ label }) => label),
      series: [
        { name: words.median, values: drawn.map(({ median }) => median) },
        { name: words.p90, values: drawn.map(({ p90 }) => p90) },
      ],
      words: formatWork,
      areSeconds: true,
    },
    columns: [words.columns[by], words.orders, words.median, words.p90, words.total],
    rows: shown.map(({ id, label, count, median, p90, total }) => ({
      key: String(id),
      cells: [label, formatNumber(count), formatWork(median), formatWork(p90), formatWork(total)],
    })),
    csv: [
      [words.columns[by], words.csv.orders, words.csv.median, words.csv.p90, words.csv.total],
      ...shown.map(({ label, count, median, p90, total }) => [label, count, median, p90, total]),
    ],
    filename: words.filename,
  };
}

function labelOf({ name, step }: DurationRow, by: DurationGroup): string {
  if (step !== null) return stepWords(step);
  if (name !== '') return name;
  return by === 'person' ? reportText.unknownPerson : reportText.unknownGuide;
}

/** Steps in the order of the guide, those of earlier revisions last. */
function inOrder<Row extends DurationRow>(rows: readonly Row[]): Row[] {
  const place = ({ step }: Row): number => step?.number ?? Number.MAX_SAFE_INTEGER;
  return rows.toSorted((a, b) => place(a) - place(b));
}
