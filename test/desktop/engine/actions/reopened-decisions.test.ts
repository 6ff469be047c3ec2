import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { applyEdit } from '#shared/rules/guide-edit.ts';
import { workshop } from '#test/desktop/engine/bench/bench-of-test.ts';
import type { Bench } from '#test/desktop/engine/bench/bench.ts';
import { now } from '#test/desktop/engine/bench/live-values.ts';
import { setLine } from '#test/support/guide-edits.ts';
import { decided } from '#test/support/decided.ts';
import type { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

/** A guide of which two people changed the same line and the same title. */
async function contested(own?: string): Promise<{ server: StandInServer; bench: Bench }> {
  const world = await workshop();
  const { server, bench } = world;
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', setLine('Turn the transmitter off.'));
  await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'My title' });
  if (own !== undefined) await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: own });
  await bench.actions.saveDraft('7');
  server.editGuide(7, (content) => ({
    ...applyEdit(content, setLine('Turn the receiver off.')),
    title: 'Their title',
  }));
  await bench.sync();
  return world;
}

async function decideAll(bench: Bench, take: 'mine' | 'theirs'): Promise<void> {
  const { conflicts } = must(await now(bench.views.conflict('7')), 'the conflicts');
  await bench.actions.resolveConflicts(
    '7',
    conflicts.map((one) => decided(one, { take })),
  );
}

test('DECIDE-1 the list of changes counts every conflict, whose step is shown with its lines', async () => {
  const { bench } = await contested();
  expect(await now(bench.views.activity())).toMatchObject([{ id: 'conflict:7', decisions: 2 }]);
  const { steps } = must(await now(bench.views.conflict('7')), 'the conflicts');
  expect(steps).toMatchObject([{ key: '11', number: 1 }]);
  expect(steps[0]?.lines.map(({ text_raw }) => text_raw)).toContain('Turn the receiver off.');
  await decideAll(bench, 'mine');
  expect(await now(bench.views.activity())).toMatchObject([{ state: 'queued', decisions: 0 }]);
});

test('a decision about a conflict that is gone decides none', async () => {
  const { bench } = await contested();
  const { conflicts } = must(await now(bench.views.conflict('7')), 'the conflicts');
  const gone = { conflictid: 'difficulty', versions: '' };
  await expect(
    bench.actions.resolveConflicts(
      '7',
      [...conflicts, gone].map((one) => decided(one, { take: 'mine' })),
    ),
  ).rejects.toThrow('Someone changed this guide meanwhile');
  expect((await now(bench.views.conflict('7')))?.conflicts).toHaveLength(2);
});

test('DECIDE-8 decisions about texts of which one is another by now decide nothing', async () => {
  const { server, bench } = await contested();
  const { conflicts: seen } = must(await now(bench.views.conflict('7')), 'the conflicts');
  server.editGuide(7, (content) => ({ ...content, title: 'Their newer title' }));
  await bench.pull();
  await expect(
    bench.actions.resolveConflicts(
      '7',
      seen.map((one) => decided(one, { take: 'mine' })),
    ),
  ).rejects.toThrow('Someone changed this guide meanwhile. Check your choices again.');
  const { conflicts } = must(await now(bench.views.conflict('7')), 'the conflicts');
  expect(conflicts.map(({ conflictid }) => conflictid)).toEqual(seen.map(({ conflictid }) => conflictid));
  expect(conflicts.find(({ conflictid }) => conflictid === 'title')?.theirs).toEqual(
    expect.arrayContaining([expect.objectContaining({ text: 'Their newer title' })]),
  );
});

test.each(['mine', 'theirs'] as const)(
  'DECIDE-6 decisions for %s are taken back and made otherwise',
  async (side) => {
    const { server, bench } = await contested();
    const before = await now(bench.views.conflict('7'));
    expect(await now(bench.views.canReopen('7'))).toBe(false);
    await decideAll(bench, side);
    expect(await now(bench.views.canReopen('7'))).toBe(true);
    await bench.actions.reopenConflicts('7');
    const { conflicts, steps } = must(await now(bench.views.conflict('7')), 'the conflicts');
    expect({ conflicts, steps }).toEqual({ conflicts: before?.conflicts, steps: before?.steps });
    expect(await now(bench.views.canReopen('7'))).toBe(false);
    await bench.sync();
    expect(server.guide(7).title).toBe('Their title');
    await decideAll(bench, side === 'mine' ? 'theirs' : 'mine');
    await bench.sync();
    expect(server.guide(7).title).toBe(side === 'mine' ? 'Their title' : 'My title');
    expect(bench.outbox.present()).toEqual([]);
  },
);

