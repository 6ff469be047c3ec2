import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import type { Journal, JournalCollection } from '#desktop/engine/journal/journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';
import { diskOf } from '#test/support/old-engine/disk.ts';
import { oldProfile } from '#test/support/old-engine/load.ts';

import type { Disk } from './support/device.ts';
import { startWholeDevice } from './support/whole-device.ts';

const profile = oldProfile();
const late = Date.now() - profile.recordedAt - 1000;

/** Runs `work` on the journal of a closed device. */
async function inJournal<T>(disk: Disk, work: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = await openJournal(memoryStore({}, disk.journal), {
    now: () => Date.now() - late,
    uuid: () => crypto.randomUUID(),
  });
  try {
    return await work(journal);
  } finally {
    await journal.close();
  }
}

function valueIn(disk: Disk, collection: JournalCollection, id: string): Promise<unknown> {
  return inJournal(disk, async (journal) => (await journal.entries())[collection].get(id));
}

/** Changes one record in the journal. */
function change(
  disk: Disk,
  collection: JournalCollection,
  id: string,
  make: (value: object) => unknown,
): Promise<void> {
  return inJournal(disk, async (journal) => {
    const value = must((await journal.entries())[collection].get(id), id);
    await journal.append([{ op: 'put', collection, id, value: make(Object(value) as object) }]);
  });
}

const comment = must(
  profile.shown.activity.find(({ kind, subject }) => kind === 'comment' && subject === 'Made offline'),
  'a comment that waits',
).id;

test.each([
  ['a newer version wrote', 'newer version', (value: object) => ({ ...value, version: 99, odd: [1] })],
  ['has an unknown kind', 'cannot read', (value: object) => ({ ...value, call: { kind: 'odd' } })],
  ['lost a part', 'cannot read', (value: object) => ({ ...value, call: { ...callIn(value), path: 7 } })],
  ['is not an object', 'cannot read', () => 'torn'],
  [
    'has the context of another kind',
    'cannot read',
    (value: object) => ({ ...value, call: { ...callIn(value), context: { context: 7 } } }),
  ],
])(
  'OUTBOX-47 a call that %s is listed with a message and kept, and everything else opens',
  async (_, words, make) => {
    const disk = diskOf(profile);
    await change(disk, 'outbox', comment, make);
    const kept = await valueIn(disk, 'outbox', comment);
    {
      await using device = await startWholeDevice(() => null, disk, late);
      const activity = await device.shows((items) => items.length > 1, 'activity');
      expect(activity.map(({ id }) => id).toSorted()).toEqual(
        profile.shown.activity.map(({ id }) => id).toSorted(),
      );
      const item = must(
        activity.find(({ id }) => id === comment),
        'the call',
      );
      expect(item).toMatchObject({ state: 'parked', refusal: { message: expect.stringContaining(words) } });
      await expect(device.actions.retryCall(comment)).rejects.toThrow(words);
      expect(await device.actions.sendAllAgain()).toBe(1);
      expect(JSON.parse((await device.actions.exportCall(comment)).json)).toEqual(kept);
      await device.actions.favorite('3', true);
    }
    expect(await valueIn(disk, 'outbox', comment)).toEqual(kept);
    await using again = await startWholeDevice(() => null, disk, late);
    expect((await again.look('activity')).find(({ id }) => id === comment)?.state).toBe('parked');
  },
);

test('OUTBOX-47 an unreadable database row is kept in a journal that had lost it', async () => {
  const collections = structuredClone(profile.collections);
  const rows = must(
    Object.entries(collections).find(([name]) => name.includes('--outbox--'))?.[1],
    'the rows',
  );
  for (const row of rows)
    if ('id' in row && row.id === comment) Object.assign(row, { body: '{"kind":"odd"}' });
  const disk = diskOf({ ...profile, collections }, { journal: false });
  await using device = await startWholeDevice(() => null, disk, late);
  const activity = await device.shows((items) => items.length > 1, 'activity');
  expect(activity.find(({ id }) => id === comment)).toMatchObject({ state: 'parked' });
  expect(activity.filter(({ state }) => state === 'queued').length).toBeGreaterThan(10);
});

