import { expect, test } from 'vitest';

import { mergeForm } from '#shared/merge/form.ts';
import { type DesignedField, newFieldGuid } from '#shared/rules/form-design.ts';

const field = (field_guid: string, more: Partial<DesignedField> = {}): DesignedField => ({
  field_guid,
  field_type: 'Text Input',
  label: field_guid,
  placeholder: '',
  textarea: '',
  required: true,
  options: [],
  ...more,
});

const torque = field('torque', { field_type: 'Numeric Input', unit: 'N·m', target: 2.5 });
const serial = field('serial');

test('MERGE-95 two authors keep what each of them changed, added, removed and moved', () => {
  const photo = field('photo', { field_type: 'Image' });
  const note = field(newFieldGuid('1'), { label: 'Note' });
  const mine = [serial, { ...torque, target: 3 }, note];
  const theirs = [{ ...torque, label: 'Tightened to' }, serial, photo];
  const { merged, conflicts } = mergeForm([torque, serial], mine, theirs);
  expect(conflicts).toEqual([]);
  expect(merged.map(({ label }) => label).toSorted()).toEqual(['Note', 'Tightened to', 'photo', 'serial']);
  expect(merged.find(({ field_guid }) => field_guid === 'torque')).toMatchObject({
    label: 'Tightened to',
    target: 3,
  });
  expect(mergeForm([torque, serial], [torque], [torque, serial]).merged).toEqual([torque]);
});

test('MERGE-95 a removed extension stays removed', () => {
  const { target: _, ...without } = torque;
  const { merged } = mergeForm([torque], [without], [{ ...torque, label: 'Other' }]);
  expect(merged).toEqual([{ ...without, label: 'Other' }]);
});

test('MERGE-96 a contradiction keeps both versions, and so does a removal of what the other side changed', () => {
  const { merged, conflicts } = mergeForm(
    [torque, serial],
    [{ ...torque, target: 3 }],
    [
      { ...torque, target: 4 },
      { ...serial, label: 'Serial number' },
    ],
  );
  expect(conflicts).toMatchObject([
    { kind: 'value', place: { list: 'fields', element: 'torque', field: 'target' }, mine: 3, theirs: 4 },
    { kind: 'removal', place: { list: 'fields', element: 'serial' }, removedBy: 'mine' },
  ]);
  expect(merged).toMatchObject([{ target: 4 }, { label: 'Serial number' }]);
});

test('MERGE-97 a field that an earlier save added is not added again', () => {
  const added = field(newFieldGuid('1'), { label: 'Gap' });
  const onServer = { ...added, field_guid: '0a1b' };
  const { merged, conflicts } = mergeForm(
    [torque, added],
    [torque, { ...added, label: 'Gap left' }],
    [torque, onServer],
  );
  expect(conflicts).toEqual([]);
  expect(merged).toEqual([torque, { ...onServer, label: 'Gap left' }]);
});
