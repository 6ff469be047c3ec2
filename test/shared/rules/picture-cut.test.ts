import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Drawing, type Size, formatMarkup, parseMarkup } from '#shared/formats/wikitext/markup.ts';
import { parseMarkers } from '#shared/rules/markers.ts';
import {
  type Area,
  type Cut,
  type Turn,
  carriedMarkup,
  turnedArea,
  turnedPoint,
  turnedSize,
  turnsTogether,
} from '#shared/rules/picture-cut.ts';

const picture = { width: 1600, height: 1200 };
const whole = (size: Size, turn: Turn = 0): Cut => ({
  turn,
  area: { x: 0, y: 0, ...turnedSize(size, turn) },
});

/** The drawings that a cut leaves, and how many it drops. */
function carry(markup: string, cut: Cut, size: Size = picture) {
  const carried = carriedMarkup(markup, picture, size, cut);
  return { drawn: parseMarkup(carried.markup ?? '').draw, dropped: carried.dropped };
}

const cutTo = (x: number, y: number, width: number, height: number): Cut => ({
  turn: 0,
  area: { x, y, width, height },
});

describe('PICTURE-1 a marker stays with what it shows', () => {
  test('markers inside of the frame move with the picture', () => {
    const { drawn, dropped } = carry(
      ';circle,500x400,50,red;rectangle,600x300,800x500,blue;arrow,450x450,650x350,green;',
      cutTo(400, 200, 800, 600),
    );
    expect(dropped).toBe(0);
    expect(drawn).toEqual([
      { kind: 'circle', from: { x: 100, y: 200 }, radius: 50, color: 'red' },
      { kind: 'rectangle', from: { x: 200, y: 100 }, to: { x: 400, y: 300 }, color: 'blue' },
      { kind: 'arrow', from: { x: 50, y: 250 }, to: { x: 250, y: 150 }, color: 'green' },
    ]);
  });

  test('a marker whose middle or tip is outside is dropped and counted', () => {
    const { drawn, dropped } = carry(
      ';circle,390x400,50,red;rectangle,100x300,600x500,blue;arrow,500x300,300x300,green;line,0x0,500x300,black;',
      cutTo(400, 200, 800, 600),
    );
    expect(drawn).toEqual([]);
    expect(dropped).toBe(4);
  });

  test('rectangles, lines and the beginning of arrows end at the new edge', () => {
    const { drawn, dropped } = carry(
      ';rectangle,300x300,700x500,blue;line,300x400,900x400,black;arrow,200x500,600x500,green;',
      cutTo(400, 200, 800, 600),
    );
    expect(dropped).toBe(0);
    expect(drawn).toEqual([
      { kind: 'rectangle', from: { x: 0, y: 100 }, to: { x: 300, y: 300 }, color: 'blue' },
      { kind: 'line', from: { x: 0, y: 200 }, to: { x: 500, y: 200 }, color: 'black' },
      { kind: 'arrow', from: { x: 0, y: 300 }, to: { x: 200, y: 300 }, color: 'green' },
    ]);
  });

  test('an arrow that points in from outside and of which nothing is left is dropped', () => {
    expect(carry(';arrow,100x400,405x400,red;', cutTo(400, 200, 800, 600))).toEqual({
      drawn: [],
      dropped: 1,
    });
  });

  test('a rectangle that is written as corner and size stays the same rectangle', () => {
    const markup = ';rectangle,1500x100,-60x1300,red;';
    const [before] = parseMarkers(markup, picture);
    const { drawn } = carry(markup, whole(picture));
    expect(before?.points).toEqual([1500, 100, 1560, 1400]);
    expect(drawn).toEqual([
      { kind: 'rectangle', from: { x: 1500, y: 100 }, to: { x: 1560, y: 1200 }, color: 'red' },
    ]);
  });

  test('markers refer to the original; in a smaller copy they are where they were', () => {
    const { drawn } = carry(';circle,800x600,100,red;', whole({ width: 800, height: 600 }, 90), {
      width: 800,
      height: 600,
    });
    expect(drawn).toEqual([{ kind: 'circle', from: { x: 300, y: 400 }, radius: 50, color: 'red' }]);
  });

  test('a crop in the markup is moved and cut; what cannot be read is dropped and counted', () => {
    const { markup, dropped } = carriedMarkup(
      ';crop,100x100,600x600;blink,3;',
      picture,
      picture,
      cutTo(400, 200, 800, 600),
    );
    expect(markup).toBe(';crop,0x0,300x500;');
    expect(dropped).toBe(1);
  });

  test('a picture without markers has none afterwards', () => {
    expect(carriedMarkup(undefined, picture, picture, whole(picture, 90))).toEqual({
      markup: undefined,
      dropped: 0,
    });
    expect(carriedMarkup(';null;', picture, picture, whole(picture, 90)).markup).toBeUndefined();
  });
});

