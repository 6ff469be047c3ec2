import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { longestRising, mergeOrder } from '#shared/merge/order.ts';
import { runs } from '#test/support/long-run.ts';

function merged(base: string, mine: string, theirs: string): string {
  const removed = (key: string) => base.includes(key) && !(mine.includes(key) && theirs.includes(key));
  return mergeOrder(base.split(''), mine.split(''), theirs.split(''), (key) => !removed(key)).order.join('');
}

describe('order', () => {
  test('MERGE-50 moves of different elements are both kept', () => {
    expect(merged('abcdef', 'bcdefa', 'fabcde')).toBe('fbcdea');
  });

  test('MERGE-51 an added element stays behind its predecessor', () => {
    expect(merged('abc', 'axbc', 'abyc')).toBe('axbyc');
    expect(merged('abc', 'xabc', 'bca')).toBe('xbca');
  });

  test('MERGE-51 an added element stays although its predecessor is removed', () => {
    expect(merged('abc', 'abxc', 'ac')).toBe('axc');
  });

  test('MERGE-52 runs added at one place keep their own order, on either side', () => {
    expect(merged('ab', 'axyb', 'apqb')).toBe('apqxyb');
    expect(merged('ab', 'apqb', 'axyb')).toBe('apqxyb');
  });

  test('MERGE-53 an element moved on both sides takes the earlier place', () => {
    const { order, moved } = mergeOrder('abcde'.split(''), 'bcade'.split(''), 'bcdea'.split(''), () => true);
    expect(order.join('')).toBe('bcade');
    expect([...moved]).toEqual([['a', 'both']]);
  });

  test('MERGE-54 a removal takes precedence over a move', () => {
    expect(merged('abc', 'bca', 'bc')).toBe('bc');
  });

  test('MERGE-20 no element is lost or doubled, an unchanged side gives way, and the sides can be swapped', () => {
    const keys = 'abcdefgh'.split('');
    const side = fc.tuple(
      fc.shuffledSubarray(keys, { minLength: 0 }),
      fc.shuffledSubarray('xyz'.split('')),
      fc.nat(),
    );
    fc.assert(
      fc.property(side, side, (left, right) => {
        const orderOf = ([old, added, at]: typeof left, label: string): string[] =>
          old.toSpliced(at % (old.length + 1), 0, ...added.map((key) => label + key));
        const mine = orderOf(left, 'm');
        const theirs = orderOf(right, '');
        const kept = (key: string): boolean =>
          !keys.includes(key) || (mine.includes(key) && theirs.includes(key));
        const { order } = mergeOrder(keys, mine, theirs, kept);
        expect(order.toSorted()).toEqual([...new Set([...mine, ...theirs].filter(kept))].toSorted());
        expect(mergeOrder(keys, theirs, mine, kept).order).toEqual(order);
        expect(mergeOrder(keys, mine, keys, (key) => mine.includes(key)).order).toEqual(mine);
      }),
      { numRuns: runs(2000) },
    );
  });
});

test('the longest increasing subsequence increases and cannot be longer', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 9 }), (values) => {
      const run = longestRising(values, (a, b) => a < b).map((index) => values[index] ?? -1);
      for (let at = 1; at < run.length; at += 1) expect(run[at]).toBeGreaterThan(run[at - 1] ?? Infinity);
      const longest = values.reduce<number[]>((lengths, value, index) => {
        const before = lengths.filter((_, other) => (values[other] ?? 0) < value && other < index);
        return [...lengths, 1 + Math.max(0, ...before)];
      }, []);
      expect(run).toHaveLength(Math.max(0, ...longest));
    }),
  );
});
