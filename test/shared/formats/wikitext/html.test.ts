import { describe, expect, it } from 'vitest';
import { plainContext, type WikiContext } from '#shared/formats/wikitext/context.ts';
import { renderBlocks, renderComment, renderLine } from '#shared/formats/wikitext/html.ts';

const REL = ' rel="nofollow noopener noreferrer"';

const belt = { guideid: 7, title: 'Drive belt', url: '/Guide/Drive+belt/7' };
const context: WikiContext = {
  ...plainContext,
  siteUrl: 'https://guides.example.com',
  siteHosts: ['guides.example.com'],
  guideTitle: (id) => (id === 7 ? belt : null),
  guideTitled: (title) => (title === belt.title ? belt : null),
  image: (id) =>
    id === 5 ? { id, guid: 'abc', url: (size) => `https://img.example.com/abc.${size}` } : null,
  product: (code) => (code === 'AB-1' ? { title: 'Belt', url: '/Item/AB-1' } : null),
  guidelist: ({ tags }) => (tags === 'belt' ? [belt] : null),
};

describe('formats', () => {
  it.each([
    ["''a''", '<em>a</em>'],
    ["'''a'''", '<strong>a</strong>'],
    ["'''''a'''''", '<em><strong>a</strong></em>'],
    ["'''''a'' b'''", '<strong><em>a</em> b</strong>'],
    ["'''a ''b''''' c", '<strong>a <em>b</em></strong> c'],
    ["''a '''b'' c'''", '<em>a <strong>b</strong></em><strong> c</strong>'],
    ['++a++ ~~b~~ ^^c^^ ,,d,, ``e``', '<ins>a</ins> <del>b</del> <sup>c</sup> <sub>d</sub> <tt>e</tt>'],
    ['a[br]b', 'a<br />b'],
    ["the dogs' '''bones''''", "the dogs' <strong>bones'</strong>"],
  ])('WIKITEXT-5 renders %j', (raw, html) => {
    expect(renderLine(raw)).toBe(html);
  });

  it.each([
    "5'' pipe",
    'C++ and C++',
    "'''a",
    "a''''",
    '++a',
    '2 ++ 2 ++ 2',
    '++++',
    '[nope]',
    '[42] 30 long',
    'a ] b',
  ])('WIKITEXT-5 leaves %j as it is', (raw) => {
    expect(renderLine(raw)).toBe(raw);
  });

  it('WIKITEXT-5 shows the text of nowiki as it is', () => {
    expect(renderLine("[nowiki]''a'' [br] <b>[/nowiki]")).toBe("''a'' [br] &lt;b&gt;");
  });
});

describe('links', () => {
  it.each([
    ['[http://a.b/c|d]', `<a href="http://a.b/c"${REL}>d</a>`],
    ['[link|http://a.b|c]', `<a href="http://a.b"${REL}>c</a>`],
    ['[http://a.b|c|new_window=true]', `<a href="http://a.b"${REL} target="_blank">c</a>`],
    ["[http://a.b|'''c''']", `<a href="http://a.b"${REL}><strong>c</strong></a>`],
    ['[http://a.b|c [d]]', `<a href="http://a.b"${REL}>c [d]</a>`],
    ['[http://a.b]', `<a href="http://a.b"${REL}>http://a.b</a>`],
    ['[/Wiki/Belts|belts]', '<a href="/Wiki/Belts">belts</a>'],
    ['[#4]', '[#4]'],
    ['[http://guides.example.com/c/X|x]', '<a href="https://guides.example.com/c/X">x</a>'],
    ['[https://www.youtube.com/watch?v=a|x]', '<a href="https://www.youtube.com/watch?v=a">x</a>'],
    ['see (http://a.b/c).', `see (<a href="http://a.b/c"${REL}>http://a.b/c</a>).`],
    ['http://a.b/c_(d)', `<a href="http://a.b/c_(d)"${REL}>http://a.b/c_(d)</a>`],
    ['xhttp://a.b', 'xhttp://a.b'],
    ['[mailto|a@b.co|write]', '<a href="mailto:a@b.co">write</a>'],
    ['[mailto|a@b.co]', '<a href="mailto:a@b.co">a@b.co</a>'],
  ])('WIKITEXT-6 renders %j', (raw, html) => {
    expect(renderLine(raw, context)).toBe(html);
  });

  it.each([
    ['[guide|7]', '<a href="/Guide/Drive+belt/7">Drive belt</a>'],
    ['[guide|7|below|stepid=8956]', '<a href="/Guide/Drive+belt/7#s8956">below</a>'],
    ['[guide|7|x|new_window=true]', '<a href="/Guide/Drive+belt/7" target="_blank">x</a>'],
    ['[guide|8|x]', '[invalid guide link]'],
    ['[product|AB-1|the belt]', '<a href="/Item/AB-1">the belt</a>'],
    ['[product|AB-2]', '[invalid product link]'],
    [
      '[image|5|align=right|size=medium]',
      '<img class="wikiImage image_right medium" src="https://img.example.com/abc.medium" alt="" />',
    ],
    ['[image|6]', '[invalid image]'],
    ['[guide|Drive belt]', '<a href="/Guide/Drive+belt/7">Drive belt</a>'],
    ['[guide| Drive belt |the belt|stepid=3]', '<a href="/Guide/Drive+belt/7#s3">the belt</a>'],
    ['[guide|drive belt]', '[invalid guide link]'],
    ['[guide|]', '[guide|]'],
    ["[guide|''x'']", '[invalid guide link]'],
  ])('WIKITEXT-7 asks the context for %j', (raw, html) => {
    expect(renderLine(raw, context)).toBe(html);
  });
});

