import { box, circle, hexagon, hull, move, type Outline, type Point } from './geometry.ts';
import { darkSteel, flat, guardTeal, mix, prism, shift, steel, stone, teal, type Tone } from './paint.ts';
import { places, pulleyDistance, torxScrew } from './grinder.ts';

/** Distance by which the motor pulley rises when the motor plate is slack, in millimetres. */
const slackRise = 9;

/** The new belt is black, the worn one grey and dull. */
export const newBelt: Tone = { face: '#2b323a', light: '#5a646f', dark: '#14181c' };
export const oldBelt: Tone = { face: '#5a564f', light: '#837d73', dark: '#3a3732' };

/** The hinged plate in its window, with clamp bolt, hinge and tension screw. */
export function motorPlate(slack = false): string {
  const rise = slack ? -slackRise : 0;
  const window = box(-80, 104, 162, 83, 10);
  const plate: Outline = box(-74, 112, 152, 69, 9);
  const slot = hull(circle(66, 138, 7.5, 32), circle(66, 162, 7.5, 32));
  const lift = (outline: Outline): Outline => outline.map(([x, y]) => [x, y + (rise * (x + 60)) / 126]);
  return [
    flat(window, 69.5, '#1f3f48'),
    tensionScrew(rise),
    prism([lift(plate), lift(slot)], 62, 68, steel),
    prism(circle(-60, 150, 10, 48), 58, 62, darkSteel),
    flat(circle(-60, 150, 4, 32), 58, '#39444e'),
    clampBolt(),
  ].join('');
}

function clampBolt(): string {
  const [x, y] = places.clampBolt;
  return (
    prism(circle(x, y, 13, 48), 59, 62, steel) +
    prism(circle(x, y, 10, 48), 52, 59, darkSteel) +
    flat(hexagon(x, y, 5.4, 30), 52, '#252d34')
  );
}

/** The screw that pushes the plate down: a lug on the casting, a lock nut, a knurled head. */
function tensionScrew(rise: number): string {
  const [x, y] = places.tensionScrew;
  const top = y + rise * 0.8;
  const knurls = [-10, -6, -2, 2, 6, 10].map((dx) =>
    flat(box(x + dx - 0.7, top - 5, 1.4, 12), 50, '#454f5a'),
  );
  return [
    prism(box(x - 4, 94, 8, 22 + rise, 1), 56, 66, steel),
    prism(box(x - 15, 92, 30, 10, 2), 52, 70, teal),
    prism(box(x - 9, 85, 18, 7, 1.5), 52, 68, darkSteel),
    prism(box(x - 4, top + 8, 8, 77 - top, 1), 56, 66, steel),
    prism(box(x - 13, top - 7, 26, 16, 3), 50, 70, stone),
    ...knurls,
  ].join('');
}

/** The end of the motor's shaft, in front of its pulley. */
export function motorShaft(slack = false): string {
  const y = pulleyDistance - (slack ? slackRise * 0.5 : 0);
  return prism(circle(0, y, 7, 40), 40, 50, steel);
}

type Layer = 'back' | 'front';

/** One flange of a pulley; the belt lies between back and front. */
export function pulleys(layer: Layer, slack = false): string {
  const y = pulleyDistance - (slack ? slackRise * 0.5 : 0);
  const [front, back] = layer === 'back' ? [60, 63] : [47, 50];
  const one = (cy: number, radius: number, bore: number): string => {
    if (layer === 'back') return prism(circle(0, cy, radius), front, back, steel) + core(cy, radius);
    return [
      prism([circle(0, cy, radius), circle(0, cy, bore, 40)], front, back, steel),
      flat([circle(0, cy, radius * 0.74), circle(0, cy, radius * 0.62)], front, '#98a4af'),
      prism([circle(0, cy, bore + 7, 48), circle(0, cy, bore, 40)], front - 5, front, darkSteel),
    ].join('');
  };
  return one(y, 26, 7) + one(0, 32, 9.5);
}

function core(cy: number, radius: number): string {
  return prism(circle(0, cy, radius - 9), 50, 60, darkSteel);
}

/** The belt on both pulleys. `press`: by how many millimetres its span on the operator's side is pushed inwards. */
export function beltOnPulleys(tone: Tone, press = 0): string {
  const outer = beltLoop(35, 29, press);
  const inner = beltLoop(26, 20, press).toReversed();
  return prism([outer, inner], 50, 60, tone) + teeth(inner, tone, 50);
}

