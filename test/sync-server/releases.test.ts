import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { Release } from '#shared/model/release.ts';
import { makeGuide } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
const now = Date.UTC(2026, 2, 2, 8);

beforeAll(async () => {
  server = await startServer({ now: () => now, site: { releases: true } });
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben', ['User']);
});
afterAll(() => server[Symbol.asyncDispose]());

async function release(guide: Guide, body: object = {}): Promise<Release> {
  const answer = await ana.call(
    'POST',
    `/guides/${guide.guideid}/releases?revisionid=${guide.revisionid}`,
    body,
  );
  expect([answer.status, answer.body]).toMatchObject([201, { guideid: guide.guideid }]);
  return answer.body;
}

async function edit(guide: Guide, change: object): Promise<Guide> {
  const answer = await ana.call('PATCH', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`, change);
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body;
}

test('a release keeps the guide as it was, and releases are numbered consecutively', async () => {
  const first = await makeGuide(ana);
  const made = await release(first, { notes: 'First issue' });
  expect(made).toMatchObject({
    revisionid: first.revisionid,
    title: 'v1.0',
    type: 'major',
    status: 'released',
    notes: 'First issue',
    release_date: now / 1000,
    user: { userid: ana.userid },
  });
  const second = await edit(first, { title: 'Belt and pulley' });
  expect((await release(second, { type: 'minor' })).title).toBe('v1.1');
  const third = await edit(second, { title: 'Pulley' });
  expect((await release(third)).title).toBe('v2.0');
  const path = `/guides/${first.guideid}/releases`;
  const list = (await ben.call('GET', path)).body as { releases: Release[] };
  expect(list.releases.map((one) => one.title)).toEqual(['v2.0', 'v1.1', 'v1.0']);
  expect((await ben.call('GET', `${path}/${made.releaseid}`)).body).toMatchObject({ title: 'Belt' });
  expect((await ben.call('GET', `${path}/99999`)).status).toBe(404);
});

test('only the current revision can be released, once, by people with the right', async () => {
  const guide = await makeGuide(ana);
  const path = `/guides/${guide.guideid}/releases`;
  expect((await ben.call('POST', `${path}?revisionid=${guide.revisionid}`, {})).status).toBe(403);
  expect((await ana.call('POST', path, {})).status).toBe(422);
  const stale = await ana.call('POST', `${path}?revisionid=1`, {});
  expect([stale.status, stale.body]).toMatchObject([
    409,
    { guideid: guide.guideid, revisionid: guide.revisionid },
  ]);
  await release(guide);
  expect((await ana.call('POST', `${path}?revisionid=${guide.revisionid}`, {})).status).toBe(422);
});

test('no list shows releases of an invisible guide', async () => {
  const guide = await makeGuide(ana, false);
  const { releaseid } = await release(guide);
  const listed = async (person: TestPerson): Promise<number[]> =>
    ((await person.call('GET', '/guides/releases?limit=200')).body as { releases: Release[] }).releases.map(
      (one) => one.releaseid,
    );
  expect(await listed(ana)).toContain(releaseid);
  expect(await listed(ben)).not.toContain(releaseid);
  expect((await ben.call('GET', `/guides/${guide.guideid}/releases/${releaseid}`)).status).toBe(404);
});

test('a pinned prerequisite is shown as released; null means the latest release', async () => {
  const lockout = await makeGuide(ana);
  const { releaseid } = await release(lockout);
  const revised = await edit(lockout, { title: 'Lockout, revised' });
  const guideid = lockout.guideid;
  const guide = await makeGuide(ana);
  const pinned = await edit(guide, {
    prerequisites: [guideid],
    prerequisite_releases: [{ guideid, releaseid }],
  });
  const read = async (): Promise<Guide> => (await ben.call('GET', `/guides/${guide.guideid}`)).body;
  expect(await read()).toMatchObject({
    prerequisites: [{ guideid, title: 'Belt' }],
    prerequisite_releases: [{ guideid, releaseid }],
  });
  const following = await edit(pinned, { prerequisite_releases: [{ guideid, releaseid: null }] });
  expect(await read()).toMatchObject({
    prerequisites: [{ guideid, title: 'Belt' }],
    prerequisite_releases: [{ guideid, releaseid: null }],
  });
  await release(revised);
  expect((await read()).prerequisites).toMatchObject([{ guideid, title: 'Lockout, revised' }]);
  await edit(revised, { title: 'Lockout, once more' });
  expect((await read()).prerequisites).toMatchObject([{ guideid, title: 'Lockout, revised' }]);
  const freed = await edit(following, { prerequisite_releases: [] });
  expect((await read()).prerequisites).toMatchObject([{ guideid, title: 'Lockout, once more' }]);
  expect(await read()).not.toHaveProperty('prerequisite_releases');
  for (const wrong of [
    { guideid, releaseid: 99_999 },
    { guideid: 99_999, releaseid },
  ]) {
    const path = `/guides/${guide.guideid}?revisionid=${freed.revisionid}`;
    const refused = await ana.call('PATCH', path, { prerequisite_releases: [wrong] });
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { errors: [{ field: 'prerequisite_releases' }] },
    ]);
  }
});

test('pinning a release of another guide makes it a prerequisite, also of a new guide', async () => {
  const lockout = await makeGuide(ana);
  const { guideid } = lockout;
  const pins = [{ guideid, releaseid: (await release(lockout)).releaseid }];
  const expected = { prerequisites: [{ guideid }], prerequisite_releases: pins };
  const guide = await makeGuide(ana);
  expect(await edit(guide, { prerequisite_releases: pins })).toMatchObject(expected);
  const body = { category: guide.category, type: 'repair', title: 'New', prerequisite_releases: pins };
  const made = await ana.call('POST', '/guides', body);
  expect(made.body).toMatchObject(expected);
  const itself = { prerequisite_releases: [{ guideid: guide.guideid, releaseid: null }] };
  const { body: now }: { body: Guide } = await ana.call('GET', `/guides/${guide.guideid}`);
  const refused = await ana.call('PATCH', `/guides/${guide.guideid}?revisionid=${now.revisionid}`, itself);
  expect(refused.status).toBe(422);
});

test('pins of prerequisites that an editor may not see stay, and are not revealed', async () => {
  const otto = await server.person('Otto', ['User', 'Author', 'Moderator']);
  const hidden = await makeGuide(ana, false);
  const { releaseid } = await release(hidden);
  const pin = { guideid: hidden.guideid, releaseid };
  const guide = await edit(await makeGuide(ana), {
    prerequisites: [hidden.guideid],
    prerequisite_releases: [pin],
  });
  const path = `/guides/${guide.guideid}?revisionid=`;
  const refused = await otto.call('PATCH', path + guide.revisionid, { prerequisite_releases: [pin] });
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { errors: [{ field: 'prerequisite_releases' }] },
  ]);
  const body = { summary: 'Short', prerequisite_releases: [] };
  expect((await otto.call('PATCH', path + guide.revisionid, body)).status).toBe(200);
  const own: Guide = (await ana.call('GET', `/guides/${guide.guideid}`)).body;
  expect(own).toMatchObject({ summary: 'Short', prerequisite_releases: [pin] });
});

test('each version of the list can be read, also versions made by step edits', async () => {
  const made = await makeGuide(ana);
  const path = `/guides/${made.guideid}`;
  const line = { lines: [{ text: 'First words' }], orderby: 1 };
  const first: Guide = (await ana.call('POST', `${path}/steps?revisionid=${made.revisionid}`, line)).body;
  const [step] = first.steps;
  const words = { lines: [{ text: 'Other words' }] };
  const stepPath = `${path}/steps/${step?.stepid}?revisionid=${step?.revisionid}`;
  expect((await ana.call('PATCH', stepPath, words)).status).toBe(200);
  const versions: { guide_revisionid: number; revisionid: number }[] = (
    await ben.call('GET', `${path}/revisions`)
  ).body;
  const texts = await Promise.all(
    versions.map(async ({ guide_revisionid }) => {
      const { body }: { body: Guide } = await ben.call('GET', `${path}?guide_revisionid=${guide_revisionid}`);
      expect(body.guide_revisionid).toBe(guide_revisionid);
      return body.steps[0]?.lines[0]?.text_raw;
    }),
  );
  expect(texts).toEqual(['Other words', 'First words', 'Unplug it']);
  expect(versions[0]?.revisionid).toBe(versions[1]?.revisionid);
  for (const query of [
    'guide_revisionid=999999999',
    `guide_revisionid=${versions[0]?.guide_revisionid}&revisionid=${versions[2]?.revisionid}`,
  ])
    expect((await ben.call('GET', `${path}?${query}`)).status).toBe(404);
  expect((await ben.call('GET', `${path}?guide_revisionid=x`)).status).toBe(422);
});

test('the versions of a guide are listed newest first with their authors', async () => {
  const first = await makeGuide(ana);
  await edit(first, { title: 'Second title' });
  const answer = await ben.call('GET', `/guides/${first.guideid}/revisions`);
  expect(answer.body).toMatchObject([
    { title: 'Second title', user: { userid: ana.userid } },
    { title: 'Belt', revisionid: first.revisionid, guide_revisionid: first.guide_revisionid },
  ]);
});

test('a version from when the guide was private stays private', async () => {
  const draft = await makeGuide(ana, false);
  const open = await edit(draft, { public: true });
  const path = `/guides/${draft.guideid}`;
  const listed = async (person: TestPerson): Promise<number[]> =>
    ((await person.call('GET', `${path}/revisions`)).body as Guide[]).map((one) => one.revisionid);
  expect(await listed(ana)).toEqual([open.revisionid, draft.revisionid]);
  expect(await listed(ben)).toEqual([open.revisionid]);
  expect((await ana.call('GET', `${path}?revisionid=${draft.revisionid}`)).status).toBe(200);
  expect((await ben.call('GET', `${path}?revisionid=${draft.revisionid}`)).status).toBe(404);
});

test('a site without releases enabled has none', async () => {
  await using plain = await startServer();
  await plain.category('Bench Grinder');
  const author = await plain.person('Cleo');
  const guide = await makeGuide(author);
  expect((await author.call('GET', `/guides/${guide.guideid}/releases`)).status).toBe(404);
  expect((await author.call('GET', '/guides/releases')).body).toEqual({ releases: [] });
  const path = `/guides/${guide.guideid}?revisionid=${guide.revisionid}`;
  const refused = await author.call('PATCH', path, { prerequisite_releases: [] });
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { errors: [{ field: 'prerequisite_releases' }] },
  ]);
});