test('DECIDE-6 decisions that the server has are not taken back', async () => {
  const { server, bench } = await contested('My own summary.');
  await decideAll(bench, 'mine');
  await bench.sync();
  expect(await now(bench.views.canReopen('7'))).toBe(false);
  await expect(bench.actions.reopenConflicts('7')).rejects.toThrow('too late');
  expect(server.guide(7)).toMatchObject({ title: 'My title', summary: 'My own summary.' });
});

test('DECIDE-6 decisions that left nothing to send are not taken back after a newer version came', async () => {
  const { server, bench } = await contested();
  await decideAll(bench, 'theirs');
  server.editGuide(7, (content) => ({ ...content, summary: 'A later summary' }));
  await bench.pull();
  expect(await now(bench.views.canReopen('7'))).toBe(false);
  await expect(bench.actions.reopenConflicts('7')).rejects.toThrow('too late');
});

const editedSince = 'edited after these decisions';

test.each(['mine', 'theirs'] as const)(
  'DECIDE-7 decisions for %s are not taken back once the draft was edited, until that edit is undone',
  async (take) => {
    const { server, bench } = await contested('My own summary.');
    await decideAll(bench, take);
    const title = must(await now(bench.views.draft('7')), 'the draft').content.title;
    await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'A later title' });
    expect(await now(bench.views.canReopen('7'))).toBe(false);
    await expect(bench.actions.reopenConflicts('7')).rejects.toThrow(editedSince);
    expect((await now(bench.views.draft('7')))?.content.title).toBe('A later title');
    await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: title });
    expect(await now(bench.views.canReopen('7'))).toBe(true);
    await bench.actions.editDraft('7', { op: 'setText', field: 'title', value: 'A later title' });
    await bench.actions.saveDraft('7');
    await bench.sync();
    expect(server.guide(7)).toMatchObject({ title: 'A later title', summary: 'My own summary.' });
  },
);

test('DECIDE-7 decisions are not taken back once a later edit was saved into the same call', async () => {
  const { server, bench } = await contested();
  await decideAll(bench, 'mine');
  await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: 'A later summary' });
  await bench.actions.saveDraft('7');
  expect(bench.outbox.present()).toHaveLength(1);
  expect(await now(bench.views.canReopen('7'))).toBe(false);
  await expect(bench.actions.reopenConflicts('7')).rejects.toThrow(editedSince);
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ title: 'My title', summary: 'A later summary' });
});

test('DECIDE-7 decisions that left nothing to send are not taken back once the guide was edited', async () => {
  const { server, bench } = await contested();
  await decideAll(bench, 'theirs');
  expect(bench.outbox.present()).toEqual([]);
  await bench.actions.openDraft('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: 'A later summary' });
  await expect(bench.actions.reopenConflicts('7')).rejects.toThrow(editedSince);
  await bench.actions.saveDraft('7');
  expect(await now(bench.views.canReopen('7'))).toBe(false);
  await expect(bench.actions.reopenConflicts('7')).rejects.toThrow(editedSince);
  await bench.sync();
  expect(server.guide(7)).toMatchObject({ title: 'Their title', summary: 'A later summary' });
});

test('DECIDE-6 discarding edits after decisions were taken back does not decide again', async () => {
  const { server, bench } = await contested();
  await decideAll(bench, 'mine');
  await bench.actions.reopenConflicts('7');
  await bench.actions.editDraft('7', { op: 'setText', field: 'summary', value: 'A later summary' });
  await bench.actions.discardDraft('7');
  expect((await now(bench.views.conflict('7')))?.conflicts).toHaveLength(2);
  await bench.sync();
  expect(server.guide(7).title).toBe('Their title');
});
