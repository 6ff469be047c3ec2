import { arc, box, circle, hexagon, hull, project, rotate, type Point3D, type Point } from './geometry.ts';
import {
  brass,
  darkSteel,
  flat,
  grip,
  ink,
  mix,
  number,
  paper,
  prism,
  rubber,
  shift,
  steel,
  wood,
} from './paint.ts';

/** A screwdriver whose tip is at `at`, held straight along the arbor. */
export function driver([x, y, z]: Point3D): string {
  const grooves = [-150, -138, -126].map((dz) => prism(circle(x, y, 13.4, 48), z + dz, z + dz + 5, grip));
  return [
    prism(circle(x, y, 3.6, 32), z - 74, z, steel),
    prism(circle(x, y, 8, 40), z - 84, z - 72, darkSteel),
    prism(circle(x, y, 12.5, 48), z - 160, z - 84, grip),
    ...grooves.toReversed(),
    prism(circle(x, y, 11, 48), z - 165, z - 158, { ...grip, face: '#3c949b' }),
  ].join('');
}

/** A ring spanner around the nut at (cx, cy); the handle points to `angle`. */
export function spanner([cx, cy]: Point, z: number, angle: number): string {
  const handle = rotate(box(cx + 20, cy - 8, 160, 16, 6), angle, [cx, cy]);
  const groove = rotate(box(cx + 38, cy - 3, 110, 6, 3), angle, [cx, cy]);
  const [far = [cx, cy] as Point] = rotate([[cx + 186, cy]], angle, [cx, cy]);
  return [
    prism([circle(far[0], far[1], 21), hexagon(far[0], far[1], 12, angle)], z, z + 8, steel),
    prism(handle, z, z + 7, steel),
    flat(groove, z, '#98a4af'),
    prism([circle(cx, cy, 27), hexagon(cx, cy, 16.6)], z - 1, z + 9, steel),
  ].join('');
}

/** A hex key in the socket at `at`, its long arm pointing to `angle`. */
export function hexKey([x, y, z]: Point3D, angle: number, length = 90): string {
  const [end = [x, y] as Point] = rotate([[x + length, y]], angle, [x, y]);
  return (
    prism(circle(x, y, 5, 32), z - 26, z + 2, darkSteel) +
    prism(hull(circle(x, y, 5, 32), circle(end[0], end[1], 5, 32)), z - 34, z - 24, darkSteel)
  );
}

/** A push gauge whose tip touches the belt at `tip`, coming from the operator's side. */
export function pushGauge([x, y, z]: Point3D): string {
  const ticks = Array.from({ length: 9 }, (_, i) => {
    const height = i % 4 === 0 ? 9 : 5;
    return flat(box(x + 56 + i * 7, y - height / 2 - 1, 1.4, height), z - 9, ink);
  });
  return [
    prism(box(x + 8, y - 3, 40, 6, 1), z - 3, z + 3, steel),
    prism(box(x, y - 7, 9, 14, 3), z - 6, z + 6, rubber),
    prism(box(x + 40, y - 14, 100, 28, 8), z - 9, z + 9, grip),
    flat(box(x + 50, y - 8, 70, 14, 3), z - 9, paper.face),
    ...ticks,
    flat(box(x + 82, y - 10, 5, 18, 1.5), z - 9, '#d97b2b'),
    prism(box(x + 138, y - 9, 14, 18, 5), z - 7, z + 7, darkSteel),
  ].join('');
}

/** A steel rule along the line from `a` to `b`, its edge on that line, with millimetre marks. */
export function straightedge(a: Point, b: Point, front: number, back: number): string {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const angle = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
  const turned = (x: number, y: number, w: number, h: number) =>
    rotate(box(a[0] + x, a[1] + y, w, h), angle, a);
  const ticks = Array.from({ length: Math.floor(length / 5) }, (_, i) =>
    flat(turned(4 + i * 5, -3.4, 0.7, i % 2 === 0 ? 3.4 : 2), front, '#5b6772'),
  );
  return prism(turned(0, -9, length, 9), front, back, steel) + ticks.join('');
}

