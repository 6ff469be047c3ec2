import {
  type Drawing,
  type MarkupColor,
  type Point,
  type Size,
  rectangleBox,
} from '#shared/formats/wikitext/markup.ts';

/** Kinds of markers that can be drawn. */
export const markerKinds = ['circle', 'rectangle', 'arrow', 'line'] as const;
export type MarkerKind = (typeof markerKinds)[number];

/** A new marker in the middle of the picture. */
export function newDrawing(kind: MarkerKind, color: MarkupColor, image: Size): Drawing {
  const middle = { x: Math.round(image.width / 2), y: Math.round(image.height / 2) };
  const reach = Math.round(Math.min(image.width, image.height) / 8);
  if (kind === 'circle') return { kind, from: middle, radius: reach, color };
  return {
    kind,
    from: plus(middle, { x: -reach, y: -reach }),
    to: plus(middle, { x: reach, y: reach }),
    color,
  };
}

/** The moved marker, kept inside the picture. */
export function movedBy(drawing: Drawing, by: Point, image: Size): Drawing {
  const { left, top, right, bottom } = boxOf(drawing, image);
  const fitting = {
    x: Math.round(Math.max(-left, Math.min(by.x, image.width - right))),
    y: Math.round(Math.max(-top, Math.min(by.y, image.height - bottom))),
  };
  const upright = withCorners(drawing, image);
  const from = plus(upright.from, fitting);
  return upright.kind === 'circle'
    ? { ...upright, from }
    : { ...upright, from, to: plus(upright.to, fitting) };
}

/** The point by which a marker is resized: the edge of a circle, the far corner or end of the others. */
export function gripOf(drawing: Drawing, image: Size): Point {
  const upright = withCorners(drawing, image);
  if (upright.kind !== 'circle') return upright.to;
  const reach = upright.radius * Math.SQRT1_2;
  return plus(upright.from, { x: reach, y: reach });
}

/** The marker resized so that its grip is at `point`, kept inside the picture and above a minimum size. */
export function stretchedTo(drawing: Drawing, point: Point, image: Size): Drawing {
  const least = Math.ceil(Math.max(image.width, image.height) / 60);
  const upright = withCorners(drawing, image);
  const { from } = upright;
  if (upright.kind === 'circle') {
    const most = Math.min(from.x, from.y, image.width - from.x, image.height - from.y);
    const radius = Math.hypot(point.x - from.x, point.y - from.y);
    return { ...upright, radius: Math.round(Math.max(least, Math.min(radius, most))) };
  }
  const inside = { x: clamp(point.x, image.width), y: clamp(point.y, image.height) };
  if (upright.kind !== 'rectangle') return { ...upright, to: inside };
  // A corner outside the picture would be read as a size (`rectangleBox`).
  const corner = { x: Math.min(from.x, image.width - least), y: Math.min(from.y, image.height - least) };
  const to = { x: Math.max(corner.x + least, inside.x), y: Math.max(corner.y + least, inside.y) };
  return { ...upright, from: corner, to };
}

/** The enlarged marker; a negative step makes it smaller. */
export function grownBy(drawing: Drawing, step: number, image: Size): Drawing {
  const grip = gripOf(drawing, image);
  const { from } = withCorners(drawing, image);
  const length = Math.hypot(grip.x - from.x, grip.y - from.y) || 1;
  const share = step / length;
  return stretchedTo(
    drawing,
    { x: grip.x + (grip.x - from.x) * share, y: grip.y + (grip.y - from.y) * share },
    image,
  );
}

/** Rectangles have two notations; this returns two corners, the upper left one first. */
function withCorners(drawing: Drawing, image: Size): Drawing {
  if (drawing.kind !== 'rectangle') return drawing;
  const { from, size } = rectangleBox(drawing, image);
  return { ...drawing, from, to: plus(from, { x: size.width, y: size.height }) };
}

function boxOf(drawing: Drawing, image: Size): { left: number; top: number; right: number; bottom: number } {
  const upright = withCorners(drawing, image);
  const { from } = upright;
  if (upright.kind === 'circle') {
    const { radius } = upright;
    return { left: from.x - radius, top: from.y - radius, right: from.x + radius, bottom: from.y + radius };
  }
  const { to } = upright;
  return {
    left: Math.min(from.x, to.x),
    top: Math.min(from.y, to.y),
    right: Math.max(from.x, to.x),
    bottom: Math.max(from.y, to.y),
  };
}

function plus(a: Point, b: Point): Point {
  return { x: a.x + b.x, y: a.y + b.y };
}

function clamp(value: number, most: number): number {
  return Math.round(Math.max(0, Math.min(value, most)));
}
