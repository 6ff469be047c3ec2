import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RichTextNode } from '#shared/model/rich-text.ts';
import { renderBlocks } from '#shared/formats/wikitext/html.ts';
import { fromRichText, toRichText } from '#shared/formats/wikitext/rich-text.ts';
import { runs } from '#test/support/long-run.ts';
import { readGuides, readJson } from './fixtures.ts';
import { wikiText } from './wiki-text-arbitrary.ts';

interface Pair {
  case: string;
  contents_json: RichTextNode;
  wikitext: string;
}

interface Guide {
  guideid: number;
  introduction_raw: string;
  introduction_json: RichTextNode;
}

const pairs = readJson<Pair[]>('wikitext/prosemirror-pairs.json');

/** Pairs whose wiki text contains less than their tree, so that the way back gives another tree. */
const irreversible: Readonly<Record<string, string>> = {
  'Paragraph with bold, italic, and underline': 'the space at the start of the paragraph is not written',
  'Paragraph with nested bold and italic': 'the space at the start of the paragraph is not written',
  'Paragraph with nested bold, italic, and underline':
    'the space at the start of the paragraph is not written',
  'Paragraph with subscripts': 'the space at the start of the paragraph is not written',
  'Paragraph with superscripts': 'the space at the start of the paragraph is not written',
  'Paragraph with monospace': 'the space at the start of the paragraph is not written',
  'Paragraph with strikethrough': 'the space at the start of the paragraph is not written',
  'Interleaved inline marks': 'spaces at the border of a format are written outside of it',
  'Interleaved bold and italic marks': 'spaces at the border of a format are written outside of it',
  'Formatted words with punctuation': 'strong and em that begin together have no order in wiki text',
  'Adjacent links': 'the tree leaves out the title and target of its links',
};

describe('pairs of rich text and wiki text', () => {
  it.each(pairs.map((pair) => [pair.case, pair] as const))(
    'WIKITEXT-11 writes "%s" as recorded',
    (_, pair) => {
      expect(fromRichText(pair.contents_json)).toBe(pair.wikitext);
    },
  );

  it.each(
    pairs.filter((pair) => irreversible[pair.case] === undefined).map((pair) => [pair.case, pair] as const),
  )('WIKITEXT-11 reads "%s" back into the same tree', (_, pair) => {
    const tree = toRichText(pair.wikitext, { dialect: 'editor', imageUrl: () => 'https://image.com' });
    expect(tree).toEqual(pair.contents_json);
  });

  it('WIKITEXT-11 loses only what is listed for the other pairs', () => {
    const others = pairs.filter((pair) => irreversible[pair.case] !== undefined);
    expect(others).toHaveLength(Object.keys(irreversible).length);
    for (const { contents_json, wikitext } of others) {
      const tree = toRichText(wikitext, { dialect: 'editor' });
      expect(tree).not.toEqual(contents_json);
      expect(fromRichText(tree)).toBe(wikitext);
    }
  });
});

describe('recorded guides', () => {
  it('WIKITEXT-11 produces the recorded introduction_json of all guides', () => {
    const guides = readGuides<Guide>();
    expect(guides).toHaveLength(61);
    for (const guide of guides) expect(toRichText(guide.introduction_raw)).toEqual(guide.introduction_json);
  });

  it('WIKITEXT-11 writes every recorded introduction back to a text with the same rendering', () => {
    for (const { introduction_raw, introduction_json } of readGuides<Guide>()) {
      expect(renderBlocks(fromRichText(introduction_json))).toBe(renderBlocks(introduction_raw));
    }
  });
});

describe('lists', () => {
  it('WIKITEXT-16 has the names of live servers in the dialect of live servers', () => {
    const item = (text: string, ...inner: RichTextNode[]): RichTextNode => ({
      type: 'listItem',
      content: [{ type: 'paragraph', content: [{ type: 'text', text }] }, ...inner],
    });
    const ordered = { type: 'orderedList', attrs: { order: 1 }, content: [item('c')] };
    const tree = {
      type: 'doc',
      content: [{ type: 'bulletList', attrs: [], content: [item('a'), item('b', ordered)] }],
    };
    expect(toRichText('* a\n* b\n## c')).toEqual(tree);
    expect(fromRichText(tree)).toBe('* a\n* b\n## c');
  });
});

describe('round trip', () => {
  it('WIKITEXT-12 gives the same tree again for any text', () => {
    fc.assert(
      fc.property(wikiText, fc.constantFrom('live', 'editor'), (raw, dialect) => {
        const tree = toRichText(raw, { dialect });
        expect(toRichText(fromRichText(tree), { dialect })).toEqual(tree);
      }),
      { numRuns: runs(3000) },
    );
  });

  it('WIKITEXT-12 keeps literal text that looks like syntax', () => {
    for (const text of ["''x''", '[br]', '* x', '== x ==', 'a [/b|c]', '[/nowiki]', '++a++', "'''", '{| x']) {
      const doc = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] };
      expect(toRichText(fromRichText(doc))).toEqual(doc);
    }
  });

  it('WIKITEXT-12 keeps videos, tables, guide links and templates as their wiki text', () => {
    const raw =
      "See [guide|7|''this''] and {{Note|a=b}}\n\n{|\n| a || b\n|}\n\n[video|https://youtu.be/Qa5wIpfhGcY|align=left]";
    expect(fromRichText(toRichText(raw))).toBe(raw);
  });

  it('WIKITEXT-12 drops forbidden link addresses and reads unknown nodes as their text', () => {
    const marks = [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }];
    const content = [{ type: 'callout', content: [{ type: 'text', text: 'x', marks }] }];
    expect(fromRichText({ type: 'doc', content })).toBe('x');
  });

  it('WIKITEXT-12 survives a tree of any depth', () => {
    let node: RichTextNode = { type: 'paragraph', content: [{ type: 'text', text: 'x' }] };
    for (let depth = 0; depth < 5000; depth++) node = { type: 'blockquote', content: [node] };
    expect(
      fromRichText({
        type: 'doc',
        content: [node, { type: 'paragraph', content: [{ type: 'text', text: 'y' }] }],
      }),
    ).toBe('y');
  });
});
