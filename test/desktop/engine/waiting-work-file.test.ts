import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { readRecord } from '#desktop/engine/outbox/at-rest.ts';
import { mayWait } from '#desktop/engine/features/waiting-work/waiting-calls.ts';
import { must } from '#shared/must.ts';
import { diskOf } from '#test/support/old-engine/disk.ts';
import { oldProfile } from '#test/support/old-engine/load.ts';

import { type Disk, newDisk } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';
import type { WholeDevice } from './support/whole-device.ts';
import { givenOn, leftOn, onDevice, workshop } from './waiting-work-shop.ts';

function linesOf(bytes: Uint8Array<ArrayBuffer>): string[] {
  return new TextDecoder().decode(bytes).trimEnd().split('\n');
}

function fileOf(lines: readonly string[]): Blob {
  return new Blob([`${lines.join('\n')}\n`]);
}

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

/** The files beside the journal of a closed device. */
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

/** The file with other lines instead of the calls. */
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
