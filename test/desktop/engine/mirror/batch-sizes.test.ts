import { setTimeout } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { overlaid } from '#desktop/engine/platform/overlaid.ts';
import { contextForJob } from '#server/core/job.ts';
import { openCore } from '#desktop/engine/open-core.ts';
import { inSync, newDisk, platformOn, signIn } from '#test/desktop/engine/support/device.ts';
import { testEnvironment } from '#test/desktop/engine/support/environment.ts';
import { madeUpSession } from '#test/desktop/engine/support/made-up-session.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';
import { startServer } from '#test/support/server.ts';

const records = 1500;
/** Time that the device needs to store a record, ms. */
const msPerRecord = 1;

/** How many records a device stores in each write of an initial load. `saves`: somebody saves something all the time. */
async function batchesOf(saves: boolean): Promise<number[]> {
  const server = await startServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const person = await server.person('Ben');
  await contextForJob(server.services, null, async ({ changes }) => {
    for (let id = 1; id <= records; id += 1)
      changes.put('stepForms', id, { stepid: id, guideid: 1, form_revisionid: 1, fields: [] }, ['public']);
  });
  const disk = newDisk();
  const { storage } = disk;
  const batches: number[] = [];
  const createStorageInstance: typeof storage.createStorageInstance = async (params) => {
    const instance = await storage.createStorageInstance(params);
    const bulkWrite: typeof instance.bulkWrite = async (rows, context) => {
      // Other writes concern counters only.
      if (params.collectionName === 'stepForms' && rows.length > 10) {
        batches.push(rows.length);
        await setTimeout(rows.length * msPerRecord);
      }
      return instance.bulkWrite(rows, context);
    };
    return overlaid(instance, { bulkWrite });
  };
  const fetchFrom: typeof fetch = async (input, init) => {
    const asked = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    headers.set('Authorization', `api ${person.token}`);
    return (
      madeUpSession(asked.pathname, init) ??
      fetch(new URL(asked.pathname + asked.search, server.url), { ...init, headers })
    );
  };
  const slow = { ...disk, storage: overlaid(storage, { createStorageInstance }) };
  // Time is real, because the machine's own time counts too.
  const environment = testEnvironment(fetchFrom, 1);
  const { core, close } = await openCore(platformOn(slow, environment));
  const device = endsWithTest({ core, environment, close });
  let isLoading = true;
  const saving = (async () => {
    for (let at = 0; saves && isLoading; at += 1) {
      await device.core.journal.append([{ op: 'put', collection: 'meta', id: 'typed', value: { at } }]);
      await setTimeout(5);
    }
  })();
  await signIn(device);
  await inSync(device);
  isLoading = false;
  await saving;
  return batches;
}

// The first batches were begun before their time was known; the last one has what is left.
test('MIRROR-30 a load writes large batches while nobody saves anything', async () => {
  expect(Math.min(...(await batchesOf(false)).slice(1, -1))).toBeGreaterThan(150);
});

test('MIRROR-30 a load writes small batches while somebody saves something', async () => {
  expect(Math.max(...(await batchesOf(true)).slice(2, -1))).toBeLessThan(150);
});
