import { beforeEach, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { decided } from '#test/support/decided.ts';

import { newDisk, type Disk } from './support/device.ts';
import { startWholeDevice } from './support/whole-device.ts';
import { type Scene, gone, guideOf, journalText, publish, restart, startScene } from './leaving-scene.ts';

let scene: Scene;

beforeEach(async () => {
  scene = await startScene();
  return () => scene[Symbol.asyncDispose]();
});

test("LEAVING-4 a draft and waiting calls of a lost guide leave only the person's own text", async () => {
  const { device, words, guideid, server } = scene;
  scene.url = null;
  device.actions.syncNow();
  await device.shows(({ connection }) => connection === 'offline', 'syncState');
  const { actions } = device;
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setText', field: 'introduction_raw', value: 'Sent by Ada' });
  await actions.saveDraft(guideid);
  const draft = must(await device.look('draft', guideid), 'the draft');
  const [step] = draft.content.steps;
  await actions.editDraft(guideid, {
    op: 'setLineText',
    step: must(step, 'a step').key,
    line: must(step?.lines[1], 'a line').id,
    value: 'Typed by Ada',
  });
  await actions.comment('guide', guideid, 'Said by Ada');
  const order = await actions.startWorkOrder(guideid, 'WO-7');
  await publish(scene, false);
  scene.url = server.url;
  actions.syncNow();
  await gone(scene);

  const kept = await device.shows((one) => one.length === 1 && one[0]?.words.length === 3, 'keptWords');
  expect(kept[0]).toMatchObject({ guideid, isHere: false });
  const { id } = must(kept[0], 'the kept words');
  expect(kept[0]?.words.map(({ text }) => text).toSorted()).toEqual([
    'Said by Ada',
    'Sent by Ada',
    'Typed by Ada',
  ]);
  for (const word of Object.values(words)) await expect.poll(() => journalText(scene)).not.toContain(word);
  expect(journalText(scene)).toContain('Typed by Ada');
  // Work started while the guide was visible is still accepted.
  await device.shows((orders) => orders.some(({ entryid }) => entryid !== order), 'workOrders');
  await device.shows(({ pending, parked }) => pending === 0 && parked === 1, 'syncState');

  const file = await actions.exportKept(id);
  expect(file.json).toContain('Typed by Ada');
  expect(file.json).not.toContain(words.line);
  await actions.discardKept(id);
  await device.shows((one) => one.length === 0, 'keptWords');
  await device.shows(({ parked }) => parked === 0, 'syncState');
});

test('LEAVING-4 text typed while its guide leaves is kept to the last letter', async () => {
  const { device, guideid } = scene;
  const { actions } = device;
  const edits: Promise<void>[] = [];
  let typed = '';
  const type = (): void => {
    typed += 'abcdefghij'.charAt(typed.length);
    edits.push(actions.editDraft(guideid, { op: 'setText', field: 'introduction_raw', value: typed }));
  };
  await actions.openDraft(guideid);
  type();
  await publish(scene, false);
  // A letter is typed at each step of the quarantine, and the last ones after the draft is gone.
  await device.shows((kept) => {
    if (kept.length > 0 && typed.length < 6) type();
    return typed.length === 6;
  }, 'keptWords');
  await device.shows((draft) => draft === null, 'draft', guideid);
  while (typed.length < 10) type();
  await Promise.all(edits);
  const words = (await device.look('keptWords')).map((one) => one.words.map(({ text }) => text));
  expect(words).toEqual([[typed]]);
  await restart(scene);
  const read = (await scene.device.look('keptWords')).map((one) => one.words.map(({ text }) => text));
  expect(read).toEqual([[typed]]);
});

test('LEAVING-4 text typed just after its guide left is kept', async () => {
  const { device, guideid } = scene;
  await device.actions.openDraft(guideid);
  await publish(scene, false);
  await device.shows((draft) => draft === null, 'draft', guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'summary', value: 'Typed late' });
  const kept = await device.shows((one) => one.length > 0, 'keptWords');
  expect(kept.map((one) => one.words.map(({ text }) => text))).toEqual([['Typed late']]);
});

