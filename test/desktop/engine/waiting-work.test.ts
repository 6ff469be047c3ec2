import { expect, test } from 'vitest';

import { fromBase64 } from '#desktop/engine/platform/base64.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { readRecord } from '#desktop/engine/outbox/at-rest.ts';
import { mayWait } from '#desktop/engine/features/waiting-work/waiting-calls.ts';
import { must } from '#shared/must.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import { emptyStep } from '#shared/rules/guide-content.ts';
import { diskOf } from '#test/support/old-engine/disk.ts';
import { oldProfile } from '#test/support/old-engine/load.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { archiveOf, workshop as archived } from './archives/world.ts';
import { type Disk, newDisk } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const title = (value: string) => ({ op: 'setText', field: 'title', value }) as const;
const summary = (value: string) => ({ op: 'setText', field: 'summary', value }) as const;

/** The last file that the person was given. */
function givenOn(disk: Disk): Uint8Array<ArrayBuffer> {
  return must([...disk.given.values()].at(-1), 'a file');
}

function linesOf(bytes: Uint8Array<ArrayBuffer>): string[] {
  return new TextDecoder().decode(bytes).trimEnd().split('\n');
}

function fileOf(lines: readonly string[]): Blob {
  return new Blob([`${lines.join('\n')}\n`]);
}

