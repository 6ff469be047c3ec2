import sharp from 'sharp';
import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

async function teamOf(owner: TestPerson, name: string): Promise<number> {
  const { body } = await owner.call('POST', '/teams', { name, join_code: 'knock three times' });
  return (body as { teamid: number }).teamid;
}

async function read(person: TestPerson): Promise<Record<string, unknown>> {
  return (await person.call('GET', `/users/${person.userid}`)).body;
}

function known(device: WholeDevice, userid: number) {
  return device.shows((person) => person !== null, 'person', userid);
}

test('OUTBOX-19 a profile is edited offline, shown immediately, and reaches the server with its picture', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  let url: string | null = server.url;
  await using device = await startWholeDevice(() => url, newDisk());
  await device.signIn('Ana');
  await device.inSync();
  await known(device, ana.userid);

  url = null;
  const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#3c3' } })
    .png()
    .toBuffer();
  const image = await device.actions.keepPagePicture(new Blob([new Uint8Array(photo)]), 'ana.png');
  await device.actions.saveProfile({ location: 'Hall 1', about: "I keep the ''lathes''." });
  await device.actions.saveProfile({ location: 'Hall 2', name: 'Ana Ruiz', image });
  const shown = must(await device.look('person', ana.userid), 'the profile');
  expect(shown).toMatchObject({ name: 'Ana Ruiz', location: 'Hall 2', imageGuid: image.guid, pending: true });
  expect(shown.aboutHtml).toContain('<em>lathes</em>');
  await device.shows(({ user }) => user?.username === 'Ana Ruiz', 'session');
  const waiting = (await device.look('activity')).filter(({ kind }) => kind === 'profile');
  expect(waiting.map(({ state, detail, call }) => [state, detail, call.method, call.path])).toEqual([
    ['queued', 'about,location,username,image', 'PATCH', `/users/${ana.userid}`],
  ]);

  url = server.url;
  device.actions.syncNow();
  await device.inSync();
  const stored = await read(ana);
  expect(stored).toMatchObject({
    username: 'Ana Ruiz',
    location: 'Hall 2',
    about_raw: "I keep the ''lathes''.",
  });
  expect((stored['image'] as { id: number }).id).toBeGreaterThan(0);
  const after = await device.shows((one) => one?.pending === false, 'person', ana.userid);
  expect(after).toMatchObject({ name: 'Ana Ruiz', location: 'Hall 2' });
  expect(after?.imageGuid).toBe((stored['image'] as { guid: string }).guid);
});

test('OUTBOX-19 a refused edit keeps the message of the server and is corrected by the next edit', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  await server.person('Ben');
  await using device = await startWholeDevice(() => server.url, newDisk());
  await device.signIn('Ana');
  await device.inSync();
  await known(device, ana.userid);

  await device.actions.saveProfile({ uniqueName: 'ben', summary: 'Lathes' });
  const refused = must(
    await device.shows((one) => typeof one?.refused === 'string', 'person', ana.userid),
    'the profile',
  );
  expect(refused).toMatchObject({ uniqueName: 'ana', summary: '', pending: false });
  expect(refused.editable).toMatchObject({ uniqueName: 'ben', summary: 'Lathes', name: 'Ana' });
  const [parked] = (await device.look('activity')).filter(({ kind }) => kind === 'profile');
  expect(parked).toMatchObject({ state: 'parked', refusal: { status: 422, message: refused.refused } });

  await device.actions.saveProfile({ uniqueName: 'ana.r' });
  await device.shows((one) => one?.refused === null && !one.pending, 'person', ana.userid);
  await device.inSync();
  expect(await read(ana)).toMatchObject({ unique_username: 'ana.r', summary: 'Lathes' });
});

test('OUTBOX-19 a device and the server remove the same spaces from the texts of a profile', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const ben = await server.person('Ben');
  let url: string | null = server.url;
  await using device = await startWholeDevice(() => url, newDisk());
  await device.signIn('Ana');
  await device.inSync();
  await known(device, ana.userid);

  url = null;
  const typed = { summary: ' Lathes ', about: ' I turn. ', location: ' Hall 1 ' };
  await device.actions.saveProfile({ ...typed, name: ' Ana Ruiz ', uniqueName: ' Ana.R ' });
  const fields = { name: 'Ana Ruiz', uniqueName: 'ana.r', summary: 'Lathes', location: 'Hall 1' };
  const shown = must(await device.look('person', ana.userid), 'the profile');
  expect(shown).toMatchObject({ ...fields, pending: true });
  expect(shown.editable).toMatchObject({ ...fields, about: ' I turn. ' });
  const [waiting] = (await device.look('activity')).filter(({ kind }) => kind === 'profile');
  expect(waiting?.subject).toBe('Ana Ruiz');

  url = server.url;
  device.actions.syncNow();
  await device.inSync();
  const { name, ...others } = fields;
  const stored = { summary: others.summary, about_raw: ' I turn. ', location: others.location };
  expect(await read(ana)).toMatchObject({ ...stored, username: name, unique_username: 'ana.r' });
  expect(await device.shows((one) => one?.pending === false, 'person', ana.userid)).toMatchObject(fields);

  await ben.call('PATCH', `/users/${ben.userid}`, { ...typed, username: ' Ben Ruiz ' });
  expect(await read(ben)).toMatchObject({ ...stored, username: 'Ben Ruiz' });
});

