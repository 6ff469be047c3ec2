import { describe, expect, it } from 'vitest';

import { contextForJob } from '#server/core/job.ts';
import { mirrorSite } from '#server/features/mirror-site/mirror.ts';
import type { MirrorReport } from '#server/features/mirror-site/report.ts';
import { createAccount } from '#server/features/users/store.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

import { startForeign, type ForeignSite } from './mirror-site/foreign-site.ts';
import { quickPace, readBare } from './mirror-site/world.ts';

const author = {
  userid: 7,
  username: 'Ana',
  unique_username: 'ana',
  join_date: 1,
  reputation: 5,
  image: null,
};

/** A site that answers what its owner likes; without changes one guide by one author. */
class HostileSite implements AsyncDisposable {
  readonly site: ForeignSite;

  constructor(site: ForeignSite) {
    this.site = site;
  }

  static async start(): Promise<HostileSite> {
    const hostile = new HostileSite(await startForeign());
    hostile.json('/user', { userid: 7, username: 'Ana', privileges: ['User', 'Admin'] });
    hostile.people(author);
    hostile.guides(guideOf(5));
    for (const list of ['/teams', '/tags', '/comments', '/work_log']) hostile.json(list, []);
    hostile.json('/wikis/CATEGORY?display=hierarchy', { hierarchy: { Grinder: null } });
    for (const namespace of ['CATEGORY', 'ITEM', 'TEAM', 'USER', 'INFO', 'WIKI'])
      hostile.json(`/wikis/${namespace}`, []);
    return hostile;
  }

  json(path: string, value: unknown): void {
    this.site.answers.set(`/api/2.0${path}`, { json: value });
  }

  people(...people: (typeof author)[]): void {
    this.json('/users', people);
    for (const one of people) this.json(`/users/${one.userid}`, { ...one, about_raw: 'about' });
  }

  guides(...guides: ReturnType<typeof guideOf>[]): void {
    this.json('/guides', guides);
    for (const guide of guides) {
      this.json(`/guides/${guide.guideid}`, guide);
      this.json(`/guides/${guide.guideid}/tags`, []);
      this.json(`/step_forms/guideid/${guide.guideid}`, []);
    }
  }

  pages(namespace: string, ...pages: { wikiid: number; title: string }[]): void {
    this.json(
      `/wikis/${namespace}`,
      pages.map((one) => ({ ...one, modified_date: 1000 })),
    );
    for (const one of pages)
      this.json(`/wikis/${namespace}/${encodeURIComponent(one.title)}`, {
        ...one,
        namespace,
        contents_raw: 'Text',
        author: 7,
        authors: [author],
      });
  }

  copyTo(target: TestServer): Promise<MirrorReport> {
    const { url } = this.site;
    return mirrorSite(target.services, {
      url,
      token: 'f'.repeat(32),
      site: 'hostile.example',
      pace: quickPace,
    });
  }

  [Symbol.asyncDispose]() {
    return this.site[Symbol.asyncDispose]();
  }
}

function guideOf(guideid: number, category = 'Grinder') {
  return {
    guideid,
    revisionid: 50,
    locale: 'en',
    url: `/Guide/Belt/${guideid}`,
    type: 'repair',
    category,
    title: `Belt ${guideid}`,
    subject: 'Belt',
    public: true,
    modified_date: 1000,
    introduction_raw: '',
    conclusion_raw: '',
    author,
    image: null,
    steps: [],
  };
}

/** Lists and a new record, which must go on working after a copy. */
async function expectWorking(target: TestServer): Promise<void> {
  const person = await target.person('Later', ['User', 'Author', 'Admin']);
  const lists = ['/guides', '/users', '/comments', '/teams', '/wikis/CATEGORY', '/work_log'];
  for (const path of lists) expect((await person.call('GET', path)).status, path).toBe(200);
  const body = { category: 'Grinder', type: 'repair', title: 'New', subject: 'New', introduction: '' };
  expect((await person.call('POST', '/guides', body)).status).toBe(201);
}

