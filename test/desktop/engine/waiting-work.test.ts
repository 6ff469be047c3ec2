import { expect, test } from 'vitest';

import { fromBase64 } from '#desktop/engine/platform/base64.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import { emptyStep } from '#shared/rules/guide-content.ts';

import { archiveOf, workshop as archived } from './archives/world.ts';
import { newDisk } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';
import { givenOn, leftOn, onDevice, workshop } from './waiting-work-shop.ts';

const title = (value: string) => ({ op: 'setText', field: 'title', value }) as const;
const summary = (value: string) => ({ op: 'setText', field: 'summary', value }) as const;

/** One transparent pixel. */
const pixel = new Uint8Array(
  fromBase64(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
);

test('WAITING-1 WAITING-3 WAITING-4 waiting work of one device reaches the server from another, once, and the first sends nothing twice', async () => {
  await using shop = await workshop();
  const { guideid, ada } = shop;
  const first = newDisk();
  const bytes = await leftOn(shop, first, async ({ actions }) => {
    const entryid = await actions.startWorkOrder(guideid, 'WO-7');
    await actions.moveWorkOrder(entryid, 'pause');
    await actions.comment('guide', guideid, 'Mind the belt');
    await actions.openDraft(guideid);
    await actions.editDraft(guideid, title('Saved title'));
    await actions.saveDraft(guideid);
    await actions.editDraft(guideid, summary('Not saved yet'));
    const made = await actions.openDraft(null);
    await actions.editDraft(made, title('A guide of this device'));
    await actions.editDraft(made, { op: 'setField', field: 'category', value: 'Bench Grinder' });
    const key = 'tmp:step-1';
    await actions.editDraft(made, { op: 'insertStep', step: emptyStep(key), index: 0 });
    await actions.addDraftPicture(made, key, new Blob([pixel], { type: 'image/png' }), 'belt.png');
    await actions.saveDraft(made);
    await actions.editDraft(made, summary('Not saved either'));
  });
  const both = ['A guide of this device', 'Saved title'];
  const titlesOn = async (device: WholeDevice): Promise<string[]> =>
    (await device.look('library', { category: null })).guides.map((guide) => guide.title).toSorted();
  const comments = async (): Promise<unknown> => (await ada.call('GET', `/comments/guide/${guideid}`)).body;

  await onDevice(shop, newDisk(), async (device) => {
    const { actions } = device;
    const brought = await actions.importWaiting(new Blob([bytes]));
    expect(brought).toMatchObject({ calls: 6, drafts: 2, known: 0, unreadable: 0, isCut: false });
    await device.inSync();
    const unsaved = await device.shows((found) => found !== null, 'draft', guideid);
    expect(unsaved?.content).toMatchObject({ title: 'Saved title', summary: 'Not saved yet' });
    expect(await titlesOn(device)).toEqual(both);
    expect(await comments()).toMatchObject([{ text_raw: 'Mind the belt' }]);
    const library = await device.look('library', { category: null });
    const made = must(
      library.guides.find((guide) => guide.title === 'A guide of this device'),
      'the new guide',
    );
    const draft = await device.shows((found) => found !== null, 'draft', made.guideid);
    expect(draft?.content.summary).toBe('Not saved either');
    expect(await actions.importWaiting(new Blob([bytes]))).toMatchObject({
      calls: 0,
      drafts: 0,
      unreadable: 0,
    });
  });

  await onDevice(shop, first, async (device) => {
    await device.inSync();
    expect(await titlesOn(device)).toEqual(both);
    expect(await comments()).toHaveLength(1);
    expect(await device.look('workOrders')).toHaveLength(1);
  });
});

test("WAITING-1 the file contains nothing of a guide but the person's own text, and no token", async () => {
  await using shop = await workshop();
  const { guideid } = shop;
  const disk = newDisk();
  const text = new TextDecoder().decode(
    await leftOn(shop, disk, async ({ actions }) => {
      await actions.openDraft(guideid);
      await actions.editDraft(guideid, title('Saved title'));
      await actions.saveDraft(guideid);
      await actions.editDraft(guideid, summary('Not saved yet'));
    }),
  );
  expect(text).toContain('Saved title');
  expect(text).toContain('Not saved yet');
  expect(text).not.toContain('Unplug it');
  for (const [name, secret] of disk.secrets) if (name.startsWith('token')) expect(text).not.toContain(secret);
});

test('WAITING-3 importing on the same device changes nothing, before and after the work was sent', async () => {
  await using shop = await workshop();
  const { guideid, ada } = shop;
  const disk = newDisk();
  await onDevice(shop, disk, async (device, setUp) => {
    const { actions } = device;
    setUp(false);
    await actions.comment('guide', guideid, 'Once');
    await actions.openDraft(guideid);
    await actions.editDraft(guideid, summary('Not saved yet'));
    const before = (await device.look('activity')).map(({ id }) => id);
    await actions.exportWaiting('Export');
    const file = new Blob([givenOn(disk)]);
    expect(await actions.importWaiting(file)).toMatchObject({ calls: 0, drafts: 0, known: 2 });
    expect((await device.look('activity')).map(({ id }) => id)).toEqual(before);
    setUp(true);
    actions.syncNow();
    await device.inSync();
    expect(await actions.importWaiting(file)).toMatchObject({ calls: 0, drafts: 0, known: 2 });
    await device.inSync();
  });
  expect((await ada.call('GET', `/comments/guide/${guideid}`)).body).toHaveLength(1);
});

test('WAITING-5 a save whose guide was changed meanwhile becomes a decision with both texts', async () => {
  await using shop = await workshop();
  const { guideid, ben } = shop;
  const bytes = await leftOn(shop, newDisk(), async ({ actions }) => {
    await actions.openDraft(guideid);
    await actions.editDraft(guideid, title('What Ada wrote'));
    await actions.saveDraft(guideid);
  });
  const { revisionid } = (await ben.call('GET', `/guides/${guideid}`)).body as { revisionid: number };
  const changed = await ben.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, {
    title: 'What Ben wrote',
  });
  expect(changed.status).toBe(200);
  await onDevice(shop, newDisk(), async (device) => {
    const { actions } = device;
    await actions.importWaiting(new Blob([bytes]));
    const found = await device.shows((view) => (view?.conflicts.length ?? 0) > 0, 'conflict', guideid);
    expect(JSON.stringify(found?.conflicts[0]?.mine)).toContain('Ada');
    expect(JSON.stringify(found?.conflicts[0]?.theirs)).toContain('Ben');
    expect((await ben.call('GET', `/guides/${guideid}`)).body).toMatchObject({ title: 'What Ben wrote' });
  });
});

