import { expect, test } from 'vitest';

import { supportFile } from '#desktop/engine/damage.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';

import { open, put } from './journal/world.ts';

const now = Date.UTC(2026, 10, 23);

/** The journal of a device on which a word waits. */
async function journalWithWord() {
  const journal = await open(memoryStore());
  await journal.append([put('home/call', { text: 'Turn it and oil it' })]);
  return journal;
}

test('O41 the file for support holds what the one person of a device has written', async () => {
  const { filename, json } = await supportFile(await journalWithWord(), now, false);
  expect(filename).toBe('support-2026-11-23.json');
  expect(json).toContain('Turn it and oil it');
  expect(Object.keys((JSON.parse(json) as { segments: object }).segments)).toHaveLength(1);
});

test('O41 the file for support holds no words of a device that several people use, and says so', async () => {
  const { json } = await supportFile(await journalWithWord(), now, true);
  expect(JSON.parse(json)).toEqual({
    leftOut: 'Several people use this device, so the work in its journal is not in this file.',
    damage: [],
  });
});
