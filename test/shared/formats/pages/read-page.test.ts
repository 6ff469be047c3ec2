import { readdirSync, readFileSync } from 'node:fs';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ArchiveRefused } from '#shared/formats/omanual/archive.ts';
import { checkArchive } from '#shared/formats/omanual/check.ts';
import { writeGuides, type SimpleGuide } from '#shared/formats/omanual/simple-guides.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import type { PageFormat } from '#shared/formats/pages/parse-page.ts';
import { readPage, type PageRead } from '#shared/formats/pages/read-page.ts';
import { must } from '#shared/must.ts';
import { contentOf, guidesToWrite, pictureBytes } from '#test/shared/formats/omanual/archives.ts';
import { plainGuide, plainLine, plainStep } from '#test/shared/formats/omanual/plain-guides.ts';

import { pageAndBack } from './page-world.ts';

async function read(
  text: string,
  format: PageFormat = 'markdown',
): Promise<PageRead & { guide: SimpleGuide }> {
  const files = async (path: string): Promise<Blob | null> =>
    path.endsWith('.png') && !path.startsWith('gone') ? new Blob([pictureBytes(path)]) : null;
  const page = await readPage(text, format, { title: 'belt', files });
  return { ...page, guide: page.guides[0] ?? { title: '', category: '', steps: [] } };
}

const lines = (guide: SimpleGuide): string[] =>
  guide.steps.flatMap(({ lines: all }) =>
    all.map((line) =>
      typeof line === 'string' ? line : `${line.level ?? 0} ${line.bullet ?? '-'} ${line.text}`,
    ),
  );

