import { createRxDatabase, getChangedDocumentsSince, type RxStorage } from 'rxdb';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { expect, test } from 'vitest';

import { deviceCipher } from '#desktop/engine/platform/cipher.ts';
import type { SecretStore } from '#desktop/engine/platform/ports.ts';
import { openDatabase } from '#desktop/engine/storage/database.ts';
import { sealedSecrets, sealedStorage } from '#desktop/engine/storage/sealed-storage.ts';

const randomBytes = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));
const cipher = deviceCipher(randomBytes(32), randomBytes);

type Storage = RxStorage<unknown, unknown>;

/** The stored rows, as they are on the disk. */
async function storedTexts(storage: Storage, home: string): Promise<string[]> {
  const database = await openDatabase(home, storage, false);
  try {
    const rows = await Promise.all([
      database.outbox.find().exec(),
      database.drafts.find().exec(),
      database.kept.find().exec(),
    ]);
    return rows.flat().map(({ body }) => body);
  } finally {
    await database.close();
  }
}

async function fill(storage: Storage, home: string): Promise<void> {
  const database = await openDatabase(home, storage, false);
  await database.outbox.insert({ id: 'c1', body: '{"text":"bearing"}' });
  await database.drafts.insert({ id: 'd1', version: 1, body: '{"text":"gearbox"}' });
  await database.kept.insert({ id: 'k1', version: 1, body: '{"text":"torque"}' });
  await database.close();
}

const bodies = ['{"text":"bearing"}', '{"text":"gearbox"}', '{"text":"torque"}'];

test('CIPHER-1 rows of calls, drafts and kept words are encrypted, and read and changed as before', async () => {
  const memory: Storage = getRxStorageMemory();
  const sealed = sealedStorage(memory, cipher, { mayBeClear: true });
  await fill(sealed, 'one');
  for (const text of await storedTexts(memory, 'one')) expect(text).toMatch(/^sealed:/);
  expect(await storedTexts(sealed, 'one')).toEqual(bodies);
  const database = await openDatabase('one', sealed, false);
  const seen: string[] = [];
  database.drafts.eventBulks$.subscribe(({ events }) =>
    seen.push(...events.map(({ documentData }) => documentData.body)),
  );
  await database.drafts.bulkUpsert([{ id: 'd1', version: 2, body: '{"text":"belt"}' }]);
  expect(seen).toEqual(['{"text":"belt"}']);
  expect((await database.drafts.findOne('d1').exec())?.body).toBe('{"text":"belt"}');
  await database.close();
});

test('CIPHER-4 rows of before encryption are read, and written encrypted', async () => {
  const memory: Storage = getRxStorageMemory();
  await fill(memory, 'two');
  const sealed = sealedStorage(memory, cipher, { mayBeClear: true });
  const database = await openDatabase('two', sealed, false);
  expect((await database.outbox.findOne('c1').exec())?.body).toBe(bodies[0]);
  await database.outbox.upsert({ id: 'c1', body: '{"text":"belt"}' });
  await database.close();
  expect((await storedTexts(memory, 'two'))[0]).toMatch(/^sealed:/);
});

test('CIPHER-6 rows that another key sealed read as deleted, and give way to new ones', async () => {
  const memory: Storage = getRxStorageMemory();
  const sealed = { mayBeClear: false };
  const first = sealedStorage(memory, cipher, sealed);
  await fill(first, 'three');
  const other = sealedStorage(memory, deviceCipher(randomBytes(32), randomBytes), sealed);
  expect(await storedTexts(other, 'three')).toEqual([]);
  const database = await openDatabase('three', other, false);
  expect(await database.drafts.findByIds(['d1']).exec()).toEqual(new Map());
  const { documents } = await getChangedDocumentsSince(database.drafts.storageInstance, 10);
  expect(documents.map(({ id, _deleted }) => [id, _deleted])).toEqual([['d1', true]]);
  const seen: string[] = [];
  database.drafts.eventBulks$.subscribe(({ events }) =>
    seen.push(...events.map(({ operation }) => operation)),
  );
  await database.drafts.bulkUpsert([{ id: 'd1', version: 2, body: '{"text":"belt"}' }]);
  expect(seen).toEqual(['UPDATE']);
  expect((await database.drafts.findOne('d1').exec())?.body).toBe('{"text":"belt"}');
  await database.close();
  expect(await storedTexts(other, 'three')).toEqual(['{"text":"belt"}']);
  // The other rows are there for the journal to which they belong.
  expect(await storedTexts(first, 'three')).toEqual([bodies[0], bodies[2]]);
});

