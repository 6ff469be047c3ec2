import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { applyEdit } from '#shared/rules/guide-edit.ts';
import { workshop } from '#test/desktop/engine/bench/bench-of-test.ts';
import { now } from '#test/desktop/engine/bench/live-values.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';
import { plainGuide, setLine } from '#test/support/guide-edits.ts';

test('a saved draft shows immediately, reaches the server as the smallest patch, and leaves no draft behind', async () => {
  const { server, bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'Radio battery swap' });
  expect((await now(bench.views.guide('7')))?.editState).toBe('draft');
  await bench.actions.saveDraft('7');

  const waiting = must(await now(bench.views.guide('7')), 'the guide');
  expect(waiting.title).toBe('Radio battery swap');
  expect(waiting.editState).toBe('queued');
  expect(bench.outbox.present().map(({ body, query }) => ({ body, query }))).toEqual([
    { body: { title: 'Radio battery swap' }, query: { revisionid: '70' } },
  ]);

  await bench.sync();
  expect(server.guide(7).title).toBe('Radio battery swap');
  expect((await now(bench.views.guide('7')))?.editState).toBe('none');
  expect(bench.outbox.present()).toEqual([]);
  const restarted = await bench.crash();
  endsWithTest(restarted);
  expect(await now(restarted.views.draft('7'))).toBeNull();
});

test('edits survive a crash once their promise has resolved', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', setLine('Switch the radio off.'));
  await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: 'New summary.' });
  const restarted = await bench.crash();
  endsWithTest(restarted);
  const draft = must(await now(restarted.views.draft('7')), 'the draft');
  expect(draft.content.summary).toBe('New summary.');
  expect(draft.content.steps[0]?.lines[0]?.text_raw).toBe('Switch the radio off.');
  expect(draft.dirty).toBe(true);
});

test('undo and redo use the same journal', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'Another title' });
  await bench.actions.undoDraft('7');
  expect((await now(bench.views.draft('7')))?.content.title).toBe(plainGuide.title);
  await bench.actions.redoDraft('7');
  const draft = must(await now(bench.views.draft('7')), 'the draft');
  expect(draft).toMatchObject({ canUndo: true, canRedo: false, saved: 'device' });
  expect(draft.content.title).toBe('Another title');
});

test('a save that exceeds limits is refused with the place of every flaw', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: 'x'.repeat(156) });
  await expect(bench.actions.saveDraft('7')).rejects.toMatchObject({
    kind: 'invalid',
    details: { errors: [{ field: 'summary' }] },
  });
  expect(bench.outbox.present()).toEqual([]);
});

test('a second save before the first is sent makes one call of both', async () => {
  const { server, bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'One' });
  await bench.actions.saveDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: 'Two' });
  await bench.actions.saveDraft('7');
  expect(bench.outbox.present()).toHaveLength(1);
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: plainGuide.title });
  await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: plainGuide.summary });
  await bench.actions.saveDraft('7');
  expect(bench.outbox.present()).toEqual([]);
  await bench.sync();
  expect(server.guide(7).revisionid).toBe(70);
});

test('edits that do not overlap merge without asking', async () => {
  const { server, bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', setLine('Switch the radio off.'));
  await bench.actions.saveDraft('7');
  server.editGuide(7, (content) => applyEdit(content, { op: 'setText', field: 'title', value: 'Theirs' }));
  await bench.sync();
  expect(server.guide(7).title).toBe('Theirs');
  expect(server.guide(7).steps[0]?.lines[0]?.text_raw).toBe('Switch the radio off.');
  expect(bench.outbox.present()).toEqual([]);
  expect(await now(bench.views.conflict('7'))).toBeNull();
  const [entry, ...others] = await now(bench.views.activity());
  expect(entry).toMatchObject({ state: 'on-the-server', kind: 'guide', detail: 'steps:1,merged' });
  expect(others).toEqual([]);
});

test("a save identical to another person's is dropped", async () => {
  const { server, bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'Same title' });
  await bench.actions.saveDraft('7');
  server.editGuide(7, (content) => ({ ...content, title: 'Same title' }));
  const { revisionid } = server.guide(7);
  await bench.sync();
  expect(server.guide(7).revisionid).toBe(revisionid);
  expect(bench.outbox.present()).toEqual([]);
});

