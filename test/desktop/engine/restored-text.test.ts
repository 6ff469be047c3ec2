import { expect, test } from 'vitest';

import type { ConflictChoice } from '#desktop/engine/api/conflict-records.ts';
import { must } from '#shared/must.ts';
import { decided } from '#test/support/decided.ts';

import { bench, call, tokenOf, changeAs, setSummary } from './support/restored-bench.ts';

test('OUTBOX-30 a text forgotten in a restore and rewritten by another person becomes a decision with both texts', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  await server.backUp();
  actions.syncNow();
  await device.inSync();
  await setSummary(device, guideid, 'Written by Ana');
  await device.inSync();
  await server.restore();
  await changeAs(server, 'ben@example.com', guideid, { summary: 'Told by Ben' });
  actions.syncNow();

  await device.shows(({ conflicts }) => conflicts === 1, 'syncState');
  const open = await device.look('conflict', guideid);
  expect(
    open?.conflicts.map(({ place, mine, theirs }) => [place.field, textOf(mine), textOf(theirs)]),
  ).toEqual([['summary', 'Written by Ana', 'Told by Ben']]);
  // Nothing else can be saved before the person has decided.
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setText', field: 'title', value: 'Belt of the grinder' });
  await expect(actions.saveDraft(guideid)).rejects.toThrow('Decide the open conflicts first');
  const choice: ConflictChoice = { take: 'mine' };
  await actions.resolveConflicts(guideid, [decided(open?.conflicts[0], choice)]);
  await device.inSync();
  const token = await tokenOf(server, 'ana@example.com');
  expect(await call(server, token, 'GET', `/guides/${guideid}`)).toMatchObject({
    summary: 'Written by Ana',
    title: 'Belt of the grinder',
  });
});

test('OUTBOX-31 a save on a revision whose number was given out again after a restore is checked against the new version', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  const revision = async (): Promise<unknown> =>
    (await call(server, await tokenOf(server, 'ana@example.com'), 'GET', `/guides/${guideid}`))['revisionid'];
  await server.backUp();
  await changeAs(server, 'ben@example.com', guideid, { title: 'Forgotten by the server' });
  actions.syncNow();
  await device.shows((guide) => guide?.title === 'Forgotten by the server', 'guide', guideid);
  const forgotten = await revision();
  world.passes = () => false;
  await setSummary(device, guideid, 'Written on what was forgotten');
  await server.restore();
  await changeAs(server, 'ben@example.com', guideid, { summary: 'Told by Ben' });
  expect(await revision()).toBe(forgotten);
  world.passes = () => true;
  actions.syncNow();

  await device.shows(({ conflicts }) => conflicts === 1, 'syncState');
  const open = await device.look('conflict', guideid);
  expect(open?.conflicts.map(({ mine, theirs }) => [textOf(mine), textOf(theirs)])).toEqual([
    ['Written on what was forgotten', 'Told by Ben'],
  ]);
  const token = await tokenOf(server, 'ana@example.com');
  expect(await call(server, token, 'GET', `/guides/${guideid}`)).toMatchObject({ summary: 'Told by Ben' });
});

test('OUTBOX-31 a draft based on a version forgotten in a restore follows the version that now has its number', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  await server.backUp();
  await changeAs(server, 'ben@example.com', guideid, { title: 'Forgotten by the server' });
  actions.syncNow();
  await device.shows((guide) => guide?.title === 'Forgotten by the server', 'guide', guideid);
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setText', field: 'conclusion_raw', value: 'Not saved yet' });
  await server.restore();
  await changeAs(server, 'ben@example.com', guideid, { summary: 'Told by Ben' });
  actions.syncNow();
  const draft = await device.shows((found) => found?.content.summary === 'Told by Ben', 'draft', guideid);
  expect(draft?.content.conclusion_raw).toBe('Not saved yet');
  expect(draft?.content.title).not.toBe('Forgotten by the server');
});

function textOf(spans: readonly { text: string }[]): string {
  return spans.map(({ text }) => text).join('');
}

test('OUTBOX-33 a call acknowledged after the last pull, and lost in a restore, is sent again', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  // The device receives only responses to its calls and the server identity: no pull or event gives it a checkpoint
  // after the backup.
  world.passes = (path) => path === '/sync/1/batch' || path === '/sync/1/identity';
  await server.backUp();
  await actions.comment('guide', guideid, 'Acknowledged and lost');
  await device.shows(
    (items) => items.some(({ kind, state }) => kind === 'comment' && state === 'on-the-server'),
    'activity',
  );
  world.passes = () => false;
  await server.restore();
  world.passes = () => true;
  actions.syncNow();
  const token = await tokenOf(server, 'ana@example.com');
  const comments = async (): Promise<string> =>
    JSON.stringify(await call(server, token, 'GET', `/comments?context=guide&contextid=${guideid}`));
  await expect.poll(comments).toContain('Acknowledged and lost');
});

test('OUTBOX-32 a guide that the restored server still has is one draft while sent calls are sent again', async () => {
  await using world = await bench();
  const { server, device } = world;
  const { actions } = device;
  const draft = await actions.openDraft(null);
  await actions.editDraft(draft, { op: 'setText', field: 'title', value: 'Still there' });
  await actions.editDraft(draft, { op: 'setField', field: 'category', value: 'Bench Grinder' });
  await actions.saveDraft(draft);
  await device.inSync();
  const { guides } = await device.look('library', { category: null });
  const id = must(guides.find(({ title }) => title === 'Still there')?.guideid, 'the guide');
  await server.backUp();
  await actions.comment('guide', id, 'Forgotten by the server');
  await device.inSync();
  await server.restore();
  let offers = 0;
  world.passes = (path) => {
    if (path === '/sync/1/batch') offers += 1;
    return path !== '/sync/1/batch';
  };
  actions.syncNow();
  await expect.poll(() => offers).toBeGreaterThan(0);
  expect(await actions.openDraft(id)).toBe(id);
  await actions.editDraft(id, { op: 'setText', field: 'summary', value: 'Written meanwhile' });
  world.passes = () => true;
  actions.syncNow();
  await device.shows(
    (guide) => guide?.comments.some(({ text }) => text === 'Forgotten by the server') === true,
    'guide',
    id,
  );
  await device.inSync();
  await actions.saveDraft(id);
  await device.inSync();
  const token = await tokenOf(server, 'ana@example.com');
  expect(await call(server, token, 'GET', `/guides/${id}`)).toMatchObject({ summary: 'Written meanwhile' });
});

test('OUTBOX-33 a server that is restored again while the device asks what it knows gets the lost changes', async () => {
  await using world = await bench();
  const { server, device } = world;
  const { actions } = device;
  await server.backUp();
  await actions.saveProfile({ about: 'Of Ana' });
  await device.inSync();
  let asked = 0;
  world.passes = (path) => !path.startsWith('/sync/1/answers') || (asked += 1) < 0;
  await server.restore();
  actions.syncNow();
  await expect.poll(() => asked).toBeGreaterThan(0);
  await server.restore();
  world.passes = () => true;
  actions.syncNow();
  await expect
    .poll(async () => call(server, await tokenOf(server, 'ana@example.com'), 'GET', '/user'), {
      timeout: 20_000,
    })
    .toMatchObject({ about_raw: 'Of Ana' });
  await device.inSync();
});