function beltLoop(top: number, bottom: number, press: number): Outline {
  const loop = hull(circle(0, 0, top, 96), circle(0, pulleyDistance, bottom, 96));
  if (press === 0) return loop;
  const spanX = (y: number): number => top + ((bottom - top) * y) / pulleyDistance;
  const bent: Point[] = loop.filter(([x, y]) => !(x > 0 && y > 4 && y < pulleyDistance - 4));
  const at = bent.findIndex(([x, y]) => x > 0 && y >= pulleyDistance - 4);
  const dip = [0.25, 0.5, 0.75].map((share): Point => {
    const depthShare = share === 0.5 ? 1 : 0.5;
    return [spanX(share * pulleyDistance) - press * depthShare, share * pulleyDistance];
  });
  return [...bent.slice(0, at), ...dip, ...bent.slice(at)];
}

/** The notches on the inside of the belt, so that it does not look like a hose. */
function teeth(inner: Outline, tone: Tone, z: number): string {
  const marks: string[] = [];
  let sinceLast = 0;
  inner.forEach(([x, y], i) => {
    const [nx, ny] = inner[(i + 1) % inner.length] ?? [x, y];
    const length = Math.hypot(nx - x, ny - y);
    for (let along = 7 - sinceLast; along < length; along += 7) {
      const [px, py] = [x + ((nx - x) * along) / length, y + ((ny - y) * along) / length];
      const [ox, oy] = [(-(ny - y) / length) * 3.4, ((nx - x) / length) * 3.4];
      marks.push(flat(notch([px, py], [ox, oy]), z, mix(tone.face, '#ffffff', 0.22)));
    }
    sinceLast = (sinceLast + length) % 7;
  });
  return marks.join('');
}

function notch([x, y]: Point, [ox, oy]: Point): Outline {
  const [tx, ty] = [-oy * 0.25, ox * 0.25];
  return [
    [x - tx, y - ty],
    [x + tx, y + ty],
    [x + tx + ox, y + ty + oy],
    [x - tx + ox, y - ty + oy],
  ];
}

/** The cover over the belt drive: a flange with three lugs and a dome. */
export function beltCover(withScrews = true): string {
  const lugs = places.coverScrews.map(([x, y]) => circle(x, y, 11, 40));
  const flange = hull(circle(0, 0, 50), circle(0, pulleyDistance, 44), ...lugs);
  const dome = hull(circle(0, 0, 39), circle(0, pulleyDistance, 34));
  const ridge = hull(circle(0, 46, 17), circle(0, 128, 15));
  return [
    prism([flange, circle(0, 0, 12, 40)], 62, 66, guardTeal),
    prism([dome, circle(0, 0, 12, 40)], 38, 62, guardTeal),
    flat([ridge, hull(circle(0, 46, 14.5), circle(0, 128, 12.5))], 38, mix(guardTeal.face, '#ffffff', 0.18)),
    withScrews ? places.coverScrews.map((at) => torxScrew(at, 62, 6.5)).join('') : screwHoles(),
  ].join('');
}

function screwHoles(): string {
  return places.coverScrews.map(([x, y]) => flat(circle(x, y, 3.4, 32), 62, '#1a2f35')).join('');
}

/** The threaded holes in the casting that the cover screws leave. */
export function casingHoles(): string {
  return places.coverScrews
    .map(
      ([x, y]) => flat(circle(x, y, 4.6, 32), 69.4, '#2c515d') + flat(circle(x, y, 3, 32), 69.4, '#142a30'),
    )
    .join('');
}

/** A belt lying on its side on the bench. */
export function looseBelt(tone: Tone, width: number, height: number): string {
  const loop = (inset: number): Outline => {
    const [w, h] = [width - 2 * inset, height - 2 * inset];
    return box(-w / 2, -h / 2, w, h, Math.min(w, h) / 2);
  };
  const inner = loop(13).toReversed();
  return (
    shift(4, 6, flat([loop(0), inner], 0, '#4a5b68', 'opacity="0.25"')) +
    prism([loop(0), inner], 0, 10, tone) +
    teeth(inner, tone, 0)
  );
}

/** Cross-section of a V-belt; `worn` rounds its flanks and lets it sink. */
export function beltSection(cx: number, top: number, worn = false): Outline {
  const section: Outline = worn
    ? [
        [-29, 0],
        [29, 0],
        [27, 8],
        [20, 22],
        [12, 40],
        [-12, 40],
        [-20, 22],
        [-27, 8],
      ]
    : [
        [-35.4, 0],
        [35.4, 0],
        [19.2, 44],
        [-19.2, 44],
      ];
  return move(section, cx, top);
}