describe('pages that people write', () => {
  it('PAGE-3 a recipe with an ordered list, in Markdown with front matter', async () => {
    const { guide, findings } = await read(`---
title: "Change the belt"
category: Bench grinder
time: 15 to 30 minutes
difficulty: easy
layout: post
---

Unplug it **first**.

## Materials
* 2 x [Belt](https://shop.example/belt)
* Grease, a little

## Instructions

1. Open the cover.
   - ⚠️ It is hot.

   ![](cover.png)
2. Change the belt \`B-7\`.
`);
    expect(guide).toMatchObject({
      title: 'Change the belt',
      category: 'Bench grinder',
      difficulty: 'Easy',
      leastSeconds: 900,
      seconds: 1800,
      introduction: "Unplug it '''first'''.",
      parts: [{ name: 'Belt', quantity: 2, url: 'https://shop.example/belt' }, { name: 'Grease, a little' }],
    });
    expect(lines(guide)).toEqual([
      '0 - Open the cover.',
      '0 icon_caution It is hot.',
      '0 - Change the belt ``B-7``.',
    ]);
    expect(guide.steps.map(({ pictures }) => pictures?.length ?? 0)).toEqual([1, 0]);
    expect(findings.map(({ code }) => code)).toEqual(['fact', 'type']);
    expect(findings[0]?.message).toContain('layout: post');
  });

  it('PAGE-3 sections of other names are steps, unless there are sections of steps', async () => {
    const open = await read('# Lamp\n\n## Open it\n\nLift the lid.\n\n## Close it\n\n- Press.\n');
    expect(open.guide.steps.map(({ title }) => title)).toEqual(['Open it', 'Close it']);
    const moved = await read(
      '# Lamp\n\n## Safety\n\nWear gloves.\n\n## Schritt 1 – Öffnen\n\nx\n\n## Licence\n\nCC\n',
    );
    expect(moved.guide).toMatchObject({
      introduction: '== Safety ==\n\nWear gloves.',
      conclusion: '== Licence ==\n\nCC',
      steps: [{ title: 'Öffnen' }],
    });
    expect(moved.findings.filter(({ code }) => code === 'section').map(({ place }) => place)).toEqual([
      'Lamp, Safety',
      'Lamp, Licence',
    ]);
    const flat = await read('# Lamp\n\n# Step 1\n\nx\n\n# Step 2\n\ny\n');
    expect([flat.guides.length, flat.guide.steps.length]).toEqual([1, 2]);
    const two = await read('# One\n\n## Step 1\n\nx\n\n# Two\n\n## Step 1\n\ny\n');
    expect(two.guides.map(({ title }) => title)).toEqual(['One', 'Two']);
  });

  it('PAGE-4 a table in a text becomes a list, also inside a quote, and is reported', async () => {
    const table = '| Part | No |\n|---|---|\n| **Filter** | 12 |\n';
    const { guide, findings } = await read(
      `# Oil\n\n${table}\n${table.replaceAll(/^/gm, '> ')}\n\n## Step 1\n\nx\n`,
    );
    const list = "* Part {pipe} No\n* '''Filter''' {pipe} 12".replaceAll('{pipe}', '|');
    expect(guide.introduction).toContain(list);
    expect(guide.introduction?.split("'''Filter''' | 12").length).toBe(3);
    expect(findings.map(({ code }) => code)).toContain('table');
  });

  it('PAGE-3 without sections, the items of a numbered list are the steps; a guide without steps is reported', async () => {
    const { guide, findings } = await read(
      '# Oil\n\nWarm it up.\n\n1. Open.\n2. Drain.\n\n![](a.png)\n\n3. Close.\n\nDone.\n\n## Tools\n\n- Pan\n',
    );
    expect(guide).toMatchObject({ introduction: 'Warm it up.', conclusion: 'Done.' });
    expect(lines(guide)).toEqual(['0 - Open.', '0 - Drain.', '0 - Close.']);
    expect(findings.filter(({ code }) => code === 'steps').map(({ message }) => message)).toEqual([
      'The items of the numbered list became the steps.',
    ]);
    const none = await read('# Oil\n\n- a\n- b\n');
    expect(none.guide).toMatchObject({ introduction: '* a\n* b', steps: [] });
    expect(none.findings.map(({ message }) => message)).toContain('The guide has no steps.');
    const named = await read('# Oil\n\n1. a\n\n## Step 1\n\nx\n');
    expect([lines(named.guide), named.guide.introduction]).toEqual([['0 - x'], '# a']);
  });

  it('PAGE-3 PAGE-4 the language of a page in HTML is that of its guides; sounds and films in lines are reported', async () => {
    const { guide, findings } = await read(
      '<html lang="de-AT"><h1>Öl</h1><p>a <video src="x.mp4"></video></p><h2>Schritt 1</h2><p>b <audio src="y"></audio></p>',
      'html',
    );
    expect(guide.language).toBe('de');
    const messages = findings.filter(({ code }) => code === 'unsafe-markup').map(({ message }) => message);
    expect(messages.toSorted()).toEqual([
      'The element audio was left out.',
      'The element video was left out.',
    ]);
  });

  it('PAGE-3 a line between steps is no step', async () => {
    const { guide } = await read('# Lamp\n\n## Steps\n\n1. a\n\n---\n\n2. b\n\n---\n');
    expect(guide.steps.length).toBe(2);
  });

  it('PAGE-4 scripts, frames, forms and pictures from the web are left out of a page in HTML, and reported', async () => {
    const { guide, findings } = await read(
      `<!doctype html><title>x</title><body onload="alert(1)"><h1>Belt</h1>
       <script>alert("<li>x</li>")</script><iframe src="https://evil.example/"></iframe>
       <p>See <a href="javascript:alert(1)">this</a> and <a href="/other">that</a>.</p>
       <h2>Step 1</h2><ul><li>Open<script>x</script> it &lt;b&gt;now&lt;/b&gt; &amp;amp; here</li></ul>
       <img src="https://evil.example/track.png"><img src="gone.png"><img src="note.txt"><img src="a.png">
       <h2>Schritt 2: <em>Ende</em></h2><table><tr><td>1</td><td>2</td></tr></table>`,
      'html',
    );
    expect(guide.introduction).toBe('See this and that.');
    expect(lines(guide)).toEqual(['0 - Open it <b>now</b> &amp; here', '0 - 1 | 2']);
    expect(guide.steps.map(({ title, pictures }) => [title, pictures?.length])).toEqual([
      [undefined, 1],
      ['Ende', undefined],
    ]);
    expect(new Set(findings.map(({ code }) => code))).toEqual(
      new Set(['unsafe-markup', 'link', 'picture-linked', 'file-missing', 'table', 'category', 'type']),
    );
  });

  it('PAGE-4 what a page does not contain is reported when it is written', async () => {
    const guide = plainGuide(1, {
      flags: ['GUIDE_IN_PROGRESS'],
      steps: [
        plainStep({
          time_estimate: 60,
          lines: [plainLine('a', { level: 2 }), plainLine('[guide|3]')],
          media: {
            type: 'image',
            data: [{ id: 1, guid: 'a', width: 4, height: 3, markup: ';circle,1x1,1,red;' }],
          },
        }),
      ],
      introduction_raw: '{|\n| a || b\n|}\n\n[video|https://youtu.be/Qa5wIpfhGcY]',
    });
    const { written } = await pageAndBack(contentOf(guidesToWrite([guide])), 'markdown');
    expect(new Set(written.map(({ code }) => code))).toEqual(
      new Set(['flag', 'step-time', 'line-level', 'record-link', 'markers', 'table', 'video-in-text']),
    );
  });

  it('the example of the notation is read as it says', async () => {
    const readme = readFileSync(
      new URL('../../../../shared/formats/pages/README.md', import.meta.url),
      'utf8',
    );
    const { guide, findings } = await read(must(/```md\n([^]*?)```/.exec(readme)?.[1], 'the example'));
    expect(findings.filter(({ code }) => code !== 'file-missing')).toEqual([]);
    expect(lines(guide)).toEqual([
      "0 - Undo '''three''' screws.",
      '1 red Keep the long one apart.',
      '0 icon_caution The motor is hot.',
    ]);
    const chunks: Uint8Array[] = [];
    await writeGuides(
      [guide],
      { write: async (bytes) => void chunks.push(bytes.slice()) },
      { base: '', title: 'x' },
    );
    expect(await checkArchive(bytesSource(Uint8Array.from(Buffer.concat(chunks))), 'x')).toEqual([]);
  });
});

