import { expect, test } from 'vitest';

import { readCollection } from '#desktop/engine/features/archives/collection.ts';
import { indexOf } from '#desktop/engine/features/archives/reader.ts';
import { convertArchive } from '#shared/formats/omanual/convert.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import { archiveBytes, contentOf, guidesToWrite } from '#test/shared/formats/omanual/archives.ts';
import { plainCategory } from '#test/shared/formats/omanual/plain-guides.ts';

import { archiveOf, workshop } from './world.ts';

test('ARCHIVE-3 a report too long to be shown says how much more there is', async () => {
  const archive = await openArchive(bytesSource(await archiveOf(workshop)), 'shop.omanual');
  const line = { kind: 'dropped', code: 'element-unknown', member: 'a', place: '', message: 'x' } as const;
  const long = { ...archive, findings: Array<typeof line>(1200).fill(line) };
  const { findings } = indexOf(long, 'shop.omanual');
  expect(findings).toHaveLength(500);
  expect(findings.at(-1)?.message).toMatch(/^701 more lines/);
  expect(indexOf({ ...long, findings: [line] }, 'shop.omanual').findings).toEqual([line]);
});

test('ARCHIVE-16 an archive of several trees has the name of the site, also after conversion', async () => {
  const categories = ['Workshop', 'Garden'].map((title) => plainCategory(title, null));
  const { bytes } = await archiveBytes(contentOf(guidesToWrite(workshop), { title: 'Old Mill', categories }));
  const archive = await openArchive(bytesSource(bytes), 'site.omanual');
  expect(indexOf(archive, 'site.omanual').title).toBe('Old Mill');
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  await convertArchive(archive, { write: async (piece) => void pieces.push(piece.slice()) });
  const converted = bytesSource(Uint8Array.from(Buffer.concat(pieces)));
  expect(indexOf(await openArchive(converted, 'x.omanual'), 'x.omanual').title).toBe('Old Mill');
  const { findings } = archive;
  expect(indexOf({ ...archive, findings, title: '' }, 'two.omanual').title).toBe('two');
});

test("ARCHIVE-16 the file of a site's archive has the name of the site", async () => {
  const version = {
    state: 'ready',
    progress: null,
    error: null,
    size: 1,
    date: 1,
    guides: 1,
    hash: 'a',
    url: '',
  };
  const listed = [
    { ...version, name: 'site', title: 'Old Mill: tools', category: null },
    { ...version, name: 'Belts-3', title: 'Belts', category: 'Belts' },
  ];
  const collection = await readCollection({ request: async () => Response.json(listed) });
  expect(collection?.offered.map(({ filename }) => filename)).toEqual([
    'Old-Mill-tools.omanual',
    'Belts-3.omanual',
  ]);
});

test('ARCHIVE-15 an archive without a version is shown as coming, or with the reason why none can be made', async () => {
  const none = { category: 'Belts', size: null, date: null, guides: 1, hash: null, url: null };
  const progress = { done: 0, total: 1, phase: 'read' };
  const listed = [
    { ...none, name: 'Belts-3', title: 'Belts', state: 'building', progress, error: null },
    {
      ...none,
      name: 'site',
      title: 'Mill',
      state: 'failed',
      progress: null,
      error: { message: 'Take the archives of its categories.' },
    },
  ];
  expect(await readCollection({ request: async () => Response.json(listed) })).toEqual({
    offered: [],
    coming: [
      { name: 'Belts-3', title: 'Belts', problem: null },
      { name: 'site', title: 'Mill', problem: 'Take the archives of its categories.' },
    ],
  });
});