/** One transparent pixel. */
const pixel = new Uint8Array(
  fromBase64(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
);

interface Workshop extends AsyncDisposable {
  server: TestServer;
  guideid: string;
  ada: Awaited<ReturnType<TestServer['person']>>;
  ben: Awaited<ReturnType<TestServer['person']>>;
}

async function workshop(): Promise<Workshop> {
  const server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const ben = await server.person('Ben');
  const guide = await makeGuide(ada);
  return {
    server,
    guideid: String(guide.guideid),
    ada,
    ben,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Works on Ada's device with this disk, in step with the server if it can be reached. One device runs at a time. */
async function onDevice<T>(
  { server }: Workshop,
  disk: Disk,
  run: (device: WholeDevice, setUp: (isUp: boolean) => void) => Promise<T>,
  name = 'Ada',
): Promise<T> {
  let isUp = true;
  await using device = await startWholeDevice(() => (isUp ? server.url : null), disk);
  if ((await device.shows(({ status }) => status !== 'restoring', 'session')).user === null)
    await device.signIn(name);
  await device.inSync();
  return await run(device, (now) => void (isUp = now));
}

/** The file of what Ada did without a network on this device, and left waiting. */
async function leftOn(
  shop: Workshop,
  disk: Disk,
  work: (device: WholeDevice) => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>> {
  return onDevice(shop, disk, async (device, setUp) => {
    setUp(false);
    await work(device);
    await device.actions.exportWaiting('Export');
    return givenOn(disk);
  });
}

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

test("WAITING-2 a file of another account or server is refused with its owner's name", async () => {
  await using shop = await workshop();
  await using other = await workshop();
  const file = new Blob([
    await leftOn(shop, newDisk(), async ({ actions }) => {
      await actions.comment('guide', shop.guideid, 'Mine');
    }),
  ]);
  const refusal = { code: 'forbidden', message: expect.stringMatching(/work of Ada at http.*signed in as/) };
  const refused = async (device: WholeDevice): Promise<void> => {
    const { actions } = device;
    await expect(actions.importWaiting(file)).rejects.toMatchObject(refusal);
    expect(await device.look('activity')).toEqual([]);
  };
  await onDevice(shop, newDisk(), refused, 'Ben');
  await onDevice(other, newDisk(), refused);
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

test('WAITING-6 damaged parts are reported and the rest is imported; a newer file and another file are refused', async () => {
  await using shop = await workshop();
  const { guideid, ada } = shop;
  const lines = linesOf(
    await leftOn(shop, newDisk(), async ({ actions }) => {
      for (const words of ['One', 'Two', 'Three']) await actions.comment('guide', guideid, words);
    }),
  );
  const spoilt = lines
    .filter((line) => !line.startsWith('{"end"'))
    .map((line) => (line.includes('Two') ? line.slice(0, 40) : line));
  await onDevice(shop, newDisk(), async (device) => {
    const { actions } = device;
    expect(await actions.importWaiting(fileOf(spoilt))).toEqual({
      calls: 2,
      drafts: 0,
      known: 0,
      unreadable: 1,
      isCut: true,
    });
    await device.inSync();
    expect((await ada.call('GET', `/comments/guide/${guideid}`)).body).toHaveLength(2);
    const head = JSON.parse(must(lines[0], 'a head')) as object;
    const newer = fileOf([JSON.stringify({ ...head, version: 99 }), ...lines.slice(1)]);
    await expect(actions.importWaiting(newer)).rejects.toThrow('newer version');
    for (const other of ['PK\u0003\u0004', ''])
      await expect(actions.importWaiting(new Blob([other]))).rejects.toThrow('not a file of waiting work');
  });
});

test('WAITING-6 a file of many pieces arrives unchanged; one that lost a piece is left out and reported', async () => {
  await using shop = await workshop();
  const { guideid } = shop;
  const large = new Uint8Array(1_500_000).map((_, index) => (index * 31) % 251);
  const lines = linesOf(
    await leftOn(shop, newDisk(), async ({ actions }) => {
      await actions.openDraft(guideid);
      await actions.addDraftDocument(guideid, new Blob([large], { type: 'text/plain' }), 'log.txt');
    }),
  );
  const isPiece = (line: string): boolean => line.startsWith('{"bytes"');
  expect(lines.filter(isPiece)).toHaveLength(4);
  const lost = lines.findIndex(isPiece);
  await onDevice(shop, newDisk(), async (device, setUp) => {
    const { actions } = device;
    setUp(false);
    const cut = fileOf(lines.filter((_, index) => index !== lost));
    expect(await actions.importWaiting(cut)).toMatchObject({ calls: 1, unreadable: 1 });
  });
  await onDevice(shop, newDisk(), async (device) => {
    const { actions } = device;
    expect(await actions.importWaiting(fileOf(lines))).toMatchObject({ calls: 1, unreadable: 0 });
    await device.inSync();
  });
});

/** The files that lie beside the journal of a device that is closed. */
async function filesOn(disk: Disk): Promise<string[]> {
  const journal = await openJournal(memoryStore({}, disk.journal), testEnvironment(fetch, 1));
  const files = await journal.listFiles();
  await journal.close();
  return files.map(({ name }) => name);
}

test('WAITING-6 an upload whose call is not imported leaves nothing, and one that is imported keeps its bytes', async () => {
  await using shop = await workshop();
  const { guideid } = shop;
  const disk = newDisk();
  const lines = await onDevice(shop, disk, async (device, setUp) => {
    const { actions } = device;
    setUp(false);
    await actions.openDraft(guideid);
    await actions.addDraftDocument(guideid, new Blob(['torque table']), 'table.txt');
    await actions.exportWaiting('Export');
    return linesOf(givenOn(disk));
  });
  expect(await filesOn(disk)).toEqual(['table.txt']);
  const importOn = async (file: Blob): Promise<string[]> => {
    const other = newDisk();
    await onDevice(shop, other, async (device, setUp) => {
      setUp(false);
      await device.actions.importWaiting(file);
    });
    return filesOn(other);
  };
  const isCall = (line: string): boolean => line.startsWith('{"call"');
  expect(lines.filter(isCall)).toHaveLength(1);
  expect(await importOn(fileOf(lines.slice(0, lines.findIndex(isCall))))).toEqual([]);
  expect(await importOn(withCalls(lines, (call) => [{ ...call, path: '/teams' }]))).toEqual([]);
  expect(await importOn(withCalls(lines, () => []))).toEqual([]);
  expect(await importOn(fileOf(lines))).toEqual(['table.txt']);
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

/** The file with other lines in the place of the calls. */
function withCalls(lines: readonly string[], make: (call: object) => object[]): Blob {
  return fileOf(
    lines.flatMap((line) => {
      const value = JSON.parse(line) as { call?: object };
      if (value.call === undefined) return [line];
      return make(value.call).map((call) => JSON.stringify({ ...value, call }));
    }),
  );
}

test('WAITING-8 calls that no app of ours would queue are refused, under any name', async () => {
  await using shop = await workshop();
  const { guideid, ada } = shop;
  const lines = linesOf(
    await leftOn(shop, newDisk(), async ({ actions }) => {
      await actions.comment('guide', guideid, 'Mine');
    }),
  );
  const path = '/comments/guide';
  const odd: object[] = [
    { method: 'DELETE', path: `/guides/${guideid}` },
    { method: 'POST', path: '/teams' },
    { path: `${path}/../../user` },
    { path: `${path}/%2e%2e` },
    { path: `${path}/` },
    { path: `${path}/${guideid}?x=1` },
    { path: `${path}/${guideid}`, fileId: 'somebody-elses-file' },
    { kind: 'archive-import', method: 'POST', path: '/omanual/imports', fileId: 'x' },
    { kind: 'upload-image', method: 'POST', path: '/user/media/images', fileId: null },
    { kind: 'profile-save', method: 'PATCH', path: '/users/1', body: { password: 'another one' } },
    { kind: 'guide-delete', method: 'PATCH', path: `/guides/${guideid}` },
  ];
  await onDevice(shop, newDisk(), async (device) => {
    const file = withCalls(lines, (call) => [
      call,
      ...odd.map((one, index) => ({ ...call, ...one, id: `odd-${index}` })),
    ]);
    expect(await device.actions.importWaiting(file)).toMatchObject({ calls: 1, unreadable: odd.length });
    await device.inSync();
    expect(await device.look('activity')).not.toContainEqual(expect.objectContaining({ state: 'parked' }));
  });
  expect((await ada.call('GET', `/comments/guide/${guideid}`)).body).toHaveLength(1);
  expect((await ada.call('GET', `/guides/${guideid}`)).status).toBe(200);
});

test('WAITING-8 a value for a temporary id is a number or a name, never a part of an address', async () => {
  await using shop = await workshop();
  const { guideid } = shop;
  const lines = linesOf(
    await leftOn(shop, newDisk(), async ({ actions }) => {
      await actions.comment('guide', guideid, 'Mine');
    }),
  );
  const ids = { 'tmp:a': '7', 'tmp:b': '7/public', 'tmp:c': '..' };
  await onDevice(shop, newDisk(), async (device) => {
    const file = fileOf([...lines.slice(0, 1), JSON.stringify({ ids }), ...lines.slice(2)]);
    expect(await device.actions.importWaiting(file)).toMatchObject({ calls: 1, unreadable: 2 });
  });
});

test('WAITING-8 every call that a recorded device queued or sent can be in a file', async () => {
  const disk = diskOf(oldProfile());
  const journal = await openJournal(memoryStore({}, disk.journal), testEnvironment(fetch, 1));
  const { outbox, meta } = await journal.entries();
  await journal.close();
  const sent = [...meta].flatMap(([id, value]) => (id.startsWith('sent/') ? [value] : []));
  const calls = [...outbox.values(), ...sent].map((record) => must(readRecord(record), 'a call'));
  const kinds = new Set(calls.map(({ kind }) => kind));
  expect(kinds.size).toBeGreaterThan(15);
  const refused = calls.filter((call) => call.kind !== 'archive-import' && !mayWait(call));
  expect(refused.map(({ kind, method, path }) => ({ kind, method, path }))).toEqual([]);
});
