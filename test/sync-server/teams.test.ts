import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Team } from '#shared/model/team.ts';
import type { UserSummary } from '#shared/model/user.ts';
import { contextForJob } from '#server/core/job.ts';
import { makeGuide, seenBy } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let maria: TestPerson;
let mira: TestPerson;
let team: Team;
let now = Date.UTC(2026, 2, 2, 8);

beforeAll(async () => {
  server = await startServer({ now: () => now });
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben');
  maria = await server.person('Maria', ['User']);
  mira = await server.person('Mira', ['User', 'Author', 'Moderator', 'Admin']);
});
beforeEach(async () => {
  now += 60_000;
  team = await found({ name: 'Line B', join_code: 'grind & deburr' });
});
afterAll(() => server[Symbol.asyncDispose]());

async function found(body: object, by = ana): Promise<Team> {
  const answer = await by.call('POST', '/teams', body);
  expect([answer.status, answer.body]).toMatchObject([201, {}]);
  return answer.body;
}

async function read(teamid = team.teamid, by = mira): Promise<Team | undefined> {
  return ((await by.call('GET', '/teams')).body as Team[]).find((one) => one.teamid === teamid);
}

/** Userids of the members in a response; the status of a refusal. */
async function membersAfter(answer: ReturnType<TestPerson['call']>): Promise<number[] | number> {
  const { status, body } = await answer;
  return status === 200 ? (body as UserSummary[]).map((one) => one.userid) : status;
}

function join(
  person: TestPerson,
  by = person,
  body: object = {},
  query = '',
): ReturnType<TestPerson['call']> {
  return by.call('PUT', `/teams/${team.teamid}/users/${person.userid}${query}`, body);
}

function leave(person: TestPerson, by = person): ReturnType<TestPerson['call']> {
  return by.call('DELETE', `/teams/${team.teamid}/users/${person.userid}`);
}

const code = { join_code: 'grind & deburr' };

test('TEAM-1 the founder of a team is its first member and owner', async () => {
  expect(team).toMatchObject({
    name: 'Line B',
    description: '',
    owner: ana.userid,
    image: null,
    url: `${server.url}/Team/${team.teamid}/Line+B`,
    location: null,
    member_count: 1,
    new_member_since: now / 1000,
    join_code: 'grind & deburr',
  });
  expect(await ana.call('GET', '/user')).toMatchObject({
    body: { teams: expect.arrayContaining([team.teamid]) },
  });
  expect((await maria.call('POST', '/teams', { name: 'Mine' })).status).toBe(403);
  expect((await fetch(`${server.url}/api/2.0/teams`, { method: 'POST', body: '{}' })).status).toBe(401);
  expect((await ana.call('POST', '/teams', {})).status).toBe(422);
  expect((await ana.call('POST', '/teams', { name: 'X', join_code: 'short' })).status).toBe(422);
  expect((await ana.call('POST', '/teams', { name: 'X', owner: ben.userid })).status).toBe(403);
});

test('TEAM-2 people join with the join code in body or query, and only themselves', async () => {
  expect(await membersAfter(join(maria))).toBe(403);
  expect(await membersAfter(join(maria, maria, { join_code: 'guessed it' }))).toBe(403);
  expect(await membersAfter(join(maria, ben, code))).toBe(403);
  expect(await membersAfter(join(maria, maria, code))).toEqual([ana.userid, maria.userid]);
  expect(await membersAfter(join(maria))).toEqual([ana.userid, maria.userid]);
  expect(await membersAfter(join(ben, ben, {}, '?join_code=grind%20%26%20deburr'))).toEqual([
    ana.userid,
    ben.userid,
    maria.userid,
  ]);
  expect(await membersAfter(maria.call('GET', `/teams/${team.teamid}?order=DESC`))).toEqual([
    maria.userid,
    ben.userid,
    ana.userid,
  ]);
});

test('TEAM-16 guessing join codes is throttled, even with the right one, without affecting others', async () => {
  const guess = (): ReturnType<TestPerson['call']> => join(maria, maria, { join_code: 'guessed it' });
  let answer = await guess();
  for (let tries = 1; answer.status === 403 && tries < 50; tries += 1) answer = await guess();
  expect(answer.status).toBe(429);
  const seconds = Number(answer.headers.get('Retry-After'));
  expect(seconds).toBeGreaterThan(0);
  expect((await join(maria, maria, code)).status).toBe(429);
  expect(await membersAfter(join(ben, ben, code))).toEqual([ana.userid, ben.userid]);
  now += seconds * 1000;
  expect(await membersAfter(join(maria, maria, code))).toEqual([ana.userid, ben.userid, maria.userid]);
});

