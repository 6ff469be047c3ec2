import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { plainContext, type WikiContext } from '#shared/formats/wikitext/context.ts';
import { renderBlocks, renderComment, renderLine } from '#shared/formats/wikitext/html.ts';
import { plainLine, plainText } from '#shared/formats/wikitext/plain-text.ts';
import { runs } from '#test/support/long-run.ts';
import { startThread } from '#test/simulation/worker-calls.ts';
import type { EffortThread } from './effort-thread.ts';
import { adversarialTexts } from './adversarial.ts';
import { readJson } from './fixtures.ts';
import { findUnsafeHtml } from './html-checker.ts';
import { wikiText } from './wiki-text-arbitrary.ts';

/** A context with some content, which returns hostile texts and addresses. */
const hostileContext: WikiContext = {
  siteUrl: 'https://own.example',
  siteHosts: ['own.example', 'a.b'],
  trustedHosts: ['youtube.com'],
  guideTitle: (id) =>
    id % 2 === 0
      ? { title: '<b>"&', url: 'javascript:alert(1)' }
      : { title: '<i>x', url: '/Guide/"><script>' },
  guideTitled: (title) => ({ guideid: 3, title: `<i>${title}`, url: `/Guide/"><script>${title}` }),
  image: (id) => ({ id, guid: 'x', url: (size) => `https://a.b/"onerror=alert(1)//${size}` }),
  product: (code) => ({ title: `<script>${code}`, url: `/Item/${code}` }),
  template: (name) => `'''${name}''' <script> {{${name}}} [link|javascript:{{{a}}}|{{{1|x}}}] {{{a|[br]}}}`,
  guidelist: () => [
    { guideid: 1, title: '<script>', url: 'data:text/html,x' },
    { guideid: 2, title: '"><img src=x>', url: '/Guide/1' },
  ],
};

const renderers = [renderLine, renderBlocks, renderComment];

describe('safety', () => {
  it('WIKITEXT-2 writes only allowed elements, attributes and addresses, well nested, for any text', () => {
    fc.assert(
      fc.property(wikiText, fc.constantFrom(plainContext, hostileContext), (raw, context) => {
        for (const render of renderers) expect(findUnsafeHtml(render(raw, context))).toBeNull();
      }),
      { numRuns: runs(4000), seed: 2 },
    );
  });

  it('WIKITEXT-2 holds for every recorded text', () => {
    for (const { rendered, raw } of readJson<{ raw: string; rendered: string }[]>(
      'wikitext/raw-rendered-pairs.json',
    )) {
      expect(findUnsafeHtml(rendered)).toBeNull();
      for (const render of renderers) expect(findUnsafeHtml(render(raw, hostileContext))).toBeNull();
    }
  });

  it.each([
    '[javascript:alert(1)|x]',
    '[JaVaScRiPt:alert(1)|x]',
    '[link|java\tscript:alert(1)|x]',
    '[link|\u0001javascript:alert(1)|x]',
    '[link|data:text/html,<script>|x]',
    '[link|vbscript:x|y]',
    '[//evil.example|x]',
    '[/\\evil.example|x]',
    '[link|\\\\evil.example|x]',
    '[mailto|a@b.co?body=x|y]',
    '[video|javascript:alert(1)]',
    '[image|javascript:alert(1)]',
  ])('WIKITEXT-2 makes no link of %j', (raw) => {
    for (const render of renderers) expect(render(raw)).not.toMatch(/<(?:a|img|div|iframe)/);
  });

  it('WIKITEXT-2 frames youtube-nocookie and vimeo only', () => {
    for (const url of [
      'https://evil.example/embed/aaaaaaaaaaa',
      'https://youtube.com.evil.example/watch?v=aaaaaaaaaaa',
    ]) {
      expect(renderBlocks(`[video|${url}]`)).not.toMatch(/<(?:div|iframe)/);
    }
    expect(renderBlocks('[video|https://vimeo.com/12345]')).toContain(
      'src="https://player.vimeo.com/video/12345"',
    );
    expect(renderBlocks('[video|https://youtu.be/aaaaaaaaaaa?t=3]')).toContain(
      'src="https://www.youtube-nocookie.com/embed/aaaaaaaaaaa?wmode=opaque"',
    );
  });

  it('WIKITEXT-2 does not take a host in the user part of an address for a trusted one', () => {
    expect(renderLine('[https://youtube.com@evil.example/|x]')).toContain(
      'rel="nofollow noopener noreferrer"',
    );
    expect(renderLine('[https://notyoutube.com/|x]')).toContain('rel="nofollow noopener noreferrer"');
  });

  it('WIKITEXT-2 is verified by a checker that rejects forbidden output', () => {
    for (const html of [
      '<script>x</script>',
      '<p onclick="x">y</p>',
      '<p style="color:red">x</p>',
      '<a href="javascript:x">y</a>',
      '<a href="//evil">x</a>',
      '<a href="data:x">y</a>',
      '<iframe src="https://evil.example"></iframe>',
      '<p><em>x</p></em>',
      '<p>x',
      'x</p>',
      '<img src="javascript:x" alt="" />',
      '<div style="width:1px">x</div>',
      'a < b',
      'a & b',
      '<svg></svg>',
      '<a href="/x"><a href="/y">z</a></a>',
      '<p >x</p',
      '<!-- x -->',
      '<P>x</P>',
    ]) {
      expect(findUnsafeHtml(html)).not.toBeNull();
    }
  });
});

