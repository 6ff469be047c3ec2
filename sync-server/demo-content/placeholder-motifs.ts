import { arc, box, circle, hexagon, hull, move, type Outline, type Point } from './drawing/geometry.ts';
import { brass, darkSteel, flat, mix, prism, shift, steel, type Tone } from './drawing/paint.ts';

/** A seeded number generator: `pick(n)` returns an integer below n. */
export type Dice = { pick(count: number): number };

export type Motif = (tone: Tone, dice: Dice) => string;

/** Drawings of machine parts. Each varies with the dice and stays within ±190 by ±125 of its origin. */
export const motifs: readonly Motif[] = [
  frame,
  gears,
  perforatedPlate,
  hydraulicCylinder,
  beams,
  circuitBoard,
  bearing,
  blocks,
  bolts,
];

function frame(tone: Tone, dice: Dice): string {
  const width = 170 + dice.pick(4) * 18;
  const height = 120 + dice.pick(4) * 18;
  const back = 100 + dice.pick(3) * 26;
  const tube = 13;
  const ring = [
    box(-width / 2, -height / 2, width, height, 2),
    box(-width / 2 + tube, -height / 2 + tube, width - 2 * tube, height - 2 * tube).toReversed(),
  ];
  const corner = (x: number, y: number): string =>
    prism(
      box(x * (width / 2 - tube / 2) - tube / 2, y * (height / 2 - tube / 2) - tube / 2, tube, tube),
      tube,
      back,
      tone,
    );
  const shelf = prism(box(-width / 2 + tube, 4 + dice.pick(3) * 16, width - 2 * tube, 8), 0, 8, steel);
  const whole = [
    prism(ring, back, back + tube, tone),
    corner(-1, 1),
    corner(1, 1),
    corner(-1, -1),
    corner(1, -1),
    prism(ring, 0, tube, tone),
    shelf,
  ].join('');
  return shift(-back * 0.36, back * 0.15, whole);
}

function gear(cx: number, cy: number, teeth: number, turn: number): Outline {
  const pitch = teeth * 4.4;
  return Array.from({ length: teeth }, (_, i): Point[] => {
    const at = (share: number, radius: number): Point => {
      const angle = ((i + share + turn) / teeth) * Math.PI * 2;
      return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)];
    };
    return [at(-0.27, pitch - 6), at(-0.14, pitch + 5), at(0.14, pitch + 5), at(0.27, pitch - 6)];
  }).flat();
}

function gears(tone: Tone, dice: Dice): string {
  const big = 17 + dice.pick(5);
  const small = 9 + dice.pick(4);
  const [bigRadius, smallRadius] = [big * 4.4, small * 4.4];
  const lean = -0.5 + dice.pick(3) * 0.35;
  const distance = bigRadius + smallRadius + 1;
  const at: Point = [distance * Math.cos(lean), distance * Math.sin(lean)];
  const phase = (lean / (Math.PI * 2)) * big;
  const meeting = ((lean + Math.PI) / (Math.PI * 2)) * small - 0.5 + phase;
  const holes = Array.from({ length: 5 }, (_, i): Outline => {
    const angle = (i / 5) * Math.PI * 2;
    return circle(
      bigRadius * 0.56 * Math.cos(angle),
      bigRadius * 0.56 * Math.sin(angle),
      bigRadius * 0.17,
      36,
    ).toReversed();
  });
  const whole = [
    prism([gear(at[0], at[1], small, meeting), circle(at[0], at[1], 10, 40).toReversed()], 0, 26, steel),
    prism([gear(0, 0, big, 0), ...holes, circle(0, 0, 13, 40).toReversed()], 0, 22, tone),
    prism([circle(0, 0, 22, 48), circle(0, 0, 13, 40).toReversed()], -8, 0, tone),
  ].join('');
  return shift(-at[0] / 2 - 6, -at[1] / 2 + 4, whole);
}

