import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { mergeText } from '#shared/merge/text.ts';
import { hunksBetween, tokensOf } from '#shared/merge/words.ts';
import { runs } from '#test/support/long-run.ts';

const base = 'Remove the four red screws.';

describe('words', () => {
  test('MERGE-18 in megabytes of different words, the common beginning and end stay, and the middle is one change', () => {
    const words = (count: number, word: string): string =>
      Array.from({ length: count }, (_, n) => `${word}${n}`).join(' ');
    const mine = tokensOf(`Begin ${words(100_000, 'a')} end`);
    const theirs = tokensOf(`Begin ${words(100_000, 'b')} end`);
    expect(hunksBetween(mine, theirs)).toEqual([
      { start: 2, end: mine.length - 2, tokens: theirs.slice(2, -2) },
    ]);
    const merge = mergeText('Begin end', mine.join(''), theirs.join(''));
    expect(merge.conflict).toBe(true);
    expect(merge.variants.mine).toBe(mine.join(''));
    expect(merge.variants.theirs).toBe(theirs.join(''));
  });

  test('MERGE-18 a word inserted into a long run of the same word is placed as far left as possible', () => {
    const row = Array.from({ length: 100_000 }, () => 'a');
    expect(hunksBetween(row, [...row, ...row.slice(0, 3000)])).toEqual([
      { start: 0, end: 0, tokens: row.slice(0, 3000) },
    ]);
    expect(
      hunksBetween(['x', 'a', 'b', 'c', 'a', 'b', 'c'], ['x', 'a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c']),
    ).toEqual([{ start: 1, end: 1, tokens: ['a', 'b', 'c'] }]);
  });

  test('MERGE-10 tokens joined are the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(tokensOf(text).join('')).toBe(text);
      }),
    );
  });

  test('MERGE-10 words of every script, marks and joined emoji are whole tokens', () => {
    expect(tokensOf('Größe: 5\u00a0mm, e\u0301té')).toEqual([
      'Größe',
      ':',
      ' ',
      '5',
      '\u00a0',
      'mm',
      ',',
      ' ',
      'e\u0301té',
    ]);
    expect(tokensOf('外す電池')).toEqual(['外', 'す', '電', '池']);
    expect(tokensOf('👩\u200d🔧!')).toEqual(['👩\u200d🔧', '!']);
  });
});

describe('changes', () => {
  const changes = (base: string, other: string) => hunksBetween(tokensOf(base), tokensOf(other));

  test('MERGE-12 insertions and removals are placed as far left as possible', () => {
    expect(changes('Replace the battery', 'Replace the old battery')).toEqual([
      { start: 3, end: 3, tokens: [' ', 'old'] },
    ]);
    expect(changes('Turn the the knob', 'Turn the knob')).toEqual([{ start: 1, end: 3, tokens: [] }]);
    expect(changes('one\ntwo', 'one\nnew\ntwo')).toEqual([{ start: 1, end: 1, tokens: ['\n', 'new'] }]);
  });

  test('MERGE-12 changes with no word between them are one, but not across lines', () => {
    expect(changes('one two', '1 2')).toEqual([{ start: 0, end: 3, tokens: ['1', ' ', '2'] }]);
    expect(changes('one\ntwo', '1\n2')).toHaveLength(2);
  });
});

describe('automatic merges', () => {
  test('MERGE-11 a text changed on one side only is that side’s', () => {
    expect(mergeText(base, base, 'Take out the screws.')).toMatchObject({
      merged: 'Take out the screws.',
      conflict: false,
    });
    expect(mergeText(base, 'Take out the screws.', base)).toMatchObject({
      merged: 'Take out the screws.',
      conflict: false,
    });
  });

  test('MERGE-12 changes of different words are both kept', () => {
    const result = mergeText(base, 'Unscrew the four red screws.', 'Remove the four blue screws.');
    expect(result).toMatchObject({ merged: 'Unscrew the four blue screws.', conflict: false });
    expect(result.spans.filter((span) => span.by !== 'base')).toEqual([
      { text: 'Unscrew', by: 'mine', contested: false },
      { text: 'blue', by: 'theirs', contested: false },
    ]);
  });

  test('MERGE-13 adjacent changes are both kept', () => {
    expect(mergeText('one two three', 'one 2 three', 'one two and three')).toMatchObject({
      merged: 'one 2 and three',
      conflict: false,
    });
    expect(mergeText('one two three', 'one 2 three', 'one and two three')).toMatchObject({
      merged: 'one and 2 three',
      conflict: false,
    });
  });

  test('MERGE-12 the same change on both sides is applied once', () => {
    expect(mergeText(base, 'Remove the five red screws.', 'Remove the five red bolts.')).toMatchObject({
      merged: 'Remove the five red bolts.',
      conflict: false,
    });
  });

  test('MERGE-16 whole lines added at the same place are both kept', () => {
    expect(mergeText('a\nb', 'a\nb\nmine', 'a\nb\ntheirs')).toMatchObject({
      merged: 'a\nb\nmine\ntheirs',
      conflict: false,
    });
    expect(mergeText('a\nb', 'a\nm\nb', 'a\nt\nb')).toMatchObject({ merged: 'a\nm\nt\nb', conflict: false });
  });

  test('MERGE-17 overlapping removals remove what either side removed', () => {
    expect(mergeText('a b c d e', 'a d e', 'a b e')).toMatchObject({ merged: 'a e', conflict: false });
  });
});

