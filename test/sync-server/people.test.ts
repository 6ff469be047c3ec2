import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { siteActions } from '#desktop/engine/actions/site.ts';
import type { Account } from '#shared/model/account.ts';
import type { User, UserSummary } from '#shared/model/user.ts';
import { publishMerits } from '#server/features/merits/publish-job.ts';
import { coreOf } from '#test/support/person-core.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { seenBy, workshopClient } from '#test/support/workshop.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let mira: TestPerson;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben');
  mira = await server.person('Mira', ['User', 'Author', 'Moderator', 'Admin']);
});
afterAll(() => server[Symbol.asyncDispose]());

/** The proof that the administrator changes how a person signs in. */
const proof = { current_password: 'a long password' };

async function edit(person: TestPerson, change: object): Promise<User> {
  const answer = await mira.call('PATCH', `/users/${person.userid}`, { ...change, ...proof });
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body;
}

async function find(caller: TestPerson, text: string, query = ''): Promise<number[]> {
  const answer = await caller.call('GET', `/users/search/${encodeURIComponent(text)}${query}`);
  expect(answer.status).toBe(200);
  return (answer.body as UserSummary[]).map((one) => one.userid);
}

test('PEOPLE-1 a search ranks exact unique usernames, usernames and addresses before partial matches', async () => {
  const make = async (name: string, unique: string, email: string): Promise<number> => {
    const person = await server.person(unique);
    await edit(person, { username: name, unique_username: unique, email });
    return person.userid;
  };
  const addressPart = await make('Zoe', 'zoe', 'the.bolt@example.com');
  const address = await make('Yves', 'yves', 'bolt@x.example');
  const namePart = await make('Max Bolt@X.example GmbH', 'max', 'max@example.com');
  const name = await make('BOLT@x.example', 'lena', 'lena@example.com');
  const nickPart = await make('Kim', 'bolt.kim', 'kim@example.com');
  const nick = await make('Jo', 'bolt', 'jo@example.com');
  expect(await find(mira, 'bolt@x.example')).toEqual([name, address, namePart]);
  expect(await find(mira, 'Bolt')).toEqual([nick, nickPart, name, namePart, address, addressPart]);
  expect(await find(mira, 'bolt', '?limit=2&offset=1')).toEqual([nickPart, name]);
  // Like other people, an author finds only names.
  expect(await find(ben, 'bolt')).toEqual([nick, nickPart, name, namePart]);
  expect(await find(ben, 'bolt@x.example')).toEqual([name, namePart]);
  expect(await find(ben, 'the.bolt')).toEqual([]);
});

test('PEOPLE-2 a search for a userid finds that person; accents and wildcards are literal', async () => {
  const ozan = await server.person('Ozan');
  await edit(ozan, { username: 'ÖZGÜR 100%' });
  expect(await find(ben, String(ozan.userid))).toEqual([ozan.userid]);
  expect(await find(ben, 'özgür')).toEqual([ozan.userid]);
  expect(await find(ben, '0%')).toEqual([ozan.userid]);
  expect(await find(ben, '%z_')).toEqual([]);
  expect(await find(ben, '987654321')).toEqual([]);
  const anonymous = await fetch(`${server.url}/api/2.0/users/search/ozan`);
  expect(anonymous.status).toBe(200);
  expect(((await anonymous.json()) as UserSummary[]).map((one) => one.userid)).toEqual([ozan.userid]);
});

test('PEOPLE-3 only administrators find a disabled account', async () => {
  const gone = await server.person('Gonzalo');
  await edit(gone, { enabled: false });
  expect(await find(ben, 'gonzalo')).toEqual([]);
  expect(await find(ben, String(gone.userid))).toEqual([]);
  expect(await find(mira, 'gonzalo')).toEqual([gone.userid]);
  expect((await gone.call('GET', '/user')).status).toBe(401);
  expect((await ben.call('GET', `/users/${gone.userid}`)).status).toBe(200);
});

test('PEOPLE-4 the deprecated search returns names and the smallest picture', async () => {
  const answer = await ben.call('GET', '/users/searchnames/ana');
  expect(answer).toMatchObject({ status: 200 });
  const document = (await (await fetch(`${server.url}/api/2.0/openapi.json`)).json()) as {
    paths: Record<string, { get: { deprecated?: true } }>;
  };
  expect(document.paths['/users/searchnames/{search}']?.get.deprecated).toBe(true);
  expect(answer.body).toEqual([{ userid: ana.userid, username: 'Ana', unique_username: 'ana', image: null }]);
});

test('PEOPLE-5 an address leads administrators and its owner to the profile; others get 403 whether it exists or not', async () => {
  const path = '/users/email/ANA@example.com';
  expect(await mira.call('GET', path)).toMatchObject({ status: 200, body: { userid: ana.userid } });
  expect(await ana.call('GET', path)).toMatchObject({ status: 200, body: { userid: ana.userid } });
  expect((await mira.call('GET', '/users/email/nobody@example.com')).status).toBe(404);
  const known = await ben.call('GET', path);
  const unknown = await ben.call('GET', '/users/email/nobody@example.com');
  expect(known.status).toBe(403);
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  expect((await fetch(`${server.url}/api/2.0${path}`)).status).toBe(401);
});

