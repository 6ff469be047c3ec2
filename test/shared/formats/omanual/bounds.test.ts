import { expect, test } from 'vitest';

import { collectGarbage } from '#test/support/collect-garbage.ts';

import { guideEntry } from '#shared/formats/omanual/category-document.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { bytesSource, type ByteSource } from '#shared/formats/omanual/source.ts';
import { ZipWriter } from '#shared/formats/omanual/zip-writer.ts';

import { guideDocument, stepDocument } from './opened.ts';

const megabyte = 1024 * 1024;
/** Node itself takes about 60 MB of the promised 200. */
const mostAdded = 140 * megabyte;

/** The bytes of a package whose last members are empty. */
async function packageOf(document: string, emptyMembers: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  const zip = new ZipWriter({ write: async (bytes) => void chunks.push(bytes) });
  await zip.addStored('lamp-1/guide.xml', new TextEncoder().encode(document));
  const nothing = new Uint8Array(0);
  for (let index = 0; index < emptyMembers; index += 1)
    await zip.addStored(`lamp-1/media/picture-of-a-step-${index}.bin`, nothing);
  await zip.finish();
  return Uint8Array.from(Buffer.concat(chunks));
}

/** A source that samples the memory at each read. */
function watched(bytes: Uint8Array<ArrayBuffer>): {
  source: ByteSource;
  look: () => void;
  added: () => number;
} {
  const inner = bytesSource(bytes);
  const used = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  let most = 0;
  const look = (): void => {
    // In a process with much garbage, the engine collects late: what counts is what cannot be collected.
    if (used() - before > mostAdded) collectGarbage();
    most = Math.max(most, used() - before);
  };
  return {
    source: {
      size: inner.size,
      read: (offset, length) => {
        look();
        return inner.read(offset, length);
      },
    },
    look,
    added: () => most,
  };
}

test('OMANUAL-READ-6 a package with the maximum number of members takes no more memory than promised', async () => {
  const bytes = await packageOf(guideDocument(), readLimits.members - 1);
  const { source, look, added } = watched(bytes);
  const archive = await openArchive(source, 'many.omanual');
  look();
  expect(archive.entries).toHaveLength(1);
  expect(added()).toBeLessThan(mostAdded);
});

test('OMANUAL-READ-6 a guide of the maximum size takes no more memory than promised, a larger one is refused', async () => {
  const line = '<line bullet="black" level="0">Turn the <strong>screw</strong> slowly</line>';
  // Seven each: two elements, two attributes, three texts.
  const most = Math.floor((readLimits.nodes - 100) / 7);
  const { source, look, added } = watched(await packageOf(guideDocument(stepDocument(line.repeat(most))), 0));
  const archive = await openArchive(source, 'large.omanual');
  const { facts } = await archive.guide('lamp-1/guide.xml');
  look();
  expect(facts.steps[0]?.lines).toHaveLength(most);
  expect(added()).toBeLessThan(mostAdded);
  const larger = await packageOf(guideDocument(stepDocument(line.repeat(most + 100))), 0);
  await expect(openArchive(bytesSource(larger), 'larger.omanual')).rejects.toMatchObject({
    code: 'too-large',
  });
});

test('OMANUAL-READ-6 an index of 26,000 guides is read, and takes no more memory than promised', async () => {
  const count = 26_000;
  const [chunks, entries]: [Uint8Array[], string[]] = [[], []];
  const zip = new ZipWriter({ write: async (bytes) => void chunks.push(bytes) });
  for (let number = 1; number <= count; number += 1) {
    const [title, path] = [`Replace the belt of model ${number}`, `belt-${number}/guide.xml`];
    const facts = { guideid: number, title, type: 'replacement', subject: 'Belt' };
    entries.push(
      guideEntry(facts, { path, image: `belt-${number}/media/belt.jpg` }, 'https://guides.example.com'),
    );
    await zip.addStored(path, new TextEncoder().encode('<guide xmlns="http://omanual.com/"/>'));
  }
  const index = `<category xmlns="http://omanual.com/" locale="en"><title>All</title><guides>\n${entries.join('\n')}\n</guides></category>`;
  await zip.addStored('category.xml', new TextEncoder().encode(index));
  await zip.finish();
  const { source, look, added } = watched(Uint8Array.from(Buffer.concat(chunks)));
  const archive = await openArchive(source, 'many.omanual');
  look();
  expect(archive.entries).toHaveLength(count);
  expect(added()).toBeLessThan(mostAdded);
});
