import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { scanSegment } from '#desktop/engine/journal/format.ts';
import { decodeBody } from '#desktop/engine/journal/records.ts';
import type { KeptWords } from '#desktop/engine/account/leaving/quarantine.ts';
import { must } from '#shared/must.ts';

import {
  callsOf,
  commentOn,
  type Disk,
  inSync,
  newDisk,
  serverAddress,
  signIn,
  startDevice,
  type Device,
} from './support/device.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

const texts = ['One', 'Two', 'Three', 'Four', 'Five'];

/** A device with five waiting comments; returns its disk after it was closed. */
async function fiveWaiting(compacted = false): Promise<Disk> {
  const server = new StandInServer();
  server.putGuide(1);
  const disk = newDisk();
  const device = await startDevice(server, disk);
  await signIn(device);
  await inSync(device);
  server.setUp(false);
  for (const text of texts) {
    await device.core.outbox.add([{ ...commentOn('1', text), subject: `Guide ${text}` }]);
    if (compacted) await device.core.journal.compact();
  }
  await device.close();
  return disk;
}

async function offline(disk: Disk): Promise<Device & AsyncDisposable> {
  const server = new StandInServer();
  server.setUp(false);
  const device = await startDevice(server, disk);
  return { ...device, [Symbol.asyncDispose]: () => device.close() };
}

/** Damages the first or last frame that contains this text. */
function spoil(disk: Disk, text: string, which: 'first' | 'last' = 'first'): void {
  for (const [name, bytes] of disk.journal) {
    const { frames } = scanSegment(bytes, Number(name.slice(-8)));
    const holding = frames.filter(({ payload }) => JSON.stringify(decodeBody(payload)).includes(`"${text}"`));
    const frame = holding.at(which === 'first' ? 0 : -1);
    if (frame === undefined) continue;
    const spoilt = bytes.slice();
    spoilt[frame.at + 30] = (spoilt[frame.at + 30] ?? 0) ^ 0x11;
    disk.journal.set(name, spoilt);
  }
}

async function textsOf(device: Device): Promise<string[]> {
  return (await callsOf(device)).map(({ body }) => (body as { text: string }).text);
}

test('OUTBOX-41 a call missing from both journal and database is reported with its time until the notice is read', async () => {
  const disk = await fiveWaiting();
  spoil(disk, 'Three');
  disk.storage = newDisk().storage;
  disk.secrets.clear();
  {
    await using device = await offline(disk);
    expect(await textsOf(device)).toEqual(['One', 'Two', 'Four', 'Five']);
    const { damage } = device.core.session.current();
    expect(damage).toMatchObject({ hasCopies: false, subjects: [] });
    expect(must(damage?.since, 'a time')).toBeLessThan(must(damage?.until, 'a time'));
  }
  await using again = await offline(disk);
  expect(again.core.session.current().damage).toMatchObject({ hasCopies: false });
  await again.core.session.noteLossSeen();
  expect(again.core.session.current().damage).toBeNull();
  await again.close();
  await using read = await offline(disk);
  expect(read.core.session.current().damage).toBeNull();
});

test('OUTBOX-41 calls lost to damage in a compacted journal are named', async () => {
  const disk = await fiveWaiting(true);
  spoil(disk, 'Three');
  disk.storage = newDisk().storage;
  disk.secrets.clear();
  await using device = await offline(disk);
  const left = await textsOf(device);
  const { damage } = device.core.session.current();
  expect(left).not.toContain('Three');
  expect(damage?.subjects.toSorted()).toEqual(
    texts
      .filter((text) => !left.includes(text))
      .map((text) => `Guide ${text}`)
      .toSorted(),
  );
});

test.each([
  [['Three'], false],
  [['One', 'Five'], false],
  [texts, false],
  [['Three'], true],
  [texts, true],
])(
  'OUTBOX-41 records lost to damage (%j, compacted: %j) are restored from the database and reported',
  async (spoilt, compacted) => {
    const disk = await fiveWaiting(compacted);
    for (const text of spoilt) spoil(disk, text);
    await using device = await offline(disk);
    expect((await textsOf(device)).toSorted()).toEqual(texts.toSorted());
    expect(device.core.session.current().damage).toMatchObject({ hasCopies: true });
  },
);

test('OUTBOX-41 the newest text of a call counts when damage removed it from the journal', async () => {
  const disk = await fiveWaiting();
  {
    await using device = await offline(disk);
    const [first] = await callsOf(device);
    await device.core.outbox.change(must(first, 'a call').id, { body: { text: 'Better' } });
    await device.core.outbox.add([commentOn('1', 'Six')]);
  }
  spoil(disk, 'Better');
  await using device = await offline(disk);
  expect(await textsOf(device)).toEqual(['Better', 'Two', 'Three', 'Four', 'Five', 'Six']);
});

