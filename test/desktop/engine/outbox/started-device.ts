import { inSync, newDisk, signIn, startDevice, type Device } from '#test/desktop/engine/support/device.ts';
import { FakeServer } from '#test/desktop/engine/support/fake-server.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';

export async function start(server: FakeServer, disk = newDisk()): Promise<Device> {
  return endsWithTest(await startDevice(server, disk));
}

export async function started(server: FakeServer, disk = newDisk()): Promise<Device> {
  const device = await start(server, disk);
  await signIn(device);
  await inSync(device);
  return device;
}

export function withGuide(): FakeServer {
  const server = new FakeServer();
  server.put('guides', '1', { guideid: 1, title: 'Belt', summary: '', revisionid: 1, steps: [] });
  return server;
}

export function commentsOn(server: FakeServer): string[] {
  return [...server.documents.values()]
    .filter(({ c }) => c === 'comments')
    .map(({ doc }) => (doc as { text: string }).text);
}

export const year = 365 * 24 * 3600 * 1000;