describe('blocks', () => {
  it('WIKITEXT-8 separates paragraphs at blank lines and keeps single newlines', () => {
    expect(renderBlocks('a\nb\r\n\r\n  c  \n \n\nd')).toBe('<p>a\nb</p>\n\n<p>c</p>\n\n<p>d</p>');
    expect(renderBlocks('')).toBe('');
    expect(renderBlocks(' \n ')).toBe('');
  });

  it('WIKITEXT-8 breaks lines of comments at single newlines', () => {
    expect(renderComment("a\n''b''\n\nc")).toBe('<p>a<br /><em>b</em></p>\n\n<p>c</p>');
  });

  it('WIKITEXT-9 gives headings an anchor and numbers repeated ones', () => {
    const anchor = (id: string) =>
      `<a class="anchor" href="#${id}" title="Link to this section">&nbsp;&para;&nbsp;</a>`;
    expect(renderBlocks('== Drive belt ==\n=== Drive belt ===')).toBe(
      `<h2 id="Section_Drive_belt">Drive belt${anchor('Section_Drive_belt')}</h2>\n\n` +
        `<h3 id="Section_Drive_belt_2">Drive belt${anchor('Section_Drive_belt_2')}</h3>`,
    );
    expect(renderBlocks('= a =\n\n== ==')).toBe('<p>= a =</p>\n\n<p>== ==</p>');
  });

  it('WIKITEXT-9 nests lists by the number of their signs', () => {
    expect(renderBlocks('* a\n** b\n## c\n* d\n# e\ntext')).toBe(
      '<ul><li>a<ul><li>b</li></ul><ol><li>c</li></ol></li><li>d</li></ul>\n\n<ol><li>e</li></ol>\n\n<p>text</p>',
    );
    expect(renderBlocks('*** a')).toBe('<ul><li>a</li></ul>');
    expect(renderBlocks('#1 screw')).toBe('<p>#1 screw</p>');
  });

  it('WIKITEXT-9 renders quotes and code', () => {
    expect(renderBlocks('[quote|Ann|format=featured]\na\n\n[quote]b[/quote]\n[/quote]')).toBe(
      '<blockquote class="featured"><p>a</p>\n\n<blockquote><p>b</p></blockquote><footer>Ann</footer></blockquote>',
    );
    expect(renderBlocks("a [code]\n''x'' <b>\n\n* y\n[/code] z")).toBe(
      "<p>a</p>\n\n<pre><code>''x'' &lt;b&gt;\n\n* y</code></pre>\n\n<p>z</p>",
    );
    expect(renderBlocks('[quote] open')).toBe('<p>[quote] open</p>');
  });

  it('WIKITEXT-9 renders tables and drops their attributes except spans', () => {
    const raw = `{| class="x"\n|+ Parts\n! Name !! Count\n|-\n| style="color:red" colspan="2" | '''Belt''' [http://a.b|c]\n|-\n| a || b\nmore\n|}`;
    expect(renderBlocks(raw)).toBe(
      '<table><caption>Parts</caption><tbody><tr><th>Name</th><th>Count</th></tr>' +
        `<tr><td colspan="2"><strong>Belt</strong> <a href="http://a.b"${REL}>c</a></td></tr>` +
        '<tr><td>a</td><td>b\nmore</td></tr></tbody></table>',
    );
    expect(renderBlocks('{|\n| a')).toBe('<p>{|\n| a</p>');
  });

  it('WIKITEXT-9 shows videos and guide lists as blocks', () => {
    expect(renderBlocks('a [guidelist|tags=belt] b', context)).toBe(
      '<p>a</p>\n\n<ul class="guidelist"><li><a href="/Guide/Drive+belt/7">Drive belt</a></li></ul>\n\n<p>b</p>',
    );
    expect(renderBlocks('[guidelist|tags=belt]')).toBe('<p>[guidelist|tags=belt]</p>');
    expect(renderBlocks('[video|https://a.b/c]')).toBe(
      `<p><a href="https://a.b/c"${REL}>https://a.b/c</a></p>`,
    );
  });
});

describe('templates', () => {
  const templates: Readonly<Record<string, string>> = {
    Note: "'''{{{title|Note}}}:''' {{{1}}}",
    Loop: 'x{{Loop}}',
    Outer: '{{Note|title=Hot|{{{1}}}}}',
  };
  const withTemplates = { ...context, template: (name: string) => templates[name] ?? null };

  it.each([
    ['{{Note|Mind the edge}}', '<strong>Note:</strong> Mind the edge'],
    ['{{Note|title=Sharp|[http://a.b|c]}}', `<strong>Sharp:</strong> <a href="http://a.b"${REL}>c</a>`],
    ['{{Outer|x}}', '<strong>Hot:</strong> x'],
    ['{{Unknown|x}} {{Note', '{{Unknown|x}} {{Note'],
    ['[nowiki]{{Note}}[/nowiki]', '{{Note}}'],
    ['{{Loop}}', 'xxxxxxxx{{Loop}}'],
  ])('WIKITEXT-4 expands %j', (raw, html) => {
    expect(renderLine(raw, withTemplates)).toBe(html);
  });
});
