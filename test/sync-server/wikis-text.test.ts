import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { Wiki, WikiLight } from '#shared/model/wiki-record.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;
let maria: TestPerson;

beforeAll(async () => {
  server = await startServer({ site: { languages: ['en', 'de'] } });
  ana = await server.person('Ana');
  maria = await server.person('Maria', ['User']);
  await server.category('Grinder', undefined, 'Text');
});
afterAll(async () => server[Symbol.asyncDispose]());

async function write(title: string, contents: string, rest: object = {}): Promise<Wiki> {
  const answer = await ana.call('POST', '/wikis', { namespace: 'WIKI', title, contents, ...rest });
  expect([title, answer.status]).toEqual([title, 201]);
  return answer.body;
}

async function rendered(title: string, by = maria, query = ''): Promise<string> {
  const answer = await by.call('GET', `/wikis/WIKI/${encodeURIComponent(title)}${query}`);
  return (answer.body as Wiki).contents_rendered;
}

test('a template is the WIKI page of its name, expanded in wikis, lists, guides and comments', async () => {
  await write('Torque note', "Tighten to '''{{{nm|5}}} Nm'''.");
  await write('Uses', 'First. {{Torque note|nm=12}}');
  await write('Underscores', '{{Torque_note}}');
  expect(await rendered('Uses')).toBe('<p>First. Tighten to <strong>12 Nm</strong>.</p>');
  expect(await rendered('Underscores')).toBe('<p>Tighten to <strong>5 Nm</strong>.</p>');
  const list = await maria.call('GET', '/wikis/WIKI');
  expect((list.body as WikiLight[]).find((one) => one.title === 'Uses')?.text).toBe(
    'First. Tighten to 12 Nm.',
  );
  const guide = await ana.client.guides.create({
    body: {
      category: 'Grinder',
      type: 'repair',
      title: 'Belt',
      public: true,
      introduction: '{{Torque note}}',
      steps: [{ lines: [{ text: '{{Torque note|nm=7}}' }] }],
    },
  });
  const read = (await maria.call('GET', `/guides/${guide.guideid}`)).body as Guide;
  expect(read.introduction_rendered).toBe('<p>Tighten to <strong>5 Nm</strong>.</p>');
  expect(read.steps[0]?.lines[0]).toMatchObject({
    text_raw: '{{Torque note|nm=7}}',
    text_rendered: 'Tighten to <strong>7 Nm</strong>.',
  });
  const comment = await maria.call('POST', `/comments/guide/${guide.guideid}`, { text: '{{Torque note}}' });
  expect((comment.body as { text_rendered: string }).text_rendered).toContain('<strong>5 Nm</strong>');
});

test('templates can contain templates, tables and links; unknown ones stay as they are', async () => {
  await write('Row', '|-\n| {{{1}}} || {{{2}}}');
  await write('Sizes', '{|\n! Bolt !! Torque\n{{Row|M8|{{Torque of|m8}}}}\n|}');
  await write('Torque of', '25 Nm');
  const html = await rendered('Sizes');
  expect(html).toContain('<th>Bolt</th>');
  expect(html.replaceAll(/\s+/g, ' ')).toContain('25 Nm');
  await write('Unknown', '{{No such page|x=1}}');
  expect(await rendered('Unknown')).toBe('<p>{{No such page|x=1}}</p>');
});

test('links to guides show their titles to readers who may see them, also inside templates', async () => {
  const secret = await ana.client.guides.create({
    body: { category: 'Grinder', type: 'repair', title: 'Secret lockout' },
  });
  await write('See guide', 'See [guide|{{{id}}}].');
  await write('Linking', `{{See guide|id=${secret.guideid}}} And [guide|${secret.guideid}].`);
  expect((await rendered('Linking', ana)).match(/Secret lockout/g)).toHaveLength(2);
  expect(await rendered('Linking', maria)).not.toContain('Secret');
});

test('WIKITEXT-7 links name guides by exact title: the newest public one that the reader may see', async () => {
  const create = async (title: string, isPublic: boolean): Promise<number> => {
    const body = { category: 'Grinder', type: 'repair', title, public: isPublic } as const;
    return (await ana.client.guides.create({ body })).guideid;
  };
  const older = await create('Clamp the guard', true);
  const newest = await create('Clamp the guard', true);
  const hidden = await create('Clamp the guard', false);
  await create('Secret clamp', false);
  await write('To a title', '[guide|{{{of}}}|stepid=4]');
  await write(
    'By title',
    '{{To a title|of=Clamp the guard}} [guide|clamp the guard] [guide|Secret clamp|it]',
  );
  const link = `href="/Guide/Clamp+the+guard/${newest}#s4"`;
  expect(await rendered('By title', maria)).toBe(
    `<p><a ${link}>Clamp the guard</a> [invalid guide link] [invalid guide link]</p>`,
  );
  const toAna = await rendered('By title', ana);
  expect(toAna).toContain(link);
  expect(toAna).toContain('>it</a>');
  expect(toAna).not.toMatch(new RegExp(`/${hidden}\\b`));
  const comment = await maria.call('POST', `/comments/guide/${older}`, { text: '[guide|Clamp the guard]' });
  expect((comment.body as { text_rendered: string }).text_rendered).toContain(`/${newest}"`);
  const removed = await ana.client.guides.read({ params: { guideid: newest } });
  await ana.client.guides.remove({ params: { guideid: newest }, revisionid: removed.revisionid });
  expect(await rendered('By title', maria)).toContain(`/${older}#s4`);
});

