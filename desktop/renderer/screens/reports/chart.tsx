import {
  BarController,
  BarElement,
  CategoryScale,
  Chart as Drawing,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

import { reportText } from '#desktop/renderer/text/en/reports.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { VisuallyHidden } from '#desktop/renderer/ui/visually-hidden.tsx';

import { lookAt, useLookChanges } from './chart-colours.ts';
import { configurationOf, heightOf, wordsOf, type MixedConfiguration } from './chart-options.ts';
import type { ChartShape } from './presentation.ts';
import styles from './reports.module.css';

Drawing.register(
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

type Drawn = Drawing<'bar' | 'line', number[], string>;

interface ChartProps {
  title: string;
  /** What the chart shows, in words. */
  summary: string;
  shape: ChartShape;
}

/**
 * A chart.
 *
 * - REPORT-12 A chart is one stop of the Tab key; the arrow keys, Home and End go through its values, which are shown and read
 *   aloud.
 */
export function Chart({ title, summary, shape }: ChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const [place, setPlace] = useState<number | null>(null);
  const changes = useLookChanges();
  useEffect(() => {
    const { current } = canvas;
    const frame = current?.parentElement;
    if (current === null || frame == null) return undefined;
    const configuration: MixedConfiguration = configurationOf(shape, lookAt(frame));
    const drawing: Drawn = new Drawing(current, configuration);
    drawn.current = drawing;
    // The font of the app may arrive after the first drawing.
    void document.fonts.ready.then(() => drawn.current === drawing && drawing.update());
    return () => {
      drawing.destroy();
      drawn.current = null;
    };
  }, [shape, changes]);
  const show = (next: number | null) => {
    setPlace(next);
    const { current } = drawn;
    const active = next === null ? [] : [{ datasetIndex: 0, index: next }];
    current?.setActiveElements(active);
    current?.tooltip?.setActiveElements(active, { x: 0, y: 0 });
    current?.update();
  };
  const move = (event: KeyboardEvent) => {
    const next = placeAfter(event.key, place, shape.labels.length);
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  };
  return (
    <div
      className={classNames(styles, 'chart')}
      role="group"
      aria-label={`${title}. ${reportText.chartHint}`}
      tabIndex={0}
      onKeyDown={move}
      onBlur={() => show(null)}
      ref={(element) => {
        if (element !== null) element.style.height = `${heightOf(shape)}px`;
      }}
    >
      <canvas ref={canvas} role="img" aria-label={summary} />
      <VisuallyHidden role="status">
        {place !== null && reportText.point(shape.labels[place] ?? '', wordsOf(shape, place).join(', '))}
      </VisuallyHidden>
    </div>
  );
}

/** Where a key leads; undefined: nowhere. */
function placeAfter(key: string, place: number | null, count: number): number | null | undefined {
  const last = count - 1;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return Math.min(last, (place ?? -1) + 1);
    case 'ArrowLeft':
    case 'ArrowUp':
      return Math.max(0, (place ?? count) - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'Escape':
      return place === null ? undefined : null;
    default:
      return undefined;
  }
}
