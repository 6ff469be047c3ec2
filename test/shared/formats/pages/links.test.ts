import { describe, expect, it } from 'vitest';

import type { Finding } from '#shared/formats/omanual/archive.ts';
import type { PageFormat } from '#shared/formats/pages/parse-page.ts';
import { readPage } from '#shared/formats/pages/read-page.ts';
import type { SimpleGuide } from '#shared/formats/omanual/simple-guides.ts';
import { contentOf, guidesToWrite, pictureBytes } from '#test/shared/formats/omanual/archives.ts';
import { guideDocument, openAll, stepDocument } from '#test/shared/formats/omanual/opened.ts';
import { plainGuide, plainLine, plainStep } from '#test/shared/formats/omanual/plain-guides.ts';

import { pageAndBack } from './page-world.ts';

async function read(text: string, format: PageFormat): Promise<{ guide?: SimpleGuide; lost: string[] }> {
  const files = async (): Promise<Blob> => new Blob([pictureBytes('a')]);
  const { guides, findings } = await readPage(text, format, { title: 'x', files });
  return { ...(guides[0] === undefined ? {} : { guide: guides[0] }), lost: lostLinks(findings) };
}

const lostLinks = (findings: readonly Finding[]): string[] =>
  findings.filter(({ code }) => code === 'link').map(({ message }) => message);

const left = (address: string): string => `A link to ${address} was left out.`;

describe('PAGE-4 every link that is left out is named', () => {
  const addresses = [
    '#further-down',
    '/other',
    'other.html',
    'ftp://files.example/belt',
    'tel:+49123',
    'javascript:alert(1)',
    'data:text/plain,x',
    'mailto:ana',
    'mailto:ana@shop.example?subject=Belt',
    'https://shop.example/\u0001belt',
    'https://shop.example/a\\b',
    `https://shop.example/${'a'.repeat(2100)}`,
  ];

  it.each(addresses)('to %s, in a text, a line, a tool and a heading', async (address) => {
    const link = `<a href="${address}">this</a>`;
    const page = `<h1>Belt</h1><p>See ${link}.</p><h2>Tools</h2><ul><li>${link}</li></ul><h2>Step 1: ${link}</h2><ul><li>${link}</li></ul>`;
    const { guide, lost } = await read(page, 'html');
    expect(guide).toMatchObject({
      introduction: 'See this.',
      tools: [{ name: 'this' }],
      steps: [{ title: 'this', lines: [{ text: 'this' }] }],
    });
    expect(lost).toEqual(expect.arrayContaining([left(address.slice(0, 100))]));
    const places = (await readPage(page, 'html', { title: 'x', files: async () => null })).findings
      .filter(({ code }) => code === 'link')
      .map(({ place }) => place);
    expect(new Set(places)).toEqual(new Set(['Belt', 'Belt, Tools', 'Belt, Step 1: this']));
  });

  it('in a title, a fact, a second link of a part, and around a picture of a line', async () => {
    const { guide, lost } = await read(
      `# [Belt](https://a.example/1)

- **Category:** [Lamp](https://a.example/2)

## Parts

- [**Belt**](https://a.example/3) of [that shop](https://a.example/4)

## Step 1: [Open](https://a.example/5)

- [![](x.png)](https://a.example/6)
- [Kept](https://a.example/7)
`,
      'markdown',
    );
    expect(guide).toMatchObject({
      title: 'Belt',
      category: 'Lamp',
      parts: [{ url: 'https://a.example/3', notes: 'of that shop' }],
    });
    expect(lost).toEqual([1, 2, 4, 5, 6].map((number) => left(`https://a.example/${number}`)));
  });

  it('but not those that remain: in texts, also around a picture', async () => {
    const { guide, lost } = await read(
      '# Belt\n\n[a](https://a.example/1) [![](x.png)](https://a.example/2) [m](mailto:a@b.example)\n\n## Step 1\n\nx\n',
      'markdown',
    );
    expect(guide?.introduction).toBe(
      '[https://a.example/1|a] [https://a.example/2|[image|1|align=left|size=standard]] [mailto|a@b.example|m]',
    );
    expect(lost).toEqual([]);
  });

  it('a picture of a heading or tool is named, too', async () => {
    const page = '# ![](a.png) Belt\n\n## Tools\n\n- ![](a.png) Wrench\n\n## Step 1 ![](a.png)\n\nx\n';
    const { findings } = await readPage(page, 'markdown', {
      title: 'x',
      files: async () => new Blob([pictureBytes('a')]),
    });
    expect(findings.filter(({ code }) => code === 'picture-place')).toHaveLength(3);
  });
});

describe('PAGE-1 links of guides are written', () => {
  it.each(['markdown', 'html'] as const)(
    'with the step of a guide, and without words, in %s',
    async (format) => {
      const lines = [plainLine('[guide|7|stepid=3]'), plainLine('[https://a.example/1| ]')];
      const guide = plainGuide(1, { steps: [plainStep({ lines })] });
      const { text } = await pageAndBack(contentOf(guidesToWrite([guide])), format);
      expect(text).toContain('https://guides.example.com/Guide/Guide+7/7#s3');
      expect(text).toContain('https://a.example/1');
    },
  );
});

it.each([
  ['#further-down', left('#further-down')],
  ['ftp://files.example/belt', left('ftp://files.example/belt')],
  ['https://shop.example/a\\b', left('https://shop.example/a\\b')],
  ['https://shop.example/\u007fbelt', left('https://shop.example/\u007fbelt')],
  ['mailto:ana', left('mailto:ana')],
])('OMANUAL-READ-12 a link to %s in a document is left out and named', async (address, message) => {
  const line = `<line bullet="black" level="0">See <a href="${address}">this</a></line>`;
  const { guides, archive } = await openAll(guideDocument(stepDocument(line)), 'guide.xml');
  expect(guides[0]?.facts.steps[0]?.lines[0]?.text_raw).toBe('See this');
  expect(archive.findings.filter(({ code }) => code === 'link').map((one) => one.message)).toEqual([message]);
});
