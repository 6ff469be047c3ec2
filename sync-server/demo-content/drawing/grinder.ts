import { arc, box, circle, cutRight, hexagon, hull, rotate, type Outline, type Point } from './geometry.ts';
import {
  along,
  darkSteel,
  flat,
  guardTeal,
  ink,
  mix,
  onOperatorSide,
  onTop,
  prism,
  rubber,
  slate,
  steel,
  stone,
  teal,
} from './paint.ts';

/** Centre distance of the two pulleys when the belt is tight. */
export const pulleyDistance = 150;

/** Positions that pictures point at. */
export const places = {
  guardScrews: [
    [-58, -78],
    [-92, 30],
    [20, 96],
  ] satisfies Point[],
  guardFace: -40,
  coverScrews: [
    [-37, -33],
    [37, -33],
    [0, 195],
  ] satisfies Point[],
  coverFace: 60,
  clampBolt: [66, 150, 60],
  tensionScrew: [62, 66, 50],
  switchCentre: [90, 152, 116],
} as const;

export function base(): string {
  const plate = box(-125, 205, 255, 24, 6);
  const feet = [-95, 100].map((x) => prism(box(x - 16, 229, 32, 12, 3), 24, 50, rubber)).join('');
  const backFeet = prism(box(84, 229, 32, 12, 3), 285, 312, rubber);
  return backFeet + feet + prism(plate, 8, 335, slate);
}

export function shadow(): string {
  return onTop(
    242,
    '<rect x="-150" y="-8" width="330" height="372" rx="26" fill="#5c7080" opacity="0.16"/>' +
      '<rect x="-132" y="6" width="285" height="340" rx="18" fill="#465a69" opacity="0.2"/>',
  );
}

/** The casting that carries the arbor, with the switch and the vents towards the operator. */
export function body(isOn = false): string {
  const casting = hull(circle(0, 0, 58), box(-90, 96, 180, 109, 16));
  const vents = [0, 1, 2, 3]
    .map((i) => `<rect x="168" y="${122 + i * 17}" width="62" height="8" rx="4" fill="#274953"/>`)
    .join('');
  return prism(casting, 70, 250, teal) + onOperatorSide(90, vents + switchBox(isOn));
}

function switchBox(isOn: boolean): string {
  const pressed = isOn ? 118 : 152;
  return [
    '<rect x="88" y="112" width="56" height="80" rx="7" fill="#1f3b44"/>',
    '<rect x="92" y="116" width="48" height="72" rx="5" fill="#e8ecef"/>',
    `<rect x="96" y="120" width="40" height="32" rx="4" fill="${isOn ? '#b8c4cc' : '#d4dce2'}"/>`,
    `<rect x="96" y="152" width="40" height="32" rx="4" fill="${isOn ? '#d4dce2' : '#9fadb8'}"/>`,
    `<rect x="96" y="${pressed + 2}" width="40" height="4" fill="#6f7f8b" opacity="0.5"/>`,
    `<path d="M116 128V144" stroke="${ink}" stroke-width="4.5"/>`,
    `<ellipse cx="116" cy="168" rx="8" ry="8" fill="none" stroke="${ink}" stroke-width="4.5"/>`,
  ].join('');
}

export function bearingBoss(): string {
  return prism(circle(0, 0, 38), 64, 72, teal) + prism(circle(0, 0, 20), 60, 66, darkSteel);
}

/** The bare shaft with its threaded left end. `to`: depth at which it ends. */
export function arbor(to = 64): string {
  const threads = [-30, -26, -22, -18, -14]
    .map((z) => prism(circle(0, 0, 8.6, 40), z, z + 1.6, darkSteel))
    .toReversed()
    .join('');
  return prism(circle(0, 0, 9.5, 48), -8, to, steel) + prism(circle(0, 0, 8, 40), -34, -8, steel) + threads;
}

export function nut(turn = 0): string {
  return (
    prism(circle(0, 0, 8, 40), -34, -24, steel) +
    prism([hexagon(0, 0, 16, turn), circle(0, 0, 8, 40)], -24, -12, darkSteel) +
    prism(circle(0, 0, 8, 40), -34, -23, steel)
  );
}

/** The same nut without the shaft through it. */
export function looseNut(): string {
  return prism([hexagon(0, 0, 16), circle(0, 0, 8, 40)], -24, -12, darkSteel);
}

export function outerFlange(): string {
  return (
    prism([circle(0, 0, 34), circle(0, 0, 9, 40)], -12, 0, steel) +
    flat([circle(0, 0, 25), circle(0, 0, 21)], -12, '#93a0ac')
  );
}

