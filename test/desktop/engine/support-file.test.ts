import { expect, test } from 'vitest';

import { supportFile } from '#desktop/engine/journal/damage.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';

import { open, put } from './journal/world.ts';

const now = Date.UTC(2026, 10, 23);

const own = { home: 'ada', origin: 'http://bench.test', userid: 1 };

/** The journal of a device with waiting text of two people. */
async function journalWithWords() {
  const journal = await open(memoryStore());
  await journal.putFile('photo-of-ada', new Blob(['1']), { type: 'image/png', name: 'belt.png' });
  await journal.putFile('photo-of-ben', new Blob(['2']), { type: 'image/png', name: 'secret.png' });
  await journal.append([
    put('call-1', { home: 'ada', call: { body: 'Turn it and oil it', fileId: 'photo-of-ada' } }),
    put('call-2', { home: 'ben', call: { body: 'A secret of Ben', fileId: 'photo-of-ben' } }),
    { op: 'put', collection: 'drafts', id: 'ada/7', value: { words: new Uint8Array([1, 2, 3]) } },
    { op: 'put', collection: 'drafts', id: 'ben/7', value: { words: 'Another secret' } },
    { op: 'put', collection: 'meta', id: 'kept/ada/1', value: 'Kept words' },
    { op: 'put', collection: 'meta', id: 'kept/ben/1', value: 'A third secret' },
    { op: 'put', collection: 'meta', id: 'homes', value: [{ username: 'A fourth secret' }] },
  ]);
  return journal;
}

test('OUTBOX-41 on a single-person device, the support file contains what the person wrote', async () => {
  const { filename, json } = await supportFile(await journalWithWords(), now, null);
  expect(filename).toBe('support-2026-11-23.json');
  expect(json).toContain('Turn it and oil it');
  expect(Object.keys((JSON.parse(json) as { segments: object }).segments)).toHaveLength(1);
});

test('OUTBOX-41 the support file contains the work of the signed-in person and nothing of others', async () => {
  const { json } = await supportFile(await journalWithWords(), now, { own });
  expect(JSON.parse(json)).toMatchObject({
    leftOut: 'Other people use this device too: their work, and what cannot be read, is not in this file.',
    damage: [],
    outbox: { 'call-1': { call: { body: 'Turn it and oil it' } } },
    drafts: { 'ada/7': { words: { base64: 'AQID' } } },
    meta: { 'kept/ada/1': 'Kept words' },
    files: [{ id: 'photo-of-ada', name: 'belt.png' }],
  });
  expect(json).not.toMatch(/secret|ben/i);
});

test('OUTBOX-41 on a shared device, the support file contains no text while nobody is signed in', async () => {
  const { json } = await supportFile(await journalWithWords(), now, { own: null });
  expect(JSON.parse(json)).toEqual({
    leftOut: 'Several people use this device. Sign in to have your own work in this file.',
    damage: [],
  });
});