test('OUTBOX-46 calls are stored with their version, and fields of other versions stay', async () => {
  const disk = diskOf(profile);
  await change(disk, 'outbox', comment, (value) => ({
    ...value,
    call: { ...callIn(value), added: 'later' },
  }));
  {
    await using device = await startWholeDevice(() => null, disk, late);
    await device.actions.editComment(`tmp:${comment}`, 'Said anew');
  }
  expect(await valueIn(disk, 'outbox', comment)).toMatchObject({
    version: 1,
    call: { added: 'later', body: { text: 'Said anew' } },
  });
});

test('OUTBOX-47 an unreadable entry in the log of sent calls is kept and stops nothing', async () => {
  const disk = diskOf(profile);
  const sent = await inJournal(disk, async (journal) =>
    must(
      [...(await journal.entries()).meta.keys()].find((id) => id.startsWith('sent/')),
      'an entry',
    ),
  );
  await change(disk, 'meta', sent, () => ({ version: 99, call: { kind: 'odd' } }));
  {
    await using device = await startWholeDevice(() => null, disk, late);
    expect((await device.shows((items) => items.length > 1, 'activity')).length).toBe(
      profile.shown.activity.length - 1,
    );
  }
  expect(await valueIn(disk, 'meta', sent)).toEqual({ version: 99, call: { kind: 'odd' } });
});

test.each([
  ['a newer version wrote', (value: object) => ({ ...value, version: 99 })],
  ['lost a part', (value: object) => ({ ...value, record: { seed: 'x' } })],
  ['is not an object', () => 7],
  ['is inconsistent', (value: object) => withSeed(value, 'another')],
])('OUTBOX-48 a draft that %s is listed and kept, and the others open', async (_, make) => {
  const disk = diskOf(profile);
  const draft = await inJournal(disk, async (journal) =>
    must(
      [...(await journal.entries()).drafts.keys()].find((id) => id.endsWith('/4')),
      'the draft',
    ),
  );
  await change(disk, 'drafts', draft, make);
  const kept = await valueIn(disk, 'drafts', draft);
  {
    await using device = await startWholeDevice(() => null, disk, late);
    const activity = await device.shows((items) => items.some(({ id }) => id === 'draft:4'), 'activity');
    expect(activity.find(({ id }) => id === 'draft:4')).toMatchObject({
      state: 'parked',
      refusal: { message: expect.stringContaining('It is kept') },
    });
    const other = await device.shows((state) => state !== null, 'draft', '1');
    expect(other?.content.conclusion_raw).toBe('Not saved yet');
    await expect(device.actions.openDraft('4')).rejects.toThrow('It is kept');
    expect(JSON.parse((await device.actions.exportCall('draft:4')).json)).toMatchObject({ 4: kept });
  }
  expect(await valueIn(disk, 'drafts', draft)).toEqual(kept);
});

test.each([
  ['that the journal had lost is listed and kept', { journal: false as const }, true],
  ['that the journal has too changes nothing', {}, false],
])('OUTBOX-48 a draft row that is not JSON and %s', async (_, has, isListed) => {
  const collections = structuredClone(profile.collections);
  const rows = must(
    Object.entries(collections).find(([name]) => name.includes('--drafts--'))?.[1],
    'the rows',
  );
  const torn = '{"record": {"seed"';
  for (const row of rows) if ('id' in row && row.id === '4') Object.assign(row, { body: torn });
  const disk = diskOf({ ...profile, collections }, has);
  await using device = await startWholeDevice(() => null, disk, late);
  const other = await device.shows((state) => state !== null, 'draft', '1');
  expect(other?.content.conclusion_raw).toBe('Not saved yet');
  const activity = await device.look('activity');
  expect(activity.some(({ id }) => id === 'draft:4')).toBe(isListed);
  if (isListed)
    expect(JSON.parse((await device.actions.exportCall('draft:4')).json)).toMatchObject({ 4: torn });
  else expect(await device.shows((state) => state !== null, 'draft', '4')).not.toBeNull();
});