test('WIKITEXT-7 lists of guides contain visible guides with all tags and of a type, ordered by title', async () => {
  const create = async (title: string, type: 'how-to' | 'repair', tags: string[], isPublic = true) => {
    const body = { category: 'Grinder', type, title, public: isPublic } as const;
    const { guideid } = await ana.client.guides.create({ body });
    for (const tag of tags) await ana.client.guides.addTag({ params: { guideid }, body: { tag } });
    return guideid;
  };
  const shape = await create('Shape a wheel', 'how-to', ['Wheel', 'dressing']);
  const dress = await create('Dress a wheel', 'how-to', ['wheel']);
  await create('Mend a wheel', 'repair', ['wheel']);
  await create('Hidden wheel', 'how-to', ['wheel'], false);
  await write(
    'Lists',
    '[guidelist|tags=wheel|type=howto]\n\n[guidelist|tags=wheel,Dressing]\n\n[guidelist|size=2]',
  );
  const item = (title: string, id: number): string =>
    `<li><a href="/Guide/${title.replaceAll(' ', '+')}/${id}">${title}</a></li>`;
  expect(await rendered('Lists', maria)).toBe(
    [
      `<ul class="guidelist">${item('Dress a wheel', dress)}${item('Shape a wheel', shape)}</ul>`,
      `<ul class="guidelist">${item('Shape a wheel', shape)}</ul>`,
      '<p>[guidelist|size=2]</p>',
    ].join('\n\n'),
  );
  expect(await rendered('Lists', ana)).toContain('Hidden wheel');
});

test('recursive and growing templates cost no more than their limits', async () => {
  await write('Loop', 'x {{Loop}}');
  expect(await rendered('Loop')).toMatch(/^<p>x x x x x x x x x?.*\{\{Loop\}\}<\/p>$/);
  await write('Big', 'abcdefghij'.repeat(9000));
  await write('Many', '{{Big}}\n\n'.repeat(400));
  expect((await rendered('Many')).length).toBeLessThan(1_100_000);
  const lines = Array.from({ length: 8 }, () => ({ text: '{{Big}}{{Big}}' }));
  const guide = await ana.client.guides.create({
    body: { category: 'Grinder', type: 'repair', title: 'Long', public: true, steps: [{ lines }] },
  });
  expect(JSON.stringify(guide).length).toBeLessThan(400_000);
});

test('an unpatrolled edit of a template is not shown anywhere', async () => {
  const wiki = await write('Warning', 'Unplug it.');
  await write('Warned', '{{Warning}}');
  const edit = await maria.call('PATCH', `/wikis/WIKI/Warning?revisionid=${wiki.revisionid}`, {
    contents: 'Do not unplug it.',
  });
  expect(edit.status).toBe(200);
  expect(await rendered('Warned')).toBe('<p>Unplug it.</p>');
});

test('templates are shown in the language of the text that uses them', async () => {
  const note = await write('Note', 'Careful!');
  await write('Note', 'Vorsicht!', { langid: 'de', source_revisionid: note.revisionid });
  const page = await write('Page', '{{Note}}');
  await write('Page', '{{Note}}', { langid: 'de', source_revisionid: page.revisionid });
  expect(await rendered('Page')).toBe('<p>Careful!</p>');
  expect(await rendered('Page', maria, '?langid=de')).toBe('<p>Vorsicht!</p>');
});

test('linked wikis are the pages of this site that the text links to', async () => {
  await write('Target page', 'Text');
  const wiki = await write(
    'Links',
    `[/Wiki/Target+page|one] [link|${server.url}/c/Grinder|two] [/Wiki/Target_page|again] [https://elsewhere.example/Wiki/Note|no] [/Wiki/Nothing|gone] [/Wiki/%zz|bad]`,
  );
  expect(wiki.linked_wikis.map((one) => [one.namespace, one.title])).toEqual([
    ['WIKI', 'Target page'],
    ['CATEGORY', 'Grinder'],
  ]);
});
