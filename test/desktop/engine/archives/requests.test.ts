import { expect, test } from 'vitest';

import { startServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk } from '../support/device.ts';
import { startWholeDevice } from '../support/whole-device.ts';

test('ARCHIVE-14 ARCHIVE-7 an archive of private guides is made on request, downloaded, verified, and removed at sign-out', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  await makeGuide(ada, false);
  const disk = newDisk();
  await using device = await startWholeDevice(() => server.url, disk);
  await device.signIn('Ada');
  await device.inSync();
  const archiveid = await device.actions.requestArchive({ site: true });
  const [archive] = await device.shows((list) => list[0]?.state === 'ready', 'archives');
  expect(archive).toMatchObject({ archiveid, origin: 'server', guides: 1, private: true, problem: null });
  const page = await device.shows((now) => now?.guides.length === 1, 'archive', {
    archiveid,
    category: null,
  });
  expect(page?.guides[0]).toMatchObject({ title: 'Belt' });

  await device.actions.signOut();
  await device.shows((list) => list.length === 0, 'archives');
  await expect.poll(() => disk.archives.size).toBe(0);
});
