import type { CommentFacts } from '#shared/model/comment.ts';
import { inSync, newDisk, signIn, startDevice, type Device } from '#test/desktop/engine/support/device.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';

export async function start(server: StandInServer, disk = newDisk()): Promise<Device> {
  return endsWithTest(await startDevice(server, disk));
}

export async function started(server: StandInServer, disk = newDisk()): Promise<Device> {
  const device = await start(server, disk);
  await signIn(device);
  await inSync(device);
  return device;
}

export function withGuide(): StandInServer {
  const server = new StandInServer();
  server.putGuide(1);
  return server;
}

export function commentsOn(server: StandInServer): string[] {
  return server.all<CommentFacts>('comments').map(({ text_raw }) => text_raw);
}

export const year = 365 * 24 * 3600 * 1000;