test('PEOPLE-6 administrators set single sign-on ids, each for one account', async () => {
  const eva = await server.person('Eva');
  const change = { sso_userid: 'corp-0042' };
  expect((await eva.call('PATCH', `/users/${eva.userid}`, change)).status).toBe(403);
  await edit(eva, change);
  const taken = await mira.call('PATCH', `/users/${ben.userid}`, { ...change, ...proof });
  expect([taken.status, taken.body]).toMatchObject([422, { errors: [{ field: 'sso_userid' }] }]);
  const path = '/users/sso/corp-0042';
  expect(await mira.call('GET', path)).toMatchObject({ status: 200, body: { userid: eva.userid } });
  expect(await eva.call('GET', path)).toMatchObject({ status: 200, body: { username: 'Eva' } });
  expect((await ben.call('GET', path)).status).toBe(403);
  expect((await mira.call('GET', '/users/sso/corp-9')).status).toBe(404);
  const app = siteActions(coreOf(server, mira));
  expect(await app.readSsoUserid(eva.userid)).toBe('corp-0042');
  for (const person of [eva, ben])
    expect((await person.call('GET', `/users/${eva.userid}`)).body).not.toHaveProperty('sso_userid');
  // A session under the previous id has ended.
  expect(await app.changeSsoUserid(eva.userid, 'corp-0043', { password: 'a long password' })).toBe(
    'corp-0043',
  );
  expect((await eva.call('GET', '/user')).status).toBe(401);
  await edit(eva, change);
  await edit(eva, { sso_userid: null });
  expect((await mira.call('GET', path)).status).toBe(404);
});

test("PEOPLE-7 no response about people and no record on other people's devices shows an e-mail address", async () => {
  const answers = [
    '/users?limit=200',
    '/users/search/ana',
    '/users/searchnames/ana',
    `/users/${ana.userid}`,
    `/users/${ana.userid}/badges`,
    '/teams',
  ];
  for (const path of answers) {
    for (const caller of [ben, mira]) {
      const answer = await caller.call('GET', path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(JSON.stringify(answer.body)).not.toContain('@example.com');
    }
  }
  expect(JSON.stringify(await seenBy(server, ben, 'people'))).not.toContain('ana@example.com');
  expect(JSON.stringify(await seenBy(server, ben, 'viewer'))).not.toContain('ana@example.com');
});

test('PEOPLE-8 a profile is rendered with the rights of its reader', async () => {
  const secret = await ana.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title: 'Secret belt' },
  });
  const about = `I wrote [guide|${secret.guideid}].`;
  expect((await ana.call('PATCH', `/users/${ana.userid}`, { about })).status).toBe(200);
  const own = await ana.call('GET', `/users/${ana.userid}`);
  expect((own.body as User).about_rendered).toContain('Secret belt');
  const other = await ben.call('GET', `/users/${ana.userid}`);
  expect((other.body as User).about_raw).toBe(about);
  expect((other.body as User).about_rendered).not.toContain('Secret belt');
});

test('PEOPLE-9 only administrators change the teams of people, and a missing team is named', async () => {
  const team = await ana.call('POST', '/teams', { name: 'Profiles' });
  const { teamid } = team.body as { teamid: number };
  expect((await ben.call('PATCH', `/users/${ben.userid}`, { teams: [teamid] })).status).toBe(403);
  const missing = await mira.call('PATCH', `/users/${ben.userid}`, { teams: [teamid, 987_654] });
  expect([missing.status, missing.body]).toMatchObject([422, { errors: [{ field: 'teams' }] }]);
  expect(await mira.call('GET', `/users/${ben.userid}`)).toMatchObject({ body: { teams: [] } });
  expect(await edit(ben, { teams: [teamid] })).toMatchObject({ teams: [teamid] });
  const members = (await ben.call('GET', `/teams/${teamid}`)).body as UserSummary[];
  expect(members.map((one) => one.userid)).toEqual([ana.userid, ben.userid]);
  expect(await edit(ben, { teams: [] })).toMatchObject({ teams: [] });
});

test('PEOPLE-10 people set their own language, which is stored and shown to them', async () => {
  const answer = await ben.call('PATCH', `/users/${ben.userid}`, { langid: 'de' });
  expect(answer).toMatchObject({ status: 200, body: { langid: 'de' } });
  expect(await ben.call('GET', '/user')).toMatchObject({ body: { langid: 'de' } });
  expect((await ana.call('GET', `/users/${ben.userid}`)).body).not.toHaveProperty('langid');
  // An administrator sees it in the list of accounts, and changes it.
  const listed = async () =>
    ((await mira.call('GET', '/accounts')).body as Account[]).find((one) => one.userid === ben.userid)
      ?.langid;
  expect(await listed()).toBe('de');
  await mira.client.users.patch({ params: { userid: ben.userid }, body: { langid: 'en' } });
  expect(await listed()).toBe('en');
  expect(await ben.call('GET', '/user')).toMatchObject({ body: { langid: 'en' } });
});

