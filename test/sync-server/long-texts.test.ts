import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { Wiki } from '#shared/model/wiki-record.ts';
import { renderLimits } from '#shared/formats/wikitext/budget.ts';
import { contextForJob } from '#server/core/job.ts';
import { addComment } from '#server/features/comments/store.ts';
import { saveWiki, stubOf } from '#server/features/wikis/store.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;
let maria: TestPerson;
let guideid: number;

/** Each link becomes a title with six times as many characters. */
const links = (count: number): string => Array.from({ length: count }, () => `[guide|${guideid}]`).join(' ');
const list = '[guidelist|type=technique]\n\n';

beforeAll(async () => {
  server = await startServer();
  ana = await server.person('Ana');
  maria = await server.person('Maria', ['User', 'Kiosk']);
  await server.category('Grinder', undefined, 'Text');
  for (const at of [1, 2, 3])
    guideid = await newGuide({ public: true, title: `${at} ${'"'.repeat(240)}` }).then((one) => one.guideid);
});
afterAll(async () => server[Symbol.asyncDispose]());

async function newGuide(rest: object): Promise<Guide> {
  const body = { category: 'Grinder', type: 'technique', ...rest };
  const answer = await ana.call('POST', '/guides', body);
  expect(answer.status).toBe(201);
  return answer.body;
}

/** A text stored before the limit existed, or by an import. */
async function storedWiki(title: string, contents_raw: string): Promise<void> {
  const wiki = { namespace: 'WIKI', title, langid: 'en', parent: null, userid: ana.userid } as const;
  await contextForJob(server.services, null, (ctx) => saveWiki(ctx, { ...stubOf(wiki), contents_raw }));
}

it('WIKITEXT-15 a text too long to show is refused, and its field is named', async () => {
  const attempts = [
    ['contents', ana.call('POST', '/wikis', { namespace: 'WIKI', title: 'Long', contents: links(3000) })],
    [
      'introduction',
      ana.call('POST', '/guides', { category: 'Grinder', type: 'technique', introduction: links(3000) }),
    ],
    ['text', maria.call('POST', `/comments/guide/${guideid}`, { text: links(200) })],
    ['about', ana.call('PATCH', `/users/${ana.userid}`, { about: links(3000) })],
  ] as const;
  for (const [field, attempt] of attempts) {
    const { status, body } = await attempt;
    expect([field, status]).toEqual([field, 422]);
    const [error] = (body as { errors: { field: string; message: string }[] }).errors;
    expect(error?.field).toBe(field);
    expect(error?.message).toContain('too long to be shown');
  }
});

it('WIKITEXT-15 many steps whose lines are too long together are refused', async () => {
  const line = { text: links(22) };
  const steps = Array.from({ length: 200 }, () => ({ lines: [line] }));
  const { status, body } = await ana.call('POST', '/guides', {
    category: 'Grinder',
    type: 'technique',
    steps,
  });
  expect([status, (body as { errors: { field: string; index: number }[] }).errors[0]?.field]).toEqual([
    422,
    'lines',
  ]);
});

it('WIKITEXT-15 a stored text that is too long is shown up to the limit, and other fields can still be edited', async () => {
  await storedWiki('Stored', links(10_000));
  const read = await maria.call('GET', '/wikis/WIKI/Stored');
  const wiki = read.body as Wiki;
  expect(read.status).toBe(200);
  expect(wiki.contents_rendered.length).toBeLessThan(renderLimits.text + 5000);
  expect(wiki.contents_rendered).toContain('The rest is not shown');
  expect(wiki.contents_raw).toBe(links(10_000));
  const edited = await ana.call('PATCH', `/wikis/WIKI/Stored?revisionid=${wiki.revisionid}`, {
    display_title: 'Stored long ago',
  });
  expect(edited.status).toBe(200);
});

it('WIKITEXT-15 lists of guides do not multiply, in pages or in comments', async () => {
  const made = await ana.call('POST', '/wikis', {
    namespace: 'WIKI',
    title: 'Lists',
    contents: list.repeat(10_000).trim(),
  });
  expect(made.status).toBe(201);
  const html = (made.body as Wiki).contents_rendered;
  expect(html.match(/class="guidelist"/g)).toHaveLength(1);
  for (let at = 0; at < 3; at += 1) {
    const text = list.repeat(140).trim();
    expect((await maria.call('POST', `/comments/guide/${guideid}`, { text })).status).toBe(201);
  }
  const { comments } = (await maria.call('GET', `/guides/${guideid}`)).body as Guide;
  expect(comments).toHaveLength(3);
  expect(JSON.stringify(comments)).not.toContain('class=\\"guidelist');
});

it('WIKITEXT-15 the comments of one response share the limit of rendered text', async () => {
  const { guideid: other } = await newGuide({ public: true });
  await contextForJob(server.services, ana.userid, async (ctx) => {
    for (let at = 0; at < 80; at += 1)
      await addComment(ctx, { context: 'guide', contextid: other, text: links(200) });
  });
  const { comments } = (await maria.call('GET', `/guides/${other}`)).body as Guide;
  const sum = comments.reduce((length, one) => length + one.text_rendered.length, 0);
  expect(comments).toHaveLength(80);
  expect(sum).toBeGreaterThan(renderLimits.comments * 0.9);
  expect(sum).toBeLessThan(renderLimits.comments * 1.1);
});
