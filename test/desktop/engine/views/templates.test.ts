import { firstValueFrom, of } from 'rxjs';
import { expect, test } from 'vitest';

import type { GuideRow } from '#desktop/engine/platform/ports.ts';
import { relatedGuides } from '#desktop/engine/features/records/related-guides.ts';
import { linkedGuides, linkedIn, wikiContext } from '#desktop/engine/features/records/rendering.ts';
import { emptyContent } from '#shared/rules/guide-content.ts';
import { templateLookup, type TemplatePage } from '#shared/rules/wiki-templates.ts';
import { renderBlocks, renderLine } from '#shared/formats/wikitext/html.ts';

function page(title: string, contents_raw: string, langid = 'en'): TemplatePage {
  return { title, contents_raw, langid, source_revisionid: langid === 'en' ? null : 1 };
}

const pages = [
  page('Torque note', "Tighten to '''{{{nm|5}}} Nm'''."),
  page('Torque note', "Mit '''{{{nm|5}}} Nm''' anziehen.", 'de'),
  page('See', 'See [guide|{{{1}}}].'),
];
const lockout = { id: '7', title: 'Lockout', type: 'repair', public: true };
const english = templateLookup(pages, 'en', 'en');

test('texts on the device use the WIKI pages of the mirror as templates, in the language of the guide', () => {
  const wiki = wikiContext('https://site.example', [lockout], new Map(), english);
  expect(renderBlocks('{{Torque_note|nm=12}}', wiki)).toBe('<p>Tighten to <strong>12 Nm</strong>.</p>');
  expect(renderLine('{{See|7}}', wiki)).toContain('>Lockout</a>');
  const german = wikiContext('', [], new Map(), templateLookup(pages, 'de-AT', 'en'));
  expect(renderLine('{{Torque note}}', german)).toBe('Mit <strong>5 Nm</strong> anziehen.');
  const french = wikiContext('', [], new Map(), templateLookup(pages, 'fr', 'en'));
  expect(renderLine('{{Torque note}} {{Nothing}}', french)).toBe(
    'Tighten to <strong>5 Nm</strong>. {{Nothing}}',
  );
});

test('guides that only a template links to are looked up too', () => {
  const content = { ...emptyContent(), introduction_raw: '{{See|7}} and [guide|8]' };
  expect(linkedGuides(content, english)).toEqual({ ids: [7, 8], titles: [], lists: [] });
});

test('WIKITEXT-7 guides named by title or list are looked up among those of this device', async () => {
  const row = (id: string, title: string, isPublic: boolean, type = 'repair'): GuideRow => ({
    id,
    title,
    type,
    public: isPublic,
    seq: 1,
    category: '',
    summary: '',
    difficulty: '',
    timeRequired: 0,
    steps: 2,
    imageGuid: '',
    userid: 1,
    modifiedAt: 0,
  });
  const rows = [
    row('3', 'Lockout', true),
    row('5', 'Lockout', true, 'how-to'),
    row('9', 'Lockout', false),
    row('11', 'Belt', true),
    row('12', 'Unnamed', true),
  ];
  const sources = {
    resolve: (id: string) => id,
    rows: of(rows),
    guideTags: of(
      new Map([
        ['11', ['Drive']],
        ['9', ['drive']],
      ]),
    ),
  };
  const text =
    '[guide|Lockout] {{See|Nothing}} [guide|11]\n\n[guidelist|tags=drive]\n\n[guidelist|type=howto]';
  const names = linkedIn([text], english);
  expect(names.titles).toEqual(['Lockout', 'Nothing']);
  const related = await firstValueFrom(relatedGuides(sources, names));
  expect([...related.keys()]).toEqual(['3', '5', '9', '11']);
  const html = renderBlocks(text, wikiContext('', [...related.values()], new Map(), english));
  const link = (id: string, title: string): string => `<a href="/guides/${id}">${title}</a>`;
  expect(html).toBe(
    [
      `<p>${link('5', 'Lockout')} See [invalid guide link]. ${link('11', 'Belt')}</p>`,
      `<ul class="guidelist"><li>${link('11', 'Belt')}</li><li>${link('9', 'Lockout')}</li></ul>`,
      `<ul class="guidelist"><li>${link('5', 'Lockout')}</li></ul>`,
    ].join('\n\n'),
  );
});
