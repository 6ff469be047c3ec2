import fc from 'fast-check';
import { expect, test } from 'vitest';

import { blocksHtml, lineHtml } from '#shared/formats/omanual/simplified-html.ts';
import { wikiText } from '#test/shared/formats/wikitext/wiki-text-arbitrary.ts';
import { runs } from '#test/support/long-run.ts';

import { base, wiki } from './archives.ts';

function render(raw: string, write: typeof blocksHtml): { html: string; lost: string[] } {
  const lost: string[] = [];
  const picture = (imageid: number) => (imageid === 2 ? 'media/two.png' : null);
  return { html: write(raw, { base, wiki, picture, lost: (code) => lost.push(code) }), lost };
}

test.each([
  [
    "''a'' '''b''' ++c++ ~~d~~ ^^e^^ ,,f,, ``g``",
    '<em>a</em> <strong>b</strong> <ins>c</ins> <del>d</del> <sup>e</sup> <sub>f</sub> <tt>g</tt>',
  ],
  ['a[br]b', 'a<br/>b'],
  ['a < b & "c"', 'a &lt; b &amp; "c"'],
  ['[https://a.example/x|there|new_window=true]', '<a href="https://a.example/x" target="_blank">there</a>'],
  ['[/Wiki/X|here]', `<a href="${base}/Wiki/X">here</a>`],
  ['[guide|7|stepid=3]', `<a href="${base}/Guide/Guide+7/7#s3">Guide 7</a>`],
  ['[mailto|a@b.example|mail]', '<a href="mailto:a@b.example">mail</a>'],
  ['http://a.example', '<a href="http://a.example">http://a.example</a>'],
])('OMANUAL-WRITE-7 a line %s is written with the elements of the format', (raw, html) => {
  expect(render(raw, lineHtml)).toEqual({ html, lost: [] });
});

test.each([
  ['== A b ==\n* one\n** two', '<h2 id="Section_A_b">A b</h2><ul><li>one<ul><li>two</li></ul></li></ul>', []],
  ['# one\n# two', '<ul><li>1. one</li><li>2. two</li></ul>', ['numbered-list']],
  ['[code]\na < b\n[/code]', '<pre>a &lt; b</pre>', []],
  ['[quote|Ann]\nWell.\n[/quote]', '<div><p>Well.</p><p>Ann</p></div>', []],
  [
    '{|\n! a !! b\n|-\n| c || d\n|}',
    '<ul><li><strong>a</strong> | <strong>b</strong></li><li>c | d</li></ul>',
    ['table'],
  ],
  ['[image|2]', '<p><a href="media/two.png">two.png</a></p>', ['picture-in-text']],
  ['[image|77]', '<p/>', ['picture-missing']],
  ['[guide|77|that one]', '<p>that one</p>', ['link-without-target']],
  ['[video|https://vimeo.com/12]', '<p><a href="https://vimeo.com/12">https://vimeo.com/12</a></p>', []],
])('OMANUAL-WRITE-7 a text %s is converted to the format, and losses are reported', (raw, html, lost) => {
  expect(render(raw, blocksHtml)).toEqual({ html, lost });
});

test('OMANUAL-WRITE-7 a link without an address is reported: the path of a site that the archive does not name', () => {
  const lost: string[] = [];
  const around = { base: '', wiki, picture: () => null, lost: (code: string) => lost.push(code) };
  expect(lineHtml('[/Wiki/X|here] [#below|there]', around)).toBe('here <a href="#below">there</a>');
  expect(lost).toEqual(['link-without-target']);
});

test('OMANUAL-WRITE-7 any text gives only elements, attributes and addresses of the simplified HTML', () => {
  const allowed = /^(?:p|a|strong|em|h[1-6]|tt|pre|br|ul|li|sub|sup|del|ins|div)$/;
  fc.assert(
    fc.property(wikiText, (raw) => {
      for (const write of [blocksHtml, lineHtml]) {
        const { html } = render(raw, write);
        for (const [, name = '', attributes = ''] of html.matchAll(/<\/?(\w+)((?: [^<>]*)?)\/?>/g)) {
          expect(name).toMatch(allowed);
          for (const [, key, value = ''] of attributes.matchAll(/([\w-]+)="([^"]*)"/g)) {
            expect(['id', 'href', 'target']).toContain(key);
            if (key === 'href') expect(value).toMatch(/^(?:https?:\/\/|mailto:|#|media\/)/i);
          }
        }
      }
    }),
    { numRuns: runs(2000) },
  );
});
