import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  type Proportion,
  canResize,
  grownArea,
  handles,
  hasRoomForFourThree,
  movedArea,
  proportioned,
  resizedArea,
  turnedCut,
  wholeArea,
} from '#desktop/renderer/screens/editor/crop-area.ts';
import type { Size } from '#shared/formats/wikitext/markup.ts';
import { type Area, type Cut, turnedSize } from '#shared/rules/picture-cut.ts';

const picture = { width: 1600, height: 1200 };
const area = { x: 400, y: 300, width: 800, height: 600 };

test('a corner is dragged while the opposite one stays, and stops at the edge', () => {
  const corner = { across: 1, down: 1 } as const;
  expect(resizedArea(area, corner, { x: 1000.4, y: 500 }, 'free', picture)).toEqual({
    x: 400,
    y: 300,
    width: 600,
    height: 200,
  });
  expect(resizedArea(area, corner, { x: 9000, y: 9000 }, 'free', picture)).toEqual({
    x: 400,
    y: 300,
    width: 1200,
    height: 900,
  });
  const upper = { across: -1, down: -1 } as const;
  expect(resizedArea(area, upper, { x: -50, y: 5000 }, 'free', picture)).toEqual({
    x: 0,
    y: 884,
    width: 1200,
    height: 16,
  });
});

test('with fixed proportions a corner changes both sides, and a side changes nothing', () => {
  const corner = { across: -1, down: 1 } as const;
  expect(resizedArea(area, corner, { x: 800, y: 600 }, 'fourThree', picture)).toEqual({
    x: 800,
    y: 300,
    width: 400,
    height: 300,
  });
  expect(resizedArea(area, { across: 1, down: 0 }, { x: 900, y: 0 }, 'fourThree', picture)).toEqual(area);
});

test('keys move the frame and enlarge it, at the edge to the other side', () => {
  expect(movedArea(area, { x: 16, y: 0 }, picture)).toEqual({ ...area, x: 416 });
  expect(movedArea(area, { x: 0, y: 9000 }, picture)).toEqual({ ...area, y: 600 });
  expect(grownArea(area, { x: 16, y: 0 }, 'free', picture)).toEqual({ ...area, width: 816 });
  const right = { ...area, x: 800 };
  expect(grownArea(right, { x: 16, y: 0 }, 'free', picture)).toEqual({ ...right, x: 784, width: 816 });
  expect(grownArea(area, { x: 0, y: -9 }, 'fourThree', picture)).toEqual({
    ...area,
    width: 788,
    height: 591,
  });
});

test('4:3 takes as much of the present frame as it can, in its middle', () => {
  const high = { x: 100, y: 0, width: 400, height: 1200 };
  expect(proportioned(high, 'fourThree', picture)).toEqual({ x: 100, y: 450, width: 400, height: 300 });
  expect(proportioned(high, 'free', picture)).toBe(high);
});

test('a turned frame holds the same part of the picture, or the same proportions', () => {
  const cut: Cut = { turn: 0, area };
  expect(turnedCut(cut, 90, 'free', picture)).toEqual({
    turn: 90,
    area: { x: 300, y: 400, width: 600, height: 800 },
  });
  let turned = cut;
  for (let count = 0; count < 4; count += 1) turned = turnedCut(turned, 270, 'fourThree', picture);
  expect(turned).toEqual(cut);
});

type Act =
  | { handle: number; x: number; y: number }
  | { by: { x: number; y: number } }
  | { grow: { x: number; y: number } }
  | { turn: 90 | 270 }
  | { proportion: Proportion };

const far = fc.integer({ min: -5000, max: 5000 });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ handle: fc.nat(handles.length - 1), x: far, y: far }),
  fc.record({ by: fc.record({ x: far, y: far }) }),
  fc.record({ grow: fc.record({ x: far, y: far }) }),
  fc.record({ turn: fc.constantFrom<90 | 270>(90, 270) }),
  fc.record({ proportion: fc.constantFrom<Proportion>('free', 'fourThree') }),
);
const side = fc.integer({ min: 1, max: 4000 });

test('whatever is done, the frame stays inside of the picture, is never empty, and 4:3 stays 4:3', () => {
  fc.assert(
    fc.property(
      fc.record({ width: side, height: side }),
      fc.array(act, { maxLength: 30 }),
      (of: Size, acts) => {
        let cut: Cut = { turn: 0, area: wholeArea(of) };
        let proportion: Proportion = 'free';
        for (const one of acts) {
          const size = turnedSize(of, cut.turn);
          const change = (next: Area): void => void (cut = { ...cut, area: next });
          if ('handle' in one) {
            const handle = handles[one.handle] ?? { across: 1, down: 1 };
            if (canResize(handle, proportion)) change(resizedArea(cut.area, handle, one, proportion, size));
          } else if ('by' in one) change(movedArea(cut.area, one.by, size));
          else if ('grow' in one) change(grownArea(cut.area, one.grow, proportion, size));
          else if ('turn' in one) cut = turnedCut(cut, one.turn, proportion, of);
          else if (hasRoomForFourThree(size)) {
            proportion = one.proportion;
            change(proportioned(cut.area, proportion, size));
          }
          const { width, height } = turnedSize(of, cut.turn);
          expect(Object.values(cut.area).every(Number.isInteger)).toBe(true);
          expect(cut.area.x).toBeGreaterThanOrEqual(0);
          expect(cut.area.y).toBeGreaterThanOrEqual(0);
          expect(cut.area.x + cut.area.width).toBeLessThanOrEqual(width);
          expect(cut.area.y + cut.area.height).toBeLessThanOrEqual(height);
          expect(cut.area.width).toBeGreaterThanOrEqual(Math.min(16, width, height));
          expect(cut.area.height).toBeGreaterThanOrEqual(Math.min(16, width, height));
          if (proportion === 'fourThree') expect(cut.area.width * 3).toBe(cut.area.height * 4);
        }
      },
    ),
  );
});