function perforatedPlate(tone: Tone, dice: Dice): string {
  const columns = 3 + dice.pick(4);
  const rows = 2 + dice.pick(2);
  const [width, height] = [290, 170];
  const centre = dice.pick(2) === 0;
  const holes: Outline[] = [];
  for (let column = 0; column < columns; column++)
    for (let row = 0; row < rows; row++) {
      const x = -width / 2 + 34 + (column * (width - 68)) / (columns - 1);
      const y = -height / 2 + 32 + (row * (height - 64)) / Math.max(1, rows - 1);
      if (!centre || Math.hypot(x, y) > 62) holes.push(circle(x, y, 9 + dice.pick(2) * 2, 36).toReversed());
    }
  if (centre) holes.push(circle(0, 0, 42).toReversed());
  return shift(-8, 4, prism([box(-width / 2, -height / 2, width, height, 16), ...holes], 0, 20, tone));
}

function hydraulicCylinder(tone: Tone, dice: Dice): string {
  const reach = 60 + dice.pick(4) * 22;
  const radius = 44 + dice.pick(3) * 7;
  const whole = [
    prism(circle(0, 0, radius + 5), 196, 212, darkSteel),
    prism(circle(0, 0, radius), 14, 196, tone),
    prism(hull(circle(0, -radius - 10, 9, 36), box(-9, -radius, 18, 8)), 164, 182, steel),
    prism(hull(circle(0, -radius - 10, 9, 36), box(-9, -radius, 18, 8)), 34, 52, steel),
    prism(circle(0, 0, radius + 5), 0, 14, darkSteel),
    prism(circle(0, 0, 24), -4, 0, steel),
    prism(circle(0, 0, 17), -reach, -2, steel),
    prism(
      [hull(circle(0, 0, 30), box(-14, -14, 28, 28)), circle(0, 0, 13, 40).toReversed()],
      -reach - 22,
      -reach,
      darkSteel,
    ),
  ].join('');
  return shift(-0.72 * (95 - reach / 2), 0.3 * (95 - reach / 2) + 8, whole);
}

function beams(tone: Tone, dice: Dice): string {
  const profiles: readonly Outline[] = [
    [
      [-48, -62],
      [48, -62],
      [48, -46],
      [9, -46],
      [9, 46],
      [48, 46],
      [48, 62],
      [-48, 62],
      [-48, 46],
      [-9, 46],
      [-9, -46],
      [-48, -46],
    ],
    [
      [-44, -58],
      [44, -58],
      [44, -40],
      [-26, -40],
      [-26, 40],
      [44, 40],
      [44, 58],
      [-44, 58],
    ],
    [
      [-52, -56],
      [-34, -56],
      [-34, 38],
      [56, 38],
      [56, 56],
      [-52, 56],
    ],
    [
      [-56, -52],
      [56, -52],
      [56, -34],
      [9, -34],
      [9, 58],
      [-9, 58],
      [-9, -34],
      [-56, -34],
    ],
  ];
  const first = profiles[dice.pick(profiles.length)] ?? [];
  const second = profiles[dice.pick(profiles.length)] ?? [];
  const length = 110 + dice.pick(3) * 25;
  const back = length + 20;
  const whole = prism(move(second, 92, 18), 20, back, steel) + prism(move(first, -44, 0), 0, length, tone);
  return shift(-24 - back * 0.36, back * 0.15 - 9, whole);
}

function circuitBoard(tone: Tone, dice: Dice): string {
  const trace = mix(tone.face, '#ffffff', 0.4);
  const lines = Array.from({ length: 9 }, (_, i) => {
    const y = -66 + i * 16;
    const bend = -70 + dice.pick(9) * 16;
    const end = 40 + dice.pick(6) * 14;
    const step = (dice.pick(3) - 1) * 12;
    return `<path d="M-132 ${y}H${bend}l${Math.abs(step)} ${step}H${end}" fill="none" stroke="${trace}" stroke-width="3"/><circle cx="${end}" cy="${y + step}" r="5" fill="none" stroke="${trace}" stroke-width="3"/>`;
  });
  const chip = (x: number, y: number, w: number, h: number): string => {
    const legs = Array.from({ length: Math.floor(w / 12) }, (_, i) =>
      flat([...box(x + 5 + i * 12, y - 6, 5, h + 12)], 0, steel.face),
    );
    return (
      legs.join('') +
      prism(box(x, y, w, h, 3), -10, 0, { face: '#2f3840', light: '#5e6973', dark: '#161b20' })
    );
  };
  return [
    prism(box(-150, -92, 300, 184, 10), 0, 10, tone),
    ...lines,
    prism(box(-146, -78, 16, 156, 3), -10, 0, darkSteel),
    chip(-54 + dice.pick(4) * 10, -34, 84, 60),
    chip(70, -70 + dice.pick(3) * 12, 48, 30),
    ...[0, 1, 2].map((i) => prism(circle(82 + i * 24, 58, 9, 40), -24, 0, brass)),
  ].join('');
}