describe('conflicts', () => {
  test('MERGE-14 different words for the same word are a conflict and theirs applies meanwhile', () => {
    const result = mergeText(base, 'Remove the six red screws.', 'Remove the five red screws.');
    expect(result.conflict).toBe(true);
    expect(result.merged).toBe('Remove the five red screws.');
    expect(result.variants).toEqual({
      mine: 'Remove the six red screws.',
      theirs: 'Remove the five red screws.',
      both: 'Remove the five / six red screws.',
    });
    expect(result.spans).toContainEqual({ text: 'five', by: 'theirs', contested: true });
  });

  test('MERGE-14 uncontested words merge beside a conflict', () => {
    const result = mergeText(base, 'Unscrew the six red screws.', 'Remove the five red bolts.');
    expect(result.variants.mine).toBe('Unscrew the six red bolts.');
    expect(result.variants.theirs).toBe('Unscrew the five red bolts.');
  });

  test('MERGE-14 a word removed on one side and replaced on the other is a conflict', () => {
    const result = mergeText(base, 'Remove the red screws.', 'Remove the five red screws.');
    expect(result.conflict).toBe(true);
    expect(result.variants.both).toBe('Remove the five red screws.');
  });

  test('MERGE-15 different words inserted at the same point are a conflict', () => {
    const result = mergeText('Replace the battery', 'Replace the old battery', 'Replace the new battery');
    expect(result.conflict).toBe(true);
    expect(result.variants.both).toBe('Replace the new / old battery');
  });

  test('MERGE-15 an empty text filled differently on both sides is a conflict', () => {
    expect(mergeText('', 'one', 'two')).toMatchObject({ conflict: true, merged: 'two' });
  });

  test('MERGE-14 words inserted into a passage replaced on the other side are a conflict', () => {
    const result = mergeText('one two three four', 'one 2 3 four', 'one two and a half three four');
    expect(result.conflict).toBe(true);
  });
});

describe('properties', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'the', 'red', ',', '\n'), { maxLength: 12 });
  const text = words.map((list) => list.join(' '));

  test('MERGE-11 an unchanged side gives the other', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(mergeText(before, after, before).merged).toBe(after);
        expect(mergeText(before, before, after).merged).toBe(after);
        expect(mergeText(before, after, before).conflict).toBe(false);
      }),
      { numRuns: runs(2000) },
    );
  });

  test('MERGE-5 swapping the sides swaps only the labels', () => {
    fc.assert(
      fc.property(text, text, text, (before, mine, theirs) => {
        const one = mergeText(before, mine, theirs);
        const other = mergeText(before, theirs, mine);
        expect(other.conflict).toBe(one.conflict);
        expect(other.variants.mine).toBe(one.variants.theirs);
        expect(other.variants.theirs).toBe(one.variants.mine);
        expect(one.spans.map((span) => span.text).join('')).toBe(one.merged);
      }),
      { numRuns: runs(2000) },
    );
  });

  test('MERGE-12 changes of different words never conflict, in 10,000 pairs', () => {
    const edits = fc.array(fc.constantFrom('keep', 'mine', 'theirs'), {
      minLength: 1,
      maxLength: 14,
    });
    fc.assert(
      fc.property(edits, (who) => {
        const render = (side: string): string =>
          who.map((owner, index) => (owner === side ? `${side}${index}` : `w${index}`)).join(' ');
        const expected = who
          .map((owner, index) => (owner === 'mine' || owner === 'theirs' ? `${owner}${index}` : `w${index}`))
          .join(' ');
        const before = who.map((_, index) => `w${index}`).join(' ');
        expect(mergeText(before, render('mine'), render('theirs'))).toMatchObject({
          merged: expected,
          conflict: false,
        });
      }),
      { numRuns: runs(10_000) },
    );
  });
});
