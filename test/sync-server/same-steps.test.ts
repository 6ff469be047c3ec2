import fc from 'fast-check';
import { expect, test } from 'vitest';

import { sameSteps } from '#server/features/omanual/import/same-steps.ts';
import { plainLine, plainStep } from '#test/shared/formats/omanual/plain-guides.ts';

const step = (stepid: number, text: string) => plainStep({ stepid, title: '', lines: [plainLine(text, {})] });
const here = ['Open', 'Loosen', 'Close'].map((text, index) => step(index + 11, text));
const same = (texts: string[], isOwn = false, ids: number[] = []) =>
  sameSteps(
    here,
    texts.map((text, index) => step(ids[index] ?? index + 1, text)),
    isOwn,
  ).map((one) => one?.stepid);

test.each([
  ['nothing changed', ['Open', 'Loosen', 'Close'], [11, 12, 13]],
  ['one was added in front', ['Unplug', 'Open', 'Loosen', 'Close'], [undefined, 11, 12, 13]],
  ['one was deleted', ['Open', 'Close'], [11, 13]],
  ['one has another text', ['Open', 'Loosen both', 'Close'], [11, 12, 13]],
  ['one was inserted and one changed', ['Open', 'Look', 'Loosen both', 'Close'], [11, 12, undefined, 13]],
  ['all have other texts', ['A', 'B'], [11, 12]],
])(
  'OMANUAL-IMPORT-3 steps are matched by their content, then by their position: %s',
  (_, texts, expected) => {
    expect(same(texts)).toStrictEqual(expected);
  },
);

test('OMANUAL-IMPORT-3 steps of an archive of this site are matched by their numbers', () => {
  expect(same(['Close', 'New', 'Open'], true, [13, 90, 11])).toStrictEqual([13, undefined, 11]);
  expect(same(['Open', 'New'], true, [1, 2])).toStrictEqual([11, 12]);
});

test('OMANUAL-IMPORT-3 no step matches two steps of the archive, and order is kept where numbers do not decide', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 });
  fc.assert(
    fc.property(words, words, (mine, theirs) => {
      const mineSteps = mine.map((text, index) => step(index + 1, text));
      const found = sameSteps(
        mineSteps,
        theirs.map((text) => step(99, text)),
        false,
      );
      const ids = found.flatMap((one) => (one === undefined ? [] : [one.stepid]));
      expect(found).toHaveLength(theirs.length);
      expect(ids).toStrictEqual([...new Set(ids)].toSorted((a, b) => a - b));
      if (mine.join() === theirs.join()) expect(ids).toHaveLength(mine.length);
    }),
  );
});