test('TEAM-3 a team without a join code is joined by invitation of its owner or an administrator', async () => {
  team = await found({ name: 'Closed' });
  expect(await membersAfter(join(ben, ben, { join_code: null }))).toBe(403);
  expect(await membersAfter(join(ben, ben, { join_code: '' }))).toBe(403);
  expect(await membersAfter(join(ben, ana))).toEqual([ana.userid, ben.userid]);
  expect(await membersAfter(join(maria, mira))).toEqual([ana.userid, ben.userid, maria.userid]);
});

test('TEAM-4 missing teams and people are 404 before anything else', async () => {
  expect((await ben.call('PUT', `/teams/987654/users/${ben.userid}`, {})).status).toBe(404);
  expect((await ben.call('PUT', `/teams/${team.teamid}/users/987654`, { odd: 1 })).status).toBe(404);
  expect((await join(maria, ben, { odd: 1 })).status).toBe(403);
  expect((await join(ben, ben, { odd: 1 })).status).toBe(422);
  expect((await leave(ben)).status).toBe(404);
  for (const path of ['', '/attributes', '/course_assignments'])
    expect([path, (await ben.call('GET', `/teams/987654${path}`)).status]).toEqual([path, 404]);
});

test('TEAM-5 the owner and administrators remove others, and all members can remove themselves', async () => {
  await join(maria, ana);
  await join(ben, ana);
  expect(await membersAfter(leave(maria, ben))).toBe(403);
  expect(await membersAfter(leave(maria, ana))).toEqual([ana.userid, ben.userid]);
  expect(await membersAfter(leave(ben))).toEqual([ana.userid]);
  await join(ben, ana);
  expect(await membersAfter(leave(ben, mira))).toEqual([ana.userid]);
});

test('TEAM-6 when the owner leaves, the earliest member becomes owner, and the last one leaving ends the team', async () => {
  await join(maria, ana);
  now += 1000;
  await join(ben, ana);
  expect(await membersAfter(leave(ana))).toEqual([ben.userid, maria.userid]);
  expect((await read())?.owner).toBe(maria.userid);
  expect((await ana.call('PATCH', `/teams/${team.teamid}`, { name: 'Mine' })).status).toBe(403);
  expect(await membersAfter(leave(maria))).toEqual([ben.userid]);
  expect(await membersAfter(leave(ben))).toEqual([]);
  expect(await read()).toBeUndefined();
  expect((await ben.call('GET', `/teams/${team.teamid}`)).status).toBe(404);
});

test('TEAM-7 the first person to join a team that an administrator founded without members owns it', async () => {
  team = await found({ name: 'Empty', owner: null, join_code: 'come in please' }, mira);
  expect(team).toMatchObject({ owner: null, member_count: 0 });
  expect(await membersAfter(join(maria, maria, { join_code: 'come in please' }))).toEqual([maria.userid]);
  expect((await read())?.owner).toBe(maria.userid);
});

test("TEAM-8 the reputation of a team is the sum of its members'", async () => {
  await join(ben, ana);
  const before = (await read())?.reputation ?? 0;
  const guide = await makeGuide(ben);
  await maria.call('PUT', `/user/favorites/guides/${guide.guideid}`);
  expect((await read())?.reputation).toBe(before + 15);
  await leave(ben);
  const own = (await ana.call('GET', '/user')).body as { reputation: number };
  expect((await read())?.reputation).toBe(own.reputation);
});

test('TEAM-9 the list of teams is ordered, paged on request, and filtered by new members', async () => {
  const second = await found({ name: 'Line C' });
  const ids = async (query: string): Promise<number[]> =>
    ((await maria.call('GET', `/teams${query}`)).body as Team[]).map((one) => one.teamid);
  const all = await ids('');
  expect(all).toEqual(all.toSorted((a, b) => a - b));
  expect(await ids('?order=DESC&limit=1')).toEqual([second.teamid]);
  expect(await ids('?order=DESC&limit=1&offset=1')).toEqual([team.teamid]);
  now += 5000;
  await join(ben, ana);
  expect(await ids(`?newMemberSince=${now / 1000}`)).toEqual([team.teamid]);
  expect((await read())?.new_member_since).toBe(now / 1000);
  for (const path of ['/teams?limit=0', `/teams/${team.teamid}?order=UP`])
    expect([path, (await maria.call('GET', path)).status]).toEqual([path, 422]);
});

