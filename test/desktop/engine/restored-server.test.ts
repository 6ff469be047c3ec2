import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeGuide, seenBy } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice } from './support/whole-device.ts';

function folder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'benchbook-restored-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

test('OUTBOX-14 MIRROR-7 a server restored from an older backup gets its lost changes again: nothing is lost or doubled', async () => {
  using data = folder();
  using backup = folder();
  const dataDir = data.path;
  let server: TestServer = await startServer({ dataDir });
  await using _ = { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const guide = await makeGuide(ada);
  const guideid = String(guide.guideid);
  let url: string | null = server.url;
  const restart = async (before: () => void): Promise<void> => {
    url = null;
    await server[Symbol.asyncDispose]();
    before();
    server = await startServer({ dataDir });
    ({ url } = server);
  };
  await using device = await startWholeDevice(() => url, newDisk());
  const { actions } = device;
  await device.signIn('Ada');
  await device.inSync();
  await actions.comment('guide', guideid, 'Before the backup');
  await device.inSync();

  await restart(() => cpSync(dataDir, backup.path, { recursive: true }));
  actions.syncNow();
  await device.inSync();
  await actions.comment('guide', guideid, 'After the backup');
  const order = await actions.startWorkOrder(guideid, 'WO-7');
  await device.inSync();
  await actions.moveWorkOrder(order, 'finish');
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setText', field: 'title', value: 'Saved after the backup' });
  await actions.saveDraft(guideid);
  await actions.openDraft(null).then(async (made) => {
    await actions.editDraft(made, { op: 'setText', field: 'title', value: 'Made after the backup' });
    await actions.editDraft(made, { op: 'setField', field: 'category', value: 'Bench Grinder' });
    await actions.editDraft(made, { op: 'setField', field: 'type', value: 'repair' });
    await actions.saveDraft(made);
  });
  await device.inSync();

  await restart(() => {
    rmSync(dataDir, { recursive: true });
    cpSync(backup.path, dataDir, { recursive: true });
  });
  // Another person has used the restored server before the device notices.
  const ben = await server.person('Ben');
  const other = await makeGuide(ben);
  await actions.comment('guide', guideid, 'Written while it was away');
  actions.syncNow();

  await expect
    .poll(async () =>
      (await seenBy(server, ada, 'comments')).map(({ doc }) => (doc as { text_raw: string }).text_raw),
    )
    .toHaveLength(3);
  await device.inSync();
  expect(
    (await seenBy(server, ada, 'comments'))
      .map(({ doc }) => (doc as { text_raw: string }).text_raw)
      .toSorted(),
  ).toEqual(['After the backup', 'Before the backup', 'Written while it was away']);
  const titles = (await seenBy(server, ada, 'guides')).map(({ doc }) => (doc as { title: string }).title);
  expect(titles.toSorted()).toEqual(['Belt', 'Made after the backup', 'Saved after the backup']);
  const entries = await seenBy(server, ada, 'workLog');
  expect(entries).toHaveLength(1);
  expect(JSON.stringify(entries[0])).toContain('"finish"');
  const activity = await device.look('activity');
  expect(activity.filter(({ state }) => state !== 'on-the-server')).toEqual([]);
  expect((await device.look('workOrders')).map(({ workorderid, status }) => [workorderid, status])).toEqual([
    ['WO-7', 'complete'],
  ]);
  const shown = must(await device.look('guide', String(other.guideid)), "the other's guide");
  expect(shown.title).toBe('Belt');
});
