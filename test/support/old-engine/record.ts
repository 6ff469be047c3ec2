import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';

import sharp from 'sharp';
import { build } from 'vite';

import { must } from '#shared/must.ts';
import { emptyStep } from '#shared/rules/guide-content.ts';
import type { Disk } from '#test/desktop/engine/support/device.ts';
import type * as Server from '#test/support/server.ts';
import type * as Workshop from '#test/support/workshop.ts';

import { loadEngine, type OldProfile, type StoredCollections } from './load.ts';

// Created test/fixtures/engine-protocol-5. `node test/support/old-engine/record.ts <commit>` checks out the commit,
// bundles its engine, runs a person's work with it and the server of that commit, and stores the resulting data of
// both. `--engine` only bundles the engine and keeps the profile.

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'boolean', default: false } },
});
const commit = must(positionals[0], 'a commit');
const root = new URL('../../../', import.meta.url).pathname;
const target = new URL('../../fixtures/engine-protocol-5/', import.meta.url).pathname;
const place = mkdtempSync(join(tmpdir(), 'benchbook-record-'));
const checkout = join(place, 'checkout');
const dataDir = join(place, 'data');
const git = (...args: string[]): Buffer => execFileSync('git', ['-C', root, ...args]);

try {
  git('worktree', 'add', '--detach', checkout, commit);
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const code = await bundle();
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'engine.mjs.br'), brotliCompressSync(code));
  if (!values.engine) {
    const profile = await record(code);
    writeFileSync(join(target, 'profile.json.br'), brotliCompressSync(JSON.stringify(profile)));
  }
} finally {
  git('worktree', 'remove', '--force', checkout);
  rmSync(place, { recursive: true, force: true });
}

/** The engine of the checkout with the device of its tests, as one file. */
async function bundle(): Promise<Buffer> {
  writeFileSync(
    join(checkout, 'old-engine.ts'),
    `export { openJournal } from '#desktop/engine/journal/local-journal.ts';
export { openEngine } from '#desktop/engine/open.ts';
export { newDisk } from '#test/desktop/engine/support/device.ts';
export { startWholeDevice } from '#test/desktop/engine/support/whole-device.ts';
`,
  );
  const outDir = join(place, 'out');
  await build({
    configFile: false,
    logLevel: 'warn',
    root: checkout,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: 'old-engine.ts',
      outDir,
      minify: true,
      target: 'node22',
      rollupOptions: { output: { format: 'es', entryFileNames: 'engine.mjs', codeSplitting: false } },
    },
  });
  return readFileSync(join(outDir, 'engine.mjs'));
}

