import { expect } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { rareWord } from '#test/support/raw-search.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

import { newDisk, type Disk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

export interface Scene extends AsyncDisposable {
  server: TestServer;
  ada: TestPerson;
  ben: TestPerson;
  words: Record<'title' | 'summary' | 'line', string>;
  guideid: string;
  disk: Disk;
  device: WholeDevice;
  /** Null while offline. */
  url: string | null;
}

/** Ben's public guide on Ada's device, after she changed its conclusion and the device synced. */
export async function startScene(): Promise<Scene> {
  const server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const ben = await server.person('Ben');
  const words = { title: rareWord(), summary: rareWord(), line: rareWord() };
  const made = await ben.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'repair',
      title: words.title,
      summary: words.summary,
      public: true,
      steps: [{ title: 'Open', lines: [{ text: words.line }, { text: 'Second' }] }],
    },
  });
  const guideid = String(made.guideid);
  const scene = { server, ada, ben, words, guideid, disk: newDisk(), url: server.url as string | null };
  const device = await startWholeDevice(() => scene.url, scene.disk);
  await device.signIn('Ada');
  await device.inSync();
  await device.actions.openDraft(guideid);
  await device.actions.editDraft(guideid, { op: 'setText', field: 'conclusion_raw', value: 'Oil it' });
  await device.actions.saveDraft(guideid);
  await device.inSync();
  return Object.assign(scene, {
    device,
    async [Symbol.asyncDispose]() {
      await this.device[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  });
}

export async function guideOf({ ben, guideid }: Scene): Promise<Guide> {
  return (await ben.call('GET', `/guides/${guideid}`)).body;
}

export async function publish(scene: Scene, on: boolean): Promise<void> {
  const { revisionid } = await guideOf(scene);
  const path = `/guides/${scene.guideid}/public?revisionid=${revisionid}`;
  const { status } = await scene.ben.call(on ? 'PUT' : 'DELETE', path);
  expect(status).toBeLessThan(300);
}

/** All files of the journal. */
export function journalText({ disk }: Scene): string {
  return [...disk.journal.values()].map((bytes) => new TextDecoder('latin1').decode(bytes)).join('\n');
}

export function gone({ device, guideid }: Scene): Promise<unknown> {
  return device.shows((guide) => guide === null, 'guide', guideid);
}

export async function restart(scene: Scene): Promise<void> {
  await scene.device[Symbol.asyncDispose]();
  scene.device = await startWholeDevice(() => scene.url, scene.disk);
}
