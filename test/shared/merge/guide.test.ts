import { describe, expect, test } from 'vitest';

import { mergeGuide } from '#shared/merge/guide.ts';
import { refreshConflict } from '#shared/merge/refresh.ts';
import { resolveConflict } from '#shared/merge/resolve.ts';
import { must } from '#shared/must.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { applyEdit } from '#shared/rules/guide-edit.ts';

import { after, base, merge, picture, screws } from './guide-merge.ts';

describe('fields of a guide', () => {
  test('MERGE-2 changes of different fields merge, and theirs are listed', () => {
    const { merged, conflicts, merges } = merge(
      [{ op: 'setField', field: 'difficulty', value: 'Easy' }],
      [{ op: 'setField', field: 'category', value: 'Phone' }],
    );
    expect(merged).toMatchObject({ difficulty: 'Easy', category: 'Phone' });
    expect(conflicts).toEqual([]);
    expect(merges).toEqual([{ place: { field: 'category' }, kind: 'changed', by: 'theirs' }]);
  });

  test('MERGE-30 a title merges word by word', () => {
    const { merged, conflicts } = merge(
      [{ op: 'setText', field: 'title', value: 'Old radio battery replacement' }],
      [{ op: 'setText', field: 'title', value: 'Radio battery removal' }],
    );
    expect(conflicts).toEqual([]);
    expect(merged.title).toBe('Old radio battery removal');
  });

  test('MERGE-4 two values for one field are a conflict and theirs applies meanwhile', () => {
    const { merged, conflicts } = merge(
      [{ op: 'setField', field: 'difficulty', value: 'Easy' }],
      [{ op: 'setField', field: 'difficulty', value: 'Difficult' }],
    );
    expect(merged.difficulty).toBe('Difficult');
    expect(conflicts).toMatchObject([
      { id: 'difficulty', kind: 'value', base: 'Moderate', mine: 'Easy', theirs: 'Difficult' },
    ]);
    expect(resolveConflict(merged, must(conflicts[0], 'conflict'), 'mine').difficulty).toBe('Easy');
  });

  test.each<[keyof GuideContent, mine: unknown, theirs: unknown]>([
    ['subject', 'Old battery', 'Battery pack'],
    ['category', 'Old radio', 'Radio set'],
    ['type', 'repair', 'technique'],
    ['difficulty', 'Easy', 'Difficult'],
    ['time_required_min', 60, 120],
    ['time_required_max', 3000, 6000],
    ['image', picture(1), picture(2)],
    ['featured_documentid', 4, 5],
  ])('MERGE-31 %s is a single value: one of two new ones is taken as a whole', (field, mine, theirs) => {
    const changed = (value: unknown): GuideContent => ({ ...base, [field]: value });
    const alone = mergeGuide(base, changed(mine), base);
    expect(alone).toMatchObject({ merged: { [field]: mine }, conflicts: [] });
    const { merged, conflicts } = mergeGuide(base, changed(mine), changed(theirs));
    expect(merged[field]).toEqual(theirs);
    expect(conflicts).toMatchObject([{ id: field, kind: 'value', mine, theirs }]);
    expect(resolveConflict(merged, must(conflicts[0], 'conflict'), 'mine')[field]).toEqual(mine);
  });

  test('MERGE-32 added flags of both sides are kept and removed ones are gone', () => {
    const { merged } = merge(
      [{ op: 'setList', field: 'flags', value: ['GUIDE_STARRED', 'MINE'] }],
      [{ op: 'setList', field: 'flags', value: ['THEIRS'] }],
    );
    expect(merged.flags).toEqual(['MINE', 'THEIRS']);
  });

  test('MERGE-34 a featured document removed on the other side is no longer featured', () => {
    const document = {
      documentid: 4,
      guid: 'g',
      text: 'a',
      extension: 'pdf',
      icon: '',
      url: '',
      download_url: '',
    };
    const before = { ...base, documents: [document] };
    const mine = { ...before, featured_documentid: 4 };
    expect(mergeGuide(before, mine, base).merged.featured_documentid).toBeNull();
  });

  test('MERGE-35 different fields of a part merge; a part removed on one side and edited on the other is a conflict', () => {
    const [part] = base.parts;
    const changed = (change: object): GuideContent => ({
      ...base,
      parts: [{ ...must(part, 'part'), ...change }],
    });
    const { merged, conflicts } = mergeGuide(base, changed({ quantity: 2 }), changed({ notes: 'new' }));
    expect(merged.parts).toMatchObject([{ quantity: 2, notes: 'new' }]);
    expect(conflicts).toEqual([]);
    const removal = mergeGuide(base, { ...base, parts: [] }, changed({ quantity: 2 }));
    const conflict = must(removal.conflicts[0], 'conflict');
    expect(conflict).toMatchObject({ kind: 'removal', removedBy: 'mine', place: { list: 'parts' } });
    expect(resolveConflict(removal.merged, conflict, 'mine').parts).toEqual([]);
    expect(resolveConflict(removal.merged, conflict, 'theirs').parts).toMatchObject([{ quantity: 2 }]);
  });

  test('MERGE-35 two equal parts are two elements', () => {
    const part = must(base.parts[0], 'part');
    const twice = { ...base, parts: [part, part] };
    expect(mergeGuide(base, twice, base).merged.parts).toEqual([part, part]);
    expect(mergeGuide(twice, base, { ...twice, title: 'x' }).merged.parts).toEqual([part]);
  });
});

describe('decisions', () => {
  const { merged, conflicts } = merge(
    [{ op: 'setLineText', ...screws, value: 'Remove the six red screws.' }],
    [{ op: 'setLineText', ...screws, value: 'Remove the five red screws.' }],
  );
  const conflict = must(conflicts[0], 'conflict');

  test('MERGE-63 text written since the merge stays', () => {
    const edited = applyEdit(merged, {
      op: 'setLineText',
      ...screws,
      value: 'Carefully remove the five red screws.',
    });
    expect(resolveConflict(edited, conflict, 'mine').steps[0]?.lines[1]?.text_raw).toBe(
      'Carefully remove the six red screws.',
    );
  });

  test('MERGE-64 an open conflict shows the current version of theirs', () => {
    const theirs = applyEdit(merged, { op: 'setLineText', ...screws, value: 'Remove the four red bolts.' });
    const refreshed = must(refreshConflict(conflict, theirs, theirs), 'conflict');
    expect(refreshed).toMatchObject({
      theirs: 'Remove the four red bolts.',
      mine: 'Remove the six red screws.',
    });
    expect(resolveConflict(theirs, refreshed, 'mine').steps[0]?.lines[1]?.text_raw).toBe(
      'Remove the six red bolts.',
    );
  });

  test('MERGE-64 a removal now on both sides is no conflict', () => {
    const removal = must(
      merge([{ op: 'removeStep', step: '12' }], [{ op: 'setStepTitle', step: '12', value: 'Open' }])
        .conflicts[0],
      'conflict',
    );
    const without = after({ op: 'removeStep', step: '12' });
    expect(refreshConflict(removal, without, without)).toBeUndefined();
  });
});