async function record(code: Buffer): Promise<OldProfile> {
  const there = <T>(path: string): Promise<T> => import(pathToFileURL(join(checkout, path)).href);
  const { startServer } = await there<typeof Server>('test/support/server.ts');
  const { makeForm, makeGuide, stepAt } = await there<typeof Workshop>('test/support/workshop.ts');
  const { newDisk, startWholeDevice } = await loadEngine(code);

  mkdirSync(dataDir);
  const server = await startServer({ dataDir });
  await server.category('Bench Grinder');
  const ana = await server.person('Ana', ['User', 'Author']);
  const ben = await server.person('Ben', ['User', 'Author']);
  const ours = await makeGuide(ana);
  await makeForm(ana, ours);
  const contested = await makeGuide(ana);
  const merged = await makeGuide(ana);
  const theirs = await makeGuide(ben);
  const withdrawn = await makeGuide(ben);
  const { wikiid } = await ana.client.wikis.create({
    body: { namespace: 'INFO', title: 'Rules', contents: 'Wear goggles.' },
  });
  const id = (guide: { guideid: number }): string => String(guide.guideid);

  let url: string | null = server.url;
  const disk: Disk = newDisk();
  const device = await startWholeDevice(() => url, disk);
  const { actions } = device;
  const online = async (): Promise<void> => {
    ({ url } = server);
    actions.syncNow();
    await device.inSync();
  };
  await device.signIn('Ana');
  await device.inSync();

  // Work that the server has: the log of sent calls, with a file.
  const early = await actions.comment('guide', id(ours), 'Sent first');
  const regretted = await actions.comment('guide', id(ours), 'Sent in vain');
  const running = await actions.startWorkOrder(id(ours), 'WO-1');
  const guide = must(await device.look('guide', id(ours)), 'the guide');
  const [torque, , photo] = must(guide.steps[0], 'the first step').fields;
  const picture = new Blob([new Uint8Array(await png('#c33'))]);
  await actions.recordFile(running, must(photo, 'the field of the photo'), picture, 'belt.png');
  await actions.favorite(id(theirs), true);
  await device.inSync();

  // Work that needs a decision, a refused call, and a save that will merge.
  url = null;
  for (const [one, title] of [
    [contested, 'Belt, as Ana calls it'],
    [withdrawn, 'Belt that is withdrawn'],
  ] as const) {
    await actions.openDraft(id(one));
    await actions.editDraft(id(one), { op: 'setText', field: 'title', value: title });
    await actions.saveDraft(id(one));
  }
  const patch = (person: Server.TestPerson, guideid: number, revisionid: number, body: object) =>
    person.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, body);
  await patch(ben, contested.guideid, contested.revisionid, { title: 'Belt, as Ben calls it' });
  await ben.client.guides.unpublish({
    params: { guideid: withdrawn.guideid },
    revisionid: withdrawn.revisionid,
  });
  await online();

  // Waiting work.
  url = null;
  await actions.openDraft(id(merged));
  await actions.editDraft(id(merged), { op: 'setText', field: 'summary', value: 'Written by Ana offline' });
  await actions.saveDraft(id(merged));
  await actions.openDraft(id(ours));
  await actions.editDraft(id(ours), { op: 'setText', field: 'title', value: 'Belt, saved offline' });
  await actions.saveDraft(id(ours));
  await actions.editDraft(id(ours), { op: 'setText', field: 'conclusion_raw', value: 'Not saved yet' });
  await actions.openDraft(id(theirs));
  await actions.editDraft(id(theirs), { op: 'setText', field: 'summary', value: 'Only a draft' });
  const made = await actions.openDraft(null);
  await actions.editDraft(made, { op: 'setText', field: 'title', value: 'Made offline' });
  await actions.editDraft(made, { op: 'setField', field: 'category', value: 'Bench Grinder' });
  await actions.editDraft(made, { op: 'setField', field: 'type', value: 'repair' });
  await actions.editDraft(made, { op: 'insertStep', step: emptyStep('made-on-the-road'), index: 0 });
  await actions.addDraftPicture(made, 'made-on-the-road', picture, 'step.png');
  await actions.saveDraft(made);
  await actions.comment('guide', made, 'On what is not there yet');
  await actions.comment('step', String(stepAt(ours, 0)), 'On the step');
  await actions.editComment(early, 'Sent first, then changed');
  await actions.removeComment(regretted);
  await actions.favorite(id(theirs), false);
  await actions.favorite(id(ours), true);
  await actions.complete(id(ours), true);
  await actions.tagGuide(id(ours), 'belts', true);
  await actions.tagPage(String(wikiid), 'safety', true);
  await actions.publish(id(merged), false);
  await actions.createPage('INFO', 'Torque table', { displayTitle: '', description: '', contents: 'M8: 25' });
  const page = must(await device.look('page', String(wikiid)), 'the page');
  await actions.savePage(String(wikiid), { ...page.text, contents: 'Wear goggles, always.' });
  await actions.saveProfile({ location: 'Hall 1' });
  await actions.moveWorkOrder(running, 'pause');
  const order = await actions.startWorkOrder(id(ours), 'WO-2');
  await actions.enterStep(order, String(stepAt(ours, 0)));
  await actions.recordValue(order, must(torque, 'the field of the torque'), '12.5');
  await actions.recordFile(
    order,
    must(photo, 'the field of the photo'),
    new Blob([new Uint8Array(await png('#36c'))]),
    'torque.png',
  );

  const activity = await device.look('activity');
  const drafts: Record<string, unknown> = {};
  for (const guideid of [id(ours), id(theirs), id(contested), id(merged), made])
    drafts[guideid] = (await device.look('draft', guideid))?.content ?? null;
  await device[Symbol.asyncDispose]();
  // Ben edits while the device is offline: Ana's save merges with it.
  await patch(ben, merged.guideid, merged.revisionid, { conclusion: 'Written by Ben' });
  await server[Symbol.asyncDispose]();
  return {
    recordedAt: Date.now(),
    journal: textsOf(disk.journal),
    secrets: Object.fromEntries(disk.secrets),
    collections: collectionsOf(disk),
    server: textsOf(filesIn(dataDir)),
    shown: {
      activity: activity.map(({ id: callid, kind, state, subject }) => ({
        id: callid,
        kind,
        state,
        subject,
      })),
      drafts,
    },
  };
}

function png(background: string): Promise<Buffer> {
  return sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer();
}

/** The documents in RxDB's memory storage. */
function collectionsOf(disk: Disk): StoredCollections {
  return Object.fromEntries(
    [...disk.storage.collectionStates].map(([key, { documents }]) => [key, [...documents.values()]]),
  );
}

function filesIn(folder: string): Map<string, Uint8Array> {
  const copy = join(place, 'copy');
  cpSync(folder, copy, { recursive: true });
  const names = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return new Map(
    names.map((one) => {
      const path = join(one.parentPath, one.name);
      return [path.slice(copy.length + 1), readFileSync(path)];
    }),
  );
}

function textsOf(files: ReadonlyMap<string, Uint8Array>): Record<string, string> {
  return Object.fromEntries([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]));
}
