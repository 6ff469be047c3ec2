import { expect, test, vi } from 'vitest';

import { doneCall } from '#desktop/engine/outbox/answers.ts';
import type { PersonFacts } from '#shared/model/user.ts';
import { must } from '#shared/must.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { applyEdit } from '#shared/rules/guide-edit.ts';
import { openBench, workshop } from '#test/desktop/engine/bench/bench-of-test.ts';
import { type Bench, now, settled } from '#test/desktop/engine/bench/bench.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';
import { MemoryServer } from '#test/desktop/engine/bench/memory-server.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

const firstLine = must(plainGuide.steps[0]?.lines[0], 'a line').id;

function setLine(value: string): { op: 'setLineText'; step: string; line: string; value: string } {
  return { op: 'setLineText', step: '11', line: firstLine, value };
}

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

const ben: PersonFacts = {
  kind: 'user',
  userid: 2,
  username: 'Ben',
  unique_username: 'ben',
  join_date: 0,
  image: null,
  reputation: 0,
  teams: [],
  privileges: ['User'],
  summary: null,
  about_raw: '',
  location: null,
  latitude: null,
  longitude: null,
  enabled: true,
};

async function contested(): Promise<{ server: MemoryServer; bench: Bench }> {
  const world = await workshop();
  const { server, bench } = world;
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', setLine('Turn the transmitter off.'));
  await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: 'My own summary.' });
  await bench.actions.saveDraft('7');
  server.put('people', 'user:2', ben);
  server.editGuide(7, (content) => applyEdit(content, setLine('Turn the receiver off.')));
  await bench.sync();
  return world;
}

test.each([
  [{ take: 'mine' } as const, 'Turn the transmitter off.'],
  [{ take: 'theirs' } as const, 'Turn the receiver off.'],
  [{ take: 'text', text: 'Turn the device off.' } as const, 'Turn the device off.'],
])('a conflict waits for the person and is sent as decided: %o', async (choice, result) => {
  const { server, bench } = await contested();
  expect(server.guide(7).steps[0]?.lines[0]?.text_raw).toBe('Turn the receiver off.');
  const conflict = must(await now(bench.views.conflict('7')), 'a conflict');
  expect(conflict.conflicts).toHaveLength(1);
  expect(conflict.theirName).toBe('Ben');
  const [only] = conflict.conflicts;
  expect(only).toMatchObject({ place: { step: 1, line: 1 }, kind: 'words', base: 'Turn the radio off.' });
  expect(only?.mine.map(({ text }) => text).join('')).toBe('Turn the transmitter off.');
  expect(only?.theirs).toContainEqual({ text: 'receiver', by: 'theirs' });
  expect((await now(bench.views.guide('7')))?.editState).toBe('conflict');
  expect((await now(bench.views.activity()))[0]).toMatchObject({ id: 'conflict:7', state: 'needs-decision' });

  const { id: refusedId } = must(bench.outbox.present()[0], 'the call');
  await bench.actions.resolveConflict('7', must(only, 'a conflict').conflictid, choice);
  expect(bench.outbox.present()[0]?.id).not.toBe(refusedId);
  await bench.sync();
  expect(server.guide(7).steps[0]?.lines[0]?.text_raw).toBe(result);
  expect(server.guide(7).summary).toBe('My own summary.');
  expect(bench.outbox.present()).toEqual([]);
  expect(await now(bench.views.conflict('7'))).toBeNull();
});

test('both texts of a conflict survive a crash, and it can be decided afterwards', async () => {
  const { server, bench } = await contested();
  const restarted = await bench.crash();
  endsWithTest(restarted);
  const conflict = must(await now(restarted.views.conflict('7')), 'a conflict');
  const [only] = conflict.conflicts;
  expect(only?.mine.map(({ text }) => text).join('')).toBe('Turn the transmitter off.');
  expect(only?.theirs.map(({ text }) => text).join('')).toBe('Turn the receiver off.');
  await restarted.actions.resolveConflict('7', must(only, 'a conflict').conflictid, { take: 'mine' });
  await restarted.sync();
  expect(server.guide(7).steps[0]?.lines[0]?.text_raw).toBe('Turn the transmitter off.');
});