describe('a hostile site', () => {
  it.each([1e300, 2 ** 62, Number.MAX_SAFE_INTEGER, 0, -5])(
    'MIRRORSITE-13 records with the number %d are reported, and new records here get their numbers',
    async (number) => {
      await using site = await HostileSite.start();
      await using target = await startServer();
      const other = { ...author, userid: number, username: 'Other', unique_username: 'other' };
      site.people(author, other);
      site.guides(guideOf(5), guideOf(number));
      site.json('/teams', [{ teamid: number, name: 'Team' }]);
      const comment = { commentid: number, context: 'guide', contextid: 5, author, text_raw: 'Text' };
      site.json('/comments', [comment]);
      site.json('/work_log', [{ entryid: number }]);
      const report = await site.copyTo(target);
      expect(report).toMatchObject({ finished: true, collections: { guides: { copied: 1 } } });
      expect(report.missing.map(({ what }) => what)).toEqual([
        'item 2 of /users',
        'item 1 of /teams',
        'item 2 of /guides',
        'item 1 of /comments',
        'item 1 of /work_log',
      ]);
      for (const { why } of report.missing)
        expect(why).toMatch(/^The answer is not as the API says: \w+id: /);
      await expectWorking(target);
    },
  );

  it('MIRRORSITE-13 times that no date can have are left out', async () => {
    await using site = await HostileSite.start();
    await using target = await startServer();
    site.people({ ...author, join_date: 1e300, reputation: 1e300 });
    site.guides({ ...guideOf(5), modified_date: -1e300 });
    expect(await site.copyTo(target)).toMatchObject({ finished: true, missing: [] });
    expect(await readBare(target, '/users/7')).toMatchObject({ join_date: 0, reputation: 0 });
    await expectWorking(target);
  });

  it('INPUT-21 a category called __proto__ is reported, and the list of categories goes on working', async () => {
    await using site = await HostileSite.start();
    await using target = await startServer();
    site.guides(guideOf(5), guideOf(6, '__proto__'));
    const tree = '{"hierarchy":{"__proto__":{"Below":null},"a\\u0000b":null,"Grinder":null}}';
    site.site.answers.set('/api/2.0/wikis/CATEGORY?display=hierarchy', { bytes: Buffer.from(tree) });
    const report = await site.copyTo(target);
    expect(report.missing.map(({ what }) => what)).toContain('“Belt 6” (6)');
    await expectWorking(target);
    const { hierarchy } = (await readBare(target, '/wikis/CATEGORY?display=hierarchy&includeStubs=true')) as {
      hierarchy: object;
    };
    expect(Object.keys(hierarchy)).toContain('ab');
  });

  it('MIRRORSITE-5 a page with the number of a page of another namespace does not replace it', async () => {
    await using site = await HostileSite.start();
    await using target = await startServer();
    site.pages('ITEM', { wikiid: 1, title: 'Screw' });
    site.pages('WIKI', { wikiid: 1, title: 'Screws' });
    await site.copyTo(target);
    expect(await readBare(target, '/wikis/ITEM/Screw')).toMatchObject({ namespace: 'ITEM', title: 'Screw' });
    expect(await readBare(target, '/wikis/WIKI/Screws')).toMatchObject({
      namespace: 'WIKI',
      title: 'Screws',
    });
  });

  it('MIRRORSITE-4 somebody with the names of an administrator changes neither the account nor its page', async () => {
    await using site = await HostileSite.start();
    await using target = await startServer();
    const { userid } = await target.person('Boss', ['User', 'Admin']);
    const account = () =>
      target.services.storage.reader
        .selectFrom('users')
        .selectAll()
        .where('userid', '=', userid)
        .executeTakeFirstOrThrow();
    const before = await account();
    const names = { username: before.username, unique_username: before.unique_username ?? '' };
    site.people(author, { ...author, ...names, userid });
    site.pages('USER', { wikiid: 4, title: String(userid) });
    for (const report of [await site.copyTo(target), await site.copyTo(target)])
      expect(report.missing).toContainEqual({
        collection: 'pages',
        what: `USER/${userid}`,
        why: 'The person or team did not come along, or was here before',
      });
    expect(await account()).toEqual(before);
    expect(await readBare(target, `/wikis/USER/${userid}`)).toMatchObject({ status: 404 });
  });

  it('MIRRORSITE-4 an account that was here stays as it is even if nobody can sign in to it', async () => {
    await using site = await HostileSite.start();
    await using target = await startServer();
    const userid = await contextForJob(target.services, null, (ctx) =>
      createAccount(ctx, {
        username: author.username,
        unique_username: author.unique_username,
        email: null,
        passwordHash: null,
        privileges: ['User'],
      }),
    );
    site.json('/teams', [{ teamid: 3, name: 'Team', members: [author] }]);
    const account = () =>
      target.services.storage.reader
        .selectFrom('users')
        .selectAll()
        .where('userid', '=', userid)
        .executeTakeFirstOrThrow();
    const before = await account();
    for (const report of [await site.copyTo(target), await site.copyTo(target)])
      expect(report).toMatchObject({ finished: true, collections: { people: { unchanged: 1 } } });
    expect(await account()).toEqual(before);
    expect(await target.services.storage.reader.selectFrom('team_members').selectAll().execute()).toEqual([]);
  });

  it('MIRRORSITE-4 the account of an author who came with a guide gets the profile when it can be read', async () => {
    await using site = await HostileSite.start();
    await using target = await startServer();
    site.site.answers.delete('/api/2.0/users');
    site.site.answers.delete('/api/2.0/users/7');
    expect(await site.copyTo(target)).toMatchObject({
      finished: true,
      collections: { guides: { copied: 1 } },
    });
    site.people(author);
    await site.copyTo(target);
    const people = await target.services.storage.reader
      .selectFrom('users')
      .select('about_raw')
      .where('unique_username', '=', author.unique_username)
      .execute();
    expect(people).toEqual([{ about_raw: 'about' }]);
  });

  it('MIRRORSITE-4 a team there makes nobody of this site a member or owner by their name', async () => {
    await using site = await HostileSite.start();
    await using target = await startServer();
    const { userid } = await target.person('Boss', ['User', 'Admin']);
    const namesake = { ...author, username: 'Boss', unique_username: 'boss', userid };
    site.people(author, namesake);
    site.json('/teams', [{ teamid: 5, name: 'Team', owner: userid }]);
    site.json('/teams/5', [author, namesake]);
    const report = await site.copyTo(target);
    const { reader } = target.services.storage;
    const members = await reader.selectFrom('team_members').select('userid').execute();
    expect(members).toHaveLength(1);
    expect(members).not.toContainEqual({ userid });
    expect(await reader.selectFrom('teams').select('owner').execute()).toEqual([{ owner: null }]);
    expect(report.missing).toContainEqual(expect.objectContaining({ what: '1 member of Team' }));
  });

  it('MIRRORSITE-9 an answer that is too large is reported, and the run goes on', async () => {
    await using site = await HostileSite.start();
    await using target = await startServer();
    site.site.answers.set('/api/2.0/teams', { bytes: Buffer.alloc(81 * 1024 * 1024, ' ') });
    const report = await site.copyTo(target);
    expect(report).toMatchObject({ finished: true, collections: { guides: { copied: 1 } } });
    expect(report.missing).toEqual([expect.objectContaining({ what: 'the list of teams' })]);
  });

  it('the name of a site that is not found is refused in words', async () => {
    await using target = await startServer();
    const options = { url: 'http://guides.invalid', token: 'f'.repeat(32), pace: quickPace };
    await expect(mirrorSite(target.services, options)).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'The site cannot be read: guides.invalid cannot be found',
    });
  });
});
