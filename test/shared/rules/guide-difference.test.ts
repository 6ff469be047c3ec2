import { describe, expect, test } from 'vitest';

import fc from 'fast-check';

import { must } from '#shared/must.ts';
import { comparedGuide, guideDifference, isEqualVersion } from '#shared/rules/guide-difference.ts';
import { wordDifference } from '#shared/rules/word-difference.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

type Facts = typeof plainGuide;
type Step = Facts['steps'][number];

const line = (id: string, text_raw: string) => ({
  id,
  lineid: null,
  bullet: 'black' as const,
  level: 0,
  text_raw,
});
const picture = (guid: string, markup?: string) => ({
  id: 1,
  guid,
  width: 4,
  height: 3,
  ...(markup !== undefined && { markup }),
});
function step(stepid: number, more: Partial<Step> = {}): Step {
  return {
    ...must(plainGuide.steps[0], 'a step'),
    stepid,
    key: String(stepid),
    title: `Step ${stepid}`,
    lines: [line('a', 'Turn the radio off.'), line('b', 'Lift the cover.')],
    media: { type: 'image', data: [] },
    ...more,
  };
}
const difference = (before: Step[], after: Step[]) =>
  guideDifference(
    comparedGuide({ ...plainGuide, steps: before }),
    comparedGuide({ ...plainGuide, steps: after }),
  );

test('COMPARE-1 the spans of a difference make up both texts', () => {
  const words = fc.array(fc.constantFrom('Turn ', 'the ', 'radio', ' off', '.', '\n'), { maxLength: 12 });
  fc.assert(
    fc.property(words, words, (old, now) => {
      const [before, after] = [old.join(''), now.join('')];
      const spans = wordDifference(before, after);
      const side = (other: 'before' | 'after') =>
        spans.flatMap((span) => (span.in === other ? [] : [span.text])).join('');
      expect({ before: side('after'), after: side('before') }).toEqual({ before, after });
    }),
  );
  expect(wordDifference('two screws', 'three screws')).toEqual([
    { text: 'two', in: 'before' },
    { text: 'three', in: 'after' },
    { text: ' screws', in: 'both' },
  ]);
});

describe('steps', () => {
  test('COMPARE-2 a step is added, removed, moved or changed', () => {
    const found = difference(
      [step(1), step(2), step(3), step(4)],
      [step(3), step(1), step(4, { title: 'Other' }), step(5)],
    );
    expect(
      found.steps.map(({ number, movedFrom, before, after }) => ({ number, movedFrom, before, after })),
    ).toEqual([
      { number: 1, movedFrom: 3, before: 'Step 3', after: 'Step 3' },
      { number: 3, movedFrom: null, before: 'Step 4', after: 'Other' },
      { number: 4, movedFrom: null, before: null, after: 'Step 5' },
      { number: 2, movedFrom: null, before: 'Step 2', after: null },
    ]);
  });

  test('COMPARE-2 equal versions have no difference', () => {
    expect(isEqualVersion(difference([step(1), step(2)], [step(1), step(2)]))).toBe(true);
    expect(isEqualVersion(difference([step(1)], [step(1, { title: 'Other' })]))).toBe(false);
  });

  test('COMPARE-3 every line of both versions appears once, in its place', () => {
    const [found] = difference(
      [step(1, { lines: [line('a', 'One.'), line('b', 'Two.'), line('c', 'Three.'), line('d', 'Four.')] })],
      [
        step(1, {
          lines: [line('d', 'Four.'), line('a', 'One now.'), line('c', 'Three.'), line('e', 'New.')],
        }),
      ],
    ).steps;
    expect(
      found?.lines.map(({ before, after, isMoved }) => [before?.text_raw, after?.text_raw, isMoved]),
    ).toEqual([
      ['Four.', 'Four.', true],
      ['One.', 'One now.', false],
      ['Two.', undefined, false],
      ['Three.', 'Three.', false],
      [undefined, 'New.', false],
    ]);
  });

  test('COMPARE-4 pictures are added or removed, or their markers changed', () => {
    const [found] = difference(
      [step(1, { media: { type: 'image', data: [picture('one'), picture('two')] } })],
      [
        step(1, {
          media: { type: 'image', data: [picture('two', ';circle,120x80,40,red;'), picture('three')] },
        }),
      ],
    ).steps;
    expect(found?.pictures).toEqual([
      { guid: 'one', change: 'removed' },
      { guid: 'two', change: 'marked' },
      { guid: 'three', change: 'added' },
    ]);
  });
});

test('COMPARE-1 COMPARE-2 two revisions of a guide of 100 steps are compared in less than 300 ms', () => {
  const sentence = (at: number) =>
    `Turn screw ${at} of the cover by hand until it is tight, then check that the edge is flush with the frame.`;
  const lines = (stepid: number, word: string) =>
    Array.from({ length: 8 }, (_, at) => line(`l${at}`, `${sentence(stepid * 8 + at)} ${word}`));
  const before = Array.from({ length: 100 }, (_, at) =>
    step(at + 1, { lines: lines(at + 1, 'Wear gloves.') }),
  );
  // Every line differs by a word, every tenth step is at another place, and one is new.
  const changed = before.map((one) => ({ ...one, lines: lines(one.stepid, 'Wear glasses.') }));
  const moved = [...changed.filter((_, at) => at % 10 !== 0), ...changed.filter((_, at) => at % 10 === 0)];
  const after = [...moved, step(101)];
  const times = Array.from({ length: 5 }, () => {
    const start = process.threadCpuUsage();
    const found = difference(before, after);
    const { user, system } = process.threadCpuUsage(start);
    expect(found.steps.filter((one) => one.before === null)).toHaveLength(1);
    return (user + system) / 1000;
  });
  expect(times.toSorted((a, b) => a - b)[2]).toBeLessThan(300);
});
