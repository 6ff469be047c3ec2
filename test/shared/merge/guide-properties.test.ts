import fc from 'fast-check';
import { expect, test } from 'vitest';

import { pathId, type GuideContent } from '#shared/rules/guide-content.ts';
import { contentOf } from '#shared/rules/guide-edit.ts';
import { mergeGuide } from '#shared/merge/guide.ts';
import { resolveConflict } from '#shared/merge/resolve.ts';
import { Editor, plainGuide, rawEdits, type RawEdit } from '#test/support/guide-edits.ts';
import { runs } from '#test/support/long-run.ts';

const base = contentOf(plainGuide);
const often = { numRuns: runs(1500) };

type Sides = { before: GuideContent; mine: GuideContent; theirs: GuideContent; left: Editor; right: Editor };

function sidesOf(first: RawEdit[], mineEdits: RawEdit[], theirEdits: RawEdit[]): Sides {
  const before = new Editor('b').edit(base, first);
  const left = new Editor('m');
  const right = new Editor('t');
  return { before, mine: left.edit(before, mineEdits), theirs: right.edit(before, theirEdits), left, right };
}

const sides = fc.tuple(rawEdits, rawEdits, rawEdits).map((edits) => sidesOf(...edits));

test('MERGE-1 merging with an unchanged side returns the other side', () => {
  fc.assert(
    fc.property(sides, ({ before, mine }) => {
      const theirsUnchanged = mergeGuide(before, mine, before);
      expect(theirsUnchanged.merged).toEqual(mine);
      expect(theirsUnchanged.conflicts).toEqual([]);
      const mineUnchanged = mergeGuide(before, before, mine);
      expect(mineUnchanged.merged).toEqual(mine);
      expect(mineUnchanged.conflicts).toEqual([]);
    }),
    often,
  );
});

test('MERGE-1 merging equal sides returns them', () => {
  fc.assert(
    fc.property(sides, ({ before, mine }) => {
      const { merged, conflicts } = mergeGuide(before, mine, mine);
      expect(merged).toEqual(mine);
      expect(conflicts).toEqual([]);
    }),
    often,
  );
});

test('MERGE-5 swapping the sides gives the same conflicts, and without conflict the same guide', () => {
  fc.assert(
    fc.property(sides, ({ before, mine, theirs }) => {
      const one = mergeGuide(before, mine, theirs);
      const other = mergeGuide(before, theirs, mine);
      const placesOf = (result: typeof one) =>
        result.conflicts.map((conflict) => pathId(conflict.place)).toSorted();
      expect(placesOf(one)).toEqual(placesOf(other));
      if (one.conflicts.length === 0) expect(one.merged).toEqual(other.merged);
      expect(one.merged.steps.map((step) => step.key)).toEqual(other.merged.steps.map((step) => step.key));
    }),
    often,
  );
});

test('MERGE-20 MERGE-21 every kept or added step exists exactly once', () => {
  fc.assert(
    fc.property(sides, ({ before, mine, theirs }) => {
      const { merged, conflicts } = mergeGuide(before, mine, theirs);
      const contested = new Set(
        conflicts.filter((one) => one.kind === 'removal').map((one) => one.place.step),
      );
      const keysOf = (content: GuideContent) => content.steps.map((step) => step.key);
      const expected = [...new Set([...keysOf(before), ...keysOf(mine), ...keysOf(theirs)])].filter((key) => {
        const present = keysOf(mine).includes(key) && keysOf(theirs).includes(key);
        return present || contested.has(key) || (!keysOf(before).includes(key) && !present);
      });
      expect(keysOf(merged).toSorted()).toEqual(expected.toSorted());
    }),
    often,
  );
});

test('MERGE-20 MERGE-21 every line of a step on both sides exists once, and so does every added line', () => {
  fc.assert(
    fc.property(sides, ({ before, mine, theirs }) => {
      const { merged } = mergeGuide(before, mine, theirs);
      for (const step of merged.steps) {
        const ids = step.lines.map((line) => line.id);
        expect(new Set(ids).size).toBe(ids.length);
        const find = (content: GuideContent) =>
          content.steps.find(({ key }) => key === step.key)?.lines ?? [];
        const old = new Set(find(before).map((line) => line.id));
        const added = [...find(mine), ...find(theirs)].filter((line) => !old.has(line.id));
        for (const line of added) expect(ids).toContain(line.id);
      }
    }),
    often,
  );
});

