import sharp from 'sharp';
import { describe, expect, it } from 'vitest';

import { mirrorSite } from '#server/features/mirror-site/mirror.ts';
import type { MirrorReport } from '#server/features/mirror-site/report.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

import { startForeign, type ForeignSite } from './mirror-site/foreign-site.ts';
import { quickPace, readBare } from './mirror-site/world.ts';

const token = 'f'.repeat(32);
const author = {
  userid: 7,
  username: 'Ana',
  unique_username: 'ana',
  join_date: 1,
  reputation: 5,
  image: null,
};

/** A site of other software with one guide, whose pictures are at `media`. It has only what the specification names. */
async function startSite(media: string): Promise<ForeignSite> {
  const site = await startForeign();
  const picture = (guid: string, id: number): object => ({ id, guid, original: `${media}/${guid}.full` });
  const guide = {
    guideid: 5,
    revisionid: 50,
    locale: 'en',
    url: `${site.url}/Guide/Belt/5`,
    type: 'repair',
    category: 'Grinder',
    title: 'Belt',
    subject: 'Belt',
    public: true,
    modified_date: 1000,
    difficulty: 'Easy',
    introduction_raw: '',
    conclusion_raw: '',
    author,
    image: picture('aaaaaaaaaaaaaaaa', 11),
    steps: [
      {
        guideid: 5,
        stepid: 51,
        revisionid: 1,
        title: '',
        orderby: 1,
        lines: [{ text_raw: 'Take it off', bullet: 'black', level: 0, lineid: null }],
        media: { type: 'image', data: [picture('bbbbbbbbbbbbbbbb', 12)] },
        comments: [],
      },
    ],
    flags: [],
    parts: [],
    tools: [],
    documents: [],
    prerequisites: [],
  };
  const json = (path: string, value: unknown): void =>
    void site.answers.set(`/api/2.0${path}`, { json: value });
  json('/user', { userid: 7, username: 'Ana', privileges: ['User'] });
  json('/users', [author]);
  json('/users/7', { ...author, about_raw: false });
  json('/teams', []);
  json('/guides', [
    { guideid: 5, revisionid: 50, modified_date: 1000, title: 'Belt', category: 'Grinder', public: true },
  ]);
  json('/user/guides', []);
  json('/guides/5', guide);
  json('/guides/5/tags', ['belts']);
  json('/tags', ['belts']);
  json('/comments', []);
  json('/step_forms/guideid/5', []);
  json('/wikis/CATEGORY', { hierarchy: { Grinder: null }, display_titles: {} });
  for (const namespace of ['ITEM', 'TEAM', 'USER', 'INFO', 'WIKI']) json(`/wikis/${namespace}`, []);
  return site;
}

function copy(target: TestServer, { url }: ForeignSite): Promise<MirrorReport> {
  return mirrorSite(target.services, { url, token, site: 'foreign.example', pace: quickPace });
}

async function bytes(): Promise<Buffer> {
  return sharp({ create: { width: 40, height: 30, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer();
}

describe('a site of other software', () => {
  it('MIRRORSITE-2 the token goes to its origin only; pictures elsewhere are fetched without it', async () => {
    await using media = await startForeign();
    await using site = await startSite(media.url);
    await using target = await startServer({ site: { private_networks: ['127.0.0.0/8'] } });
    const content = await bytes();
    for (const guid of ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb'])
      media.answers.set(`/${guid}.full`, { bytes: content });
    const report = await copy(target, site);
    expect(report).toMatchObject({
      finished: true,
      collections: { guides: { copied: 1 }, tags: { copied: 1 } },
    });
    expect(media.asked.length).toBe(2);
    expect(media.asked.filter((one) => one.token !== undefined)).toEqual([]);
    expect(new Set(site.asked.map((one) => one.token))).toEqual(new Set([`api ${token}`]));
    const guide = (await readBare(target, '/guides/5')) as { image: { original: string } };
    const shown = Buffer.from(await (await fetch(target.url + guide.image.original)).arrayBuffer());
    expect(shown.equals(content)).toBe(true);
    expect(report.missing).toEqual([
      expect.objectContaining({ collection: 'pages', what: 'pages of CATEGORY' }),
      expect.objectContaining({ collection: 'work log', why: 'The site answered 404 (Not found)' }),
    ]);
  });

  it('MIRRORSITE-2 private addresses that the site does not allow are not called, and no call follows a redirect away', async () => {
    await using media = await startForeign();
    await using site = await startSite(media.url);
    await using target = await startServer();
    site.answers.set('/api/2.0/comments', { location: `${media.url}/api/2.0/comments` });
    const report = await copy(target, site);
    expect(media.asked).toEqual([]);
    expect(report.missing).toContainEqual({
      collection: 'comments',
      what: 'the list of comments',
      why: `The site redirects to ${media.url}; name that address`,
    });
    expect(report.missing.filter(({ collection }) => collection === 'files')).toHaveLength(2);
  });

  it('MIRRORSITE-3 a picture that could not be had is drawn, and comes with the next run', async () => {
    await using media = await startForeign();
    await using site = await startSite(media.url);
    await using target = await startServer({ site: { private_networks: ['127.0.0.0/8'] } });
    const content = await bytes();
    media.answers.set('/aaaaaaaaaaaaaaaa.full', { bytes: content });
    const first = await copy(target, site);
    expect(first.missing).toContainEqual({
      collection: 'files',
      what: 'picture bbbbbbbbbbbbbbbb of “Belt” (5)',
      why: 'The site answered 404 (Not found)',
    });
    expect((await fetch(`${target.url}/igi/bbbbbbbbbbbbbbbb.full`)).status).toBe(200);
    media.answers.set('/bbbbbbbbbbbbbbbb.full', { bytes: content });
    const second = await copy(target, site);
    expect(second.missing.filter(({ collection }) => collection === 'files')).toEqual([]);
    const shown = await (await fetch(`${target.url}/igi/bbbbbbbbbbbbbbbb.full`)).arrayBuffer();
    expect(Buffer.from(shown).equals(content)).toBe(true);
    const third = await copy(target, site);
    expect(third.collections).toMatchObject({ guides: { unchanged: 1 }, files: { copied: 0 } });
  });

  it('deeply nested answers and characters that no database stores do no harm', async () => {
    await using site = await startSite('http://media.example');
    await using target = await startServer();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    site.answers.set('/api/2.0/comments', { bytes: Buffer.from(deep) });
    const guide = site.answers.get('/api/2.0/guides/5') as { json: object };
    const text = JSON.stringify({ ...guide.json, introduction_raw: 'a\0b\uD800' });
    site.answers.set('/api/2.0/guides/5', { bytes: Buffer.from(text) });
    const report = await copy(target, site);
    expect(report.missing).toContainEqual(expect.objectContaining({ what: 'the list of comments' }));
    expect(await readBare(target, '/guides/5')).toMatchObject({ introduction_raw: 'ab\uFFFD' });
  });
});