test('a save made while another is being sent follows it, with new steps named by their temporary ids', async () => {
  const { server, bench } = await workshop();
  const key = '0199aaaa-0000-7000-8000-000000000001';
  const line = { id: 'new-line-1', bullet: 'black', level: 0, text_raw: 'Charge it.' } as const;
  const step = {
    key,
    title: 'Charge',
    lines: [line],
    media: { type: 'image' as const, data: [] },
    time_estimate: 0,
  };
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'insertStep', step, index: 5 });
  await bench.actions.saveDraft('7');
  const [first] = bench.outbox.present();
  const answer = await bench.send(must(first, 'a call'));
  await bench.actions.editDraft('7', { op: 'setStepTitle', step: key, value: 'Charge it fully' });
  await bench.actions.editDraft('7', setLine('Switch it off.'));
  await bench.actions.saveDraft('7');
  expect(bench.outbox.present()).toHaveLength(2);
  await bench.deliver(must(first, 'a call'), answer);
  let refusals = 0;
  await bench.sync(() => void (refusals += 1));
  expect(refusals).toBe(1);
  expect(
    server
      .guide(7)
      .steps.map(({ title }) => title)
      .at(-1),
  ).toBe('Charge it fully');
  expect(server.guide(7).steps).toHaveLength(6);
  expect(server.guide(7).steps[0]?.lines[0]?.text_raw).toBe('Switch it off.');
  expect(bench.outbox.present()).toEqual([]);
});

test('a save that follows one with new steps can be changed when that one has arrived', async () => {
  const { server, bench } = await workshop();
  const key = '0199aaaa-0000-7000-8000-000000000001';
  const step = {
    key,
    title: 'Charge',
    lines: [],
    media: { type: 'image' as const, data: [] },
    time_estimate: 0,
  };
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'insertStep', step, index: 5 });
  await bench.actions.saveDraft('7');
  const first = must(bench.outbox.present()[0], 'a call');
  const answer = await bench.send(first);
  await bench.actions.editDraft('7', { op: 'setStepTitle', step: key, value: 'Charge it' });
  await bench.actions.saveDraft('7');
  await bench.deliver(first, answer);
  await bench.actions.editDraft('7', { op: 'setStepTitle', step: key, value: 'Charge it fully' });
  await bench.actions.saveDraft('7');
  expect(JSON.stringify(bench.outbox.present().map(({ body }) => body))).not.toContain('previous');
  await bench.sync();
  expect(server.guide(7).steps.at(-1)?.title).toBe('Charge it fully');
  expect(server.guide(7).steps).toHaveLength(6);
  expect(bench.outbox.present()).toEqual([]);
});

test("a save that follows a merged one does not overwrite another person's text", async () => {
  const { server, bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', {
    op: 'setText',
    field: 'title',
    value: 'Radio battery replacement guide',
  });
  await bench.actions.saveDraft('7');
  server.editGuide(7, (content) => ({ ...content, title: 'Old radio battery replacement' }));
  const [first] = bench.outbox.present();
  const answer = await bench.send(must(first, 'a call'));
  expect(answer.status).toBe(409);
  await bench.actions.editDraft('7', {
    op: 'setText',
    field: 'title',
    value: 'Radio battery replacement guide 2',
  });
  await bench.actions.saveDraft('7');
  await bench.deliver(must(first, 'a call'), answer);
  await bench.sync();
  expect(server.guide(7).title).toBe('Old radio battery replacement guide 2');
});

