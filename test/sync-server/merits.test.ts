import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { EarnedBadge } from '#shared/model/badge.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { PersonFacts, User } from '#shared/model/user.ts';
import { must } from '#shared/must.ts';
import { publishMerits } from '#server/features/merits/publish-job.ts';
import { mostCommentsPerDay, points } from '#server/features/merits/reputation.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide, seenBy, stepAt } from '#test/support/workshop.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let people = 0;
let now = Date.UTC(2026, 2, 2, 8);

beforeAll(async () => {
  server = await startServer({ now: () => now });
  await server.category('Bench Grinder');
});
beforeEach(async () => {
  people += 1;
  ana = await server.person(`Ana${people}`);
  ben = await server.person(`Ben${people}`);
});
afterAll(() => server[Symbol.asyncDispose]());

async function reputation(person: TestPerson): Promise<number> {
  return ((await person.call('GET', '/user')).body as User).reputation;
}

async function does(person: TestPerson, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await person.call(method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

async function badges(person: TestPerson, query = ''): Promise<EarnedBadge[]> {
  return (await person.call('GET', `/user/badges${query}`)).body;
}

async function names(person: TestPerson): Promise<string[]> {
  return (await badges(person)).map((one) => one.badge.name).toSorted();
}

/** A new guide is created private and then published. */
async function publish(person: TestPerson, guide: Guide): Promise<Guide> {
  return (await does(
    person,
    'PUT',
    `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`,
  )) as Guide;
}

test('MERIT-1 a published guide, and its favourites and completions by others, count for its author', async () => {
  const guide = await publish(ana, await makeGuide(ana, false));
  expect(await reputation(ana)).toBe(1 + points['guide.published']);
  await does(ben, 'PUT', `/user/favorites/guides/${guide.guideid}`);
  await does(ben, 'PUT', `/guides/${guide.guideid}/completed`);
  const earned = 1 + points['guide.published'] + points['guide.favorited'] + points['guide.completed'];
  expect(await reputation(ana)).toBe(earned);
  expect(await reputation(ben)).toBe(1);
  const read = await ben.client.guides.read({ params: { guideid: guide.guideid } });
  expect(read.author.reputation).toBe(earned);
});

test("MERIT-2 actions on one's own guides do not count", async () => {
  const guide = await makeGuide(ana);
  const before = await reputation(ana);
  await does(ana, 'PUT', `/user/favorites/guides/${guide.guideid}`);
  await does(ana, 'PUT', `/guides/${guide.guideid}/completed`);
  await does(ana, 'POST', `/comments/step/${stepAt(guide, 0)}`, { text: 'Mine' });
  await does(ana, 'PATCH', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`, { title: 'Other' });
  expect(await reputation(ana)).toBe(before);
});

test('MERIT-3 undoing and repeating an action changes nothing in the end', async () => {
  let guide = await makeGuide(ana);
  const start = { ana: await reputation(ana), ben: await reputation(ben) };
  const favorite = `/user/favorites/guides/${guide.guideid}`;
  const completed = `/guides/${guide.guideid}/completed`;
  for (const round of [1, 2, 3]) {
    for (const path of [favorite, favorite, completed, completed]) await does(ben, 'PUT', path);
    expect([round, await reputation(ana)]).toEqual([
      round,
      start.ana + points['guide.favorited'] + points['guide.completed'],
    ]);
    for (const path of [favorite, favorite, completed]) await does(ben, 'DELETE', path);
    guide = (await does(
      ana,
      'DELETE',
      `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`,
    )) as Guide;
    expect([round, await reputation(ana)]).toEqual([round, start.ana - points['guide.published']]);
    guide = await publish(ana, guide);
    expect([round, await reputation(ana), await reputation(ben)]).toEqual([round, start.ana, start.ben]);
  }
});

test('MERIT-4 comments and edits count once per document and guide, comments while one exists', async () => {
  const guide = await makeGuide(ana);
  const path = `/comments/guide/${guide.guideid}`;
  const posted: number[] = [];
  for (const text of ['One', 'Two'])
    posted.push(((await does(ben, 'POST', path, { text })) as { commentid: number }).commentid);
  expect(await reputation(ben)).toBe(1 + points['comment.posted']);
  await does(ben, 'DELETE', `/comments/${posted[0]}`);
  expect(await reputation(ben)).toBe(1 + points['comment.posted']);
  await does(ben, 'DELETE', `/comments/${posted[1]}`);
  expect(await reputation(ben)).toBe(1);
  let { revisionid } = guide;
  for (const title of ['Better', 'Belt', 'Better'])
    ({ revisionid } = (await does(ben, 'PATCH', `/guides/${guide.guideid}?revisionid=${revisionid}`, {
      title,
    })) as Guide);
  expect(await reputation(ben)).toBe(1 + points['guide.edited']);
});

test('MERIT-5 deleting a guide removes what anyone earned with it', async () => {
  const guide = await makeGuide(ana);
  await does(ben, 'PUT', `/user/favorites/guides/${guide.guideid}`);
  await does(ben, 'POST', `/comments/guide/${guide.guideid}`, { text: 'Nice' });
  await does(ana, 'DELETE', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`);
  expect([await reputation(ana), await reputation(ben)]).toEqual([1, 1]);
});

test('MERIT-6 a guide handed over does not earn its new author a favourite twice', async () => {
  const admin = await server.person(`Ada${people}`, ['User', 'Author', 'Admin']);
  const cleo = await server.person(`Cleo${people}`);
  const guide = await makeGuide(ana);
  const favorite = `/user/favorites/guides/${guide.guideid}`;
  await does(cleo, 'PUT', favorite);
  await does(admin, 'PATCH', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`, {
    author: ben.userid,
  });
  await does(cleo, 'DELETE', favorite);
  await does(cleo, 'PUT', favorite);
  expect(await reputation(ben)).toBe(1);
  expect(await reputation(ana)).toBe(1 + points['guide.published'] + points['guide.favorited']);
});

test('MERIT-7 badges are awarded immediately and stay', async () => {
  expect(await badges(ana)).toEqual([]);
  now += 1000;
  const guide = await makeGuide(ana);
  const first = must((await badges(ana))[0], 'the badge');
  expect(first).toMatchObject({
    earned: true,
    times_earned: 1,
    date: now / 1000,
    badge: { name: 'First guide', type: 'bronze', category: 'badgeGuide', multiple: false },
  });
  await does(ben, 'POST', `/comments/guide/${guide.guideid}`, { text: 'Hello' });
  await does(ben, 'PUT', `/guides/${guide.guideid}/completed`);
  await does(ben, 'PATCH', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`, { title: 'Belts' });
  const entry = await does(ben, 'POST', '/work_log', { guideid: guide.guideid, workorderid: 'WO-1' });
  await does(ben, 'POST', `/work_log/${(entry as { entryid: number }).entryid}/finish`, {});
  expect(await names(ben)).toEqual([
    'First comment',
    'First completion',
    'First work order',
    'Second pair of eyes',
  ]);
  expect(await ana.call('GET', `/users/${ben.userid}`)).toMatchObject({
    body: { badge_counts: { bronze: 4, silver: 0, gold: 0, total: 4 } },
  });
  await does(ben, 'DELETE', `/guides/${guide.guideid}/completed`);
  expect(await names(ben)).toContain('First completion');
});

test('MERIT-8 ten completions of different guides earn their badge, and every further ten a repeatable one', async () => {
  const read = async (): Promise<EarnedBadge | undefined> =>
    (await badges(ana)).find((one) => one.badge.name === 'Tried and true');
  const cleo = await server.person(`Cleo${people}`);
  const guides: Guide[] = [];
  for (let count = 0; count < 10; count += 1) guides.push(await makeGuide(ana));
  for (const [index, { guideid }] of guides.entries()) {
    expect(await names(ben)).not.toContain('Ten completions');
    await does(ben, 'PUT', `/guides/${guideid}/completed`);
    expect((await read())?.times_earned).toBe(index === 9 ? 1 : undefined);
  }
  expect(await names(ben)).toContain('Ten completions');
  expect(await names(ana)).toContain('Bookshelf');
  const last = `/guides/${must(guides[9], 'a guide').guideid}/completed`;
  await does(ben, 'DELETE', last);
  await does(ben, 'PUT', last);
  expect((await read())?.times_earned).toBe(1);
  for (const { guideid } of guides) await does(cleo, 'PUT', `/guides/${guideid}/completed`);
  expect((await read())?.times_earned).toBe(2);
});

test('MERIT-9 badges are listed by category, unearned ones on request, with the number of people who have them', async () => {
  await makeGuide(ana);
  await makeGuide(ben);
  const path = `/users/${ana.userid}/badges`;
  const mine = (await ben.call('GET', path)).body as EarnedBadge[];
  expect(mine.map((one) => one.badge.name)).toEqual(['First guide']);
  const all = (await ben.call('GET', `${path}?includeUnearned=true`)).body as EarnedBadge[];
  expect(all[0]).toEqual(mine[0]);
  expect(all.slice(1).every((one) => !one.earned && one.times_earned === 0 && one.date === null)).toBe(true);
  expect(all.length).toBeGreaterThan(10);
  const guideOnes = (await ben.call('GET', `${path}?includeUnearned=true&category=badgeGuide`))
    .body as EarnedBadge[];
  expect(guideOnes).toEqual(all.filter((one) => one.badge.category === 'badgeGuide'));
  const holders = must(mine[0], 'the badge').badge.num_users;
  await makeGuide(await server.person(`Dora${people}`));
  expect((await badges(ana))[0]?.badge.num_users).toBe(holders + 1);
  expect((await ben.call('GET', `${path}?category=badgeNone`)).status).toBe(422);
  expect((await ben.call('GET', '/user/badges?category=badgeNone')).status).toBe(422);
  expect((await ben.call('GET', '/users/987654/badges')).status).toBe(404);
  expect((await fetch(`${server.url}/api/2.0${path}`)).status).toBe(200);
  expect((await fetch(`${server.url}/api/2.0/user/badges`)).status).toBe(401);
});

test('MERIT-10 devices get many merits of a person later, in one row', async () => {
  const guide = await makeGuide(ana);
  await publishMerits(server.services);
  const rows = async (): Promise<number> =>
    (
      await server.services.storage.reader
        .selectFrom('feed')
        .select('seq')
        .where('collection', '=', 'people')
        .where('id', '=', `user:${ana.userid}`)
        .execute()
    ).length;
  const told = async (): Promise<PersonFacts> => {
    const row = (await seenBy(server, ben, 'people')).find((one) => one.id === `user:${ana.userid}`);
    return must(row?.doc, 'the facts') as PersonFacts;
  };
  const before = await rows();
  expect(await told()).toMatchObject({ reputation: 11, badge_counts: { bronze: 1, total: 1 } });
  for (let count = 0; count < 3; count += 1) {
    const fan = await server.person(`Fan${people}${count}`);
    await does(fan, 'PUT', `/user/favorites/guides/${guide.guideid}`);
    await does(fan, 'PUT', `/guides/${guide.guideid}/completed`);
  }
  expect([await rows(), (await told()).reputation]).toEqual([before, 11]);
  await publishMerits(server.services);
  expect([await rows(), (await told()).reputation]).toEqual([before + 1, await reputation(ana)]);
  await publishMerits(server.services);
  expect(await rows()).toBe(before + 1);
});

test('MERIT-11 a wiki page counts once per writer, and is removed with the comments on it', async () => {
  const cleo = await server.person(`Cleo${people}`);
  const title = `Bearings ${people}`;
  const made = await does(ana, 'POST', '/wikis', { namespace: 'WIKI', title, contents: 'Grease them.' });
  const { wikiid } = made as { wikiid: number };
  let { revisionid } = made as { revisionid: number };
  const path = `/wikis/WIKI/${encodeURIComponent(title)}`;
  for (const contents of ['Grease them well.', 'Grease them.'])
    ({ revisionid } = (await does(ben, 'PATCH', `${path}?revisionid=${revisionid}`, { contents })) as {
      revisionid: number;
    });
  await does(cleo, 'POST', `/comments/wiki/${wikiid}`, { text: 'Which grease?' });
  expect([await reputation(ana), await reputation(ben), await reputation(cleo)]).toEqual([
    1 + points['wiki.edited'],
    1 + points['wiki.edited'],
    1 + points['comment.posted'],
  ]);
  expect(await names(ben)).toEqual(['First page']);
  const admin = await server.person(`Ada${people}`, ['User', 'Author', 'Admin']);
  await does(admin, 'DELETE', `${path}?revisionid=${revisionid}`);
  expect([await reputation(ana), await reputation(ben), await reputation(cleo)]).toEqual([1, 1, 1]);
});

test('MERIT-11 a waiting edit counts once it is shown, and not when it is reverted', async () => {
  const [cleo, dora] = [
    await server.person(`Cleo${people}`, ['User']),
    await server.person(`Dora${people}`, ['User']),
  ];
  const otto = await server.person(`Otto${people}`, ['User', 'Moderator']);
  for (const [ending, earned] of [
    ['patrol', 1],
    ['edit', 2],
    ['revert', 2],
  ] as const) {
    const made = (await does(ana, 'POST', '/wikis', {
      namespace: 'WIKI',
      title: `Waiting ${ending} ${people}`,
      contents: 'Grease them.',
    })) as { title: string; revisionid: number };
    const path = `/wikis/WIKI/${encodeURIComponent(made.title)}`;
    const write = async (by: TestPerson, on: number, contents: string): Promise<number> =>
      ((await does(by, 'PATCH', `${path}?revisionid=${on}`, { contents })) as typeof made).revisionid;
    const first = await write(cleo, made.revisionid, 'Grease them well.');
    const second = await write(dora, first, 'Grease them very well.');
    if (ending === 'patrol') await does(otto, 'POST', `${path}/patrol?revisionid=${second}`);
    if (ending === 'edit') await write(ana, second, 'Grease them very well, twice.');
    if (ending === 'revert')
      await does(ana, 'POST', `${path}/revert?revisionid=${second}&to_revisionid=${made.revisionid}`);
    const each = 1 + earned * points['wiki.edited'];
    expect([await reputation(cleo), await reputation(dora)]).toEqual([each, each]);
  }
});

test('MERIT-12 at most ten comments count within 24 hours, and earlier ones move up again', async () => {
  const guides: Guide[] = [];
  for (let one = 0; one < mostCommentsPerDay + 1; one += 1) guides.push(await makeGuide(ana));
  const paths = guides.map((guide) => `/comments/guide/${guide.guideid}`);
  const [first, last] = [must(paths[0], 'a path'), must(paths.at(-1), 'a path')];
  const full = 1 + mostCommentsPerDay * points['comment.posted'];
  const posted: number[] = [];
  for (const path of paths)
    posted.push(((await does(ben, 'POST', path, { text: 'Nice' })) as { commentid: number }).commentid);
  expect([mostCommentsPerDay, await reputation(ben)]).toEqual([10, full]);
  await does(ben, 'DELETE', `/comments/${posted[0]}`);
  await does(ben, 'POST', last, { text: 'Still nice' });
  expect(await reputation(ben)).toBe(full - points['comment.posted']);
  await does(ben, 'POST', first, { text: 'Nice again' });
  expect(await reputation(ben)).toBe(full);
  now += 86_399_000;
  await does(ben, 'POST', last, { text: 'Nice tonight' });
  expect(await reputation(ben)).toBe(full);
  now += 1000;
  await does(ben, 'POST', last, { text: 'Nice today' });
  expect(await reputation(ben)).toBe(full + points['comment.posted']);
});
