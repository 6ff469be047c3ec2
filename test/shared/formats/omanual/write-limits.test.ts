import { expect, test } from 'vitest';

import type { GuideFacts } from '#shared/model/guide.ts';
import type { ArchiveContent, GuideToWrite } from '#shared/formats/omanual/content.ts';
import { readLimits, type ReadLimits } from '#shared/formats/omanual/limits.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import { ArchiveTooLarge } from '#shared/formats/omanual/too-large.ts';
import { writeArchive } from '#shared/formats/omanual/write.ts';

import { archiveBytes, contentOf, guidesToWrite } from './archives.ts';
import { plainCategory, plainGuide, plainLine, plainStep } from './plain-guides.ts';

/** The message with which the writing ends ('': it succeeds), and the bytes until then. */
async function refusal(
  guides: GuideToWrite[],
  limits: Partial<ReadLimits> = {},
  more: Partial<ArchiveContent> = {},
): Promise<{ message: string; bytes: number }> {
  let bytes = 0;
  const sink = { write: async (chunk: Uint8Array) => void (bytes += chunk.length) };
  const content = { ...contentOf(guides), ...more };
  try {
    await writeArchive(content, sink, { media: 'inside', limits: { ...readLimits, ...limits } });
    return { message: '', bytes };
  } catch (error) {
    if (!(error instanceof ArchiveTooLarge)) throw error;
    return { message: error.message, bytes };
  }
}

const two = (): GuideToWrite[] => guidesToWrite([plainGuide(1, {}), plainGuide(2, {})]);
const belt = (change: Partial<GuideFacts>): GuideToWrite[] =>
  guidesToWrite([plainGuide(1, { title: 'Belt', ...change })]);
const long = 'Turn it, then turn it back. '.repeat(50_000);

async function factsAgain(guides: GuideToWrite[]): Promise<GuideFacts> {
  const { bytes } = await archiveBytes(contentOf(guides));
  const archive = await openArchive(bytesSource(bytes), 'belt.omanual');
  return (await archive.guide(archive.entries[0]?.member ?? '')).facts;
}

test('OMANUAL-WRITE-12 more members than the reader takes are refused, before writing if their number is known', async () => {
  const message = 'The archive would hold more than 5 files; make several, such as one for each category';
  expect(await refusal(two(), { members: 5 }, { members: 6 })).toEqual({ message, bytes: 0 });
  const late = await refusal(two(), { members: 5 });
  expect([late.message, late.bytes > 0]).toEqual([message, true]);
  expect((await refusal(two(), { members: 6 }, { members: 6 })).message).toBe('');
});

test('OMANUAL-WRITE-12 more bytes when unpacked are refused', async () => {
  expect((await refusal(two(), { totalBytes: 1024 })).message).toBe(
    'The archive would hold more than 1 KB; make several, such as one for each category',
  );
  expect((await refusal(two(), { totalBytes: 1024 ** 2 })).message).toBe('');
});

test('OMANUAL-WRITE-12 a guide with more steps, lines or text than a document can hold is named', async () => {
  const lines = Array.from({ length: 10 }, () => plainLine('Turn it'));
  const steps = Array.from({ length: 2000 }, () => plainStep({ lines }));
  expect((await refusal(belt({ steps }))).message).toBe(
    'The guide “Belt” has more steps and lines than one document can hold; make several guides of it',
  );
  expect((await refusal(belt({ steps: [plainStep({ lines: [plainLine(long)] })] }))).message).toBe(
    'The guide “Belt” has a text of more than 1048576 characters; shorten it',
  );
  expect((await refusal(belt({}), { documentBytes: 1024 })).message).toBe(
    'The guide “Belt” has more than 1 KB of text; make several guides of it',
  );
});

test('OMANUAL-WRITE-12 more guides than an index can hold, and a long text of its category, are refused', async () => {
  expect((await refusal(two(), { indexNodes: 40 })).message).toBe(
    'The archive would list more guides and categories than one index can hold; make several, such as one for each category',
  );
  const categories = [{ ...plainCategory('Workshop', null), contents_raw: long }];
  expect((await refusal(two(), {}, { categories })).message).toBe(
    'The page of “Workshop” has a text of more than 1048576 characters; shorten it',
  );
});

test('OMANUAL-WRITE-12 what is written is read: guides up to the limit, and texts that compress like a bomb', async () => {
  const lines = Array.from({ length: 8 }, () => plainLine("Turn '''it'''"));
  const steps = Array.from({ length: 1300 }, () => plainStep({ lines }));
  expect((await factsAgain(belt({ steps }))).steps).toHaveLength(1300);
  const repeated = { introduction_raw: 'ab '.repeat(300_000), conclusion_raw: 'c'.repeat(900_000) };
  expect((await factsAgain(belt(repeated))).conclusion_raw).toHaveLength(900_000);
});