export function innerFlange(): string {
  return prism([circle(0, 0, 34), circle(0, 0, 9, 40)], 26, 34, steel);
}

/** A grinding wheel of 200 mm with its paper disc; `mark` is a chalk line on the rim. */
export function wheel(mark = false): string {
  const tone = { ...stone, face: '#8a96a2' };
  const chalk = mark ? flat(rotate(box(64, -3.2, 32, 6.4, 3), -34), 0, '#fbfaf4') : '';
  return [
    prism([circle(0, 0, 100, 96), circle(0, 0, 10, 40)], 0, 26, tone),
    flat([circle(0, 0, 97, 96), circle(0, 0, 10, 40)], 0, mix(tone.face, '#ffffff', 0.06)),
    flat([circle(0, 0, 60, 80), circle(0, 0, 10, 40)], 0, '#c8d0d8'),
    flat([circle(0, 0, 60, 80), circle(0, 0, 56.5, 80)], 0, '#aeb9c3'),
    speckles(tone.dark),
    chalk,
  ].join('');
}

/** Some grains of grit on the stone, placed by the golden angle, so that every drawing is the same. */
function speckles(colour: string): string {
  const grains = Array.from({ length: 46 }, (_, i) => {
    const angle = i * 2.39996;
    const radius = 65 + ((i * 7.3) % 30);
    const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${(0.8 + (i % 3) * 0.35).toFixed(2)}"/>`;
  });
  return `<g fill="${colour}" opacity="0.45">${grains.join('')}</g>`;
}

const guardOutline: Outline = cutRight(circle(0, 0, 116, 96), 66);

/** The dark inside of a guard. Draw it and the wheel behind the shell. */
export function guardInside(): string {
  return flat(
    [
      [66 + 0.72 * -40, -95 + 0.3 * 40],
      [66 + 0.72 * 34, -95 - 0.3 * 34],
      [66 + 0.72 * 34, 95 - 0.3 * 34],
      [66 + 0.72 * -40, 95 + 0.3 * 40],
    ],
    0,
    '#1d363d',
  );
}

export function guardShell(): string {
  const rim = hoop(guardOutline);
  return (
    rim +
    flat(
      guardOutline,
      -40,
      guardTeal.face,
      `stroke="${guardTeal.light}" stroke-width="1" stroke-opacity="0.6"`,
    ) +
    flat(cutRight(circle(0, 0, 101, 120), 58), -40, mix(guardTeal.face, '#ffffff', 0.06)) +
    flat(circle(0, 0, 30), -40, mix(guardTeal.face, '#000000', 0.16)) +
    rotationSign()
  );
}

/** The band around the wheel, open where the outline is cut. */
function hoop(outline: Outline): string {
  const inner = outline.toReversed().map(([x, y]): Point => [x * 0.97, y * 0.97]);
  return prism([...outline, ...inner], -40, 34, guardTeal);
}

/** The cast arrow on a guard that shows the direction of rotation. */
function rotationSign(): string {
  const colour = mix(guardTeal.face, '#ffffff', 0.34);
  const tip: Outline = [
    [-5, -77],
    [15, -67],
    [-5, -57],
  ];
  return (
    flat([...arc(0, 0, 69.5, 212, 264), ...arc(0, 0, 64.5, 264, 212)], -40, colour) +
    flat(rotate(tip, -6), -40, colour)
  );
}

/** A Torx screw head seen from the front, at depth `z`. */
export function torxScrew([x, y]: Point, z: number, radius = 7): string {
  const star = arc(x, y, radius * 0.56, 0, 330, 11).map(([px, py], i): Point => {
    const share = i % 2 === 0 ? 1 : 0.6;
    return [x + (px - x) * share, y + (py - y) * share];
  });
  return prism(circle(x, y, radius, 40), z - 4, z, steel) + flat(star, z - 4, '#3b4650');
}

export function guardScrews(): string {
  return places.guardScrews.map((at) => torxScrew(at, places.guardFace, 7.5)).join('');
}

export function toolRest(): string {
  return (
    prism(box(112, 14, 14, 192, 2), 14, 26, darkSteel) +
    prism(box(103, 4, 48, 11, 2), -22, 46, steel) +
    prism(circle(119, 60, 11, 40), 6, 14, rubber)
  );
}

/** The right end of the machine, half hidden by the casting. */
export function rightEnd(): string {
  return (
    prism(circle(0, 0, 12, 40), 246, 300, steel) +
    prism(circle(0, 0, 44), 250, 262, teal) +
    along(302, guardInside() + wheel() + guardShell())
  );
}
