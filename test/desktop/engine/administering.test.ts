import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { startServer } from '#test/support/server.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice } from './support/whole-device.ts';

test('ADMIN-18 roles and teams are changed only as they were seen; other changes of the account do not matter', async () => {
  await using server = await startServer();
  const mira = await server.person('Mira', ['Admin']);
  const ada = await server.person('Ada');
  await using device = await startWholeDevice(() => server.url, newDisk());
  const { actions } = device;
  await device.signIn('Mira');
  const account = async () =>
    must(
      (await actions.listAccounts()).find(({ userid }) => userid === ada.userid),
      'the account',
    );
  const change = (edit: object) => mira.call('PATCH', `/users/${ada.userid}`, edit);
  const seen = await account();

  await change({ summary: 'Sets up the grinders' });
  await actions.changeAccount(ada.userid, { privileges: ['User', 'Author'] }, { seen });
  expect((await account()).privileges).toEqual(['User', 'Author']);

  await change({ privileges: ['User', 'Moderator'] });
  await expect(
    actions.changeAccount(
      ada.userid,
      { privileges: ['User'] },
      { seen: { ...seen, privileges: ['User', 'Author'] } },
    ),
  ).rejects.toMatchObject({ kind: 'conflict', details: { current: { privileges: ['User', 'Moderator'] } } });
  expect((await account()).privileges).toEqual(['User', 'Moderator']);

  const proof = { password: 'a long password' };
  await actions.changeAccount(
    ada.userid,
    { privileges: ['User', 'Moderator', 'Admin'] },
    { seen: await account(), proof },
  );
  expect((await account()).privileges).toEqual(['User', 'Moderator', 'Admin']);
});