test('OUTBOX-41 the newest text of a draft counts when damage removed it from the journal', async () => {
  const disk = await fiveWaiting();
  {
    await using device = await offline(disk);
    await device.core.drafts.put('7', { text: 'First words' });
    await device.core.drafts.put('8', { text: 'Whole' });
    await device.core.drafts.put('7', { text: 'Newer words' });
    await device.core.drafts.put('7+1', { text: 'Newest words' });
    await device.core.drafts.put('8', { text: 'Whole, later' });
  }
  for (const text of ['Newer words', 'Newest words']) spoil(disk, text);
  {
    await using device = await offline(disk);
    expect(await device.core.drafts.get('7')).toEqual({ text: 'Newer words' });
    expect(await device.core.drafts.get('7+1')).toEqual({ text: 'Newest words' });
    expect(await device.core.drafts.get('8')).toEqual({ text: 'Whole, later' });
    await device.core.drafts.put('7', { text: 'Written since' });
    await device.core.drafts.remove('8');
  }
  // Only once: records written and removed since are not restored from the copy.
  await using again = await offline(disk);
  expect(await again.core.drafts.get('7')).toEqual({ text: 'Written since' });
  expect(await again.core.drafts.get('8')).toBeUndefined();
  expect(again.core.session.current().damage).toMatchObject({ hasCopies: true });
});

test('LEAVING-4 OUTBOX-41 the newest quarantined text counts when damage removed it from the journal', async () => {
  const words = (value: string, at: number): KeptWords => ({
    version: 1,
    id: 'draft:61',
    collection: 'guides',
    recordid: '61',
    at,
    history: '',
    isOnServer: false,
    isComment: false,
    words: [{ place: { field: 'summary' }, value }],
  });
  const disk = await fiveWaiting();
  {
    await using device = await offline(disk);
    await device.core.leaving.keep([words('First words', 1)]);
    await device.core.leaving.rewrite(words('Newest words', 2));
    await device.core.outbox.add([commentOn('1', 'Six')]);
  }
  spoil(disk, 'Newest words');
  await using device = await offline(disk);
  expect(await firstValueFrom(device.core.leaving.kept)).toEqual([words('Newest words', 2)]);
});

/** A device on which Ada signed in and then Ben, without a sign-out; returns its disk after it was closed. */
async function adaThenBen(): Promise<Disk> {
  const server = new StandInServer();
  const disk = newDisk();
  const device = await startDevice(server, disk);
  await signIn(device);
  await inSync(device);
  await signIn(device, 'ben@bench.test');
  await inSync(device);
  await device.close();
  return disk;
}

const isBen = { status: 'signed-in', user: { username: 'ben@bench.test' } };

/** Rewrites the journal with only its current records. `last`: records written after the others. */
async function compact(disk: Disk, last: string): Promise<void> {
  await using device = await offline(disk);
  const { journal } = device.core;
  const { meta } = await journal.entries();
  const value = must(meta.get(last), last);
  const others = Array.from({ length: 40 }, (_, index) => `padding/${index}`);
  await journal.append([{ op: 'delete', collection: 'meta', id: last }]);
  await journal.append(others.map((id) => ({ op: 'put', collection: 'meta', id, value: '' })));
  await journal.append([{ op: 'put', collection: 'meta', id: last, value }]);
  await journal.compact();
}

test.each(['session', 'servers'])(
  'OUTBOX-9 OUTBOX-41 the session is restored when damage removed the %s of a compacted journal, and ends at sign-out',
  async (taken) => {
    const disk = await adaThenBen();
    await compact(disk, taken);
    spoil(disk, taken);
    {
      await using device = await offline(disk);
      const session = device.core.session.current();
      expect(session).toMatchObject({ ...isBen, servers: [serverAddress], loss: null });
      expect(session.damage).not.toBeNull();
    }
    {
      await using again = await offline(disk);
      expect(again.core.session.current()).toMatchObject({ ...isBen, servers: [serverAddress] });
      await again.core.session.signOut();
    }
    await using left = await offline(disk);
    expect(left.core.session.current()).toMatchObject({ status: 'signed-out', user: null });
  },
);

test('OUTBOX-9 OUTBOX-41 damage that removed the newest session does not open the home of the previous person', async () => {
  const disk = await adaThenBen();
  spoil(disk, 'session', 'last');
  for (const start of ['first', 'second']) {
    await using device = await offline(disk);
    expect(device.core.session.current(), start).toMatchObject(isBen);
  }
});

test('OUTBOX-9 a session copy that could not be updated before the app ended is updated at the next start', async () => {
  const disk = await adaThenBen();
  const copy = must(disk.secrets.get('session'), 'a copy');
  const older = JSON.stringify({ servers: [serverAddress], session: null });
  disk.secrets.set('session', older);
  await using device = await offline(disk);
  expect(device.core.session.current()).toMatchObject(isBen);
  expect(JSON.parse(must(disk.secrets.get('session'), 'a copy'))).toEqual(JSON.parse(copy));
});
