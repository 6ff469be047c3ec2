import { xmlText } from '#shared/formats/omanual/xml-writer.ts';

import { number, type Tone } from './drawing/paint.ts';
import { motifs, type Dice } from './placeholder-motifs.ts';

export type PlaceholderSubject = {
  guid: string;
  guideTitle: string;
  stepTitle?: string | undefined;
  stepNumber?: number | undefined;
  pictureNumber?: number | undefined;
};

const palettes: readonly { tone: Tone; from: string; to: string }[] = [
  { tone: { face: '#416d7a', light: '#6d98a3', dark: '#2c515d' }, from: '#e6ecf1', to: '#c6d3db' },
  { tone: { face: '#b58b50', light: '#dcbf90', dark: '#876433' }, from: '#f1ede4', to: '#dcd4c4' },
  { tone: { face: '#a4624f', light: '#cd9786', dark: '#763f30' }, from: '#f2eae6', to: '#dccdc7' },
  { tone: { face: '#5b6794', light: '#929cc2', dark: '#3d466c' }, from: '#e9ebf3', to: '#cbcfe0' },
  { tone: { face: '#5f8064', light: '#96b39a', dark: '#405b45' }, from: '#e9efe8', to: '#cbd8cb' },
  { tone: { face: '#7d5d77', light: '#ab8fa6', dark: '#573d52' }, from: '#efe9ee', to: '#d7cad4' },
  { tone: { face: '#5b6b7a', light: '#92a1ae', dark: '#3f4c58' }, from: '#ebeef0', to: '#cdd5db' },
];

const font = 'font-family="Inter, DejaVu Sans, sans-serif"';

/** A drawing of 1600 by 1200 in place of a missing picture. The same subject always gives the same drawing. */
export function placeholderSvg(subject: PlaceholderSubject): string {
  const dice = diceOf(subject.guid);
  const palette = pickFrom(palettes, dice);
  const motif = pickFrom(motifs, dice);
  const scale = 3 + dice.pick(3) * 0.12;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1200" width="1600" height="1200">',
    `<defs><linearGradient id="air" x1="0" y1="0" x2="0.5" y2="1"><stop offset="0" stop-color="${palette.from}"/><stop offset="1" stop-color="${palette.to}"/></linearGradient></defs>`,
    '<rect width="1600" height="1200" fill="url(#air)"/>',
    drawingGrid(palette.tone.face),
    `<ellipse cx="800" cy="806" rx="560" ry="36" fill="${palette.tone.dark}" opacity="0.13"/>`,
    `<g transform="translate(800 424) scale(${number(scale)})" stroke-linejoin="round">${motif(palette.tone, dice)}</g>`,
    legend(subject, palette.tone),
    '</svg>\n',
  ].join('\n');
}

function drawingGrid(colour: string): string {
  const lines = [
    ...Array.from({ length: 19 }, (_, i) => `M${80 + i * 80} 0V872`),
    ...Array.from({ length: 10 }, (_, i) => `M0 ${72 + i * 80}H1600`),
  ];
  return `<path d="${lines.join('')}" stroke="${colour}" stroke-width="1.5" opacity="0.1"/>`;
}

function legend(subject: PlaceholderSubject, tone: Tone): string {
  const titleLines = wrap(subject.guideTitle, 38, 2);
  const top = titleLines.length === 1 ? 1000 : 970;
  const title = titleLines.map(
    (line, i) =>
      `<text x="72" y="${top + i * 66}" ${font} font-size="58" font-weight="700" fill="#232d38">${xmlText(line)}</text>`,
  );
  const place = placeOf(subject);
  const below = top + (titleLines.length - 1) * 66 + 62;
  return [
    '<rect y="872" width="1600" height="328" fill="#fbfaf6"/>',
    `<rect y="872" width="1600" height="8" fill="${tone.face}"/>`,
    ...title,
    place &&
      `<text x="72" y="${below}" ${font} font-size="40" font-weight="600" fill="${tone.dark}">${xmlText(place)}</text>`,
    `<text x="72" y="1164" ${font} font-size="28" fill="#5d6873">Drawing stands in for the original picture</text>`,
  ]
    .filter(Boolean)
    .join('\n');
}

function placeOf({ stepNumber, stepTitle, pictureNumber }: PlaceholderSubject): string {
  const picture = pictureNumber === undefined ? '' : `Picture ${pictureNumber}`;
  const step = stepNumber === undefined ? '' : `Step ${stepNumber}`;
  const room = 58 - picture.length - step.length;
  const [title = ''] = stepTitle ? wrap(stepTitle, room, 1) : [];
  return [step, title, picture].filter(Boolean).join(' · ');
}

/** Breaks a text into at most `count` lines of `width` characters. A text that does not fit ends with an ellipsis. */
function wrap(text: string, width: number, count: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.trim().split(/\s+/u)) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  lines.push(line);
  const kept = lines.slice(0, count);
  return kept.map((kind, i) => {
    const isCut = i === count - 1 && lines.length > count;
    return isCut || kind.length > width ? `${kind.slice(0, width - 1).trimEnd()}…` : kind;
  });
}

function pickFrom<T>(list: readonly [T, ...T[]] | readonly T[], dice: Dice): T {
  const found = list[dice.pick(list.length)];
  if (found === undefined) throw new Error('Expected something to pick from');
  return found;
}

/** A number generator seeded with the guid: FNV-1a for the seed, then mulberry32. */
function diceOf(guid: string): Dice {
  let state = 2166136261;
  for (const character of guid) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619);
  return {
    pick(count) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
    },
  };
}
