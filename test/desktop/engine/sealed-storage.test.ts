import { createRxDatabase, type RxStorage } from 'rxdb';
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
  const sealed = sealedStorage(memory, cipher);
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
  const sealed = sealedStorage(memory, cipher);
  const database = await openDatabase('two', sealed, false);
  expect((await database.outbox.findOne('c1').exec())?.body).toBe(bodies[0]);
  await database.outbox.upsert({ id: 'c1', body: '{"text":"belt"}' });
  await database.close();
  expect((await storedTexts(memory, 'two'))[0]).toMatch(/^sealed:/);
});

test('CIPHER-1 a row that another key sealed is not read as an empty one', async () => {
  const memory: Storage = getRxStorageMemory();
  await fill(sealedStorage(memory, cipher), 'three');
  const other = sealedStorage(memory, deviceCipher(randomBytes(32), randomBytes));
  await expect(storedTexts(other, 'three')).rejects.toMatchObject({ kind: 'other-key' });
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
  const database = await createRxDatabase({ ...options, storage: sealedStorage(memory, cipher) });
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
  const secrets = sealedSecrets(store, cipher);
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