/** The wooden wedge between wheel and tool rest. */
export function wedge(): string {
  const grain = flat(
    [
      [103, -3],
      [124, -5],
      [124, -4],
      [103, -2],
    ],
    -14,
    wood.dark,
  );
  return (
    prism(
      [
        [98, 4],
        [132, 4],
        [130, -9],
        [97, -19],
      ],
      -14,
      32,
      wood,
    ) + grain
  );
}

/** A neutral arrow that shows a direction of rotation; angles as in `arc`. */
export function turnArrow(
  [cx, cy]: Point,
  z: number,
  radius: number,
  from: number,
  to: number,
  width = 7,
): string {
  const way = Math.sign(to - from);
  const [tip = [cx, cy] as Point] = arc(cx, cy, radius, to, to, 1);
  const head = rotate(
    [
      [tip[0] - width * 1.7, tip[1] - way * 1],
      [tip[0] + width * 1.7, tip[1] - way * 1],
      [tip[0], tip[1] + way * width * 2.4],
    ],
    to,
    tip,
  );
  const band = [...arc(cx, cy, radius + width / 2, from, to), ...arc(cx, cy, radius - width / 2, to, from)];
  const outline = 'stroke="#33424f" stroke-opacity="0.55" stroke-width="2"';
  return `<g>${flat(band, z, '#ffffff', outline)}${flat(head, z, '#ffffff', outline)}${flat(band, z, '#ffffff')}</g>`;
}

/** A power cord along SVG path data. */
export function cord(path: string): string {
  return (
    `<path d="${path}" fill="none" stroke="${rubber.dark}" stroke-width="9" stroke-linecap="round"/>` +
    `<path d="${path}" fill="none" stroke="${rubber.light}" stroke-width="2" stroke-linecap="round" transform="translate(-1 -2)"/>`
  );
}

/** A plug lying on the bench, pins to the left; its origin is where the cord leaves. */
export function plug(): string {
  return [
    prism(box(-74, -15, 22, 6, 2), 4, 10, steel),
    prism(box(-74, 9, 22, 6, 2), 4, 10, steel),
    prism(hull(box(-54, -22, 26, 44, 6), box(-20, -12, 18, 24, 6)), 0, 16, rubber),
    flat(box(-46, -14, 12, 28, 3), 0, mix(rubber.face, '#ffffff', 0.14)),
  ].join('');
}

/** A socket outlet on its post at the edge of the bench. */
export function socket(): string {
  return [
    prism(box(-30, -44, 60, 84, 8), 0, 26, paper),
    flat(circle(0, -4, 23), 0, '#dcd6c6'),
    flat(circle(0, -4, 20), 0, '#cbc4b2'),
    flat(circle(-8, -4, 3.4, 24), 0, ink),
    flat(circle(8, -4, 3.4, 24), 0, ink),
  ].join('');
}

/** A screw lying on its side: head at the left, thread to the right. */
export function lyingScrew(length: number): string {
  const turns = Array.from({ length: Math.floor(length / 2.4) }, (_, i) =>
    flat(
      [
        [1.6 + i * 2.4, -3.2],
        [2.4 + i * 2.4, -3.2],
        [1.6 + i * 2.4, 3.2],
        [0.8 + i * 2.4, 3.2],
      ],
      0,
      '#6f7c88',
    ),
  );
  return [
    shift(1.5, 2, flat(hull(circle(-3, 0, 6), box(0, -3, length, 6, 1.5)), 0, '#4a5b68', 'opacity="0.25"')),
    prism(box(0, -3, length, 6, 1.5), 0, 3, steel),
    ...turns,
    prism(hull(box(-5, -6.5, 5, 13, 1), box(-7, -5, 3, 10, 1.5)), 0, 4, steel),
  ].join('');
}

