import { must } from '#shared/must.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import type { Disk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

/** The last file that the device exported. */
export function givenOn(disk: Disk): Uint8Array<ArrayBuffer> {
  return must([...disk.given.values()].at(-1), 'a file');
}

export interface Workshop extends AsyncDisposable {
  server: TestServer;
  guideid: string;
  ada: Awaited<ReturnType<TestServer['person']>>;
  ben: Awaited<ReturnType<TestServer['person']>>;
}

export async function workshop(): Promise<Workshop> {
  const server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const ben = await server.person('Ben');
  const guide = await makeGuide(ada);
  return {
    server,
    guideid: String(guide.guideid),
    ada,
    ben,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Runs `work` on Ada's device with this disk, in sync if the server is reachable. One device runs at a time. */
export async function onDevice<T>(
  { server }: Workshop,
  disk: Disk,
  run: (device: WholeDevice, setUp: (isUp: boolean) => void) => Promise<T>,
  name = 'Ada',
): Promise<T> {
  let isUp = true;
  await using device = await startWholeDevice(() => (isUp ? server.url : null), disk);
  if ((await device.shows(({ status }) => status !== 'restoring', 'session')).user === null)
    await device.signIn(name);
  await device.inSync();
  return await run(device, (now) => void (isUp = now));
}

/** The export of Ada's offline work on this device. */
export async function leftOn(
  shop: Workshop,
  disk: Disk,
  work: (device: WholeDevice) => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>> {
  return onDevice(shop, disk, async (device, setUp) => {
    setUp(false);
    await work(device);
    await device.actions.exportWaiting('Export');
    return givenOn(disk);
  });
}