test('TEAM-10 the owner and administrators edit a team, and only they see its join code', async () => {
  const path = `/teams/${team.teamid}`;
  const change = {
    name: 'Line B2',
    description: 'Grinds.',
    location: 'Hall 1',
    latitude: 48.1,
    join_code: 'another code',
    attributes: [
      { name: 'Shift', value: 'early' },
      { name: 'Machine', value: 'BG-200' },
    ],
  };
  expect((await ben.call('PATCH', path, change)).status).toBe(403);
  expect((await ana.call('PATCH', path, { members: [1] })).status).toBe(422);
  expect((await ana.call('PATCH', path, { owner: ben.userid })).status).toBe(422);
  expect((await ana.call('PATCH', path, { image: 987_654 })).status).toBe(422);
  const { attributes: _attributes, ...fields } = change;
  expect(await ana.call('PATCH', path, change)).toMatchObject({ status: 200, body: fields });
  const attributes = (await ben.call('GET', `${path}/attributes`)).body as { attributeid: number }[];
  expect(attributes).toMatchObject(change.attributes);
  await mira.call('PATCH', path, { attributes: [{ name: 'Machine', value: 'BG-250' }] });
  expect((await ben.call('GET', `${path}/attributes`)).body).toEqual([
    { attributeid: attributes[1]?.attributeid, name: 'Machine', value: 'BG-250' },
  ]);
  await join(ben, ana);
  expect(await read(team.teamid, ben)).not.toHaveProperty('join_code');
  expect(await read(team.teamid, ana)).toHaveProperty('join_code', 'another code');
  expect(await ana.call('PATCH', path, { owner: ben.userid })).toMatchObject({ body: { owner: ben.userid } });
  expect((await ana.call('PATCH', path, { name: 'Back' })).status).toBe(403);
});

test('TEAM-19 with the ETag of its record, a team is edited only as the caller saw it', async () => {
  const at = `/teams/${team.teamid}`;
  const seen = await ana.call('GET', `${at}/record`);
  expect(seen).toMatchObject({ status: 200, body: { name: 'Line B', owner: ana.userid } });
  const etag = seen.headers.get('etag') ?? '';
  expect((await mira.call('PATCH', at, { name: 'Line C' })).status).toBe(200);
  const late = await ana.call('PATCH', at, { name: 'Line D' }, { 'If-Match': etag });
  expect(late).toMatchObject({ status: 409, body: { teamid: team.teamid, name: 'Line C' } });
  expect((await read())?.name).toBe('Line C');
  const now = (await ana.call('GET', `${at}/record`)).headers.get('etag') ?? '';
  expect((await ana.call('PATCH', at, { name: 'Line D' }, { 'If-Match': now })).status).toBe(200);
  expect((await read())?.name).toBe('Line D');
});

test('TEAM-11 courses of a team are shown to its members, its owner and administrators', async () => {
  const made = await mira.call('POST', '/courses', { title: 'Lockout' });
  const { courseid } = made.body as { courseid: number };
  const assignment = { teamid: team.teamid, due_date: 4_000_000_000 };
  await mira.call('POST', `/courses/${courseid}/assignments`, assignment);
  const row = { ...assignment, courseid, title: 'Lockout', userid: null, status: 'open' };
  const path = `/teams/${team.teamid}/course_assignments`;
  expect((await ben.call('GET', path)).status).toBe(403);
  expect((await fetch(`${server.url}/api/2.0${path}`)).status).toBe(401);
  await join(ben, ana);
  for (const person of [ana, ben, mira])
    expect(await person.call('GET', path)).toMatchObject({ status: 200, body: [row] });
});

test('TEAM-12 devices gain and lose what a team may see along with membership, and get the team itself', async () => {
  const secret = `guideTags:${team.teamid}`;
  await contextForJob(server.services, null, async (ctx) =>
    ctx.changes.put('viewer', secret, { kind: 'guideTags', guideid: 1, tags: ['for the team'] }, [
      `team:${team.teamid}`,
    ]),
  );
  const pulled = async (since: string): Promise<{ ids: Map<string, boolean>; checkpoint: string }> => {
    const response = await fetch(`${server.url}/sync/1/pull?since=${since}`, {
      headers: { Authorization: `api ${maria.token}` },
    });
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    const rows = lines.flatMap((line) =>
      line.id === undefined ? [] : [[line.id, line.doc !== undefined] as const],
    );
    return { ids: new Map(rows), checkpoint: lines.at(-1)?.checkpoint ?? '' };
  };
  let place = (await pulled('0.0')).checkpoint;
  for (;;) {
    const next = (await pulled(place)).checkpoint;
    if (next === place) break;
    place = next;
  }
  await join(maria, maria, code);
  const gained = await pulled(place);
  expect(gained.ids.get(secret)).toBe(true);
  expect(gained.ids.get(`team:${team.teamid}`)).toBe(true);
  expect(gained.ids.get(`user:${maria.userid}`)).toBe(true);
  const facts = (await seenBy(server, ben, 'people')).find((one) => one.id === `team:${team.teamid}`);
  expect(facts?.doc).toMatchObject({ members: [ana.userid, maria.userid] });
  await leave(maria, ana);
  const lost = await pulled(gained.checkpoint);
  expect(lost.ids.get(secret)).toBe(false);
  expect((await seenBy(server, maria, 'viewer')).map((one) => one.id)).not.toContain(secret);
});