/** A padlock of brass; the shackle stands above its origin. */
export function padlock(): string {
  const shackle = [...arc(0, -14, 17, 180, 360), ...arc(0, -14, 10.5, 360, 180)];
  return [
    prism(box(-17, -14, 6.5, 20), 4, 10, steel),
    prism(box(10.5, -14, 6.5, 20), 4, 10, steel),
    prism(shackle, 4, 10, steel),
    prism(box(-26, 2, 52, 44, 6), 0, 14, brass),
    flat(circle(0, 20, 5, 32), 0, '#5b451a'),
    flat(box(-1.8, 21, 3.6, 13, 1), 0, '#5b451a'),
  ].join('');
}

/** A thin line on the sheet, for the axis of parts in an exploded view. */
export function axis(from: Point3D, to: Point3D): string {
  const [[x1, y1], [x2, y2]] = [project(from), project(to)];
  return `<path d="M${number(x1)} ${number(y1)}L${number(x2)} ${number(y2)}" stroke="#33424f" stroke-width="1.3" stroke-dasharray="9 4 2 4" opacity="0.7"/>`;
}

/** A warning tag on a loop, with three lines of writing; its origin is the hole. */
export function tag(lines: readonly string[]): string {
  const text = lines
    .map(
      (line, i) =>
        `<text x="0" y="${38 + i * 13}" text-anchor="middle" font-family="Inter, DejaVu Sans, sans-serif" font-size="${i === 0 ? 9.5 : 8}" font-weight="${i === 0 ? 700 : 500}" fill="${ink}">${line}</text>`,
    )
    .join('');
  const stripes = Array.from({ length: 8 }, (_, i) =>
    flat(
      [
        [-40 + i * 10, 12],
        [-35 + i * 10, 12],
        [-37 + i * 10, 22],
        [-42 + i * 10, 22],
      ],
      0,
      ink,
    ),
  );
  return [
    prism([box(-44, -8, 88, 84, 8), circle(0, 0, 4, 24)], 0, 3, paper),
    flat(box(-44, 11, 88, 12), 0, '#e2b13c'),
    ...stripes,
    text,
  ].join('');
}

/** The clamshell that encloses a plug. The hasp for the padlock is at its origin. */
export function plugLockout(): string {
  const shell = box(-132, -52, 124, 84, 16);
  const amber = { face: '#dba53f', light: '#f0cd86', dark: '#a87a22' };
  return [
    prism(shell, -4, 34, amber),
    flat(box(-124, -44, 108, 68, 11), -4, mix(amber.face, '#ffffff', 0.14)),
    flat(box(-132, -12, 124, 3), -4, amber.dark),
    prism([hull(circle(6, -4, 15), box(-14, -22, 6, 36)), circle(8, -4, 6.5, 32)], 4, 12, amber),
  ].join('');
}

/** The screwdriver lying on the bench, tip up. */
export function lyingDriver(): string {
  return [
    prism(box(-3, -76, 6, 80, 2), 0, 5, steel),
    prism(box(-7, 0, 14, 12, 3), 0, 8, darkSteel),
    prism(box(-12, 10, 24, 82, 10), 0, 12, grip),
    flat(box(-7, 20, 3, 58, 1.5), 0, mix(grip.face, '#000000', 0.2)),
    flat(box(-1.5, 20, 3, 58, 1.5), 0, mix(grip.face, '#000000', 0.2)),
    flat(box(4, 20, 3, 58, 1.5), 0, mix(grip.face, '#000000', 0.2)),
  ].join('');
}

/** A hex key lying on the bench. */
export function lyingHexKey(): string {
  const bend = [...arc(0, 0, 15, 180, 90, 8), ...arc(0, 0, 6, 90, 180, 8)];
  return (
    prism(box(-15, -100, 9, 101), 0, 6, darkSteel) +
    prism(bend, 0, 6, darkSteel) +
    prism(box(-1, 6, 38, 9), 0, 6, darkSteel) +
    flat(box(-12, -98, 2, 98), 0, '#8d99a4')
  );
}
