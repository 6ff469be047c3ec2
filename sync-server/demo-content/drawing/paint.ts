import { depth, project, signedArea, type Outline, type Point } from './geometry.ts';

/** Colours of a solid: its front, and its sides from light to dark. */
export type Tone = { face: string; light: string; dark: string };

export const teal: Tone = { face: '#416d7a', light: '#6d98a3', dark: '#2c515d' };
export const guardTeal: Tone = { face: '#365f6c', light: '#5d8994', dark: '#27474f' };
export const steel: Tone = { face: '#b3bec8', light: '#e3e9ee', dark: '#7f8c98' };
export const darkSteel: Tone = { face: '#66737f', light: '#94a1ac', dark: '#454f5a' };
export const stone: Tone = { face: '#8d99a5', light: '#b4bec8', dark: '#65717d' };
export const slate: Tone = { face: '#5b6b7a', light: '#8595a3', dark: '#44515e' };
export const rubber: Tone = { face: '#2c333b', light: '#57616b', dark: '#171c21' };
export const wood: Tone = { face: '#d3ad77', light: '#e8cda3', dark: '#a98250' };
export const brass: Tone = { face: '#c9a352', light: '#e6cd8f', dark: '#94742f' };
export const paper: Tone = { face: '#f7f3e8', light: '#fffdf7', dark: '#d8d2c0' };
export const grip: Tone = { face: '#2f7f86', light: '#67adb2', dark: '#1d5a60' };
export const ink = '#26313c';

export function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Path data with relative steps, in hundredths of a millimetre, so that rounding errors do not accumulate. */
export function pathOf(loops: readonly Outline[]): string {
  return loops.map(loopOf).join('');
}

function loopOf(loop: Outline): string {
  const whole = loop.map(([x, y]) => [Math.round(x * 100), Math.round(y * 100)] as const);
  const steps = whole.map(([x, y], i) => {
    const [px, py] = whole[i - 1] ?? [0, 0];
    return `${(x - px) / 100} ${(y - py) / 100}`;
  });
  return `M${steps.join('l')}z`;
}

/** A flat figure in the plane at depth `z`. Later loops cut holes. */
export function flat(loops: Outline | readonly Outline[], z: number, fill: string, extra = ''): string {
  const list = isOutline(loops) ? [loops] : loops;
  const shifted = list.map((loop) => loop.map(([x, y]) => project([x, y, z])));
  return `<path d="${pathOf(shifted)}" fill="${fill}" fill-rule="evenodd"${extra && ` ${extra}`}/>`;
}

/** A solid: the outline drawn from depth `front` back to `back`. Later loops are holes through it. */
export function prism(loops: Outline | readonly Outline[], front: number, back: number, tone: Tone): string {
  const list = isOutline(loops) ? [loops] : loops;
  const edge = `stroke="${tone.light}" stroke-width="0.7" stroke-opacity="0.55"`;
  return `<g>${sides(list, front, back, tone)}${flat(list, front, tone.face, edge)}</g>`;
}

type Side = { corners: Point[]; colour: string; nearness: number };

function sides(loops: readonly Outline[], front: number, back: number, tone: Tone): string {
  const visible = loops.flatMap((loop, i) => sidesOf(loop, i > 0, front, back, tone));
  return visible
    .toSorted((a, b) => a.nearness - b.nearness)
    .map(
      ({ corners, colour }) =>
        `<path d="${pathOf([corners])}" fill="${colour}" stroke="${colour}" stroke-width="0.5"/>`,
    )
    .join('');
}

function sidesOf(loop: Outline, isHole: boolean, front: number, back: number, tone: Tone): Side[] {
  const outward = signedArea(loop) > 0 === isHole ? -1 : 1;
  const result: Side[] = [];
  loop.forEach((a, i) => {
    const b = loop[(i + 1) % loop.length] ?? a;
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length === 0) return;
    const normal: Point = [(outward * (b[1] - a[1])) / length, (outward * (a[0] - b[0])) / length];
    if (normal[0] * depth[0] + normal[1] * depth[1] <= 0.001) return;
    const colour = shade(tone, normal);
    const last = result.at(-1);
    const a0 = project([...a, front]);
    const b0 = project([...b, front]);
    const b1 = project([...b, back]);
    const a1 = project([...a, back]);
    const nearness = (a[0] + b[0]) * depth[0] + (a[1] + b[1]) * depth[1];
    const touches = last?.colour === colour && last.corners.at(last.corners.length / 2 - 1);
    if (last && touches && touches[0] === a0[0] && touches[1] === a0[1]) {
      last.corners.splice(last.corners.length / 2, 0, b0, b1);
    } else result.push({ corners: [a0, b0, b1, a1], colour, nearness });
  });
  return result;
}

/** Light comes from above: a side facing up is light, one facing down or to the operator darker. */
function shade(tone: Tone, [nx, ny]: Point): string {
  const lit = Math.round(Math.max(0, Math.min(1, 0.42 - 0.62 * ny - 0.2 * nx)) * 24) / 24;
  return lit < 0.5 ? mix(tone.dark, tone.face, lit * 2) : mix(tone.face, tone.light, lit * 2 - 1);
}

/** `#rrggbb` between two colours. */
export function mix(from: string, to: string, share: number): string {
  const channel = (at: number): string => {
    const [a, b] = [from, to].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16));
    return Math.round((a ?? 0) + ((b ?? 0) - (a ?? 0)) * share)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** Draws `inner` on the plane that faces the operator, `x` out from the arbor; its coordinates are (z, y). */
export function onOperatorSide(x: number, inner: string): string {
  return `<g transform="matrix(${depth[0]} ${depth[1]} 0 1 ${number(x)} 0)">${inner}</g>`;
}

/** Draws `inner` on a horizontal plane at height `y`; its coordinates are (x, z). */
export function onTop(y: number, inner: string): string {
  return `<g transform="matrix(1 0 ${depth[0]} ${depth[1]} 0 ${number(y)})">${inner}</g>`;
}

/** Moves `inner` along the arbor; negative values move it to the front. */
export function along(z: number, inner: string): string {
  return shift(depth[0] * z, depth[1] * z, inner);
}

export function shift(x: number, y: number, inner: string): string {
  return `<g transform="translate(${number(x)} ${number(y)})">${inner}</g>`;
}

function isOutline(loops: Outline | readonly Outline[]): loops is Outline {
  return typeof loops[0]?.[0] === 'number';
}