function bearing(tone: Tone, dice: Dice): string {
  const radius = 104 + dice.pick(3) * 8;
  const count = 8 + dice.pick(4);
  const balls = Array.from({ length: count }, (_, i) => {
    const angle = (i / count) * Math.PI * 2;
    const [x, y] = [radius * 0.71 * Math.cos(angle), radius * 0.71 * Math.sin(angle)];
    const size = radius * 0.125;
    return (
      flat(circle(x, y, size, 40), 4, steel.face) +
      flat(circle(x - size * 0.3, y - size * 0.32, size * 0.36, 24), 4, '#f3f6f8')
    );
  });
  const ring = (outer: number, inner: number): Outline[] => [
    circle(0, 0, radius * outer, 96),
    circle(0, 0, radius * inner, 72).toReversed(),
  ];
  return shift(
    -22,
    8,
    [
      prism(ring(0.86, 0.56), 12, 34, darkSteel),
      prism(ring(1, 0.83), 0, 34, tone),
      ...balls,
      prism(ring(0.59, 0.36), 0, 34, tone),
    ].join(''),
  );
}

function blocks(tone: Tone, dice: Dice): string {
  const rows = 3 + dice.pick(2);
  const size = { width: 86, height: rows === 3 ? 52 : 42, back: 44 };
  const parts: string[] = [];
  for (let row = rows - 1; row >= 0; row--) {
    const count = 4 - (row % 2) - (row === 0 ? dice.pick(2) : 0);
    for (let i = 0; i < count; i++) {
      const x = -172 + (row % 2) * 43 + i * (size.width + 2);
      const y = -((rows * size.height) / 2) + row * (size.height + 1);
      const own = { ...tone, face: mix(tone.face, '#ffffff', dice.pick(4) * 0.05) };
      parts.push(prism(box(x, y, size.width, size.height, 3), 0, size.back, own));
    }
  }
  return shift(-8, 14, parts.join(''));
}

function bolts(tone: Tone, dice: Dice): string {
  const bolt = (x: number, y: number, radius: number, length: number): string => {
    const threads = Array.from({ length: Math.floor(length / 9) }, (_, i) =>
      prism(circle(x, y, radius * 0.54, 44), 18 + i * 9, 22 + i * 9, steel),
    );
    return [
      prism(circle(x, y, radius * 0.5, 44), 14, 14 + length, darkSteel),
      ...threads.toReversed(),
      prism(circle(x, y, radius * 1.12), 12, 16, steel),
      prism(hexagon(x, y, radius, dice.pick(6) * 10), -8, 12, tone),
      flat(circle(x, y, radius * 0.74, 48), -8, mix(tone.face, '#ffffff', 0.12)),
    ].join('');
  };
  const nut = (x: number, y: number, radius: number): string =>
    prism(
      [hexagon(x, y, radius, dice.pick(6) * 10), circle(x, y, radius * 0.52, 44).toReversed()],
      0,
      22,
      tone,
    ) +
    flat([...arc(x, y, radius * 0.62, 0, 350, 35)], 0, 'none', `stroke="${tone.light}" stroke-width="1.6"`);
  return shift(
    -24,
    16,
    [
      bolt(40 + dice.pick(3) * 10, -34, 40 + dice.pick(2) * 8, 120),
      nut(-120, 52, 42 + dice.pick(2) * 8),
      bolt(-86, -40, 36, 90 + dice.pick(3) * 18),
      nut(86 + dice.pick(3) * 12, 60, 36),
    ].join(''),
  );
}