test("another person's edit while a decision waits is merged into it", async () => {
  const { server, bench } = await contested();
  server.editGuide(7, (content) => ({ ...content, title: 'Their new title' }));
  await bench.pull();
  const [only] = must(await now(bench.views.conflict('7')), 'a conflict').conflicts;
  await bench.actions.resolveConflict('7', must(only, 'a conflict').conflictid, { take: 'mine' });
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ title: 'Their new title', summary: 'My own summary.' });
  expect(bench.outbox.present()).toEqual([]);
});

const removeFirstLine = { op: 'removeLine', step: '11', line: firstLine } as const;

test.each([
  ['what else was saved is sent', 'My own summary.', 1],
  ['a save of nothing else goes', plainGuide.summary, 0],
])(
  'MERGE-64 a decision ends when another person removed what this person removed: %s',
  async (_, summary, calls) => {
    const { server, bench } = await workshop();
    await bench.actions.openDraft('7');
    await bench.actions.editDraft('7', removeFirstLine);
    await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: summary });
    await bench.actions.saveDraft('7');
    server.editGuide(7, (content) => applyEdit(content, setLine('Turn the receiver off.')));
    await bench.sync();
    expect((await now(bench.views.conflict('7')))?.conflicts).toHaveLength(1);

    server.editGuide(7, (content) => applyEdit(content, removeFirstLine));
    await bench.pull();
    expect(await now(bench.views.conflict('7'))).toBeNull();
    expect(bench.outbox.present().map(({ state }) => state)).toEqual(Array(calls).fill('queued'));
    await bench.sync();
    expect(bench.outbox.present()).toEqual([]);
    expect(server.guide(7).summary).toBe(summary);
    expect(server.guide(7).steps[0]?.lines.map(({ id }) => id)).not.toContain(firstLine);
  },
);

test('OUTBOX-57 a decision stored before the app ended is sent after the next start', async () => {
  const { server, bench } = await contested();
  const [only] = must(await now(bench.views.conflict('7')), 'a conflict').conflicts;
  const full = vi.spyOn(bench.outbox, 'change').mockRejectedValue(new Error('The app ends here'));
  await expect(
    bench.actions.resolveConflict('7', must(only, 'a conflict').conflictid, { take: 'mine' }),
  ).rejects.toThrow('The app ends here');
  full.mockRestore();
  const restarted = await bench.crash();
  endsWithTest(restarted);
  await settled();
  await restarted.sync();
  expect(restarted.outbox.present()).toEqual([]);
  expect(server.guide(7).steps[0]?.lines[0]?.text_raw).toBe('Turn the transmitter off.');
});

test('OUTBOX-57 edits that contradict the merge of an earlier save become a decision', async () => {
  const { server, bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: 'My own summary.' });
  await bench.actions.saveDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'My title' });
  server.editGuide(7, (content) => ({ ...content, title: 'Their title' }));
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ title: 'Their title', summary: 'My own summary.' });

  expect((await now(bench.views.activity()))[0]).toMatchObject({ id: 'conflict:7', state: 'needs-decision' });
  const [only] = must(await now(bench.views.conflict('7')), 'a conflict').conflicts;
  expect(only?.mine.map(({ text }) => text).join('')).toBe('My title');
  await bench.actions.resolveConflict('7', must(only, 'a conflict').conflictid, { take: 'mine' });
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ title: 'My title', summary: 'My own summary.' });
  expect(bench.outbox.present()).toEqual([]);
  expect((await now(bench.views.draft('7')))?.dirty).toBe(false);
});

