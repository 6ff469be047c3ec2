import { OfferedArchive } from '#test/support/stand-in-server/offered-archive.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

import { newDisk, serverAddress } from '../support/device.ts';
import { startArchiveDevice, workshop } from './world.ts';

/** A server that offers an archive of these bytes. */
export function offering(bytes: Uint8Array<ArrayBuffer>): StandInServer & { archive: OfferedArchive } {
  return Object.assign(new StandInServer(), { archive: new OfferedArchive(bytes) });
}

/** A device in sync with the server; it knows the archives of the server. */
export async function signedIn(server: StandInServer, disk = newDisk()) {
  for (const { guideid, ...facts } of workshop) server.put('guides', String(guideid), { guideid, ...facts });
  const device = await startArchiveDevice(disk, server.fetch);
  await device.actions.signIn(serverAddress, 'ada@bench.test', 'secret');
  await device.shows((offered) => offered !== null, 'serverArchives');
  return { device, disk };
}
