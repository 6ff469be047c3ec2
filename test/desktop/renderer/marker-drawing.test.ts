import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  gripOf,
  grownBy,
  markerKinds,
  movedBy,
  newDrawing,
  stretchedTo,
} from '#desktop/renderer/screens/editor/marker-drawing.ts';
import { type Drawing, type Point, formatMarkup, parseMarkup } from '#shared/formats/wikitext/markup.ts';

const image = { width: 800, height: 600 };
const anywhere = fc.record({
  x: fc.integer({ min: -2000, max: 2000 }),
  y: fc.integer({ min: -2000, max: 2000 }),
});

/** The corners of a marker's area. */
function corners(drawing: Drawing): Point[] {
  const { from } = drawing;
  if (drawing.kind !== 'circle') return [from, drawing.to];
  const { radius } = drawing;
  return [
    { x: from.x - radius, y: from.y - radius },
    { x: from.x + radius, y: from.y + radius },
  ];
}

test.each(markerKinds)(
  'a %s stays in the picture and in its markup, however it is moved and resized',
  (kind) => {
    const change = fc.oneof(
      anywhere.map((by) => (drawing: Drawing) => movedBy(drawing, by, image)),
      anywhere.map((to) => (drawing: Drawing) => stretchedTo(drawing, to, image)),
      fc.integer({ min: -500, max: 500 }).map((step) => (drawing: Drawing) => grownBy(drawing, step, image)),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        let drawing = newDrawing(kind, 'green', image);
        for (const make of changes) drawing = make(drawing);
        const markup = formatMarkup({ crop: null, draw: [drawing], unknown: [] });
        expect(parseMarkup(markup).draw).toEqual([drawing]);
        // A circle has its centre in the picture and at least this radius.
        const least = kind === 'circle' ? 14 : 0;
        for (const { x, y } of corners(drawing)) {
          expect(x).toBeGreaterThanOrEqual(-least);
          expect(x).toBeLessThanOrEqual(image.width + least);
          expect(y).toBeGreaterThanOrEqual(-least);
          expect(y).toBeLessThanOrEqual(image.height + least);
        }
      }),
    );
  },
);

test('a marker is resized at its handle', () => {
  const circle: Drawing = { kind: 'circle', from: { x: 400, y: 300 }, radius: 100, color: 'red' };
  expect(grownBy(circle, 20, image)).toEqual({ ...circle, radius: 120 });
  expect(grownBy(circle, -20, image)).toEqual({ ...circle, radius: 80 });
  const arrow: Drawing = { kind: 'arrow', from: { x: 100, y: 100 }, to: { x: 200, y: 100 }, color: 'blue' };
  expect(gripOf(arrow, image)).toEqual({ x: 200, y: 100 });
  expect(grownBy(arrow, 50, image)).toEqual({ ...arrow, to: { x: 250, y: 100 } });
});

test('a rectangle written as corner and size is moved as a box', () => {
  const written: Drawing = {
    kind: 'rectangle',
    from: { x: 700, y: 500 },
    to: { x: 60, y: 900 },
    color: 'red',
  };
  expect(movedBy({ ...written, to: { x: 60, y: 40 } }, { x: -10, y: 0 }, image)).toEqual({
    ...written,
    from: { x: 50, y: 40 },
    to: { x: 690, y: 500 },
  });
});
