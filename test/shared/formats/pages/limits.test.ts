import { describe, expect, it } from 'vitest';

import type { Finding } from '#shared/formats/omanual/archive.ts';
import {
  mostGuides,
  mostLevel,
  mostNodes,
  mostPictures,
  mostSteps,
} from '#shared/formats/pages/page-limits.ts';
import { readPage, type PageRead } from '#shared/formats/pages/read-page.ts';
import { writePage } from '#shared/formats/pages/write-page.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { contentOf, guidesToWrite, pictureBytes } from '#test/shared/formats/omanual/archives.ts';
import { plainGuide, plainLine, plainStep } from '#test/shared/formats/omanual/plain-guides.ts';

import { pageAndBack } from './page-world.ts';

const many = (count: number, part: (number: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index + 1)).join('\n');

async function read(text: string, files: (path: string) => Blob | null = () => null): Promise<PageRead> {
  return readPage(text, 'markdown', { title: 'x', files: async (path) => files(path) });
}

async function findingsOfWriting(guides: GuideFacts[], format: 'markdown' | 'html'): Promise<Finding[]> {
  const sink = { text: async () => undefined, picture: async () => undefined };
  return (await writePage(contentOf(guidesToWrite(guides)), format, sink)).findings;
}

const told = (findings: readonly Finding[], code: string): string[] =>
  findings.filter((one) => one.code === code).map(({ message }) => message);

describe('PAGE-5 of a page, as many are read as the limits say, and the others are reported', () => {
  it('guides', async () => {
    const { guides, findings } = await read(many(mostGuides + 2, (number) => `# Guide ${number}`));
    expect([guides.length, guides.at(-1)?.title]).toEqual([mostGuides, `Guide ${mostGuides}`]);
    expect(told(findings, 'more-guides')).toEqual([
      'Only the first 10000 guides are read; 2 more are left out.',
    ]);
  });

  it.each([
    ['sections', (number: number) => `\n## Step ${number}\n\nx\n`, 10_500],
    ['items of a list', (number: number) => `${number}. x`, 10_500],
    ['items of a list of the maximum length', () => '- x', Math.floor(mostNodes / 3) - 10],
  ])('steps that are %s', async (_, step, count) => {
    const { guides, findings } = await read(`# Belt\n\n## Steps\n\n${many(count, step)}`);
    expect([guides.length, guides[0]?.steps.length]).toEqual([1, mostSteps]);
    expect(told(findings, 'more-steps')).toEqual([
      `Only the first 5000 steps of the guide are read; ${count - mostSteps} more are left out.`,
    ]);
  });

  it('pictures', async () => {
    const picture = new Blob([pictureBytes('a')]);
    let asked = 0;
    const text = `# Belt\n\n## Step 1\n\n${many(mostPictures + 5, (number) => `![](${number}.png)`)}`;
    const { guides, findings } = await read(text, () => {
      asked += 1;
      return picture;
    });
    expect([asked, guides[0]?.steps[0]?.pictures?.length]).toEqual([mostPictures, mostPictures]);
    expect(told(findings, 'more-pictures')).toEqual(['Only the first 10000 pictures of the page are read.']);
  });
});

it('PAGE-5 as many tools as a page can have are read, from as many sections', async () => {
  const { guides } = await read(`# Belt\n\n${many(40_000, (number) => `## Tools\n\n- a${number}\n`)}`);
  expect([guides[0]?.tools?.length, guides[0]?.tools?.at(-1)?.name]).toEqual([40_000, 'a40000']);
});

it('PAGE-1 a step line of any level is read again, at most at the deepest level', async () => {
  const lines = Array.from({ length: 9000 }, (_, level) => plainLine('x', { level }));
  const guide = plainGuide(1, { steps: [plainStep({ lines })] });
  const { facts, written } = await pageAndBack(contentOf(guidesToWrite([guide])), 'html');
  expect(facts[0]?.steps[0]?.lines.map(({ level }) => level).slice(0, 30)).toEqual([
    ...Array.from({ length: mostLevel + 1 }, (_, level) => level),
    ...Array.from({ length: 9 }, () => mostLevel),
  ]);
  expect(told(written, 'line-level')).toHaveLength(9000 - mostLevel - 1);
});

describe('PAGE-4 a page that is too long to be read again is reported when it is written', () => {
  const message =
    'The page is too long to be read again as a whole; convert archives with fewer guides, such as one for each category';

  it.each(['markdown', 'html'] as const)('too many steps, in %s', async (format) => {
    const steps = (count: number) => Array.from({ length: count }, () => plainStep({}));
    const guide = (count: number) => plainGuide(1, { steps: steps(count) });
    expect(told(await findingsOfWriting([guide(mostSteps + 1)], format), 'page-long')).toEqual([message]);
    expect(told(await findingsOfWriting([guide(mostSteps)], format), 'page-long')).toEqual([]);
  });

  it('too many characters', async () => {
    const guide = plainGuide(1, { conclusion_raw: 'word '.repeat(500_000) });
    expect(told(await findingsOfWriting([guide], 'markdown'), 'page-long')).toEqual([message]);
    expect(told(await findingsOfWriting([guide], 'html'), 'page-long')).toEqual([]);
  });
});