describe('any page', () => {
  const pieces = fc.constantFrom(
    '# ',
    '## ',
    '### ',
    '- ',
    '1. ',
    '> ',
    '\n',
    '\n\n',
    '    ',
    '**',
    '*',
    '_',
    '`',
    '```\n',
    '[',
    ']',
    '(',
    ')',
    '![',
    '<',
    '>',
    '</',
    '<b>',
    '<li>',
    '<ul>',
    '<table>',
    '<script>',
    '<!--',
    '&lt;',
    '|',
    '---\n',
    'Step 1',
    'Tools',
    'https://a.example/x',
    'a@b.co',
    'a.png',
    'text',
    ' ',
    '⚠️ ',
    'Category: ',
    '\u0000',
    '\ufeff',
    '<a href="x">',
    '\\',
  );
  const text = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));

  it.each(['markdown', 'html'] as const)(
    'PAGE-5 in %s is read or refused, and what is read can be written',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(text, async (page) => {
          const { guides } = await read(page, format);
          await writeGuides(guides, { write: async () => undefined }, { base: '', title: 'x' });
        }),
        { numRuns: 300 },
      );
    },
  );

  it.each([
    ['brackets', '['.repeat(50_000)],
    ['stars', '*a_'.repeat(20_000)],
    ['quotes', '>'.repeat(20_000)],
    ['lists', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join('\n')],
    ['ticks', Array.from({ length: 2000 }, (_, at) => '`'.repeat(at % 200)).join('x')],
    ['links', '[a](<b'.repeat(20_000)],
    ['entities', '&amp;lt;'.repeat(100_000)],
    ['elements', '<div>'.repeat(50_000)],
    ['images', '![a](x.png)'.repeat(5000)],
    ['front matter', `---\n${'a: b\n'.repeat(50_000)}`],
  ])('PAGE-5 %s without end take seconds at most', async (_, page) => {
    const before = performance.now();
    for (const format of ['markdown', 'html'] as const)
      await read(page, format).catch((error: unknown) => {
        if (!(error instanceof ArchiveRefused)) throw error;
      });
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});

it('PAGE-2 a page in HTML runs and loads nothing, whatever the guides contain', async () => {
  const hostile =
    '"><script>alert(1)</script><img src=x onerror=alert(1)> [javascript:alert(1)|x] [http://a.b|y]';
  const guide = plainGuide(1, {
    title: hostile,
    summary: hostile,
    introduction_raw: hostile,
    langid: '"><script>',
    tools: [
      { text: hostile, notes: hostile, type: '', quantity: 1, url: 'javascript:alert(1)', thumbnail: null },
    ],
    steps: [plainStep({ title: hostile, lines: [plainLine(hostile)] })],
  });
  const { text } = await pageAndBack(contentOf(guidesToWrite([guide])), 'html');
  expect(text).toContain("default-src 'none'; img-src data:;");
  const tags = [...text.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag);
  expect(
    tags.filter((tag) => /^<(?:script|iframe|object|link|form)|\son\w+=|javascript:/i.test(tag)),
  ).toEqual([]);
  expect([...text.matchAll(/\ssrc="([^"]*)"/g)].every(([, src]) => src?.startsWith('data:image/'))).toBe(
    true,
  );
});

it('PAGE-4 the README lists exactly the findings of pages', () => {
  const folder = new URL('../../../../shared/formats/pages/', import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const text = sources.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const kinds = `'(?:dropped|guessed|unresolved)',\\s*(?:code: )?`;
  const pattern = new RegExp(`(?:${kinds}|\\blost\\(\\s*|[^.]\\badd\\(\\s*)'([a-z-]+)'`, 'g');
  const codes = new Set([...text.matchAll(pattern)].map(([, code = '']) => code));
  for (const kind of ['dropped', 'guessed', 'unresolved']) codes.delete(kind);
  const readme = readFileSync(new URL('README.md', folder), 'utf8');
  const table = readme.slice(readme.indexOf('## What is lost'));
  const listed = [...table.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+)/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => code),
  );
  expect([...new Set(listed)].toSorted()).toEqual(
    [...codes, 'embed', 'video'].filter((one, at, all) => all.indexOf(one) === at).toSorted(),
  );
});