describe('plain text', () => {
  it('WIKITEXT-10 contains only spaces beyond the characters of the text', () => {
    fc.assert(
      fc.property(wikiText, (raw) => {
        const available = countCharacters(raw);
        for (const plain of [plainText(raw), plainLine(raw)]) {
          for (const [character, count] of countCharacters(plain)) {
            expect(available.get(character) ?? 0).toBeGreaterThanOrEqual(count);
          }
        }
      }),
      { numRuns: runs(4000), seed: 11 },
    );
  });

  it('WIKITEXT-10 is the words without the signs', () => {
    const code = "[code]\nx = ''1''\n[/code]";
    const raw = `== Belt ==\nUse '''two''' [http://a.b|keys][br]now [guide|4]\n* one\n** ++two++\n\n${code}`;
    expect(plainText(raw)).toBe("Belt\nUse two keys\nnow\none\ntwo\nx = ''1''");
    const context = { ...plainContext, guideTitle: () => ({ title: 'Old belt', url: '/Guide/Old+belt/4' }) };
    expect(plainLine("See [guide|4], ''please''", context)).toBe('See Old belt, please');
  });
});

function countCharacters(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const character of text.replace(/\s/g, '').split(''))
    counts.set(character, (counts.get(character) ?? 0) + 1);
  return counts;
}

describe('effort', () => {
  const megabyte = 1_000_000;
  // In a separate thread, because memory of other tests would count.
  const effort = startThread<EffortThread>(new URL('effort-thread.ts', import.meta.url), null);
  afterAll(() => effort.end());

  it.each(Object.keys(adversarialTexts))(
    'WIKITEXT-3 renders "%s" in time that grows with its length',
    async (name) => {
      for (const action of ['blocks', 'line'] as const)
        expect(await effort.thread.growth(action, name, megabyte)).toBeLessThan(64);
    },
  );

  it.each(Object.entries(adversarialTexts))('WIKITEXT-2 renders "%s" safely', (_, make) => {
    for (const render of renderers) expect(findUnsafeHtml(render(make(20_000), hostileContext))).toBeNull();
  });

  it.each(['all signs', 'paragraphs', 'open links', 'changing inner lists', 'breaks'])(
    'WIKITEXT-3 converts "%s" to rich text and back in time that grows with its length',
    async (name) => {
      expect(await effort.thread.growth('rich text', name, megabyte / 4)).toBeLessThan(64);
    },
  );

  it('WIKITEXT-4 bounds the expansion of templates', () => {
    const context = { ...plainContext, template: () => '{{a}}{{a}}'.repeat(1000) };
    expect(renderBlocks('{{a}}', context).length).toBeLessThan(3_000_000);
  });
});