test('OUTBOX-48 an unreadable draft is counted, discarded on request, and makes room for another', async () => {
  const disk = diskOf(profile);
  const ids = await inJournal(disk, async (journal) => [...(await journal.entries()).drafts.keys()]);
  const draft = must(
    ids.find((id) => id.endsWith('/4')),
    'the draft',
  );
  await change(disk, 'drafts', draft, () => 7);
  const parkedIn = (items: { state: string }[]): number =>
    items.filter(({ state }) => state === 'parked').length;
  {
    await using device = await startWholeDevice(() => null, disk, late);
    const items = await device.shows((all) => all.some(({ id }) => id === 'draft:4'), 'activity');
    expect(items.find(({ id }) => id === 'draft:4')?.isUnreadable).toBe(true);
    const kept = (await device.shows((all) => all.length > 0, 'keptWords')).length;
    await device.shows(({ parked }) => parked === parkedIn(items) + kept, 'syncState');
    await device.actions.discardCall('draft:4');
    const rest = await device.shows((all) => !all.some(({ id }) => id === 'draft:4'), 'activity');
    expect(parkedIn(rest)).toBe(parkedIn(items) - 1);
    await device.shows(({ parked }) => parked === parkedIn(rest) + kept, 'syncState');
    await expect(device.actions.discardCall('draft:4')).rejects.toMatchObject({ code: 'not-found' });
    await device.actions.openDraft('4');
    await device.actions.editDraft('4', { op: 'setText', field: 'summary', value: 'Begun anew' });
  }
  await using again = await startWholeDevice(() => null, disk, late);
  expect((await again.shows((state) => state !== null, 'draft', '4'))?.content.summary).toBe('Begun anew');
});

test.each([
  ['a newer version extended', (text: string) => JSON.stringify({ ...Object(JSON.parse(text)), added: 1 })],
  ['is damaged', () => '{"servers"'],
])('OUTBOX-47 a session copy that %s stops nothing', async (_, make) => {
  const disk = diskOf(profile);
  disk.secrets.set('session', make(must(disk.secrets.get('session'), 'the copy')));
  await change(disk, 'meta', 'session', (value) => ({ ...value, added: 1 }));
  await using device = await startWholeDevice(() => null, disk, late);
  const session = await device.shows(({ status }) => status !== 'restoring', 'session');
  expect(session).toMatchObject({ user: { username: 'Ana' }, loss: null });
});

function callIn(value: object): object {
  return 'call' in value ? (Object(value.call) as object) : {};
}

function withSeed(value: object, seed: string): object {
  const record = 'record' in value ? (Object(value.record) as object) : {};
  return { ...value, record: { ...record, seed } };
}

/** Puts records into `meta` of a closed device's journal. */
function putMeta(disk: Disk, values: Record<string, unknown>): Promise<void> {
  return inJournal(disk, (journal) =>
    journal.append(
      Object.entries(values).map(([id, value]) => ({ op: 'put', collection: 'meta', id, value })),
    ),
  );
}

async function homeOf(disk: Disk): Promise<string> {
  await using device = await startWholeDevice(() => null, disk, late);
  await device.look('session');
  const [{ home }] = (await valueIn(disk, 'meta', 'homes')) as [{ home: string }];
  return home;
}

test('OUTBOX-47 unreadable quarantined text is listed, can be exported, and stays until it is discarded', async () => {
  const disk = diskOf(profile);
  const id = `kept/${await homeOf(disk)}/sealed`;
  const sealed = { version: 99, text: 'By a newer app' };
  await putMeta(disk, { [id]: sealed });
  {
    await using device = await startWholeDevice(() => null, disk, late);
    const items = await device.shows((found) => found.some(({ words }) => words.length === 0), 'keptWords');
    const record = items.find(({ guideid }) => guideid === null);
    expect(record).toMatchObject({ wikiid: null, words: [] });
    const { json } = await device.actions.exportKept(must(record, 'the record').id);
    expect(JSON.parse(json)).toEqual(sealed);
    const parked = (await device.look('syncState')).parked;
    expect(await valueIn(disk, 'meta', id)).toEqual(sealed);
    await device.actions.discardKept(must(record, 'the record').id);
    await device.shows((state) => state.parked === parked - 1, 'syncState');
  }
  expect(await valueIn(disk, 'meta', id)).toBeUndefined();
});

test('OUTBOX-47 homes written by a newer version stay in the registry and hide no other', async () => {
  const disk = diskOf(profile);
  await homeOf(disk);
  const homes = (await valueIn(disk, 'meta', 'homes')) as object[];
  const odd = { home: 7, sealed: true };
  await putMeta(disk, { homes: [odd, ...homes.map((home) => ({ ...home, added: 'later' }))] });
  await using device = await startWholeDevice(() => null, disk, late);
  expect((await device.look('session')).user).toMatchObject({ username: 'Ana' });
  await device.actions.signOut();
  expect((await device.look('session')).elsewhere).toMatchObject([{ username: 'Ana' }]);
});