test('WAITING-7 archives to import, decisions to sign and unreadable records stay on the device and are counted', async () => {
  await using shop = await workshop();
  const disk = newDisk();
  const bytes = await archiveOf(archived, 'https://elsewhere.test');
  await onDevice(shop, disk, async ({ actions }, setUp) => {
    setUp(false);
    const archiveid = await actions.openArchive(bytesSource(bytes), 'shop.omanual');
    await actions.importArchive(archiveid, { existing: 'skip', visibility: 'public', author: 'importer' });
    await actions.prepareDecision(9, { decision: 'reject', comment: 'Wrong torque' });
    await actions.comment('guide', shop.guideid, 'Of a newer app');
  });
  const journal = await openJournal(memoryStore({}, disk.journal), testEnvironment(fetch, 1));
  const { outbox } = await journal.entries();
  const [id, call] = must(
    [...outbox].find(([, value]) => JSON.stringify(value).includes('Of a newer app')),
    'the comment',
  );
  await journal.append([
    { op: 'put', collection: 'outbox', id, value: { ...(call as object), version: 99 } },
  ]);
  await journal.close();
  await using device = await startWholeDevice(() => null, disk);
  await device.shows(({ user }) => user !== null, 'session');
  await device.actions.comment('guide', shop.guideid, 'Mind the belt');
  expect(await device.actions.exportWaiting('Export')).toEqual({ calls: 1, drafts: 0, left: 3 });
  const text = new TextDecoder().decode(givenOn(disk));
  expect(text).toContain('Mind the belt');
  expect(text).not.toMatch(/shop\.omanual|Wrong torque|Of a newer app/);
  expect((await device.look('activity')).length).toBe(3);
  expect(await device.look('preparedDecisions')).toMatchObject(
    new Map([[9, { decision: 'reject', comment: 'Wrong torque' }]]),
  );
});

test('WAITING-1 a waiting change of the own profile arrives without the profile it was based on', async () => {
  await using shop = await workshop();
  const bytes = await leftOn(shop, newDisk(), async (device) => {
    await device.actions.saveProfile({ summary: 'Mends belts' });
  });
  await onDevice(shop, newDisk(), async (device, setUp) => {
    setUp(false);
    expect(await device.actions.importWaiting(new Blob([bytes]))).toMatchObject({ calls: 1, unreadable: 0 });
    const { userid } = must((await device.look('session')).user, 'Ada');
    expect(await device.look('person', userid)).toMatchObject({ summary: 'Mends belts' });
    setUp(true);
    device.actions.syncNow();
    await device.inSync();
    expect((await shop.ada.call('GET', '/user')).body).toMatchObject({ summary: 'Mends belts' });
  });
});

test('WAITING-4 a call that waits for the revision of the previous one learns it on the other device too', async () => {
  await using shop = await workshop();
  const bytes = await leftOn(shop, newDisk(), async ({ actions }) => {
    const made = await actions.openDraft(null);
    await actions.editDraft(made, title('A guide of this device'));
    await actions.editDraft(made, { op: 'setField', field: 'category', value: 'Bench Grinder' });
    await actions.saveDraft(made);
    await actions.publish(made, true);
  });
  await onDevice(shop, newDisk(), async (device) => {
    expect(await device.actions.importWaiting(new Blob([bytes]))).toMatchObject({ calls: 2, unreadable: 0 });
    await device.inSync();
    expect(await device.look('syncState')).toMatchObject({ parked: 0 });
    const { guides } = await device.look('library', { category: null });
    const made = guides.find((guide) => guide.title === 'A guide of this device');
    expect((await shop.ben.call('GET', `/guides/${made?.guideid}`)).status).toBe(200);
  });
});