test('CIPHER-3 CIPHER-5 a row that was changed, or planted without encryption, is read as text that is no record', async () => {
  const memory: Storage = getRxStorageMemory();
  const sealed = sealedStorage(memory, cipher, { mayBeClear: false });
  await fill(sealed, 'five');
  const bare = await openDatabase('five', memory, false);
  const stored = (await bare.drafts.findOne('d1').exec())?.body ?? '';
  const changed = [`${stored.slice(0, -8)}AAAAAAA=`, 'sealed:', 'sealed:no base64!', '{"text":"forged"}'];
  await bare.drafts.bulkUpsert(changed.map((body, at) => ({ id: `d${at + 2}`, version: 1, body })));
  await bare.close();
  const [call, draft, ...others] = await storedTexts(sealed, 'five');
  expect([call, draft, others.pop()]).toEqual(bodies);
  expect(others).toEqual(changed.map((body) => `unreadable:${body}`));
});

test('CIPHER-1 other collections are stored as they are', async () => {
  const memory: Storage = getRxStorageMemory();
  const options = { name: 'four', multiInstance: false };
  const schema = {
    version: 0,
    primaryKey: 'id',
    type: 'object',
    properties: { id: { type: 'string', maxLength: 20 }, body: { type: 'string' } },
  } as const;
  const database = await createRxDatabase({
    ...options,
    storage: sealedStorage(memory, cipher, { mayBeClear: true }),
  });
  const { mirror } = await database.addCollections({ mirror: { schema } });
  await mirror.insert({ id: '1', body: 'a guide' });
  await database.close();
  const bare = await createRxDatabase({ ...options, storage: memory });
  const again = await bare.addCollections({ mirror: { schema } });
  expect((await again.mirror.findOne('1').exec())?.toJSON()).toMatchObject({ body: 'a guide' });
  await bare.close();
});

function memorySecrets(): { store: SecretStore; stored: Map<string, string> } {
  const stored = new Map<string, string>();
  return {
    stored,
    store: {
      read: async (name) => stored.get(name),
      write: async (name, secret) => void stored.set(name, secret),
      remove: async (name) => void stored.delete(name),
    },
  };
}

test('CIPHER-1 CIPHER-4 secrets are encrypted, and clear ones move when they are read', async () => {
  const { store, stored } = memorySecrets();
  stored.set('token-a', 'abc123');
  const secrets = sealedSecrets(store, cipher, async () => true);
  expect(await secrets.read('token-a')).toBe('abc123');
  await secrets.write('token-b', 'def456');
  expect([...stored.values()].filter((text) => !text.startsWith('sealed:'))).toEqual([]);
  expect(await secrets.read('token-a')).toBe('abc123');
  expect(await secrets.read('token-b')).toBe('def456');
  await secrets.remove('token-a');
  await secrets.remove('token-b');
  expect(stored.size).toBe(0);
  expect(await secrets.read('token-a')).toBeUndefined();
});

test('CIPHER-6 a secret that another key sealed, or that was changed, reads as absent and can be written', async () => {
  const { store, stored } = memorySecrets();
  await sealedSecrets(store, deviceCipher(randomBytes(32), randomBytes), async () => true).write(
    'session',
    'old',
  );
  stored.set('token-a-sealed', 'sealed:AAAA');
  const secrets = sealedSecrets(store, cipher, async () => true);
  for (const name of ['session', 'token-a']) {
    expect(await secrets.read(name)).toBeUndefined();
    await secrets.write(name, 'new');
    expect(await secrets.read(name)).toBe('new');
  }
});

test('CIPHER-5 a secret that was planted without encryption reads as absent', async () => {
  const { store, stored } = memorySecrets();
  stored.set('session-sealed', 'forged');
  stored.set('homes', 'forged');
  const secrets = sealedSecrets(store, cipher, async () => false);
  expect(await secrets.read('session')).toBeUndefined();
  expect(await secrets.read('homes')).toBeUndefined();
  expect(stored.has('homes')).toBe(false);
});

test('CIPHER-4 a clear secret is read on a full disk, and encrypted when there is space', async () => {
  const { store, stored } = memorySecrets();
  stored.set('session', 'clear');
  let isFull = true;
  const write: SecretStore['write'] = async (name, secret) => {
    if (isFull) throw new DOMException('full', 'QuotaExceededError');
    await store.write(name, secret);
  };
  const secrets = sealedSecrets({ ...store, write }, cipher, async () => true);
  expect(await secrets.read('session')).toBe('clear');
  expect([...stored]).toEqual([['session', 'clear']]);
  isFull = false;
  expect(await secrets.read('session')).toBe('clear');
  expect([...stored.keys()]).toEqual(['session-sealed']);
});
