import type { Marker } from '#desktop/engine/views/records.ts';

import { bulletOfMarker, outlineOf } from './bullet-shapes.ts';
import { classNames } from './class-names.ts';
import styles from './marker-overlay.module.css';

interface MarkerOverlayProps {
  markers: readonly Marker[];
  /** Size of the original picture: the markers are in its pixels. */
  width: number;
  height: number;
  /** As the picture itself is fitted, so that markers stay where they were set. */
  fit: 'contain' | 'cover';
}

/** The markers of a picture, drawn in its own coordinates and scaled with it. */
export function MarkerOverlay({ markers, width, height, fit }: MarkerOverlayProps) {
  const unit = markerUnit({ width, height });
  return (
    <svg
      className={classNames(styles, 'overlay')}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={fit === 'cover' ? 'xMidYMid slice' : 'xMidYMid meet'}
      aria-hidden="true"
    >
      {markers.map((marker, index) => (
        <MarkerShape
          key={`${marker.shape} ${marker.points.join(' ')} ${index}`}
          marker={marker}
          unit={unit}
        />
      ))}
    </svg>
  );
}

/** The measure that markers are drawn with: a share of the picture, so that they look the same in every size. */
export function markerUnit({ width, height }: { width: number; height: number }): number {
  return Math.max(width, height) / 200;
}

/** One marker; `unit` as from `markerUnit`. */
export function MarkerShape({ marker, unit }: { marker: Marker; unit: number }) {
  const bullet = bulletOfMarker(marker.colour);
  const outline = markerOutline(marker, unit);
  return (
    <g className={classNames(styles, bullet)}>
      <path className={classNames(styles, 'halo')} d={outline.path} strokeWidth={unit * 2.6} />
      <path className={classNames(styles, 'line')} d={outline.path} strokeWidth={unit * 1.5} />
      <g
        transform={`translate(${outline.sign[0]} ${outline.sign[1]}) scale(${unit / 4.6}) translate(-12 -12)`}
      >
        <circle className={classNames(styles, 'plate')} cx="12" cy="12" r="17" />
        <path className={classNames(styles, 'sign')} d={outlineOf(bullet)} fillRule="evenodd" />
      </g>
    </g>
  );
}

interface Outline {
  path: string;
  /** Where the shape of the colour stands. */
  sign: [number, number];
}

export function markerOutline({ shape, points }: Marker, unit: number): Outline {
  const [a = 0, b = 0, c = 0, d = 0] = points;
  switch (shape) {
    case 'circle':
      return {
        path: `M${a - c} ${b}a${c} ${c} 0 1 0 ${c * 2} 0a${c} ${c} 0 1 0 ${-c * 2} 0z`,
        sign: [a - c * Math.SQRT1_2, b - c * Math.SQRT1_2],
      };
    case 'rectangle':
      return { path: `M${a} ${b}H${c}V${d}H${a}z`, sign: [Math.min(a, c), Math.min(b, d)] };
    case 'line':
      return { path: `M${a} ${b}L${c} ${d}`, sign: [a, b] };
    case 'arrow':
      return { path: `M${a} ${b}L${c} ${d}${head(a, b, c, d, unit * 7)}`, sign: [a, b] };
    case 'gap':
      return {
        path: `M${a} ${b}L${c} ${d}${bar(a, b, c, d, unit * 5)}${bar(c, d, a, b, unit * 5)}`,
        sign: [(a + c) / 2, (b + d) / 2],
      };
    default:
      return shape satisfies never;
  }
}

/** The two strokes of an arrow's head at its end point. */
function head(x1: number, y1: number, x2: number, y2: number, size: number): string {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const side = (turn: number) =>
    `${x2 - size * Math.cos(angle + turn)} ${y2 - size * Math.sin(angle + turn)}`;
  return `M${side(0.5)}L${x2} ${y2}L${side(-0.5)}`;
}

/** The stroke across the first end of a gap. */
function bar(x1: number, y1: number, x2: number, y2: number, size: number): string {
  const across = Math.atan2(y2 - y1, x2 - x1) + Math.PI / 2;
  const dx = size * Math.cos(across);
  const dy = size * Math.sin(across);
  return `M${x1 - dx} ${y1 - dy}L${x1 + dx} ${y1 + dy}`;
}
