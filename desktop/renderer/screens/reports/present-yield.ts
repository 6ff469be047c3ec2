import type { YieldView } from '#desktop/engine/api/reports.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { reportText } from '#desktop/renderer/text/en/reports.ts';

import type { Nothing, Presentation } from './presentation.ts';
import { formatShare, percentNumber } from './words.ts';

/** Bars that are drawn; the table has all. */
const mostBars = 12;

/** First-pass yield by guide, the lowest first. */
export function presentYield(
  { orders, counted, passed, more, rows }: YieldView,
  nothing: Nothing,
): Presentation | Nothing {
  const { yield: words } = reportText;
  if (orders === 0) return nothing;
  if (counted === 0) return { title: words.nothing, hint: words.nothingHint };
  const shown = rows
    .map((row) => ({
      ...row,
      label: row.guideTitle === '' ? reportText.unknownGuide : row.guideTitle,
      share: row.passed / row.counted,
    }))
    .toSorted((a, b) => a.share - b.share || b.counted - a.counted);
  const [lowest] = shown;
  const drawn = shown.slice(0, mostBars);
  return {
    title: words.title,
    figures: [
      { name: words.all, value: formatShare(passed / counted) },
      { name: words.passed, value: formatNumber(passed) },
      { name: words.counted, value: formatNumber(counted) },
    ],
    summary: [
      words.summary(passed, counted),
      ...(lowest === undefined || rows.length === 1
        ? []
        : [words.lowest(lowest.label, formatShare(lowest.share))]),
    ],
    notes: [words.note, ...(more ? [reportText.more(rows.length)] : [])],
    chart: {
      kind: 'bars',
      labels: drawn.map(({ label }) => label),
      series: [{ name: words.all, values: drawn.map(({ share }) => share) }],
      words: formatShare,
      most: 1,
    },
    columns: [words.guide, words.all, words.passed, words.counted],
    rows: shown.map(({ guideid, label, share, ...row }) => ({
      key: String(guideid),
      cells: [label, formatShare(share), formatNumber(row.passed), formatNumber(row.counted)],
    })),
    csv: [
      [words.guide, words.csv.share, words.passed, words.counted],
      ...shown.map(({ label, share, ...row }) => [label, percentNumber(share), row.passed, row.counted]),
    ],
    filename: words.filename,
  };
}
