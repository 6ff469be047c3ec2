import { expect, test } from 'vitest';

import type { JournalRecord } from '#desktop/engine/journal/journal.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import type { GuideConflictView } from '#desktop/engine/api/conflict-records.ts';
import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { textOf } from '#test/simulation/choices.ts';
import { decided } from '#test/support/decided.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk, type Disk } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

/** A device on which Ada's titles of some of her guides conflict with Ben's, after it was closed. */
async function startScene(guides = 1) {
  const server = await startServer();
  await server.category('Bench Grinder');
  const [ada, ben] = [await server.person('Ada'), await server.person('Ben')];
  const made: Guide[] = [];
  for (let count = 0; count < guides; count += 1) made.push(await makeGuide(ada));
  const ids = made.map(({ guideid }) => String(guideid));
  const scene = { ada, ids, id: must(ids[0], 'a guide'), disk: newDisk(), online: true };
  const start = (): Promise<WholeDevice> =>
    startWholeDevice(() => (scene.online ? server.url : null), scene.disk);
  {
    await using device = await start();
    const { actions } = device;
    await device.signIn('Ada');
    await device.inSync();
    scene.online = false;
    for (const id of ids) {
      await actions.openDraft(id);
      await actions.editDraft(id, { op: 'setText', field: 'title', value: 'As Ada says' });
      await actions.saveDraft(id);
    }
    for (const { guideid, revisionid } of made)
      await ben.client.guides.patch({ params: { guideid }, revisionid, body: { title: 'As Ben says' } });
    scene.online = true;
    actions.syncNow();
    await device.shows(({ conflicts }) => conflicts === guides, 'syncState');
  }
  return Object.assign(scene, { start, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() });
}

/** Removes the databases and every draft of the journal; the draft of the guide `torn` stays and is unreadable. */
async function loseDrafts(disk: Disk, torn?: string): Promise<void> {
  disk.storage = newDisk().storage;
  const journal = await openJournal(memoryStore({}, disk.journal), testEnvironment(fetch, 1));
  const { drafts } = await journal.entries();
  expect(drafts.size).toBeGreaterThan(0);
  const changed = [...drafts.keys()].map((id): JournalRecord => {
    const draft = { collection: 'drafts', id } as const;
    return id.endsWith(`/${torn}`) ? { op: 'put', ...draft, value: 'torn' } : { op: 'delete', ...draft };
  });
  await journal.append(changed);
  await journal.close();
}

/** Waits until the text of each of these guides is listed and no decision about one is announced. */
async function keepsWords(device: WholeDevice, ids: readonly string[]): Promise<void> {
  const kept = await device.shows((all) => all.length === ids.length, 'keptWords');
  expect(new Set(kept.map(({ guideid }) => guideid))).toEqual(new Set(ids));
  for (const { words } of kept) expect(words.map(({ text }) => text)).toEqual(['As Ada says']);
  const isAnnounced = ({ state, guideid }: ActivityItem): boolean =>
    state === 'needs-decision' && ids.includes(guideid ?? '');
  await device.shows((items) => !items.some(isAnnounced), 'activity');
}

/** Waits until a decision shows both texts; returns its conflict. */
async function decision(device: WholeDevice, id: string): Promise<GuideConflictView> {
  const { conflicts } = must(await device.shows((found) => found !== null, 'conflict', id), 'a decision');
  const texts = conflicts.map(({ place, mine, theirs }) => [place.field, textOf(mine), textOf(theirs)]);
  expect(texts).toEqual([['title', 'As Ada says', 'As Ben says']]);
  return must(conflicts[0], 'a conflict');
}

async function titleOf({ ada, id }: { ada: TestPerson; id: string }): Promise<string> {
  const guide: Guide = (await ada.call('GET', `/guides/${id}`)).body;
  return guide.title;
}

test('LEAVING-8 a decision whose draft is lost in both stores is kept as text, and is a decision again once its guide returns', async () => {
  await using scene = await startScene();
  for (const time of ['first', 'second']) {
    await loseDrafts(scene.disk);
    scene.online = false;
    {
      await using device = await scene.start();
      await keepsWords(device, [scene.id]);
      await device.shows(({ conflicts, parked }) => conflicts === 0 && parked === 1, 'syncState');
    }
    scene.online = true;
    await using device = await scene.start();
    const conflict = await decision(device, scene.id);
    await device.shows(({ conflicts, parked }) => conflicts === 1 && parked === 0, 'syncState');
    expect(await titleOf(scene)).toBe('As Ben says');
    if (time === 'first') continue;
    await device.actions.resolveConflicts(scene.id, [decided(conflict, { take: 'mine' })]);
    await device.inSync();
    expect(await titleOf(scene)).toBe('As Ada says');
  }
});

test('LEAVING-8 a decision whose draft is unreadable is kept as text until that draft is discarded, without delaying others', async () => {
  await using scene = await startScene(2);
  const [torn = '', lost = ''] = scene.ids;
  await loseDrafts(scene.disk, torn);
  {
    await using device = await scene.start();
    await decision(device, lost);
    await device.inSync();
    await keepsWords(device, [torn]);
    await device.actions.discardCall(`draft:${torn}`);
  }
  await using device = await scene.start();
  await decision(device, torn);
});
