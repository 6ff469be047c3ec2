/** A point of a flat outline, in millimetres of the machine: x to the operator's side, y down. */
export type Point = readonly [x: number, y: number];
/** A closed outline. */
export type Outline = readonly Point[];
/** A point in space; z runs along the arbor, from the left end of the machine to the right. */
export type Point3D = readonly [x: number, y: number, z: number];

/** Direction of one unit of depth on the sheet: right and up (cabinet projection, with the left end in front). */
export const depth: Point = [0.72, -0.3];

export function project([x, y, z]: Point3D): Point {
  return [x + depth[0] * z, y + depth[1] * z];
}

export function circle(cx: number, cy: number, radius: number, count = 72): Outline {
  return arc(cx, cy, radius, 0, 360 - 360 / count, count - 1);
}

/** Points along an arc; angles in degrees, 0 is to the right, clockwise on the sheet. */
export function arc(cx: number, cy: number, radius: number, from: number, to: number, count = 24): Outline {
  return Array.from({ length: count + 1 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / count) * Math.PI) / 180;
    return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)];
  });
}

export function box(x: number, y: number, width: number, height: number, radius = 0): Outline {
  if (radius === 0)
    return [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ];
  const right = x + width - radius;
  const bottom = y + height - radius;
  return [
    ...arc(x + radius, y + radius, radius, 180, 270, 10),
    ...arc(right, y + radius, radius, 270, 360, 10),
    ...arc(right, bottom, radius, 0, 90, 10),
    ...arc(x + radius, bottom, radius, 90, 180, 10),
  ];
}

export function hexagon(cx: number, cy: number, radius: number, turn = 0): Outline {
  return arc(cx, cy, radius, turn, turn + 300, 5);
}

/** The part of a convex outline to the left of `limit`. */
export function cutRight(outline: Outline, limit: number): Outline {
  return outline.flatMap((point, i): Point[] => {
    const next = outline[(i + 1) % outline.length] ?? point;
    const kept: Point[] = point[0] <= limit ? [point] : [];
    if (point[0] <= limit === next[0] <= limit) return kept;
    const share = (limit - point[0]) / (next[0] - point[0]);
    return [...kept, [limit, point[1] + share * (next[1] - point[1])]];
  });
}

export function rotate(outline: Outline, degrees: number, [cx, cy]: Point = [0, 0]): Outline {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return outline.map(([x, y]) => [
    cx + (x - cx) * cos - (y - cy) * sin,
    cy + (x - cx) * sin + (y - cy) * cos,
  ]);
}

export function move(outline: Outline, dx: number, dy: number): Outline {
  return outline.map(([x, y]) => [x + dx, y + dy]);
}

/** The smallest convex outline around all the given ones. */
export function hull(...outlines: Outline[]): Outline {
  const points = outlines.flat().toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [...half(points), ...half(points.toReversed())];
}

function half(points: Outline): Point[] {
  const chain: Point[] = [];
  for (const point of points) {
    while (chain.length >= 2 && turn(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
    chain.push(point);
  }
  return chain.slice(0, -1);
}

function turn(a: Point | undefined, b: Point | undefined, c: Point): number {
  if (!a || !b) return 1;
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Twice the signed area: positive when the outline runs clockwise on the sheet. */
export function signedArea(outline: Outline): number {
  return outline.reduce((sum, [x, y], i) => {
    const [nx, ny] = outline[(i + 1) % outline.length] ?? [x, y];
    return sum + x * ny - nx * y;
  }, 0);
}