const turn = fc.constantFrom<Turn>(0, 90, 180, 270);
const size = fc.record({
  width: fc.integer({ min: 1, max: 4000 }),
  height: fc.integer({ min: 1, max: 4000 }),
});
const areaIn = ({ width, height }: Size): fc.Arbitrary<Area> =>
  fc.tuple(fc.nat(width - 1), fc.nat(height - 1)).chain(([x, y]) =>
    fc.record({
      x: fc.constant(x),
      y: fc.constant(y),
      width: fc.integer({ min: 1, max: width - x }),
      height: fc.integer({ min: 1, max: height - y }),
    }),
  );
const pointIn = ({ width, height }: Size) => fc.record({ x: fc.nat(width), y: fc.nat(height) });
const drawingIn = (of: Size): fc.Arbitrary<Drawing> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('circle' as const),
      from: pointIn(of),
      radius: fc.integer({ min: 1, max: 500 }),
      color: fc.constant('red' as const),
    }),
    fc.record({
      kind: fc.constantFrom('rectangle' as const, 'line' as const, 'arrow' as const, 'gap' as const),
      from: pointIn(of),
      to: pointIn(of),
      color: fc.constant('blue' as const),
    }),
  );
const cutPictures = size.chain((of) =>
  turn.chain((by) =>
    fc.record({
      of: fc.constant(of),
      cut: fc.record({ turn: fc.constant(by), area: areaIn(turnedSize(of, by)) }),
      draw: fc.array(drawingIn(of), { maxLength: 8 }),
    }),
  ),
);

test('turned points and areas stay inside of the turned picture, and four quarter turns change nothing', () => {
  const cases = size.chain((of) => fc.tuple(fc.constant(of), areaIn(of), pointIn(of), turn));
  fc.assert(
    fc.property(cases, ([of, area, point, by]) => {
      const { width, height } = turnedSize(of, by);
      const turned = turnedArea(area, of, by);
      expect(turned.width * turned.height).toBe(area.width * area.height);
      expect(turned.x).toBeGreaterThanOrEqual(0);
      expect(turned.y).toBeGreaterThanOrEqual(0);
      expect(turned.x + turned.width).toBeLessThanOrEqual(width);
      expect(turned.y + turned.height).toBeLessThanOrEqual(height);
      const back = turnsTogether(0, ((360 - by) % 360) as Turn);
      const there = turnedPoint(point, of, by);
      expect(turnedPoint(there, { width, height }, back)).toEqual(point);
      expect(turnedArea(turned, { width, height }, back)).toEqual(area);
    }),
  );
});

test('PICTURE-1 every marker is carried or counted, and those carried can be read and are in the picture', () => {
  fc.assert(
    fc.property(cutPictures, ({ of, cut, draw }) => {
      const markup = formatMarkup({ crop: null, draw, unknown: [] });
      const carried = carriedMarkup(markup, of, of, cut);
      const after = parseMarkup(carried.markup ?? '');
      expect(after.unknown).toEqual([]);
      expect(after.draw.length + carried.dropped).toBe(draw.length);
      const { width, height } = cut.area;
      for (const drawing of after.draw) {
        const points = drawing.kind === 'circle' ? [drawing.from] : [drawing.from, drawing.to];
        for (const { x, y } of points) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(width);
          expect(y).toBeLessThanOrEqual(height);
        }
      }
    }),
  );
});

test('PICTURE-1 a turn drops nothing, and turning back gives the markers as they were', () => {
  const cases = size.chain((of) =>
    fc.tuple(fc.constant(of), turn, fc.array(drawingIn(of), { maxLength: 6 })),
  );
  fc.assert(
    fc.property(cases, ([of, by, draw]) => {
      const markup = formatMarkup({ crop: null, draw, unknown: [] });
      const turned = carriedMarkup(markup, of, of, whole(of, by));
      expect(turned.dropped).toBe(0);
      const middle = turnedSize(of, by);
      const back = ((360 - by) % 360) as Turn;
      const again = carriedMarkup(turned.markup, middle, middle, whole(middle, back));
      expect(parseMarkers(again.markup, of)).toEqual(parseMarkers(markup, of));
    }),
  );
});
