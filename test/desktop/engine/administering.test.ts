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

test('TEAM-19 a team is renamed and gets its lead only as the person saw it; new members do not matter', async () => {
  await using server = await startServer();
  const mira = await server.person('Mira', ['Admin']);
  const ada = await server.person('Ada', ['User', 'Author']);
  const { teamid } = (await ada.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  await using device = await startWholeDevice(() => server.url, newDisk());
  await device.signIn('Mira');
  const { actions } = device;
  const seen = { name: 'Line B', owner: ada.userid };
  await mira.call('PUT', `/teams/${teamid}/users/${mira.userid}`, {});
  await actions.changeTeam(teamid, { name: 'Line C' }, seen);
  await expect(actions.changeTeam(teamid, { owner: mira.userid }, seen)).rejects.toMatchObject({
    kind: 'conflict',
    details: { current: { name: 'Line C', owner: ada.userid } },
  });
  await actions.changeTeam(teamid, { owner: mira.userid }, { ...seen, name: 'Line C' });
  expect(await actions.readTeam(teamid)).toMatchObject({ team: { name: 'Line C', owner: mira.userid } });
});

test('ADMIN-22 a role counts on the device of the person after the next sync, and is taken the same way', async () => {
  await using server = await startServer();
  const mira = await server.person('Mira', ['Admin']);
  const ada = await server.person('Ada', ['User']);
  const give = (privileges: string[]) =>
    mira.call('PATCH', `/users/${ada.userid}`, { privileges, current_password: 'a long password' });
  const disk = newDisk();
  let url: string | null = server.url;
  const held =
    (...privileges: string[]) =>
    ({ user }: { user: { privileges: string[] } | null }): boolean =>
      user?.privileges.join(' ') === privileges.join(' ');
  {
    await using device = await startWholeDevice(() => url, disk);
    await device.signIn('Ada');
    await device.inSync();
    await device.shows(held('User'), 'session');
    expect((await give(['User', 'Author', 'Admin'])).status).toBe(200);
    device.actions.syncNow();
    await device.shows(held('User', 'Author', 'Admin'), 'session');
    url = null;
  }
  {
    // It is kept on the device, also without the server, and no screen sees the earlier ones.
    await using device = await startWholeDevice(() => url, disk);
    const first = await device.shows(({ status }) => status !== 'restoring', 'session');
    expect(first.user?.privileges).toEqual(['User', 'Author', 'Admin']);
    expect((await give(['User'])).status).toBe(200);
    url = server.url;
    device.actions.syncNow();
    await device.shows(held('User'), 'session');
  }
});