test('MERGE-6 every conflict has a unique place', () => {
  fc.assert(
    fc.property(sides, ({ before, mine, theirs }) => {
      const { conflicts } = mergeGuide(before, mine, theirs);
      const names = conflicts.map(({ id }) => id);
      expect(names).toEqual(conflicts.map(({ place }) => pathId(place)));
      expect(new Set(names).size).toBe(names.length);
    }),
    often,
  );
});

test('MERGE-14 every word written on one side is in the merged guide or in a conflict', () => {
  fc.assert(
    fc.property(sides, ({ before, mine, theirs, left, right }) => {
      const { merged, conflicts } = mergeGuide(before, mine, theirs);
      const shown = JSON.stringify([merged, conflicts]);
      for (const [side, editor] of [
        [mine, left],
        [theirs, right],
      ] as const) {
        const written = JSON.stringify(side);
        for (const word of editor.words.filter((one) => new RegExp(`\\b${one}\\b`).test(written))) {
          expect(new RegExp(`\\b${word}\\b`).test(shown)).toBe(true);
        }
      }
    }),
    often,
  );
});

test('MERGE-3 a second merge of the result changes nothing', () => {
  fc.assert(
    fc.property(sides, ({ before, mine, theirs }) => {
      const { merged } = mergeGuide(before, mine, theirs);
      const again = mergeGuide(theirs, merged, theirs);
      expect(again.merged).toEqual(merged);
      expect(again.conflicts).toEqual([]);
    }),
    often,
  );
});

test('MERGE-2 edits in different places never conflict, in 10,000 pairs', () => {
  const editsOf = (kinds: [number, number]) =>
    fc.array(
      fc.record({
        kind: fc.integer({ min: kinds[0], max: kinds[1] }),
        where: fc.nat({ max: 99 }),
        which: fc.nat({ max: 99 }),
        to: fc.nat({ max: 99 }),
      }),
      { maxLength: 5 },
    );
  const fieldEdits = editsOf([0, 14]);
  const stepEdits = editsOf([15, 99]);
  fc.assert(
    fc.property(fieldEdits, stepEdits, (mineEdits, theirEdits) => {
      const { before, mine, theirs } = sidesOf([], mineEdits, theirEdits);
      const { merged, conflicts } = mergeGuide(before, mine, theirs);
      expect(conflicts).toEqual([]);
      expect(merged).toEqual({ ...mine, steps: theirs.steps });
    }),
    { numRuns: runs(10_000) },
  );
});

test('MERGE-2 edits of different steps never conflict', () => {
  const within = (parity: number) =>
    fc.array(
      fc.record({
        kind: fc.integer({ min: 42, max: 99 }),
        where: fc.nat({ max: 1 }).map((half) => half * 2 + parity),
        which: fc.nat({ max: 99 }),
        to: fc.nat({ max: 99 }),
      }),
      { maxLength: 8 },
    );
  fc.assert(
    fc.property(within(0), within(1), (mineEdits, theirEdits) => {
      const { before, mine, theirs } = sidesOf([], mineEdits, theirEdits);
      const { merged, conflicts } = mergeGuide(before, mine, theirs);
      expect(conflicts).toEqual([]);
      expect(merged.steps).toEqual(
        before.steps.map((_, index) => (index % 2 === 0 ? mine : theirs).steps[index]),
      );
    }),
    often,
  );
});

test('MERGE-60 deciding everything for mine equals deciding everything for theirs with the sides swapped', () => {
  fc.assert(
    fc.property(sides, ({ before, mine, theirs }) => {
      const one = mergeGuide(before, mine, theirs);
      const other = mergeGuide(before, theirs, mine);
      const decide = (result: typeof one, choice: 'mine' | 'theirs') =>
        result.conflicts.reduce(
          (content, conflict) => resolveConflict(content, conflict, choice),
          result.merged,
        );
      expect(decide(one, 'mine')).toEqual(decide(other, 'theirs'));
    }),
    often,
  );
});
