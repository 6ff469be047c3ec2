import { expect, test, vi } from 'vitest';

import { doneCall } from '#desktop/engine/outbox/answers.ts';
import type { PersonFacts } from '#shared/model/user.ts';
import { must } from '#shared/must.ts';
import { applyEdit } from '#shared/rules/guide-edit.ts';
import { openBench, workshop } from '#test/desktop/engine/bench/bench-of-test.ts';
import type { Bench } from '#test/desktop/engine/bench/bench.ts';
import { now, settled } from '#test/desktop/engine/bench/live-values.ts';
import { decided } from '#test/support/decided.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { plainGuide, firstLine, setLine } from '#test/support/guide-edits.ts';

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

async function contested(): Promise<{ server: StandInServer; bench: Bench }> {
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
  await bench.actions.resolveConflicts('7', [decided(only, choice)]);
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
  await restarted.actions.resolveConflicts('7', [decided(only, { take: 'mine' })]);
  await restarted.sync();
  expect(server.guide(7).steps[0]?.lines[0]?.text_raw).toBe('Turn the transmitter off.');
});

test("another person's edit while a decision waits is merged into it", async () => {
  const { server, bench } = await contested();
  server.editGuide(7, (content) => ({ ...content, title: 'Their new title' }));
  await bench.pull();
  const [only] = must(await now(bench.views.conflict('7')), 'a conflict').conflicts;
  await bench.actions.resolveConflicts('7', [decided(only, { take: 'mine' })]);
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ title: 'Their new title', summary: 'My own summary.' });
  expect(bench.outbox.present()).toEqual([]);
});

const removeFirstLine = { op: 'removeLine', step: '11', line: firstLine } as const;

test.each([
  ['other edits of the save are sent', 'My own summary.', 1],
  ['a save without other edits is dropped', plainGuide.summary, 0],
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
  await expect(bench.actions.resolveConflicts('7', [decided(only, { take: 'mine' })])).rejects.toThrow(
    'The app ends here',
  );
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
  await bench.actions.resolveConflicts('7', [decided(only, { take: 'mine' })]);
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

/** Delivers the response of a call, but not its effect in the feed. */
async function answered(bench: Bench, server: StandInServer): Promise<void> {
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
  const server = StandInServer.still();
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
