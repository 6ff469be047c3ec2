import { expect, test } from 'vitest';

import { linkedGuides, wikiContext } from '#desktop/engine/views/rendering.ts';
import { emptyContent } from '#shared/rules/guide-content.ts';
import { templateLookup, type TemplatePage } from '#shared/rules/wiki-templates.ts';
import { renderBlocks, renderLine } from '#shared/wikitext/html.ts';

function page(title: string, contents_raw: string, langid = 'en'): TemplatePage {
  return { title, contents_raw, langid, source_revisionid: langid === 'en' ? null : 1 };
}

const pages = [
  page('Torque note', "Tighten to '''{{{nm|5}}} Nm'''."),
  page('Torque note', "Mit '''{{{nm|5}}} Nm''' anziehen.", 'de'),
  page('See', 'See [guide|{{{1}}}].'),
];
const english = templateLookup(pages, 'en', 'en');

test('texts on the device call the WIKI pages of the mirror as templates, in the language of the guide', () => {
  const wiki = wikiContext('https://site.example', new Map([['7', 'Lockout']]), new Map(), english);
  expect(renderBlocks('{{Torque_note|nm=12}}', wiki)).toBe('<p>Tighten to <strong>12 Nm</strong>.</p>');
  expect(renderLine('{{See|7}}', wiki)).toContain('>Lockout</a>');
  const german = wikiContext('', new Map(), new Map(), templateLookup(pages, 'de-AT', 'en'));
  expect(renderLine('{{Torque note}}', german)).toBe('Mit <strong>5 Nm</strong> anziehen.');
  const french = wikiContext('', new Map(), new Map(), templateLookup(pages, 'fr', 'en'));
  expect(renderLine('{{Torque note}} {{Nothing}}', french)).toBe(
    'Tighten to <strong>5 Nm</strong>. {{Nothing}}',
  );
});

test('guides that only a template links to are looked up too', () => {
  const content = { ...emptyContent(), introduction_raw: '{{See|7}} and [guide|8]' };
  expect(linkedGuides(content, english)).toEqual(['7', '8']);
});