test('a new guide has its temporary id until the server has it, and both ids afterwards', async () => {
  const { server, bench } = await workshop();
  const id = await bench.actions.openDraft(null);
  await expect(bench.actions.saveDraft(id)).rejects.toMatchObject({ kind: 'invalid' });
  await bench.actions.editDraft(id, { op: 'setText', field: 'title', value: 'New guide' });
  await bench.actions.editDraft(id, { op: 'setField', field: 'category', value: 'Radio' });
  await bench.actions.saveDraft(id);
  await bench.actions.comment('guide', id, 'First!');
  await bench.actions.favorite(id, true);
  const entryid = await bench.actions.startWorkOrder(id, 'WO-1');

  const local = must(await now(bench.views.guide(id)), 'the guide');
  expect(local).toMatchObject({ guideid: id, title: 'New guide', editState: 'queued', favorite: true });
  expect(local.comments.map(({ text, pending }) => ({ text, pending }))).toEqual([
    { text: 'First!', pending: true },
  ]);
  expect((await now(bench.views.library({ category: null }))).guides.map(({ title }) => title)).toContain(
    'New guide',
  );

  await bench.sync();
  const real = must(await now(bench.views.guide(id)), 'the guide');
  expect(real.guideid).toMatch(/^\d+$/);
  expect(real).toMatchObject({ title: 'New guide', editState: 'none', favorite: true, canEdit: true });
  expect(real.comments.map(({ text, pending }) => ({ text, pending }))).toEqual([
    { text: 'First!', pending: false },
  ]);
  expect(await now(bench.views.guide(real.guideid))).toEqual(real);
  expect(await now(bench.views.workOrder(entryid))).toMatchObject({
    guideid: real.guideid,
    guideTitle: 'New guide',
    pending: 0,
  });
  expect(server.guide(Number(real.guideid)).category).toBe('Radio');

  await bench.actions.editDraft(id, { op: 'setText', field: 'summary', value: 'Now with a summary.' });
  await bench.actions.saveDraft(id);
  await bench.actions.publish(id, true);
  await bench.sync();
  expect(server.guide(Number(real.guideid))).toMatchObject({ summary: 'Now with a summary.', public: true });
});

test('an untouched new draft survives a restart and serves as the next new guide', async () => {
  const { bench } = await workshop();
  const id = await bench.actions.openDraft(null);
  const restarted = await bench.crash();
  endsWithTest(restarted);
  expect(await now(restarted.views.draft(id))).toMatchObject({ guideid: id, isNew: true, dirty: false });
  expect(await restarted.actions.openDraft(null)).toBe(id);
  await restarted.actions.editDraft(id, { op: 'setText', field: 'title', value: 'Belt' });
  expect(await restarted.actions.openDraft(null)).not.toBe(id);
});

test('discarding a draft returns to the last save', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'Saved' });
  await bench.actions.saveDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'Unsaved' });
  await bench.actions.discardDraft('7');
  expect((await now(bench.views.draft('7')))?.content.title).toBe('Saved');
  await bench.sync();
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'Unsaved' });
  await bench.actions.discardDraft('7');
  expect(await now(bench.views.draft('7'))).toBeNull();
});

test('a draft without unsaved edits follows the server, one with edits accepts compatible changes', async () => {
  const { server, bench } = await workshop();
  await bench.actions.openDraft('7');
  server.editGuide(7, (content) => ({ ...content, title: 'Theirs' }));
  await bench.pull();
  expect((await now(bench.views.draft('7')))?.content.title).toBe('Theirs');
  await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: 'Mine.' });
  server.editGuide(7, (content) => ({ ...content, subject: 'Their subject' }));
  await bench.pull();
  expect((await now(bench.views.draft('7')))?.content).toMatchObject({
    subject: 'Their subject',
    summary: 'Mine.',
  });
});

test('a discarded save leaves its text in the draft', async () => {
  const { server, bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'Kept words' });
  await bench.actions.saveDraft('7');
  await bench.actions.discardCall(must(bench.outbox.present()[0], 'a call').id);
  server.editGuide(7, (content) => ({ ...content, subject: 'Their subject' }));
  await bench.sync();
  const draft = must(await now(bench.views.draft('7')), 'the draft');
  expect(draft).toMatchObject({ dirty: true, content: { title: 'Kept words', subject: 'Their subject' } });
  expect(server.guide(7).title).toBe(plainGuide.title);
});

test('the base of a draft is the version that was opened', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  const draft = must(await now(bench.views.draft('7')), 'the draft');
  expect(draft.content).toEqual(contentOf(plainGuide));
  expect(draft).toMatchObject({ isNew: false, dirty: false, canPublish: true, public: true });
});

test('a favourite of a guide that was never saved is refused here, and not parked', async () => {
  const { bench } = await workshop();
  const id = await bench.actions.openDraft(null);
  await expect(bench.actions.favorite(id, true)).rejects.toThrow('Save the guide first');
  expect(bench.outbox.present()).toEqual([]);
});
