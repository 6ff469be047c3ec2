import type { Point, Size } from '#shared/formats/wikitext/markup.ts';
import { type Area, type Cut, turnedArea, turnedSize, turnsTogether } from '#shared/rules/picture-cut.ts';

/** Proportions that a crop can have: free, or those of the pictures of guides. */
export type Proportion = 'free' | 'fourThree';

/** A side or corner by which a crop is resized: -1 the left or upper one, 1 the other one, 0 neither. */
export interface Handle {
  readonly across: -1 | 0 | 1;
  readonly down: -1 | 0 | 1;
}

/** Smallest side of a crop, in pixels of the picture. */
const leastSide = 16;

/** The corners and sides of a crop. Corners come last, so that they are above the sides. */
export const handles: readonly Handle[] = [
  { across: 0, down: -1 },
  { across: 1, down: 0 },
  { across: 0, down: 1 },
  { across: -1, down: 0 },
  { across: -1, down: -1 },
  { across: 1, down: -1 },
  { across: 1, down: 1 },
  { across: -1, down: 1 },
];

/** Whether a handle can resize a crop with these proportions: a side cannot where they are fixed. */
export function canResize({ across, down }: Handle, proportion: Proportion): boolean {
  return proportion === 'free' || (across !== 0 && down !== 0);
}

export function wholeArea({ width, height }: Size): Area {
  return { x: 0, y: 0, width, height };
}

/** Whether a picture is large enough for a crop of 4:3, however it is turned. */
export function hasRoomForFourThree(size: Size): boolean {
  return Math.min(mostUnits(size), mostUnits(turnedSize(size, 90))) >= leastUnits(size);
}

/** The crop with these proportions that is as large as possible within the present one. */
export function proportioned(area: Area, proportion: Proportion, size: Size): Area {
  return proportion === 'free' ? area : fourThreeAround(area, mostUnits(area), size);
}

/** The moved crop, kept inside the picture. */
export function movedArea(area: Area, by: Point, size: Size): Area {
  return inside({ ...area, x: Math.round(area.x + by.x), y: Math.round(area.y + by.y) }, size);
}

/** The crop after one of its corners or sides was dragged to a point; the opposite one stays. */
export function resizedArea(
  area: Area,
  handle: Handle,
  point: Point,
  proportion: Proportion,
  size: Size,
): Area {
  if (!canResize(handle, proportion)) return area;
  const { across, down } = handle;
  if (proportion === 'fourThree') {
    const anchor = {
      x: across === 1 ? area.x : area.x + area.width,
      y: down === 1 ? area.y : area.y + area.height,
    };
    const wanted = { width: (point.x - anchor.x) * across, height: (point.y - anchor.y) * down };
    const room = {
      width: across === 1 ? size.width - anchor.x : anchor.x,
      height: down === 1 ? size.height - anchor.y : anchor.y,
    };
    const units = Math.round(Math.max(wanted.width / 4, wanted.height / 3));
    const fitting = Math.max(leastUnits(size), Math.min(units, mostUnits(room)));
    const [width, height] = [fitting * 4, fitting * 3];
    const x = across === 1 ? anchor.x : anchor.x - width;
    return inside({ x, y: down === 1 ? anchor.y : anchor.y - height, width, height }, size);
  }
  const [left, right] = span(area.x, area.width, across, point.x, size.width);
  const [top, bottom] = span(area.y, area.height, down, point.y, size.height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The crop enlarged to the right and down; at the edge of the picture, to the other side. Negative: smaller. */
export function grownArea(area: Area, by: Point, proportion: Proportion, size: Size): Area {
  const anchored = (width: number, height: number): Area => inside({ ...area, width, height }, size);
  if (proportion === 'fourThree') {
    const units = Math.round(area.width / 4 + (by.x === 0 ? by.y / 3 : by.x / 4));
    const fitting = Math.max(leastUnits(size), Math.min(units, mostUnits(size)));
    return anchored(fitting * 4, fitting * 3);
  }
  const side = (now: number, more: number, most: number): number =>
    Math.max(Math.min(leastSide, most), Math.min(Math.round(now + more), most));
  return anchored(side(area.width, by.x, size.width), side(area.height, by.y, size.height));
}

/** A cut after one more quarter turn, with the same part of the picture. `size`: of the picture that is not turned. */
export function turnedCut({ turn, area }: Cut, by: 90 | 270, proportion: Proportion, size: Size): Cut {
  const before = turnedSize(size, turn);
  const after = turnedSize(before, by);
  const next = turnedArea(area, before, by);
  return {
    turn: turnsTogether(turn, by),
    area: proportion === 'free' ? next : fourThreeAround(next, mostUnits(area), after),
  };
}

/** A crop of `units` times 4 × 3 pixels with the same middle, as far as the picture has room. */
function fourThreeAround(area: Area, units: number, size: Size): Area {
  const fitting = Math.max(leastUnits(size), Math.min(units, mostUnits(size)));
  const [width, height] = [fitting * 4, fitting * 3];
  const x = Math.round(area.x + (area.width - width) / 2);
  return inside({ x, y: Math.round(area.y + (area.height - height) / 2), width, height }, size);
}

/** The two ends of one dimension of a crop, after one of them was dragged. */
function span(
  start: number,
  length: number,
  which: -1 | 0 | 1,
  to: number,
  most: number,
): [start: number, end: number] {
  const end = start + length;
  const least = Math.min(leastSide, most);
  const place = Math.round(to);
  if (which === -1) return [Math.max(0, Math.min(place, end - least)), end];
  return which === 1 ? [start, Math.min(most, Math.max(place, start + least))] : [start, end];
}

/** How many times 4 × 3 pixels fit. */
function mostUnits({ width, height }: Size): number {
  return Math.floor(Math.min(width / 4, height / 3));
}

function leastUnits(size: Size): number {
  return Math.max(1, Math.ceil(Math.min(leastSide, size.width, size.height) / 3));
}

function inside(area: Area, size: Size): Area {
  return {
    ...area,
    x: Math.max(0, Math.min(area.x, size.width - area.width)),
    y: Math.max(0, Math.min(area.y, size.height - area.height)),
  };
}