test('PEOPLE-11 what a person wrote, likes and completed is listed for them and for others', async () => {
  const dora = await server.person('Dora');
  const made = await dora.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title: 'Wheel dressing', public: true },
  });
  const { guideid } = made;
  for (const path of [`/user/favorites/guides/${guideid}`, `/guides/${guideid}/completed`])
    expect((await dora.call('PUT', path)).status).toBe(204);
  const lists = ['guides', 'favorites/guides', 'completions'];
  for (const list of lists) {
    const own = await dora.call('GET', `/user/${list}`);
    const seen = await ben.call('GET', `/users/${dora.userid}/${list}`);
    expect([list, own.status, seen.body]).toEqual([list, 200, own.body]);
    const guides = own.body as { guideid?: number; guide?: { guideid: number } }[];
    expect([list, guides.map((one) => one.guideid ?? one.guide?.guideid)]).toEqual([list, [guideid]]);
    expect([list, (await dora.call('GET', `/user/${list}?limit=0`)).status]).toEqual([list, 422]);
    expect([list, (await ben.call('GET', `/users/${dora.userid}/${list}?offset=-1`)).status]).toEqual([
      list,
      422,
    ]);
    expect([list, (await ben.call('GET', `/users/987654/${list}`)).status]).toEqual([list, 404]);
  }
  const flags = await dora.call('GET', '/user/flags');
  expect(Object.keys((flags.body as { guide: object }).guide)).toEqual(expect.arrayContaining(made.flags));
  expect((await dora.call('DELETE', `/user/favorites/guides/${guideid}`)).status).toBe(204);
  expect((await dora.call('GET', '/user/favorites/guides')).body).toEqual([]);
});

test('PEOPLE-12 a favourite of an invisible guide is 404, and a key stands for one request', async () => {
  const make = (isPublic: boolean): Promise<{ guideid: number }> =>
    ana.client.guides.create({
      body: { category: 'Bench Grinder', type: 'repair', title: 'Spark guard', public: isPublic },
    });
  const [hidden, shown] = [await make(false), await make(true)];
  for (const method of ['PUT', 'DELETE']) {
    const path = (guideid: number): string => `/user/favorites/guides/${guideid}`;
    expect([method, (await ben.call(method, path(hidden.guideid))).status]).toEqual([method, 404]);
    const key = { 'Idempotency-Key': `favourite-${method}` };
    for (const [langid, status] of [
      ['en', 204],
      ['en', 204],
      ['de', 422],
    ]) {
      const answer = await ben.call(method, `${path(shown.guideid)}?langid=${langid}`, undefined, key);
      expect([method, langid, answer.status]).toEqual([method, langid, status]);
    }
  }
});

test('PEOPLE-13 a person registered by an administrator is found by name and address', async () => {
  const account = { email: 'rosa@example.com', username: 'Rosa Lind', password: 'long enough' };
  const made = await mira.call('POST', '/users', { ...account, current_password: 'a long password' });
  expect(made.status).toBe(201);
  const { userid } = made.body as User;
  expect(await find(ben, 'rosa lind')).toEqual([userid]);
  expect(await mira.call('GET', '/users/email/rosa@example.com')).toMatchObject({ body: { userid } });
  expect((await ben.call('GET', '/users/search/%20')).status).toBe(404);
  for (const list of ['search', 'searchnames']) {
    expect([list, (await ben.call('GET', `/users/${list}/rosa?limit=none`)).status]).toEqual([list, 422]);
    expect([list, (await ben.call('GET', `/users/${list}/%20`)).status]).toEqual([list, 404]);
  }
});

test('PEOPLE-14 a profile republished by others shows no picture that its writer could not show', async () => {
  const eve = await server.person('Eve');
  const bytes = await sharp({ create: { width: 8, height: 6, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const { media } = workshopClient(server, mira);
  const { image } = await media.addImage({ query: { file: 'secret.png' }, body: Uint8Array.from(bytes) });
  await eve.call('PATCH', `/users/${eve.userid}`, { about: `[image|${image.id}]` });
  const guide = await eve.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title: 'Bait', public: true },
  });
  expect((await ben.call('PUT', `/user/favorites/guides/${guide.guideid}`)).status).toBe(204);
  await publishMerits(server.services);
  const team = await mira.call('POST', '/teams', { name: 'Baited' });
  await edit(eve, { teams: [(team.body as { teamid: number }).teamid] });
  const shown = await eve.call('GET', `/users/${eve.userid}`);
  expect((shown.body as User).about_raw).toBe(`[image|${image.id}]`);
  expect(JSON.stringify(shown.body)).not.toContain(image.guid);
});
