import { bulletOfMarker, outlineOf } from '#shared/rules/bullet-shapes.ts';
import { markerOutline, markerUnit, type Marker } from '#shared/rules/markers.ts';

import { classNames } from './class-names.ts';
import styles from './marker-overlay.module.css';

interface MarkerOverlayProps {
  markers: readonly Marker[];
  /** Size of the original picture in pixels, the unit of the markers. */
  width: number;
  height: number;
  /** Must match the fit of the picture, so that the markers stay in place. */
  fit: 'contain' | 'cover';
}

/** The markers of a picture, drawn in its coordinates and scaled with it. */
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

/** One marker. `unit`: from `markerUnit`. */
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
