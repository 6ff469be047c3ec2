import { expect, test } from 'vitest';

import { portions } from '#desktop/engine/outbox/offer.ts';
import { wireCall, withTemporaryIds } from '#desktop/engine/outbox/replay-after-restore.ts';
import { queuedCall } from '#test/desktop/engine/support/queued-call.ts';

test('OUTBOX-14 a long history of large saves is sent again in order, in batches of an accepted size', () => {
  const lengths = Array.from({ length: 120 }, (_, index) => (index * 7919) % 90_000);
  const calls = lengths.map((length, index) =>
    queuedCall({ kind: 'guide-save', id: `call-${index}`, body: { title: 'x'.repeat(length) } }),
  );
  const large = queuedCall({ kind: 'guide-save', id: 'large', body: { title: 'x'.repeat(700_000) } });
  const all = [...calls, large, ...calls.slice(0, 60)];
  const made = portions(all, 5);
  expect(made.flat()).toEqual(all);
  for (const part of made) {
    const bytes = part.reduce((sum, call) => sum + JSON.stringify(call.body).length, 0);
    expect(part.length).toBeLessThanOrEqual(50);
    if (part.length > 1) expect(bytes).toBeLessThanOrEqual(256 * 1024);
  }
});

test('OUTBOX-34 a profile names its picture by guid, and not at all while it waits for upload', () => {
  const filesOf = (image: object, number: number | string) =>
    wireCall(queuedCall({ kind: 'profile-save', body: { image: number }, context: { image } }), 6).files;
  const size = { width: 4, height: 3 };
  expect(filesOf({ id: 7, guid: 'Portrait', ...size }, 7)).toEqual([
    { kind: 'image', id: 7, guid: 'Portrait' },
  ]);
  expect(filesOf({ id: 0, guid: 'tmp:photo-1', ...size }, 'tmp:photo-1')).toBeUndefined();
});

test('OUTBOX-34 a save of a page names its picture and documents by guid, as far as its body contains them', () => {
  const content = {
    title: 'Belt',
    image: { id: 7, guid: 'Front', width: 4, height: 3 },
    documents: [
      { documentid: 8, guid: 'Plan' },
      { documentid: 0, guid: 'tmp:upload-1' },
    ],
  };
  const filesOf = (body: object) =>
    wireCall(queuedCall({ kind: 'wiki-save', body, context: { base: null, content } }), 6).files;
  expect(filesOf({ image: 7, documents: [8, 'tmp:upload-1'] })).toEqual([
    { kind: 'image', id: 7, guid: 'Front' },
    { kind: 'document', id: 8, guid: 'Plan' },
  ]);
  expect(filesOf({ contents: 'Words alone' })).toBeUndefined();
});

test('OUTBOX-34 a save of a guide with only a featured document names it by guid', () => {
  const content = { title: 'Belt', image: null, steps: [], documents: [{ documentid: 8, guid: 'Plan' }] };
  const save = { saveId: 'save-1', base: null, before: content, content };
  const call = queuedCall({ kind: 'guide-save', body: { featured_documentid: 8 }, context: save });
  expect(wireCall(call, 6).files).toEqual([{ kind: 'document', id: 8, guid: 'Plan' }]);
});

test('OUTBOX-32 a comment on a step with the number of one that is created again stays on its step', () => {
  const made = new Map([['steps/28', 'tmp:step-0001']]);
  const on = (key: string) =>
    queuedCall({
      kind: 'comment-add',
      path: '/comments/step/28',
      context: { context: 'step', contextid: '28', guideid: '7' },
      step: { id: 28, key },
    });
  const other = on('a1b2c3');
  expect(withTemporaryIds(other, made)).toBe(other);
  const again = withTemporaryIds(on('step-0001'), made);
  expect(again).toMatchObject({ path: '/comments/step/tmp:step-0001', needs: ['step-0001'] });
  expect(again.step).toBeUndefined();
});

test('OUTBOX-34 values name their fields as far as this version can read them', () => {
  const context = {
    guideid: '1',
    workorderid: 'WO-7',
    'value:7': { data: { field_revisionid: 7, field_guid: 'Torque', label: 'Torque', value: '12' } },
    'value:8': {},
  };
  const call = queuedCall({ kind: 'entry-data', body: { fields: { 7: '12', 8: 'x' } }, context });
  expect(wireCall(call, 6).fields).toEqual([{ id: 7, guid: 'Torque' }]);
});
