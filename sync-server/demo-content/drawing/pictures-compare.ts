import { beltSection, looseBelt, newBelt, oldBelt } from './drive.ts';
import { box, circle, type Outline } from './geometry.ts';
import { flat, ink, pathOf, prism, shift, steel } from './paint.ts';
import type { Camera, Picture } from './sheet.ts';

/** A cloth on the bench, seen from above; millimetres with the origin in the middle of the sheet. */
export const fromAbove: Camera = { x: 800, y: 600, scale: 3.6 };

/** Cut-open pulleys, enlarged. */
export const sections: Camera = { x: 800, y: 610, scale: 4.9 };

export function mat(): string {
  return (
    shift(3, 5, flat(box(-205, -150, 410, 300, 10), 0, '#5c7080', 'opacity="0.22"')) +
    flat(box(-205, -150, 410, 300, 10), 0, '#e9edee') +
    flat(box(-197, -142, 394, 284, 6), 0, 'none', 'stroke="#cfd8dd" stroke-width="2"')
  );
}

export function comparePictures(): Picture[] {
  return [
    {
      guid: 'BeltStep07Image1',
      camera: fromAbove,
      drawing: [
        mat(),
        shift(-92, 2, looseBelt(oldBelt, 122, 252) + damage()),
        shift(88, 2, looseBelt(newBelt, 112, 238) + print()),
      ].join(''),
      markers: [
        { shape: 'circle', at: [-148, -22, 0], radius: 32, colour: 'red' },
        { shape: 'rectangle', from: [127, -56, 0], to: [148, 62, 0], colour: 'green' },
      ],
    },
    {
      guid: 'BeltStep07Image2',
      camera: sections,
      drawing: grooveWithBelt(-84, 'worn') + grooveWithBelt(76, 'good'),
      markers: [{ shape: 'circle', at: [-84, -24, 0], radius: 54, colour: 'violet' }],
    },
  ];
}

/** Cracks across the back of the old belt, and cords that have come loose. */
function damage(): string {
  const cracks = [-52, -36, -20, -5, 12]
    .map((y, i) => `M-61 ${y}l${3 + (i % 3)} ${i % 2 === 0 ? 1.6 : -1.4}l2.6 -2.2l${1 + (i % 2)} 2`)
    .join('');
  const frays = [0, 1, 2, 3, 4, 5]
    .map((i) => `M${-61 + i * 0.3} ${52 + i * 4}q-6 ${2 - i} -11 ${i * 1.4 - 3}`)
    .join('');
  return (
    `<path d="${cracks}" fill="none" stroke="#17140f" stroke-width="1.5" stroke-linecap="round"/>` +
    `<path d="${frays}" fill="none" stroke="#8b8172" stroke-width="1" stroke-linecap="round"/>`
  );
}

function print(): string {
  return '<text transform="translate(53 46) rotate(-90)" font-family="Inter, DejaVu Sans, sans-serif" font-size="8.4" font-weight="600" fill="#f2f4f5" textLength="90" lengthAdjust="spacingAndGlyphs">13 × 480 V-BELT</text>';
}

const block: Outline = [
  [-66, -46],
  [-36, -46],
  [-16, 8],
  [16, 8],
  [36, -46],
  [66, -46],
  [66, 62],
  [-66, 62],
];

/** One half of a pulley cut open, with a belt in its groove: sound, worn thin or twisted. */
export function grooveWithBelt(x: number, state: 'good' | 'worn' | 'twisted'): string {
  const rim = `<path d="M-66 -46H66" stroke="${ink}" stroke-width="1" stroke-dasharray="5 3.5"/>`;
  return shift(x, 0, prism(block, 0, 22, steel) + hatching(`cut${state}`) + section(state) + rim);
}

function section(state: 'good' | 'worn' | 'twisted'): string {
  switch (state) {
    case 'good':
      return belt(-46, newBelt.face);
    case 'worn':
      return flat(beltSection(0, -33, true), 0, oldBelt.face) + cords(-25);
    case 'twisted':
      return `<g transform="rotate(38 0 -46)">${shift(4, -16, belt(-46, newBelt.face))}</g>`;
  }
}

function belt(top: number, colour: string): string {
  return flat(beltSection(0, top), 0, colour) + cords(top + 8);
}

/** The cords inside a belt that carry the pull. */
function cords(y: number): string {
  return [-18, -9, 0, 9, 18].map((x) => flat(circle(x, y, 2.6, 24), 0, '#b9a98c')).join('');
}

/** Section lines over the cut face. */
function hatching(id: string): string {
  const lines = Array.from({ length: 26 }, (_, i) => `M${-150 + i * 11} 66l114 -114`).join('');
  return (
    `<clipPath id="${id}"><path d="${pathOf([block])}"/></clipPath>` +
    `<path d="${lines}" clip-path="url(#${id})" stroke="#8f9ca7" stroke-width="1.1"/>`
  );
}
