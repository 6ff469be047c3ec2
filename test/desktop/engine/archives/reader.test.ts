import { expect, test } from 'vitest';

import { indexOf } from '#desktop/engine/archives/reader.ts';
import { openArchive } from '#shared/omanual/read.ts';
import { bytesSource } from '#shared/omanual/source.ts';

import { archiveOf, workshop } from './world.ts';

test('A3 a report that is too long to be shown says how much more there is', async () => {
  const archive = await openArchive(bytesSource(await archiveOf(workshop)), 'shop.omanual');
  const line = { kind: 'dropped', code: 'element-unknown', member: 'a', place: '', message: 'x' } as const;
  const long = { ...archive, findings: Array<typeof line>(1200).fill(line) };
  const { findings } = indexOf(long, 'shop.omanual');
  expect(findings).toHaveLength(500);
  expect(findings.at(-1)?.message).toMatch(/^701 more lines/);
  expect(indexOf({ ...long, findings: [line] }, 'shop.omanual').findings).toEqual([line]);
});
