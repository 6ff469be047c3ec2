import { expect, test } from 'vitest';

import { startServer } from '#test/support/server.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';

import { type Disk, newDisk } from './support/device.ts';
import { startWholeDevice } from './support/whole-device.ts';

interface Left {
  waiting: string[];
  title: string;
}

/** Ada works offline on a device with this disk, and leaves a work order, a comment and a draft. */
async function leaveWork(disk: Disk, reopen: (disk: Disk) => Promise<void>): Promise<Left> {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const guide = await makeGuide(ada);
  await makeForm(ada, guide);
  const guideid = String(guide.guideid);
  let url: string | null = server.url;
  const left = await (async () => {
    await using device = await startWholeDevice(() => url, disk);
    await device.signIn('Ada');
    await device.inSync();
    url = null;
    await device.actions.startWorkOrder(guideid, 'WO-1');
    await device.actions.comment('guide', guideid, 'Mind the belt');
    await device.actions.openDraft(guideid);
    await device.actions.editDraft(guideid, { op: 'setText', field: 'title', value: 'Another title' });
    const waiting = (await device.look('activity')).map(({ id }) => id);
    expect(waiting).toHaveLength(2);
    return { waiting, title: 'Another title' };
  })();
  await reopen(disk);
  await using again = await startWholeDevice(() => url, disk);
  expect((await again.look('activity')).map(({ id }) => id)).toEqual(left.waiting);
  const draft = await again.shows((found) => found !== null, 'draft', guideid);
  expect(draft?.content.title).toBe(left.title);
  url = server.url;
  if ((await again.look('session')).status === 'expired') await again.signIn('Ada');
  await again.inSync();
  expect((await ada.call('GET', `/comments/guide/${guideid}`)).body).toMatchObject([
    { text_raw: 'Mind the belt' },
  ]);
  await again.actions.discardDraft(guideid);
  return left;
}

test('OUTBOX-9 a device whose journal was wiped stays signed in, reports it, and restores calls and drafts', async () => {
  const disk = newDisk();
  await leaveWork(disk, async () => {
    disk.journal.clear();
    await using device = await startWholeDevice(() => null, disk);
    const session = await device.look('session');
    expect(session).toMatchObject({ status: 'signed-in', user: { username: 'Ada' }, loss: 'journal' });
    expect(session.servers).toHaveLength(1);
  });
  await using seen = await startWholeDevice(() => null, disk);
  expect((await seen.look('session')).loss).toBe('journal');
  await seen.actions.noteLossSeen();
  expect((await seen.look('session')).loss).toBeNull();
});

test('OUTBOX-9 a device whose databases were wiped knows its person, reports it, and has calls and drafts from the journal', async () => {
  const disk = newDisk();
  await leaveWork(disk, async () => {
    disk.storage = newDisk().storage;
    disk.secrets.clear();
    await using device = await startWholeDevice(() => null, disk);
    expect(await device.look('session')).toMatchObject({
      status: 'expired',
      user: { username: 'Ada' },
      loss: 'databases',
    });
  });
});

test('OUTBOX-9 a discarded draft does not come back from the database', async () => {
  const disk = newDisk();
  await leaveWork(disk, async () => undefined);
  disk.journal.clear();
  await using device = await startWholeDevice(() => null, disk);
  expect((await device.look('session')).status).toBe('signed-in');
  const [guide] = (await device.look('library', { category: null })).guides;
  expect(await device.look('draft', guide?.guideid ?? '')).toBeNull();
});

test('OUTBOX-13 a signed-out device asks for a sign-in after its journal was wiped, and explains why', async () => {
  await using server = await startServer();
  await server.person('Ada');
  const disk = newDisk();
  {
    await using device = await startWholeDevice(() => server.url, disk);
    await device.signIn('Ada');
    await device.actions.signOut();
  }
  disk.journal.clear();
  await using device = await startWholeDevice(() => server.url, disk);
  expect(await device.look('session')).toMatchObject({ status: 'signed-out', user: null, loss: 'journal' });
  expect((await device.look('session')).servers).toHaveLength(1);
});

test('OUTBOX-9 a draft of a guide created on this device still belongs to it after the journal was wiped', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const disk = newDisk();
  let url: string | null = server.url;
  const title = (value: string) => ({ op: 'setText', field: 'title', value }) as const;
  {
    await using device = await startWholeDevice(() => url, disk);
    await device.signIn('Ada');
    await device.inSync();
    const { actions } = device;
    url = null;
    const id = await actions.openDraft(null);
    await actions.editDraft(id, title('First title'));
    await actions.editDraft(id, { op: 'setField', field: 'category', value: 'Bench Grinder' });
    await actions.saveDraft(id);
    await actions.editDraft(id, title('Second title'));
    url = server.url;
    actions.syncNow();
    await device.inSync();
  }
  disk.journal.clear();
  for (const start of ['first', 'second']) {
    await using device = await startWholeDevice(() => url, disk);
    const [made, ...others] = (await device.shows(({ total }) => total > 0, 'library', { category: null }))
      .guides;
    expect(others, start).toEqual([]);
    const guideid = made?.guideid ?? '';
    expect(guideid).toMatch(/^\d+$/);
    const draft = await device.shows((found) => found !== null, 'draft', guideid);
    expect(draft?.content.title).toBe('Second title');
    if (start === 'first') continue;
    await device.actions.saveDraft(guideid);
    await device.inSync();
    expect((await ada.call('GET', `/guides/${guideid}`)).body).toMatchObject({ title: 'Second title' });
  }
});
