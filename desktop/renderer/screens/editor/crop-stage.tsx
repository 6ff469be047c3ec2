import { useEffect, useId, useRef, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react';

import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { MarkerOverlay } from '#desktop/renderer/ui/marker-overlay.tsx';
import { cropText } from '#desktop/renderer/text/en/crop.ts';
import type { Point } from '#shared/formats/wikitext/markup.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { parseMarkers } from '#shared/rules/markers.ts';
import { type Area, type Cut, type Turn, carriedMarkup, turnedSize } from '#shared/rules/picture-cut.ts';

import {
  type Handle,
  type Proportion,
  canResize,
  grownArea,
  handles,
  movedArea,
  resizedArea,
  wholeArea,
} from './crop-area.ts';
import styles from './crop-dialog.module.css';
import { drawTurned } from './cut-picture.ts';

interface CropStageProps {
  bitmap: ImageBitmap;
  /** The picture with its markers. */
  picture: ImageRef;
  cut: Cut;
  proportion: Proportion;
  onChange: (area: Area) => void;
}

/** A frame that is being dragged. */
interface Drag {
  handle: Handle | null;
  from: Point;
  area: Area;
}

/** The turned picture with the frame around what stays of it. */
export function CropStage({ bitmap, picture, cut, proportion, onChange }: CropStageProps) {
  const board = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | null>(null);
  const keys = useId();
  const { area, turn } = cut;
  const size = turnedSize(bitmap, turn);
  // The arrow keys work as soon as the picture is there.
  useEffect(() => frame.current?.focus(), []);
  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const box = board.current?.getBoundingClientRect();
    if (box === undefined) return { x: 0, y: 0 };
    return {
      x: ((clientX - box.left) / box.width) * size.width,
      y: ((clientY - box.top) / box.height) * size.height,
    };
  };
  const take = (event: PointerEvent<HTMLElement>, handle: Handle | null) => {
    if (event.button !== 0 || drag.current !== null) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { handle, from: pointOf(event), area };
  };
  const follow = (event: PointerEvent) => {
    const held = drag.current;
    if (held === null) return;
    const point = pointOf(event);
    const by = { x: point.x - held.from.x, y: point.y - held.from.y };
    if (held.handle === null) return onChange(movedArea(held.area, by, size));
    const corner = placeOf(held.handle, held.area);
    const to = { x: corner.x + by.x, y: corner.y + by.y };
    onChange(resizedArea(held.area, held.handle, to, proportion, size));
  };
  const drop = () => {
    drag.current = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = stepOf(event, Math.max(1, Math.round(Math.max(size.width, size.height) / 100)));
    if (by === null) return;
    event.preventDefault();
    onChange(event.shiftKey ? grownArea(area, by, proportion, size) : movedArea(area, by, size));
  };
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`;
  const place = {
    left: share(area.x, size.width),
    top: share(area.y, size.height),
    width: share(area.width, size.width),
    height: share(area.height, size.height),
  };
  return (
    <div className={classNames(styles, 'stage')}>
      <div className={classNames(styles, 'room')}>
        <div
          ref={board}
          className={classNames(styles, 'board')}
          style={{ '--ratio': size.width / size.height } as CSSProperties}
        >
          <div className={classNames(styles, 'shown')} aria-hidden="true">
            <TurnedPicture bitmap={bitmap} turn={turn} />
            <TurnedMarkers picture={picture} bitmap={bitmap} turn={turn} />
            <div className={classNames(styles, 'shade')} style={place} />
          </div>
          <div
            ref={frame}
            className={classNames(styles, 'frame')}
            style={place}
            role="application"
            aria-label={cropText.frame}
            aria-describedby={keys}
            tabIndex={0}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => take(event, null)}
            onPointerMove={follow}
            onPointerUp={drop}
            onPointerCancel={drop}
          >
            {handles
              .filter((handle) => canResize(handle, proportion))
              .map((handle) => (
                <span
                  key={`${handle.across} ${handle.down}`}
                  className={classNames(styles, 'handle')}
                  data-across={handle.across}
                  data-down={handle.down}
                  onPointerDown={(event) => take(event, handle)}
                />
              ))}
          </div>
        </div>
      </div>
      <p id={keys} className={classNames(styles, 'keys')}>
        {cropText.keys}
      </p>
    </div>
  );
}

/** Longest side of the picture on the screen, in pixels. */
const longestShown = 2000;

function TurnedPicture({ bitmap, turn }: { bitmap: ImageBitmap; turn: Turn }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = turnedSize(bitmap, turn);
  const scale = Math.min(1, longestShown / Math.max(width, height));
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context) drawTurned(context, bitmap, turn, { x: 0, y: 0 }, scale);
  }, [bitmap, turn, scale]);
  return (
    <canvas
      // A canvas that gets another size is empty until it is drawn again.
      key={turn}
      ref={canvas}
      className={classNames(styles, 'picture')}
      width={Math.max(1, Math.round(width * scale))}
      height={Math.max(1, Math.round(height * scale))}
    />
  );
}

interface TurnedMarkersProps {
  picture: ImageRef;
  bitmap: ImageBitmap;
  turn: Turn;
}

function TurnedMarkers({ picture, bitmap, turn }: TurnedMarkersProps) {
  const size = turnedSize(bitmap, turn);
  const { markup } = carriedMarkup(picture.markup, picture, bitmap, { turn, area: wholeArea(size) });
  const markers = parseMarkers(markup, size);
  return markers.length === 0 ? null : <MarkerOverlay {...size} markers={markers} fit="contain" />;
}

/** The corner or the middle of the side that a handle moves. */
function placeOf({ across, down }: Handle, { x, y, width, height }: Area): Point {
  return { x: x + (width * (across + 1)) / 2, y: y + (height * (down + 1)) / 2 };
}

/** The direction of an arrow key, times `step`; null for other keys. */
function stepOf({ key, altKey, ctrlKey, metaKey }: KeyboardEvent, step: number): Point | null {
  if (altKey || ctrlKey || metaKey) return null;
  const steps: Record<string, Point> = {
    ArrowLeft: { x: -step, y: 0 },
    ArrowRight: { x: step, y: 0 },
    ArrowUp: { x: 0, y: -step },
    ArrowDown: { x: 0, y: step },
  };
  return steps[key] ?? null;
}
