import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import type { DraftState } from '#desktop/engine/api/records.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';
import { rareWord, rawSearch } from '#test/support/raw-search.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { newDisk } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';
import { startWholeDevice } from './support/whole-device.ts';
import { type Scene, gone, publish, restart, startScene } from './leaving-scene.ts';

let scene: Scene;

beforeEach(async () => {
  scene = await startScene();
  return () => scene[Symbol.asyncDispose]();
});

async function draft(): Promise<DraftState> {
  return must(await scene.device.look('draft', scene.guideid), 'the draft');
}

function write(value: string): Promise<void> {
  return scene.device.actions.editDraft(scene.guideid, { op: 'setText', field: 'summary', value });
}

function goOffline(): void {
  scene.url = null;
  scene.device.actions.syncNow();
}

/** Where `word` is in the journal, plain or in base64. */
async function found(word: string): Promise<string[]> {
  await using folder = await temporaryFolder('undo');
  for (const [name, bytes] of scene.disk.journal) {
    const path = join(folder.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
  const places = await rawSearch(folder.path, { word });
  return places;
}

/** Closes the app, and removes from the journal what no record has any more, as it does by itself in time. */
async function closeAndCompact(): Promise<void> {
  await scene.device[Symbol.asyncDispose]();
  const journal = await openJournal(memoryStore({}, scene.disk.journal), testEnvironment(fetch));
  await journal.purge();
  await journal.close();
}

test('UNDO-1 undo goes back over 120 steps after the app was closed and opened again, more than once', async () => {
  goOffline();
  const { guideid } = scene;
  await scene.device.actions.openDraft(guideid);
  const { summary } = (await draft()).content;
  for (let count = 1; count <= 120; count += 1) await write(`Words ${1000 + count}`);
  await restart(scene);
  expect((await draft()).content.summary).toBe('Words 1120');
  for (let count = 1; count <= 60; count += 1) await scene.device.actions.undoDraft(guideid);
  expect((await draft()).content.summary).toBe('Words 1060');
  await restart(scene);
  expect(await draft()).toMatchObject({ canUndo: true, canRedo: true });
  await scene.device.actions.redoDraft(guideid);
  expect((await draft()).content.summary).toBe('Words 1061');
  for (let count = 1; count <= 61; count += 1) await scene.device.actions.undoDraft(guideid);
  expect(await draft()).toMatchObject({ content: { summary }, canRedo: true });
});

test('UNDO-1 undo goes on when the app ended without closing', async () => {
  goOffline();
  const { guideid, disk } = scene;
  await scene.device.actions.openDraft(guideid);
  await write('One');
  await write('Two');
  const left = new Map([...disk.journal].map(([name, bytes]) => [name, bytes.slice()]));
  await write('Three');
  await scene.device[Symbol.asyncDispose]();
  scene.disk = { ...newDisk(), journal: left, secrets: disk.secrets };
  await restart(scene);
  await scene.device.actions.undoDraft(guideid);
  expect((await draft()).content.summary).toBe('One');
});

test('UNDO-3 words that only undo could bring back are gone after the draft was saved', async () => {
  const { guideid, device } = scene;
  const word = rareWord();
  await device.actions.openDraft(guideid);
  await write(word);
  await write('Other words');
  expect(await found(word)).not.toEqual([]);
  await device.actions.saveDraft(guideid);
  await device.inSync();
  await device.shows((now) => now === null || !now.dirty, 'draft', guideid);
  await closeAndCompact();
  expect(await found(word)).toEqual([]);
});

test('UNDO-3 words that only undo could bring back are gone after the draft was discarded', async () => {
  goOffline();
  const { guideid } = scene;
  const word = rareWord();
  await scene.device.actions.openDraft(guideid);
  await write(word);
  await write('Other words');
  await scene.device.actions.discardDraft(guideid);
  await closeAndCompact();
  expect(await found(word)).toEqual([]);
  scene.device = await startWholeDevice(() => scene.url, scene.disk);
  await scene.device.actions.openDraft(guideid);
  expect(await draft()).toMatchObject({ canUndo: false, canRedo: false });
});

test('UNDO-3 when a guide leaves the device, the words that only undo could bring back leave with it', async () => {
  const { guideid, device, words } = scene;
  const word = rareWord();
  await device.actions.openDraft(guideid);
  await write(word);
  await write('Other words');
  expect(await found(word)).not.toEqual([]);
  await publish(scene, false);
  await gone(scene);
  await device.shows((kept) => kept.length === 1, 'keptWords');
  await restart(scene);
  // The person's own words are kept; the replaced text of the guide and the words in between are not.
  for (const lost of [word, words.summary]) await expect.poll(() => found(lost)).toEqual([]);
});
