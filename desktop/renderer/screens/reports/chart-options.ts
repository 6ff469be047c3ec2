import type { ChartConfiguration, ChartDataset, ScaleOptionsByType } from 'chart.js';

import { formatNumber } from '#desktop/renderer/text/format.ts';

import type { ChartLook } from './chart-colours.ts';
import type { Bars, ChartShape, Individuals, Pareto } from './presentation.ts';
import { formatShare, timeStep } from './words.ts';

/** Charts of bars and lines. */
export type MixedConfiguration = ChartConfiguration<'bar' | 'line', number[], string>;
type MixedDataset = ChartDataset<'bar' | 'line', number[]>;

type Scales = NonNullable<NonNullable<MixedConfiguration['options']>['scales']>;

/** Height of a bar with its gap, and of what is around the bars, px. */
const rowHeight = 44;
const aroundRows = 84;
/** Height of other charts, px. */
const usualHeight = 340;
/** Characters of a label beside or below a bar. */
const labelLength = 32;

/** The height of a chart, px. */
export function heightOf(shape: ChartShape): number {
  return shape.kind === 'bars' ? aroundRows + shape.labels.length * rowHeight : usualHeight;
}

/** The configuration that draws a shape. */
export function configurationOf(shape: ChartShape, look: ChartLook): MixedConfiguration {
  switch (shape.kind) {
    case 'bars':
      return barsOf(shape, look);
    case 'pareto':
      return paretoOf(shape, look);
    case 'individuals':
      return individualsOf(shape, look);
  }
}

/** A value of the first series in words, for people who read a chart with the keyboard. */
export function wordsOf(shape: ChartShape, place: number): string[] {
  switch (shape.kind) {
    case 'bars':
      return shape.series.map(({ name, values }) => `${name} ${shape.words(values[place] ?? 0)}`);
    case 'pareto':
      return [
        `${shape.countName} ${formatNumber(shape.counts[place] ?? 0)}`,
        `${shape.shareName} ${formatShare(shape.shares[place] ?? 0)}`,
      ];
    case 'individuals':
      return [`${shape.name} ${shape.words(shape.values[place] ?? 0)}`];
  }
}

function frame(
  shape: ChartShape,
  look: ChartLook,
  datasets: MixedDataset[],
  rest: { scales: Scales; indexAxis?: 'y' },
): MixedConfiguration {
  const font = { family: look.font, size: look.textSize };
  return {
    type: 'bar',
    data: { labels: [...shape.labels], datasets },
    options: {
      ...rest,
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'index', intersect: false, axis: rest.indexAxis === 'y' ? 'y' : 'x' },
      layout: { padding: { top: 4, right: 12 } },
      plugins: {
        legend: {
          display: datasets.length > 1,
          align: 'start',
          labels: {
            color: look.ink,
            font,
            usePointStyle: true,
            boxHeight: 8,
            padding: 16,
          },
        },
        tooltip: {
          backgroundColor: look.surface,
          borderColor: look.edge,
          borderWidth: look.lineWidth,
          titleColor: look.ink,
          bodyColor: look.ink,
          titleFont: { ...font, weight: 'bold' },
          bodyFont: font,
          padding: 10,
          displayColors: false,
          callbacks: {
            label: ({ dataIndex, datasetIndex }) => wordsOf(shape, dataIndex)[datasetIndex] ?? '',
          },
        },
      },
    },
  };
}

type Linear = ScaleOptionsByType<'linear'>;

/** An axis of values. */
function valueAxis(look: ChartLook, words: (value: number) => string, most?: number) {
  return {
    type: 'linear' as const,
    beginAtZero: true,
    ...(most !== undefined && { max: most }),
    border: { display: false },
    grid: { color: look.line, lineWidth: look.lineWidth },
    ticks: {
      color: look.muted,
      font: { family: look.font, size: look.textSize },
      maxTicksLimit: 6,
      callback: (value: string | number) => words(Number(value)),
    } satisfies Partial<Linear['ticks']>,
  };
}

/** An axis of names. */
function nameAxis(look: ChartLook, labels: readonly string[], length = labelLength) {
  return {
    type: 'category' as const,
    border: { color: look.edge },
    grid: { display: false },
    ticks: {
      color: look.ink,
      font: { family: look.font, size: look.textSize },
      autoSkip: false,
      callback: (value: string | number) => shortened(labels[Number(value)] ?? '', length),
    },
  };
}

function shortened(label: string, length: number): string {
  return label.length <= length ? label : `${label.slice(0, length - 1).trimEnd()}…`;
}