interface Line {
  id?: string;
  doc?: object;
  checkpoint?: string;
}

test('TEAM-13 a deleted team is gone, and its members are notified', async () => {
  await join(ben, ana);
  const path = `/teams/${team.teamid}`;
  await ana.call('PATCH', path, { attributes: [{ name: 'Shift', value: 'late' }] });
  const page = await ben.call('POST', '/wikis', {
    namespace: 'TEAM',
    title: String(team.teamid),
    contents: 'Who we are',
  });
  expect(page.status).toBe(201);
  expect((await ben.call('DELETE', path)).status).toBe(403);
  expect((await ana.call('DELETE', path)).status).toBe(204);
  expect((await ana.call('DELETE', path)).status).toBe(404);
  expect((await ben.call('GET', path)).status).toBe(404);
  expect((await ben.call('GET', `/wikis/TEAM/${team.teamid}`)).status).toBe(404);
  const own = (await ben.call('GET', '/user')).body as { teams: number[] };
  expect(own.teams).not.toContain(team.teamid);
  expect((await seenBy(server, ben, 'people')).map((one) => one.id)).not.toContain(`team:${team.teamid}`);
});

test('TEAM-18 TEAM-6 a team with open planned orders is not deleted, and stays when its last member leaves', async () => {
  const { guideid } = await makeGuide(ana);
  const plan = async (to: object): Promise<number> => {
    const planned = await mira.call('POST', '/work_orders', { guideid, workorderid: 'WO-1', ...to });
    expect([planned.status, planned.body]).toMatchObject([201, {}]);
    return (planned.body as { planned_orderid: number }).planned_orderid;
  };
  const orders = [await plan({ teamid: team.teamid }), await plan({ teamid: team.teamid })];
  await plan({ userid: ana.userid });
  const remove = () => mira.call('DELETE', `/teams/${team.teamid}`);
  expect(await remove()).toMatchObject({
    status: 409,
    body: {
      code: 'team-has-planned-orders',
      message:
        '2 open work orders are planned for this team. Withdraw them or plan them for somebody else, then delete the team',
    },
  });
  expect(await membersAfter(leave(ana))).toEqual([]);
  expect(await read()).toMatchObject({ owner: null, member_count: 0 });
  for (const id of orders) {
    const { revisionid } = (await mira.call('GET', `/work_orders/${id}`)).body as { revisionid: number };
    const withdrawn = await mira.call('POST', `/work_orders/${id}/withdraw?revisionid=${revisionid}`, {});
    expect([withdrawn.status, withdrawn.body]).toMatchObject([200, {}]);
  }
  expect((await remove()).status).toBe(204);
  expect(await read()).toBeUndefined();
});

test('TEAM-14 a repeated call founds, fills and empties a team once', async () => {
  const founding = { 'Idempotency-Key': `found-team-${team.teamid}` };
  const first = await ana.call('POST', '/teams', { name: 'Once' }, founding);
  const again = await ana.call('POST', '/teams', { name: 'Once' }, founding);
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  team = first.body;
  const path = `/teams/${team.teamid}/users/${ben.userid}`;
  const adding = { 'Idempotency-Key': `join-team-${team.teamid}` };
  for (const time of [1, 2])
    expect([time, await membersAfter(ana.call('PUT', path, {}, adding))]).toEqual([
      time,
      [ana.userid, ben.userid],
    ]);
  const leaving = { 'Idempotency-Key': `leave-team-${team.teamid}` };
  for (const time of [1, 2])
    expect([time, await membersAfter(ben.call('DELETE', path, undefined, leaving))]).toEqual([
      time,
      [ana.userid],
    ]);
  const gone = { 'Idempotency-Key': `end-team-${team.teamid}` };
  for (const time of [1, 2])
    expect([time, (await ana.call('DELETE', `/teams/${team.teamid}`, undefined, gone)).status]).toEqual([
      time,
      204,
    ]);
  const other = await found({ name: 'Other' });
  expect((await ana.call('DELETE', `/teams/${other.teamid}`, undefined, gone)).status).toBe(422);
  await ana.call('PUT', `/teams/${other.teamid}/users/${ben.userid}`, {});
  const elsewhere = `/teams/${other.teamid}/users/${ben.userid}`;
  expect((await ben.call('DELETE', elsewhere, undefined, leaving)).status).toBe(422);
});

test('TEAM-15 author and member records contain their teams', async () => {
  await join(ben, ana);
  const guide = await makeGuide(ben);
  const read = await maria.client.guides.read({ params: { guideid: guide.guideid } });
  expect(read.author.teams).toContain(team.teamid);
  const badges = (await ben.call('GET', '/user/badges')).body as { badge: { name: string } }[];
  expect(badges.map((one) => one.badge.name)).toContain('Team player');
});