test('OUTBOX-57 a draft does not follow a version that lacks what the server accepted of it', async () => {
  const { server, bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', setLine('Turn the radio off first.'));
  await bench.actions.saveDraft('7');
  await bench.actions.editDraft('7', setLine('Turn the radio off first now.'));
  const first = must(bench.outbox.present()[0], 'a call');
  server.editGuide(7, (content) => ({ ...content, subject: 'Their subject' }));
  const refusal = await bench.send(first);
  await bench.pull();
  await bench.deliver(first, refusal);
  await bench.sync();
  expect(server.guide(7).steps[0]?.lines[0]?.text_raw).toBe('Turn the radio off first.');
  const draft = must(await now(bench.views.draft('7')), 'the draft');
  expect(draft.content.subject).toBe('Their subject');
  expect(draft.content.steps[0]?.lines[0]?.text_raw).toBe('Turn the radio off first now.');
  expect(await now(bench.views.conflict('7'))).toBeNull();
});

/** The answer of a call arrives, and what the server made of it not yet. */
async function answered(bench: Bench, server: MemoryServer): Promise<void> {
  const call = must(bench.outbox.present()[0], 'a call');
  const answer = await bench.send(call);
  await bench.outbox.update((calls) => ({
    put: [doneCall(must(calls.get(call.id), 'the call'), answer, server.now)],
  }));
  await settled();
}

test('OUTBOX-57 a save made before the mirror has the previous one states what follows that one', async () => {
  const { server, bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', setLine('Turn the radio off first.'));
  await bench.actions.saveDraft('7');
  await answered(bench, server);
  await bench.actions.editDraft('7', setLine('Turn the radio off first now.'));
  await bench.actions.saveDraft('7');
  await bench.sync();
  expect(await now(bench.views.conflict('7'))).toBeNull();
  expect(bench.outbox.present()).toEqual([]);
  expect(server.guide(7).steps[0]?.lines[0]?.text_raw).toBe('Turn the radio off first now.');
});

test('OUTBOX-57 a new guide is saved again before the mirror has it', async () => {
  const server = new MemoryServer();
  const bench = await openBench(server);
  const id = await bench.actions.openDraft(null);
  await bench.actions.editDraft(id, { op: 'setText', field: 'title', value: 'A new guide' });
  await bench.actions.editDraft(id, { op: 'setField', field: 'category', value: 'Radio' });
  await bench.actions.saveDraft(id);
  await answered(bench, server);
  await bench.actions.editDraft(id, { op: 'setText', field: 'summary', value: 'Said later.' });
  await bench.actions.saveDraft(id);
  await bench.sync();
  expect(bench.outbox.present()).toEqual([]);
  const [guide] = await now(bench.views.library({ category: null })).then(({ guides }) => guides);
  expect(server.guide(Number(must(guide, 'the guide').guideid))).toMatchObject({
    title: 'A new guide',
    summary: 'Said later.',
  });
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

test('a picture added to a step is shown from this device and sent under its real id', async () => {
  const { server, bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.addDraftPicture('7', '11', new Blob([png(40, 30)], { type: 'image/png' }), 'photo.png');
  const picture = must((await now(bench.views.draft('7')))?.content.steps[0]?.media, 'media');
  expect(picture).toMatchObject({ type: 'image', data: [{ width: 40, height: 30 }] });
  const guid = picture.type === 'image' ? must(picture.data[0], 'a picture').guid : '';
  expect(await now(bench.views.picture(guid, 'standard'))).toMatch(/^blob:/);
  await bench.actions.saveDraft('7');
  await bench.sync();
  expect(server.guide(7).steps[0]?.media).toMatchObject({
    type: 'image',
    data: [{ guid: expect.stringMatching(/^picture/) }],
  });
});

test('two pictures added at the same time both exist', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  const add = (name: string) =>
    bench.actions.addDraftPicture('7', '11', new Blob([png(40, 30)], { type: 'image/png' }), name);
  await Promise.all([add('first.png'), add('second.png')]);
  const media = (await now(bench.views.draft('7')))?.content.steps[0]?.media;
  expect(media?.type === 'image' ? media.data : []).toHaveLength(2);
});

test('a document added from a file can be read on this device and is sent with the next save', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  const pdf = new Blob(['%PDF-1.7 safety'], { type: 'application/pdf' });
  await bench.actions.addDraftDocument('7', pdf, 'Safety sheet.PDF');
  const restarted = await bench.crash();
  endsWithTest(restarted);
  const added = must(
    (await now(restarted.views.draft('7')))?.content.documents.find(({ text }) => text === 'Safety sheet'),
    'the document',
  );
  expect(added).toMatchObject({ documentid: 0, guid: expect.stringMatching(/^tmp:/), extension: 'pdf' });
  expect(await now(restarted.views.document(added.guid))).toMatch(/^blob:/);
  await restarted.actions.saveDraft('7');
  const [upload, save] = restarted.outbox.present();
  expect(upload).toMatchObject({ kind: 'upload-document', path: '/user/media/documents' });
  expect(save).toMatchObject({
    kind: 'guide-save',
    needs: [upload?.id],
    body: { documents: [...plainGuide.documents.map(({ documentid }) => documentid), added.guid] },
  });
});

test('markers drawn on a picture of a step are saved with it, and only the changed picture names them', async () => {
  const { server, bench } = await workshop();
  const picture = (id: number) => ({ id, guid: `guid${id}`, width: 800, height: 600 });
  const [first, ...others] = plainGuide.steps;
  const media = { type: 'image' as const, data: [picture(1), picture(2)] };
  server.put('guides', '7', { ...plainGuide, steps: [{ ...must(first, 'a step'), media }, ...others] });
  await bench.pull();
  await bench.actions.openDraft('7');
  const markup = ';circle,120x80,30,red;';
  await bench.actions.editDraft('7', {
    op: 'setStepMedia',
    step: '11',
    value: { type: 'image', data: [picture(2), { ...picture(1), markup }] },
  });
  await bench.actions.saveDraft('7');
  expect(bench.outbox.present()[0]?.body).toEqual({
    steps: [
      { stepid: 11, revisionid: 110, media: { type: 'image', data: [2, { imageid: 1, markup }] } },
      ...others.map(({ stepid, revisionid }) => ({ stepid, revisionid })),
    ],
  });
  await bench.sync();
  expect(server.guide(7).steps[0]?.media).toEqual({
    type: 'image',
    data: [picture(2), { ...picture(1), markup }],
  });
  expect((await now(bench.views.guide('7')))?.steps[0]?.pictures[1]?.markers).toEqual([
    { shape: 'circle', colour: 'red', points: [120, 80, 30] },
  ]);
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

test('publishing is retried when another person edited the guide meanwhile', async () => {
  const { server, bench } = await workshop();
  server.put('guides', '7', { ...plainGuide, public: false });
  await bench.pull();
  await bench.actions.publish('7', true);
  expect((await now(bench.views.guide('7')))?.public).toBe(true);
  server.editGuide(7, (content) => ({ ...content, title: 'Edited meanwhile' }));
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ public: true, title: 'Edited meanwhile' });
});

test("a title saved after publishing does not replace another person's concurrent one", async () => {
  const { server, bench } = await workshop();
  server.put('guides', '7', { ...plainGuide, public: false });
  await bench.pull();
  await bench.actions.publish('7', true);
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'My title' });
  await bench.actions.saveDraft('7');
  server.editGuide(7, (content) => ({ ...content, title: 'Their title' }));
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ public: true, title: 'Their title' });
  const conflicts = must(await now(bench.views.conflict('7')), 'conflicts');
  expect(conflicts.conflicts.map(({ place }) => place)).toEqual([{ field: 'title' }]);
});