function barsOf(shape: Bars, look: ChartLook): MixedConfiguration {
  const datasets = shape.series.map(({ name, values }, at): MixedDataset => {
    // The second series has an outline only, so that colour is not the only difference.
    const colour = at === 0 ? look.accent : look.surface;
    return {
      type: 'bar',
      label: name,
      data: [...values],
      backgroundColor: colour,
      hoverBackgroundColor: colour,
      borderColor: look.accent,
      hoverBorderColor: look.ink,
      borderWidth: 1.5 * look.lineWidth,
      borderRadius: 3,
      pointStyle: 'rectRounded',
      maxBarThickness: 16,
    };
  });
  const isNarrow = innerWidth < 640;
  const narrow = isNarrow ? 18 : labelLength;
  const axis = valueAxis(look, shape.words, shape.most);
  const greatest = Math.max(...shape.series.flatMap(({ values }) => values));
  const step = shape.areSeconds === true ? { stepSize: timeStep(greatest, isNarrow ? 3 : 6) } : {};
  return frame(shape, look, datasets, {
    indexAxis: 'y',
    scales: { x: { ...axis, ticks: { ...axis.ticks, ...step } }, y: nameAxis(look, shape.labels, narrow) },
  });
}

function paretoOf(shape: Pareto, look: ChartLook): MixedConfiguration {
  const bars: MixedDataset = {
    type: 'bar',
    label: shape.countName,
    data: [...shape.counts],
    backgroundColor: look.accent,
    hoverBackgroundColor: look.accent,
    hoverBorderColor: look.ink,
    borderRadius: 3,
    pointStyle: 'rectRounded',
    maxBarThickness: 72,
    order: 1,
    yAxisID: 'y',
  };
  const line: MixedDataset = {
    type: 'line',
    label: shape.shareName,
    data: [...shape.shares],
    borderColor: look.ink,
    backgroundColor: look.surface,
    hoverBackgroundColor: look.surface,
    borderWidth: 2 * look.lineWidth,
    pointRadius: 4,
    pointHoverRadius: 6,
    // The last point is on the edge of the chart.
    clip: false,
    order: 0,
    yAxisID: 'share',
  };
  const shareAxis = valueAxis(look, formatShare, 1);
  const counts = valueAxis(look, formatNumber);
  return frame(shape, look, [bars, line], {
    scales: {
      x: nameAxis(look, shape.labels, innerWidth < 640 ? 10 : 22),
      y: { ...counts, ticks: { ...counts.ticks, precision: 0 } },
      share: { ...shareAxis, position: 'right', grid: { display: false } },
    },
  });
}

function individualsOf(shape: Individuals, look: ChartLook): MixedConfiguration {
  const outside = new Set(shape.outside);
  const each = <T>(usual: T, other: T): T[] =>
    shape.values.map((_, place) => (outside.has(place) ? other : usual));
  const colours = each(look.accent, look.danger);
  const values: MixedDataset = {
    type: 'line',
    label: shape.name,
    data: [...shape.values],
    borderColor: look.accent,
    borderWidth: 1.5 * look.lineWidth,
    backgroundColor: look.accent,
    pointBackgroundColor: colours,
    pointBorderColor: colours,
    pointHoverBackgroundColor: colours,
    pointHoverBorderColor: look.ink,
    pointRadius: each(shape.values.length > 200 ? 1.5 : 3, 7),
    pointHoverRadius: 8,
    // Their form tells them apart, too.
    pointStyle: each('circle' as const, 'rectRot' as const),
  };
  const looks = {
    centre: { colour: look.muted, dash: [] },
    control: { colour: look.ink, dash: [6, 5] },
    limit: { colour: look.danger, dash: [2, 3] },
  };
  const lines = shape.lines.map(({ name, value, look: kind }): MixedDataset => {
    const { colour, dash } = looks[kind];
    return {
      type: 'line',
      label: `${name} ${shape.words(value)}`,
      data: shape.values.map(() => value),
      borderColor: colour,
      backgroundColor: colour,
      borderDash: dash,
      borderWidth: 1.5 * look.lineWidth,
      pointRadius: 0,
      pointHoverRadius: 0,
      pointStyle: 'line',
    };
  });
  const all = [...shape.values, ...shape.lines.map(({ value }) => value)];
  const edge = (Math.max(...all) - Math.min(...all)) * 0.06 || 1;
  const axis = valueAxis(look, shape.words);
  return frame(shape, look, [values, ...lines], {
    scales: {
      x: { display: false },
      y: {
        ...axis,
        beginAtZero: false,
        suggestedMin: Math.min(...all) - edge,
        suggestedMax: Math.max(...all) + edge,
      },
    },
  });
}
