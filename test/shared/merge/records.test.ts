import { describe, expect, test } from 'vitest';

import { mergeComment } from '#shared/merge/comment.ts';
import { mergeForm, resolveFormConflict } from '#shared/merge/form.ts';
import { mergeWiki, resolveWikiConflict } from '#shared/merge/wiki.ts';
import type { FormField } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';

function field(field_guid: string, change: Partial<FormField> = {}): FormField {
  return {
    field_revisionid: 1,
    field_guid,
    field_type: 'Text Input',
    label: 'Serial number',
    placeholder: '',
    textarea: '',
    required: false,
    options: [],
    ...change,
  };
}

describe('step forms', () => {
  const base = [field('a'), field('b')];

  test('M70 M71 fields merge by guid, their labels word by word', () => {
    const mine = [field('a', { label: 'New serial number' }), field('b'), field('m')];
    const theirs = [
      field('b', { field_revisionid: 2, required: true }),
      field('a', { label: 'Serial number:' }),
    ];
    const { merged, conflicts } = mergeForm(base, mine, theirs);
    expect(merged).toEqual([
      field('b', { field_revisionid: 2, required: true }),
      field('a', { label: 'New serial number:' }),
      field('m'),
    ]);
    expect(conflicts).toEqual([]);
  });

  test('M72 a new type and new options are one value and contradict each other', () => {
    const mine = [field('a', { field_type: 'Radios', options: ['yes', 'no'] }), field('b')];
    const theirs = [field('a', { field_type: 'Select', options: ['1', '2'] }), field('b')];
    const { merged, conflicts } = mergeForm(base, mine, theirs);
    expect(merged).toEqual(theirs);
    expect(conflicts.map((conflict) => conflict.id)).toEqual(['list:fields/element:a/answer']);
    expect(resolveFormConflict(merged, must(conflicts[0], 'conflict'), 'mine')).toEqual(mine);
  });

  test('M23 M73 a field removed by one and edited by the other is a conflict; a new revision number is no edit', () => {
    const edited = mergeForm(base, [field('b')], [field('a', { label: 'Number' }), field('b')]);
    expect(edited.conflicts).toMatchObject([{ kind: 'removal', removedBy: 'mine' }]);
    expect(resolveFormConflict(edited.merged, must(edited.conflicts[0], 'conflict'), 'mine')).toEqual([
      field('b'),
    ]);
    const numbered = mergeForm(base, [field('b')], [field('a', { field_revisionid: 2 }), field('b')]);
    expect(numbered.conflicts).toEqual([]);
    expect(numbered.merged).toEqual([field('b')]);
  });
});

describe('comments', () => {
  test('M80 a comment merges word by word', () => {
    expect(mergeComment('It broke again.', 'It broke once again.', 'It broke again!')).toEqual({
      merged: 'It broke once again!',
      conflict: undefined,
    });
    expect(mergeComment('It broke.', 'It split.', 'It snapped.').conflict).toMatchObject({
      place: { field: 'text_raw' },
    });
  });
});

describe('wikis', () => {
  const base = {
    title: 'Radio',
    display_title: 'Radios',
    parent: null,
    description: 'About radios.',
    contents_raw: 'One line.\nAnother line.',
    image: null,
    flags: ['a'],
    table_of_contents: false,
  };

  test('M90 M92 contents merge word by word and flags one by one', () => {
    const { merged, conflicts } = mergeWiki(
      base,
      { ...base, contents_raw: 'One long line.\nAnother line.', flags: ['a', 'm'] },
      { ...base, contents_raw: 'One line.\nAnother short line.', flags: [] },
    );
    expect(merged).toMatchObject({ contents_raw: 'One long line.\nAnother short line.', flags: ['m'] });
    expect(conflicts).toEqual([]);
  });

  test('M91 two display titles are a conflict', () => {
    const mine = { ...base, display_title: 'Wireless' };
    const { merged, conflicts } = mergeWiki(base, mine, { ...base, display_title: 'Receivers' });
    expect(merged.display_title).toBe('Receivers');
    expect(resolveWikiConflict(merged, must(conflicts[0], 'conflict'), 'mine')).toEqual(mine);
  });
});
