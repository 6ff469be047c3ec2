import {
  type Crop,
  type Drawing,
  type Point,
  type Size,
  formatMarkup,
  parseMarkup,
  rectangleBox,
} from '#shared/formats/wikitext/markup.ts';
import { maxPixels, mostUploadMegabytes } from '#shared/model/upload-limits.ts';

/** Degrees by which a picture is turned clockwise. */
export type Turn = 0 | 90 | 180 | 270;

/** A part of a picture, in whole pixels. */
export interface Area extends Point, Size {}

/** What remains of a picture: it is turned, and then cut to `area`, in pixels of the turned picture. */
export interface Cut {
  readonly turn: Turn;
  readonly area: Area;
}

/** The size of a turned picture. */
export function turnedSize({ width, height }: Size, turn: Turn): Size {
  return turn % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** The place of a point after its picture was turned. `size`: of the picture before. */
export function turnedPoint({ x, y }: Point, { width, height }: Size, turn: Turn): Point {
  switch (turn) {
    case 0:
      return { x, y };
    case 90:
      return { x: height - y, y: x };
    case 180:
      return { x: width - x, y: height - y };
    case 270:
      return { x: y, y: width - x };
    default:
      return turn satisfies never;
  }
}

/** The place of an area after its picture was turned. `size`: of the picture before. */
export function turnedArea(area: Area, size: Size, turn: Turn): Area {
  const one = turnedPoint(area, size, turn);
  const other = turnedPoint({ x: area.x + area.width, y: area.y + area.height }, size, turn);
  return boxBetween(one, other);
}

/** Two turns after each other. */
export function turnsTogether(one: Turn, other: Turn): Turn {
  return ((one + other) % 360) as Turn;
}

/** Whether a cut leaves a picture as it is. */
export function isWhole({ turn, area }: Cut, size: Size): boolean {
  return turn === 0 && area.width === size.width && area.height === size.height;
}

/** The markup of a cut picture. `dropped`: how many markers are not in it. */
export interface CarriedMarkup {
  markup: string | undefined;
  dropped: number;
}

/**
 * Carries the markers of a picture to what remains of it.
 *
 * - PICTURE-1 A marker stays with what it shows: the tip of an arrow, the middle of every other marker. If that is
 *   outside of what remains of the picture, the marker is dropped. Rectangles and lines end at the new edge; of a line
 *   or arrow of which too little is left to be seen, nothing stays.
 *
 * @param original Size of the picture to which the markup refers
 * @param size Size of the picture that is cut, which may be a smaller copy
 */
export function carriedMarkup(
  markup: string | undefined,
  original: Size,
  size: Size,
  cut: Cut,
): CarriedMarkup {
  if (markup === undefined) return { markup, dropped: 0 };
  const parsed = parseMarkup(markup);
  const place = placing(original, size, cut);
  const draw = parsed.draw.flatMap((drawing) => carried(drawing, original, place) ?? []);
  const crop = parsed.crop === null ? null : carriedCrop(parsed.crop, place);
  const dropped = parsed.draw.length - draw.length + parsed.unknown.length;
  return {
    markup: draw.length === 0 && crop === null ? undefined : formatMarkup({ crop, draw, unknown: [] }),
    dropped,
  };
}

/** Where the points of a picture are after a cut. `to`: the size of what remains; `scale`: of lengths. */
interface Placing {
  point: (point: Point) => Point;
  to: Size;
  scale: number;
}

function placing(original: Size, size: Size, { turn, area }: Cut): Placing {
  const isKnown = original.width > 0 && original.height > 0;
  const across = isKnown ? size.width / original.width : 1;
  const down = isKnown ? size.height / original.height : 1;
  const point = ({ x, y }: Point): Point => {
    const turned = turnedPoint({ x: x * across, y: y * down }, size, turn);
    return { x: turned.x - area.x, y: turned.y - area.y };
  };
  return { point, to: area, scale: (across + down) / 2 };
}

function carried(drawing: Drawing, original: Size, place: Placing): Drawing | null {
  const { kind, color } = drawing;
  if (kind === 'circle') {
    const from = place.point(drawing.from);
    const radius = Math.max(1, Math.round(drawing.radius * place.scale));
    return isInside(from, place.to) ? { kind, from: rounded(from), radius, color } : null;
  }
  if (kind === 'rectangle') {
    const box = boxOf(rectangleBox(drawing, original), place);
    const part = isInside(middleOf(box), place.to) ? common(box, place.to) : null;
    if (part === null) return null;
    return { kind, from: rounded(part), to: rounded(farCorner(part)), color };
  }
  const [from, to] = [place.point(drawing.from), place.point(drawing.to)];
  const shown = kind === 'arrow' ? to : { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  if (!isInside(shown, place.to)) return null;
  const [start, end] = lineWithin(from, to, place.to);
  const least = Math.min(lengthOf(from, to), Math.max(place.to.width, place.to.height) / 60);
  return lengthOf(start, end) < least ? null : { kind, from: rounded(start), to: rounded(end), color };
}

function carriedCrop(crop: Crop, place: Placing): Crop | null {
  const part = common(boxOf(crop, place), place.to);
  if (part === null || part.width < 1 || part.height < 1) return null;
  const from = rounded(part);
  const to = rounded(farCorner(part));
  return { from, size: { width: to.x - from.x, height: to.y - from.y } };
}

function boxOf({ from, size }: Crop, place: Placing): Area {
  return boxBetween(place.point(from), place.point({ x: from.x + size.width, y: from.y + size.height }));
}

function boxBetween(one: Point, other: Point): Area {
  return {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  };
}

function middleOf({ x, y, width, height }: Area): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

function farCorner({ x, y, width, height }: Area): Point {
  return { x: x + width, y: y + height };
}

/** The part of a box inside a picture; null if there is none. */
function common(box: Area, { width, height }: Size): Area | null {
  const far = farCorner(box);
  const [left, top] = [Math.max(0, box.x), Math.max(0, box.y)];
  const [right, bottom] = [Math.min(width, far.x), Math.min(height, far.y)];
  return right < left || bottom < top ? null : { x: left, y: top, width: right - left, height: bottom - top };
}

function isInside({ x, y }: Point, { width, height }: Size): boolean {
  return x >= 0 && y >= 0 && x <= width && y <= height;
}

/** The part of a line inside a picture (Liang and Barsky). To be called for a line that meets the picture. */
function lineWithin(from: Point, to: Point, { width, height }: Size): [Point, Point] {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let [begin, end] = [0, 1];
  const sides: [step: number, room: number][] = [
    [-dx, from.x],
    [dx, width - from.x],
    [-dy, from.y],
    [dy, height - from.y],
  ];
  for (const [step, room] of sides) {
    if (step < 0) begin = Math.max(begin, room / step);
    if (step > 0) end = Math.min(end, room / step);
  }
  const at = (share: number): Point => ({ x: from.x + dx * share, y: from.y + dy * share });
  return [begin === 0 ? from : at(begin), end === 1 ? to : at(end)];
}

function lengthOf(from: Point, to: Point): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

/** Markup has whole pixels, because longer fractions could not be read. */
function rounded({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}

/** Why the server would refuse a picture, whatever its settings; null if it would not. */
export function pictureRefusal({ width, height }: Size, bytes = 0): 'pixels' | 'bytes' | null {
  if (width * height > maxPixels) return 'pixels';
  return bytes > mostUploadMegabytes * 1024 * 1024 ? 'bytes' : null;
}
