import { expect, test } from 'vitest';

import type { Finding } from '#shared/formats/omanual/archive.ts';
import { Notes, mostListed } from '#server/features/omanual/findings.ts';
import { ImportReport } from '#server/features/omanual/import/report.ts';

const archive = {
  version: '1.0',
  producer: 'unknown',
  base: '',
  title: '',
  entries: [],
  categories: [],
} as const;
const reading = {
  guide: () => Promise.reject(new Error('unread')),
  media: () => Promise.reject(new Error('unread')),
  bytes: () => Promise.reject(new Error('unread')),
};

function found(number: number): Finding[] {
  return Array.from({ length: number }, (_, index) => ({
    kind: 'guessed',
    code: 'date',
    member: `${index}/guide.xml`,
    place: '',
    message: 'A date is missing.',
  }));
}

test('OMANUAL-IMPORT-15 A report says how many findings and records it leaves out', () => {
  const notes = new Notes();
  const report = new ImportReport(notes);
  const say = (index: number): void =>
    report.add({ kind: 'guide', member: `${index}`, title: '', action: 'created', id: index });
  for (let index = 0; index < mostListed; index += 1) {
    say(index);
    notes.add('dropped', 'media-linked', `${index}.png`, 'A file is only linked');
  }
  const fits = report.record({ ...archive, ...reading, findings: [] });
  expect([fits.items.length, fits.findings.length, fits.findings.at(-1)?.code]).toStrictEqual([
    2000,
    2000,
    'media-linked',
  ]);

  say(mostListed);
  for (let index = 0; index < 5; index += 1) notes.add('dropped', 'media-linked', `late ${index}`, 'Linked');
  notes.add('dropped', 'media-linked', 'late 4', 'Linked');
  const cut = report.record({ ...archive, ...reading, findings: found(10) });
  expect([cut.created, cut.items.length, cut.findings.length]).toStrictEqual([2001, 2000, 2000]);
  expect([cut.findings[0]?.message, cut.findings.at(-1)?.message]).toStrictEqual([
    'Of 2,001 guides and categories the first 2,000 are listed; the numbers count all of them.',
    // One about the records, ten of the reader, 2,005 of the import: 1,999 of them are listed.
    '17 further findings are not listed.',
  ]);
  const more: Finding = {
    kind: 'dropped',
    code: 'more',
    member: '',
    place: '',
    message: 'There is more to report.',
  };
  const endless = report.record({ ...archive, ...reading, findings: [...found(20_000), more] });
  expect(endless.findings.at(-1)?.message).toMatch(/^More than 20,007 further/);
});
