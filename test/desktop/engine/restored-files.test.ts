import { expect, test } from 'vitest';
import { z } from 'zod';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';
import { bmpFile, pdfFile } from '#test/support/media-files.ts';

import { bench, call, tokenOf, type Bench } from './support/restored-bench.ts';

const grey = bmpFile(4, 3, () => [128, 128, 128]);

/** Ana adds a file on another device; returns its number. */
async function addElsewhere({ server }: Bench, kind: 'images' | 'documents'): Promise<number> {
  const answer = await fetch(
    `${server.url}/api/2.0/user/media/${kind}?file=another.${kind === 'images' ? 'bmp' : 'pdf'}`,
    {
      method: 'POST',
      headers: { Authorization: `api ${await tokenOf(server, 'ana@example.com')}` },
      body: kind === 'images' ? grey : pdfFile(),
    },
  );
  const { image, documentid } = z
    .object({ image: z.object({ id: z.int() }).optional(), documentid: z.int().optional() })
    .parse(await answer.json());
  return must(image?.id ?? documentid, 'a number');
}

interface Naming {
  what: string;
  kind: 'images' | 'documents';
  /** Ana's device adds a file and uses it. */
  add: (world: Bench, order: string) => Promise<void>;
  /** The record on the server that uses it. */
  read: (world: Bench) => Promise<unknown>;
}

async function photo({ device, guideid }: Bench, order: string): Promise<void> {
  const { steps } = must(await device.look('guide', guideid), 'the guide');
  const field = steps[0]?.fields.find(({ field_type }) => field_type === 'Image');
  const file = new Blob([grey], { type: 'image/bmp' });
  await device.actions.recordFile(order, must(field, 'the photo'), file, 'mine.bmp');
}

const namings: Naming[] = [
  {
    what: 'the photo of a work order',
    kind: 'images',
    add: photo,
    async read({ server, device }) {
      const [order] = await device.look('workOrders');
      const token = await tokenOf(server, 'ana@example.com');
      return (await call(server, token, 'GET', `/work_log/${must(order, 'the order').entryid}`))['work_data'];
    },
  },
  {
    what: 'the document of a guide',
    kind: 'documents',
    async add({ device, guideid }) {
      await device.actions.openDraft(guideid);
      const file = new Blob([pdfFile()], { type: 'application/pdf' });
      await device.actions.addDraftDocument(guideid, file, 'mine.pdf');
      await device.actions.saveDraft(guideid);
    },
    async read({ server, guideid }) {
      const token = await tokenOf(server, 'ana@example.com');
      return (await call(server, token, 'GET', `/guides/${guideid}`))['documents'];
    },
  },
];

async function withOrder(): Promise<{ world: Bench; order: string }> {
  const world = await bench();
  const { server, device, guideid } = world;
  const order = await device.actions.startWorkOrder(guideid, 'WO-1');
  await device.inSync();
  await server.backUp();
  device.actions.syncNow();
  await device.inSync();
  return { world, order };
}

/** As if there were too many sent calls (OUTBOX-14). */
async function giveUpBytes({ disk }: Bench): Promise<void> {
  const journal = await openJournal(memoryStore({}, disk.journal), { now: () => 0, uuid: () => 'unused' });
  for (const { id } of await journal.listFiles()) await journal.deleteFile(id);
  await journal.close();
}

/** Only files and the server identity get through, so the device learns no later checkpoint. */
function filesAlone(path: string): boolean {
  return path.startsWith('/api/2.0/user/media/') || path === '/sync/1/identity';
}

function uploaded({ device }: Bench): Promise<unknown> {
  return device.shows(
    (items) =>
      items.some(({ kind, state }) => (kind === 'picture' || kind === 'file') && state === 'on-the-server'),
    'activity',
  );
}

/** Waits until the device reaches the server again and has nothing to send. */
async function sentAll(world: Bench): Promise<void> {
  const { device, guideid } = world;
  // New calls are sent after all repeated ones.
  await device.actions.comment('guide', guideid, 'Written while it was away');
  world.passes = () => true;
  device.actions.syncNow();
  await device.shows(({ pending }) => pending === 0, 'syncState');
}

for (const { what, kind, add, read } of namings) {
  test(`OUTBOX-34 ${what} uploaded before an unnoticed restore is never confused with the file that now has its number`, async () => {
    const { world, order } = await withOrder();
    await using _ = world;
    const { server } = world;
    world.passes = filesAlone;
    await add(world, order);
    await uploaded(world);
    world.passes = () => false;
    await server.restore();
    await addElsewhere(world, kind);
    await sentAll(world);
    expect(await read(world)).toEqual([]);
    const activity = await world.device.look('activity');
    expect(activity.filter(({ state }) => state === 'parked')).toHaveLength(1);
  });

  test(`OUTBOX-14 OUTBOX-34 ${what} whose bytes this device no longer has is never confused with the file that has its number after a restore`, async () => {
    const { world, order } = await withOrder();
    await using _ = world;
    const { server, device } = world;
    await add(world, order);
    await device.inSync();
    world.passes = () => false;
    await server.restore();
    await addElsewhere(world, kind);
    await world.restart(() => giveUpBytes(world));
    await sentAll(world);
    expect(await read(world)).toEqual([]);
    const activity = await world.device.look('activity');
    expect(activity.filter(({ state }) => state === 'parked')).toHaveLength(1);
  });
}