test.each<[string, (disk: Disk) => void]>([
  ['journal was', ({ journal }) => journal.clear()],
  ['databases were', (disk) => (disk.storage = newDisk().storage)],
])('LEAVING-4 quarantined text still exists when the %s wiped', async (_, wipe) => {
  const { device, guideid } = scene;
  const wiped = async (): Promise<string[][]> => {
    await scene.device[Symbol.asyncDispose]();
    wipe(scene.disk);
    scene.device = await startWholeDevice(() => scene.url, scene.disk);
    return (await scene.device.look('keptWords')).map(({ words }) => words.map(({ text }) => text));
  };
  await device.actions.openDraft(guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'introduction_raw', value: 'Mine' });
  await publish(scene, false);
  const [kept] = await device.shows((found) => found.length === 1, 'keptWords');
  expect(await wiped()).toEqual([['Mine']]);
  await scene.device.inSync();
  await scene.device.actions.discardKept(must(kept, 'the kept words').id);
  expect(await wiped()).toEqual([]);
});

test('LEAVING-6 when the guide is visible again, the quarantined text becomes a decision between both texts', async () => {
  const { device, guideid, server, ben } = scene;
  const { actions } = device;
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setText', field: 'introduction_raw', value: 'Mine' });
  await publish(scene, false);
  await device.shows((kept) => kept.length === 1, 'keptWords');
  const { revisionid } = await guideOf(scene);
  await ben.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { introduction: 'Theirs' });
  await publish(scene, true);

  const conflicts = await device.shows((found) => found !== null, 'conflict', guideid);
  const [conflict, ...others] = must(conflicts, 'the conflicts').conflicts;
  expect(others).toEqual([]);
  expect(JSON.stringify(conflict)).toContain('Mine');
  expect(JSON.stringify(conflict)).toContain('Theirs');
  expect((await device.look('syncState')).conflicts).toBe(1);
  expect((await guideOf(scene)).introduction_raw).toBe('Theirs');
  await device.shows((kept) => kept.length === 0, 'keptWords');

  await actions.resolveConflicts(guideid, [decided(conflict, { take: 'mine' })]);
  await expect.poll(async () => (await guideOf(scene)).introduction_raw).toBe('Mine');
  expect(server).toBeDefined();
});

test('LEAVING-6 what a person planned for a lost guide stays kept when the guide is visible again', async () => {
  const { device, guideid, ada, ben, server } = scene;
  const team = await ada.call('POST', '/teams', { name: 'Line B' });
  const teamid = (team.body as { teamid: number }).teamid;
  device.actions.syncNow();
  await device.inSync();
  scene.url = null;
  device.actions.syncNow();
  await device.shows(({ connection }) => connection === 'offline', 'syncState');
  await device.actions.openDraft(guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'introduction_raw', value: 'Mine' });
  await device.actions.planOrders([
    {
      workorderid: 'WO-8',
      guideid,
      release: null,
      assignee: { kind: 'team', id: teamid },
      due: null,
      priority: 'normal',
      serials: [],
      note: 'Planned by Ada',
      rrule: null,
    },
  ]);
  await publish(scene, false);
  scene.url = server.url;
  device.actions.syncNow();
  await gone(scene);
  const isKept = (kept: { words: { text: string }[] }[]): boolean =>
    kept.some(({ words }) => words.some(({ text }) => text === 'Planned by Ada'));
  await device.shows(isKept, 'keptWords');

  const { revisionid } = await guideOf(scene);
  await ben.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { introduction: 'Theirs' });
  await publish(scene, true);
  device.actions.syncNow();
  await device.shows((found) => found !== null, 'conflict', guideid);
  await device.shows(
    (kept) => kept.every(({ words }) => words.every(({ text }) => text !== 'Mine')),
    'keptWords',
  );
  expect(isKept(await device.look('keptWords'))).toBe(true);
});
