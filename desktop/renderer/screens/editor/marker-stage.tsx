import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';

import { markerOf } from '#shared/rules/markers.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { MarkerShape } from '#desktop/renderer/ui/marker-overlay.tsx';
import { bulletOfMarker } from '#shared/rules/bullet-shapes.ts';
import { markerOutline, markerUnit } from '#shared/rules/markers.ts';
import type { Drawing, Point, Size } from '#shared/formats/wikitext/markup.ts';

import { gripOf, grownBy, movedBy, stretchedTo } from './marker-drawing.ts';
import styles from './marker-stage.module.css';

interface MarkerStageProps {
  image: Size;
  drawings: readonly Drawing[];
  chosen: number | null;
  onChoose: (index: number) => void;
  onChange: (index: number, drawing: Drawing) => void;
  onRemove: (index: number) => void;
}

/** A marker that is being dragged. */
interface Drag {
  index: number;
  how: 'move' | 'stretch';
  from: Point;
  drawing: Drawing;
  shown: Drawing;
}

/**
 * The markers of a picture as controls: selected by pointer or Enter, then moved, resized or removed.
 *
 * - KEYS-5 A marker stays selected while Tab passes the others on the way to the tools.
 */
export function MarkerStage({ image, drawings, chosen, onChoose, onChange, onRemove }: MarkerStageProps) {
  const svg = useRef<SVGSVGElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const unit = markerUnit(image);
  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const matrix = svg.current?.getScreenCTM()?.inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
    return { x, y };
  };
  const take = (event: PointerEvent<SVGElement>, index: number, how: Drag['how']) => {
    const drawing = drawings[index];
    if (drawing === undefined || event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ index, how, from: pointOf(event), drawing, shown: drawing });
  };
  const follow = (event: PointerEvent) => {
    if (drag === null) return;
    const point = pointOf(event);
    const by = { x: point.x - drag.from.x, y: point.y - drag.from.y };
    const shown =
      drag.how === 'move' ? movedBy(drag.drawing, by, image) : stretchedTo(drag.drawing, point, image);
    setDrag({ ...drag, shown });
  };
  const drop = () => {
    if (drag !== null && drag.shown !== drag.drawing) onChange(drag.index, drag.shown);
    setDrag(null);
  };
  return (
    <svg
      ref={svg}
      className={classNames(styles, 'stage')}
      viewBox={`0 0 ${image.width} ${image.height}`}
      role="group"
      aria-label={text.editor.markers}
      onPointerMove={follow}
      onPointerUp={drop}
      onPointerCancel={() => setDrag(null)}
    >
      {drawings.map((drawing, index) => {
        const shown = drag?.index === index ? drag.shown : drawing;
        return (
          <Marker
            // Equal drawings look the same, so only the index identifies them.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            image={image}
            drawing={shown}
            unit={unit}
            number={index + 1}
            isChosen={chosen === index}
            onTake={(event, how) => take(event, index, how)}
            onChoose={() => onChoose(index)}
            onChange={(next) => onChange(index, next)}
            onRemove={() => onRemove(index)}
          />
        );
      })}
    </svg>
  );
}

interface MarkerProps {
  image: Size;
  drawing: Drawing;
  unit: number;
  number: number;
  isChosen: boolean;
  onTake: (event: PointerEvent<SVGElement>, how: Drag['how']) => void;
  onChoose: () => void;
  onChange: (drawing: Drawing) => void;
  onRemove: () => void;
}

function Marker({
  image,
  drawing,
  unit,
  number,
  isChosen,
  onTake,
  onChoose,
  onChange,
  onRemove,
}: MarkerProps) {
  const marker = markerOf(drawing, image);
  const grip = gripOf(drawing, image);
  const colour = text.bullets[bulletOfMarker(drawing.color)].toLowerCase();
  const onKeyDown = (event: KeyboardEvent) => {
    const next = afterKey(event, drawing, image, unit);
    const isRemoval = event.key === 'Delete' || event.key === 'Backspace';
    const isChoice = event.key === 'Enter' || event.key === ' ';
    if (next === null && !isRemoval && !isChoice) return;
    event.preventDefault();
    event.stopPropagation();
    if (isRemoval) {
      onRemove();
      return;
    }
    onChoose();
    if (next !== null) onChange(next);
  };
  return (
    <g
      className={classNames(styles, 'marker', isChosen && 'chosen')}
      role="button"
      tabIndex={0}
      aria-label={text.editor.marker(text.editor.markerShapes[drawing.kind], colour, number)}
      aria-pressed={isChosen}
      onClick={onChoose}
      onPointerDown={(event) => onTake(event, 'move')}
      onKeyDown={onKeyDown}
    >
      <path
        className={classNames(styles, 'reach')}
        d={markerOutline(marker, unit).path}
        strokeWidth={unit * 8}
      />
      <MarkerShape marker={marker} unit={unit} />
      {isChosen && (
        <circle
          className={classNames(styles, 'grip')}
          cx={grip.x}
          cy={grip.y}
          r={unit * 2.6}
          strokeWidth={unit * 0.8}
          onPointerDown={(event) => onTake(event, 'stretch')}
        />
      )}
    </g>
  );
}

/** The marker after a key press; null for keys that neither move nor resize it. */
function afterKey(
  { key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent,
  drawing: Drawing,
  image: Size,
  unit: number,
): Drawing | null {
  if (altKey || ctrlKey || metaKey) return null;
  const far = unit * (shiftKey ? 8 : 2);
  const moves: Record<string, Point> = {
    ArrowLeft: { x: -far, y: 0 },
    ArrowRight: { x: far, y: 0 },
    ArrowUp: { x: 0, y: -far },
    ArrowDown: { x: 0, y: far },
  };
  const by = moves[key];
  if (by !== undefined) return movedBy(drawing, by, image);
  if (key === '+' || key === '=') return grownBy(drawing, unit * 3, image);
  return key === '-' ? grownBy(drawing, unit * -3, image) : null;
}
