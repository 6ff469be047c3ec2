import { describe, expect, test } from 'vitest';

import { choicesOf, type Choice } from '#shared/merge/conflict.ts';
import { mergeGuide } from '#shared/merge/guide.ts';
import { resolveConflict } from '#shared/merge/resolve.ts';
import { must } from '#shared/must.ts';
import { type GuideContent, emptyStep } from '#shared/rules/guide-content.ts';
import { type GuideEditOperation, applyEdit, contentOf } from '#shared/rules/guide-edit.ts';
import { validateContent } from '#shared/rules/guide-limits.ts';
import { guideOf, plainGuide } from '#test/support/guide-edits.ts';

import { after, base, lineIds, merge, picture, screws } from './guide-merge.ts';

const off = { step: '11', line: must(lineIds[0]?.[0], 'line') };

function pictures(...ids: number[]): GuideEditOperation {
  return { op: 'setStepMedia', step: '11', value: { type: 'image', data: ids.map(picture) } };
}

describe('steps and lines', () => {
  test('MERGE-41 edits of different lines of a step merge', () => {
    const { merged, conflicts } = merge(
      [{ op: 'setLineText', ...off, value: 'Switch the radio off.' }],
      [{ op: 'setLineText', ...screws, value: 'Remove the five red screws.' }],
    );
    expect(merged.steps[0]?.lines.map((line) => line.text_raw)).toEqual([
      'Switch the radio off.',
      'Remove the five red screws.',
    ]);
    expect(conflicts).toEqual([]);
  });

  test('MERGE-14 MERGE-62 changes of the same words in a line are a conflict in that place', () => {
    const { merged, conflicts } = merge(
      [{ op: 'setLineText', ...screws, value: 'Remove the six red screws.' }],
      [{ op: 'setLineText', ...screws, value: 'Remove the five red screws.' }],
    );
    const conflict = must(conflicts[0], 'conflict');
    expect(conflict.id).toBe(`step:11/line:${screws.line}/text_raw`);
    expect(choicesOf(conflict)).toEqual(['mine', 'theirs', 'both', 'text']);
    const textAfter = (choice: Choice) =>
      resolveConflict(merged, conflict, choice).steps[0]?.lines[1]?.text_raw;
    expect(textAfter('mine')).toBe('Remove the six red screws.');
    expect(textAfter('theirs')).toBe('Remove the five red screws.');
    expect(textAfter('both')).toBe('Remove the five / six red screws.');
    expect(textAfter({ text: 'Remove all red screws.' })).toBe('Remove all red screws.');
  });

  test('MERGE-23 MERGE-61 a step removed on one side and edited on the other stays until a person decides', () => {
    const { merged, conflicts } = merge(
      [{ op: 'removeStep', step: '12' }],
      [{ op: 'setStepTitle', step: '12', value: 'Open the case' }],
    );
    const conflict = must(conflicts[0], 'conflict');
    expect(conflict).toMatchObject({ id: 'step:12', kind: 'removal', removedBy: 'mine', mine: null });
    expect(merged.steps[1]?.title).toBe('Open the case');
    expect(resolveConflict(merged, conflict, 'mine').steps.map((step) => step.key)).toEqual([
      '11',
      '13',
      '14',
      '15',
    ]);
    const now = applyEdit(merged, { op: 'setStepTitle', step: '12', value: 'Open the case slowly' });
    for (const choice of ['theirs', 'both'] as const)
      expect(resolveConflict(now, conflict, choice)).toEqual(now);
    expect(() => resolveConflict(merged, conflict, { text: 'x' })).toThrow('text');
  });

  test('MERGE-23 MERGE-61 a line removed by theirs and edited by mine stays until a person decides', () => {
    const { merged, conflicts } = merge(
      [{ op: 'setLineText', ...off, value: 'Switch it off.' }],
      [{ op: 'removeLine', ...off }],
    );
    expect(conflicts).toMatchObject([{ kind: 'removal', removedBy: 'theirs', place: off }]);
    expect(merged.steps[0]?.lines[0]?.text_raw).toBe('Switch it off.');
    const without = resolveConflict(merged, must(conflicts[0], 'conflict'), 'theirs');
    expect(without.steps[0]?.lines.map((line) => line.id)).toEqual([screws.line]);
  });

  test('MERGE-22 MERGE-24 a step that was only moved can be removed, and so can a line that was only indented', () => {
    const moved = merge([{ op: 'removeStep', step: '12' }], [{ op: 'moveStep', step: '12', index: 0 }]);
    expect(moved.conflicts).toEqual([]);
    expect(moved.merged.steps.map((step) => step.key)).toEqual(['11', '13', '14', '15']);
    const indented = merge([{ op: 'removeLine', ...screws }], [{ op: 'setLineLevel', ...screws, value: 1 }]);
    expect(indented.conflicts).toEqual([]);
    expect(indented.merged.steps[0]?.lines.map((line) => line.id)).toEqual([off.line]);
  });

  test('MERGE-25 a step on both sides under one key merges with an empty base', () => {
    const insert = (title: string, time: number): GuideEditOperation => ({
      op: 'insertStep',
      step: { ...emptyStep('0198c0de'), title, time_estimate: time },
      index: 0,
    });
    const { merged, conflicts } = merge([insert('Begin', 0)], [insert('Begin', 60)]);
    expect(merged.steps).toHaveLength(6);
    expect(merged.steps[0]).toMatchObject({ title: 'Begin', time_estimate: 60 });
    expect(conflicts).toEqual([]);
  });

  test('MERGE-40 a step is matched by its key anywhere; its title merges word by word, its time as a value', () => {
    const key = '0198c0de';
    const [first, ...others] = plainGuide.steps;
    const before = contentOf({ ...plainGuide, steps: [{ ...must(first, 'a step'), key }, ...others] });
    expect(before.steps.map((step) => step.key)).toEqual([key, '12', '13', '14', '15']);
    const edited = (...edits: GuideEditOperation[]) => edits.reduce(applyEdit, before);
    const mine = edited(
      { op: 'setStepTitle', step: key, value: 'Old step title 1' },
      { op: 'setStepTime', step: key, value: 60 },
    );
    const theirs = edited(
      { op: 'setStepTitle', step: key, value: 'Step title 1, again' },
      { op: 'setStepTime', step: key, value: 120 },
      { op: 'moveStep', step: key, index: 4 },
    );
    const { merged, conflicts } = mergeGuide(before, mine, theirs);
    expect(merged.steps.map((step) => step.key)).toEqual(['12', '13', '14', '15', key]);
    expect(merged.steps[4]).toMatchObject({ title: 'Old step title 1, again', time_estimate: 120 });
    expect(conflicts).toMatchObject([
      { id: `step:${key}/time_estimate`, kind: 'value', mine: 60, theirs: 120 },
    ]);
  });

  test('MERGE-33 MERGE-62 different pictures are a conflict; both can be chosen where they fit', () => {
    const { merged, conflicts } = merge([pictures(1, 2)], [pictures(1, 3)]);
    const conflict = must(conflicts[0], 'conflict');
    expect(choicesOf(conflict)).toEqual(['mine', 'theirs', 'both']);
    const idsOf = (content: GuideContent) => {
      const media = must(content.steps[0], 'step').media;
      return media.type === 'image' ? media.data.map((image) => image.id) : [];
    };
    expect(idsOf(merged)).toEqual([1, 3]);
    expect(idsOf(resolveConflict(merged, conflict, 'both'))).toEqual([1, 3, 2]);
    const crowded = must(merge([pictures(1, 2)], [pictures(3, 4)]).conflicts[0], 'conflict');
    expect(choicesOf(crowded)).toEqual(['mine', 'theirs']);
    expect(() => resolveConflict(merged, crowded, 'both')).toThrow('together');
  });

  test('MERGE-33 for one picture marked on both sides, the markers of both can be chosen', () => {
    const marked = (markup: string): GuideEditOperation => ({
      op: 'setStepMedia',
      step: '11',
      value: { type: 'image', data: [{ id: 1, guid: 'guid1', width: 800, height: 600, markup }] },
    });
    const { merged, conflicts } = merge(
      [marked(';circle,10x10,5,red;circle,20x20,5,blue;')],
      [marked(';circle,10x10,5,red;rectangle,1x1,9x9,green;')],
    );
    expect(resolveConflict(merged, must(conflicts[0], 'conflict'), 'both').steps[0]?.media).toMatchObject({
      data: [{ markup: ';circle,10x10,5,red;rectangle,1x1,9x9,green;circle,20x20,5,blue;' }],
    });
  });

  test('MERGE-42 levels fit the lines above after both sides rearranged them', () => {
    const mine: GuideEditOperation[] = [{ op: 'setLineLevel', ...screws, value: 1 }];
    const { merged, merges } = merge(mine, [{ op: 'removeLine', ...off }]);
    expect(merged.steps[0]?.lines).toMatchObject([{ id: screws.line, level: 0 }]);
    expect(merges).toContainEqual({ place: screws, kind: 'indented', by: 'both' });
  });

  test('MERGE-43 lines of both sides are kept beyond the limit, and the limits report it', () => {
    const full = contentOf(guideOf([['1', '2', '3', '4', '5', '6', '7']]));
    const added = (id: string): GuideEditOperation => ({
      op: 'insertLine',
      step: '11',
      line: { id, bullet: 'black', level: 0, text_raw: id },
      index: 7,
    });
    const { merged, conflicts } = mergeGuide(full, applyEdit(full, added('m')), applyEdit(full, added('t')));
    expect(merged.steps[0]?.lines).toHaveLength(9);
    expect(conflicts).toEqual([]);
    expect(validateContent(merged).map((flaw) => flaw.place)).toEqual([{ step: '11', field: 'lines' }]);
  });

  test('MERGE-53 one step moved on both sides exists once, and the merge is listed', () => {
    const { merged, conflicts, merges } = merge(
      [{ op: 'moveStep', step: '11', index: 2 }],
      [{ op: 'moveStep', step: '11', index: 4 }],
    );
    expect(merged.steps.map((step) => step.key)).toEqual(['12', '13', '11', '14', '15']);
    expect(conflicts).toEqual([]);
    expect(merges).toEqual([{ place: { step: '11' }, kind: 'moved', by: 'both' }]);
  });
});

test('MERGE-44 a line emptied jointly by both sides is removed, and the merge says so', () => {
  const words = 'Remove the screws';
  const from = after({ op: 'setLineText', ...off, value: words });
  const mine = applyEdit(from, { op: 'setLineText', ...off, value: 'Remove the' });
  const theirs = applyEdit(from, { op: 'setLineText', ...off, value: 'screws' });
  for (const { merged, conflicts, merges } of [
    mergeGuide(from, mine, theirs),
    mergeGuide(from, theirs, mine),
  ]) {
    expect(conflicts).toEqual([]);
    expect(merged.steps[0]?.lines.map((line) => line.id)).toEqual(lineIds[0]?.slice(1));
    expect(merges).toEqual([{ place: off, kind: 'removed', by: 'both' }]);
    expect(validateContent(merged)).toEqual([]);
    expect(mergeGuide(theirs, merged, theirs).merged).toEqual(merged);
  }
});

test('MERGE-44 a line that only one side emptied stays empty until that side decides', () => {
  const mine = after({ op: 'setLineText', ...off, value: '' });
  expect(mergeGuide(base, mine, base).merged).toEqual(mine);
});
