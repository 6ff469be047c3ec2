import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { makeGuide } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let admin: TestPerson;
let guide: Guide;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben', ['User']);
  admin = await server.person('Ada', ['User', 'Admin']);
  guide = await makeGuide(ana, false);
});
afterAll(() => server[Symbol.asyncDispose]());

async function status(person: TestPerson, method: string, path: string): Promise<number> {
  return (await person.call(method, path)).status;
}

test('a private guide shared with a person is visible, listed and searchable for that person until sharing ends', async () => {
  const path = `/guides/${guide.guideid}`;
  expect(await status(ben, 'GET', path)).toBe(404);
  const added = await ana.call('PUT', `${path}/users/${ben.userid}`);
  expect([added.status, added.body]).toMatchObject([201, [{ userid: ben.userid, username: 'Ben' }]]);
  expect(await status(ben, 'GET', path)).toBe(200);
  expect((await ben.call('GET', '/search/Belt')).body).toMatchObject({
    results: expect.arrayContaining([expect.objectContaining({ guideid: guide.guideid })]),
  });
  expect((await ben.call('GET', `${path}/users`)).body).toMatchObject([{ userid: ben.userid }]);
  const removed = await ana.call('DELETE', `${path}/users/${ben.userid}`);
  expect([removed.status, removed.body]).toEqual([200, { users: [] }]);
  expect(await status(ben, 'GET', path)).toBe(404);
});

test('the members of a team see a guide shared with it', async () => {
  const team = await admin.call('POST', '/teams', { name: 'Line B' });
  const { teamid } = team.body as { teamid: number };
  await admin.call('PUT', `/teams/${teamid}/users/${ben.userid}`);
  const path = `/guides/${guide.guideid}`;
  const shared = await ana.call('PUT', `${path}/teams/${teamid}`);
  expect([shared.status, shared.body]).toEqual([201, [{ teamid, name: 'Line B' }]]);
  expect((await ana.call('GET', `${path}/teams`)).body).toEqual({
    guideTeams: [{ teamid, name: 'Line B' }],
    canIViewGuide: true,
    canIEditGuide: true,
    canIChangeGuidePrivacy: true,
  });
  expect((await ben.call('GET', `${path}/teams`)).body).toMatchObject({
    canIViewGuide: true,
    canIEditGuide: false,
    canIChangeGuidePrivacy: false,
  });
  await admin.call('DELETE', `/teams/${teamid}/users/${ben.userid}`);
  expect(await status(ben, 'GET', path)).toBe(404);
});

test('sharing makes no revision, survives an edit, and gives no right to edit or to share', async () => {
  const own = await makeGuide(ana, false);
  const path = `/guides/${own.guideid}`;
  await ana.call('PUT', `${path}/users/${ben.userid}`);
  expect((await ana.call('GET', path)).body).toMatchObject({ revisionid: own.revisionid });
  expect((await ana.call('PATCH', `${path}?revisionid=${own.revisionid}`, { summary: 'New' })).status).toBe(
    200,
  );
  expect(await status(ben, 'GET', path)).toBe(200);
  expect((await ben.call('PATCH', `${path}?revisionid=1`, { summary: 'Mine' })).status).toBe(403);
  expect(await status(ben, 'PUT', `${path}/users/${admin.userid}`)).toBe(403);
  expect(await status(ben, 'DELETE', `${path}/users/${ben.userid}`)).toBe(403);
});

test("editors of other people's guides can neither hide nor publish them", async () => {
  const mine = await makeGuide(ana);
  const author = await server.person('Cleo', ['User', 'Author']);
  const path = `/guides/${mine.guideid}`;
  const at = `revisionid=${mine.revisionid}`;
  expect(await status(author, 'DELETE', `${path}/public?${at}`)).toBe(403);
  expect(await status(author, 'DELETE', `/guide/${mine.guideid}/public?${at}`)).toBe(403);
  expect((await author.call('PATCH', `${path}?${at}`, { public: false })).status).toBe(403);
  expect((await ben.call('GET', path)).body).toMatchObject({ public: true, revisionid: mine.revisionid });
  const edited = await author.call('PATCH', `${path}?${at}`, { public: true, summary: 'Clearer' });
  expect([edited.status, edited.body]).toMatchObject([200, { can_edit: true, can_edit_permissions: false }]);
  const { revisionid } = edited.body as Guide;
  const hidden = await ana.call('PATCH', `${path}?revisionid=${revisionid}`, { public: false });
  expect([hidden.status, hidden.body]).toMatchObject([200, { public: false, can_edit_permissions: true }]);
});

test('missing things are 404 before anything is 403', async () => {
  const path = `/guides/${guide.guideid}`;
  expect(await status(ana, 'PUT', `${path}/users/99999`)).toBe(404);
  expect(await status(ana, 'PUT', `${path}/teams/99999`)).toBe(404);
  expect(await status(ben, 'PUT', `${path}/users/${ben.userid}`)).toBe(404);
  expect((await fetch(`${server.url}/api/2.0${path}/users`)).status).toBe(401);
});