test('OUTBOX-19 credentials never wait on a device', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const disk = newDisk();
  let url: string | null = server.url;
  await using device = await startWholeDevice(() => url, disk);
  await device.signIn('Ana');
  await device.inSync();
  await known(device, ana.userid);
  const secrets = { password: 'another long one', email: 'else@example.com' } as object;
  await device.actions.saveProfile(secrets);
  url = null;
  await device.actions.saveProfile({ ...secrets, summary: 'Keeps the lathes' });
  const kept = [...disk.journal.values()].map((bytes) => new TextDecoder().decode(bytes)).join('');
  expect(kept).toContain('Keeps the lathes');
  expect(kept).not.toContain('another long one');
  expect(kept).not.toContain('else@example.com');
  url = server.url;
  device.actions.syncNow();
  await device.inSync();
  expect(await read(ana)).toMatchObject({ summary: 'Keeps the lathes' });
});

test('OUTBOX-19 input that the server would refuse as invalid is refused immediately', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  await using device = await startWholeDevice(() => server.url, newDisk());
  await device.signIn('Ana');
  await device.inSync();
  await known(device, ana.userid);
  await expect(device.actions.saveProfile({ name: '  ' })).rejects.toMatchObject({ kind: 'invalid' });
  await expect(device.actions.saveProfile({ uniqueName: 'a b' })).rejects.toThrow('Use 2 to 40 letters');
  expect(await device.look('activity')).toEqual([]);
});

test('OUTBOX-20 a team is joined and left offline; the last choice counts', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const ben = await server.person('Ben');
  const teamid = await teamOf(ben, 'Line B');
  let url: string | null = server.url;
  await using device = await startWholeDevice(() => url, newDisk());
  await device.signIn('Ana');
  await device.inSync();
  await device.shows((team) => team !== null, 'team', teamid);

  url = null;
  await device.actions.joinTeam(teamid, 'knock three times');
  const joined = must(await device.look('team', teamid), 'the team');
  expect(joined).toMatchObject({ pending: true, canJoin: false, canLeave: true });
  expect(joined.members.map(({ userid }) => userid)).toContain(ana.userid);
  expect((await device.look('person', ana.userid))?.teams.map(({ name }) => name)).toEqual(['Line B']);
  await device.actions.leaveTeam(teamid);
  await device.actions.joinTeam(teamid, 'knock three times');
  expect((await device.look('activity')).map(({ kind, detail }) => [kind, detail])).toEqual([['team', 'on']]);
  url = server.url;
  device.actions.syncNow();
  await device.inSync();
  expect(await read(ana)).toMatchObject({ teams: [teamid] });

  await device.actions.leaveTeam(teamid);
  await device.inSync();
  expect(await read(ana)).toMatchObject({ teams: [] });
  expect(await device.shows((team) => team?.pending === false, 'team', teamid)).toMatchObject({
    canJoin: true,
  });
});

test("OUTBOX-20 a wrong join code is parked with the server's message; leaving twice is no error", async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const ben = await server.person('Ben');
  const teamid = await teamOf(ben, 'Line B');
  let url: string | null = server.url;
  await using device = await startWholeDevice(() => url, newDisk());
  await device.signIn('Ana');
  await device.inSync();
  await device.shows((team) => team !== null, 'team', teamid);
  await device.actions.joinTeam(teamid, 'knock twice');
  const refused = await device.shows((team) => typeof team?.refused === 'string', 'team', teamid);
  expect(refused).toMatchObject({ refused: 'The join code is not the one of this team', canJoin: true });
  await device.actions.joinTeam(teamid, 'knock three times');
  await device.shows((team) => team?.canLeave === true && !team.pending, 'team', teamid);

  url = null;
  await device.actions.leaveTeam(teamid);
  expect((await ben.call('DELETE', `/teams/${teamid}/users/${ana.userid}`)).status).toBe(200);
  url = server.url;
  device.actions.syncNow();
  await device.inSync();
  expect((await device.look('activity')).map(({ state }) => state)).not.toContain('parked');
  expect(await device.look('team', teamid)).toMatchObject({ canJoin: true, refused: null });
});

test('OUTBOX-19 a kiosk cannot edit a profile or join a team', async () => {
  await using server = await startServer();
  const ben = await server.person('Ben');
  const teamid = await teamOf(ben, 'Line B');
  const kiosk = await server.person('Bench', ['User', 'Kiosk']);
  await using device = await startWholeDevice(() => server.url, newDisk());
  await device.signIn('Bench');
  await device.inSync();
  expect(await known(device, kiosk.userid)).toMatchObject({ editable: null });
  expect(await device.shows((team) => team !== null, 'team', teamid)).toMatchObject({
    canJoin: false,
    canLeave: false,
  });
});
