import type { DeviationRow, DeviationView } from '#desktop/engine/api/reports.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { reportText } from '#desktop/renderer/text/en/reports.ts';
import type { DeviationGroup } from '#shared/api/reports.ts';
import { cumulativeShares } from '#shared/rules/statistics.ts';

import type { Nothing, Presentation } from './presentation.ts';
import { formatRatio, formatShare, percentNumber, stepWords } from './words.ts';

/** Bars that are drawn; the table has all. */
const mostBars = 12;

/** Deviations by kind, guide, step or field, most frequent first. */
export function presentDeviations(
  { orders, total, more, rows }: DeviationView,
  by: DeviationGroup,
  nothing: Nothing,
): Presentation | Nothing {
  const { deviations: words } = reportText;
  if (orders === 0) return nothing;
  if (rows.length === 0) return { title: words.none, hint: words.noneHint(orders) };
  const shares = cumulativeShares(
    rows.map(({ count }) => count),
    total,
  );
  const shown = rows.map((row, place) => ({
    ...row,
    key: `${place}`,
    label: labelOf(row, by),
    share: row.count / total,
    cumulative: shares[place] ?? 1,
  }));
  const [first] = shown;
  const drawn = shown.slice(0, mostBars);
  return {
    title: words.title[by],
    figures: [
      { name: words.total, value: formatNumber(total) },
      { name: words.perOrder, value: formatRatio(total / orders) },
      { name: words.most, value: first?.label ?? '' },
    ],
    summary: [
      words.summary(total),
      ...(first === undefined ? [] : [words.first(first.label, formatShare(first.share))]),
      reportText.basis(orders),
    ],
    notes: more ? [reportText.more(rows.length)] : [],
    chart: {
      kind: 'pareto',
      labels: drawn.map(({ label }) => label),
      counts: drawn.map(({ count }) => count),
      shares: drawn.map(({ cumulative }) => cumulative),
      countName: words.number,
      shareName: words.cumulative,
    },
    columns: [words.columns[by], words.number, words.share, words.cumulative],
    rows: shown.map(({ key, label, count, share, cumulative }) => ({
      key,
      cells: [label, formatNumber(count), formatShare(share), formatShare(cumulative)],
    })),
    csv: [
      [words.columns[by], words.number, words.csv.share, words.csv.cumulative],
      ...shown.map(({ label, count, share, cumulative }) => [
        label,
        count,
        percentNumber(share),
        percentNumber(cumulative),
      ]),
    ],
    filename: words.filename,
  };
}

function labelOf({ kind, guideTitle, step, label }: DeviationRow, by: DeviationGroup): string {
  const { deviations: words, unknownGuide, noStep } = reportText;
  const guide = guideTitle === '' ? unknownGuide : guideTitle;
  switch (by) {
    case 'kind':
      return kind === null ? '' : words.kinds[kind];
    case 'guide':
      return guide;
    case 'step':
      return `${guide}: ${step === null ? noStep : stepWords(step)}`;
    case 'field':
      return `${guide}: ${label ?? words.inWords}`;
  }
}