test('a draft that stays on its base because of a conflict is not saved over the server after a publication', async () => {
  const { server, bench } = await workshop();
  server.put('guides', '7', { ...plainGuide, public: false });
  await bench.pull();
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'My title' });
  server.editGuide(7, (content) => ({ ...content, title: 'Their title' }));
  await bench.pull();
  await bench.actions.publish('7', true);
  await bench.actions.saveDraft('7');
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ public: true, title: 'Their title' });
  expect((await now(bench.views.conflict('7')))?.conflicts).toHaveLength(1);
});

test('calls after a publication that became needless are still sent', async () => {
  const { server, bench } = await workshop();
  server.put('guides', '7', { ...plainGuide, public: false });
  await bench.pull();
  await bench.actions.publish('7', true);
  await bench.actions.publish('7', false);
  server.put('guides', '7', { ...server.guide(7), public: true, revisionid: 900 });
  await bench.sync();
  expect(server.guide(7).public).toBe(false);
  expect(bench.outbox.present()).toEqual([]);
});

test('discarding an upload parks the save that needs it instead of losing its text', async () => {
  const { bench } = await workshop();
  await bench.actions.openDraft('7');
  await bench.actions.addDraftPicture('7', '11', new Blob([png(4, 3)], { type: 'image/png' }), 'photo.png');
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'With picture' });
  await bench.actions.saveDraft('7');
  const upload = must(
    bench.outbox.present().find(({ kind }) => kind === 'upload-image'),
    'the upload',
  );
  await bench.actions.discardCall(upload.id);
  const [item] = await now(bench.views.activity());
  expect(item).toMatchObject({
    state: 'parked',
    kind: 'guide',
    refusal: { message: 'It needs something that was discarded' },
  });
  await settled();
});

function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  new DataView(bytes.buffer).setUint32(16, width);
  new DataView(bytes.buffer).setUint32(20, height);
  return bytes;
}

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
