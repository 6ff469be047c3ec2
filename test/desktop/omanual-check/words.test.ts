import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { conformanceCases } from '#desktop/build/conformance/write-conformance.ts';
import { german } from '#desktop/omanual-check/german.ts';
import { germanProblems } from '#desktop/omanual-check/german-problems.ts';
import { problems } from '#desktop/omanual-check/problems.ts';
import { checkArchive } from '#shared/formats/omanual/check.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import { informal } from '#test/support/translation-flaws.ts';

const readme = new URL('../../../shared/formats/omanual/README.md', import.meta.url);

test('CHECK-PAGE-2 each code has words in English and German', async () => {
  const text = await readFile(readme, 'utf8');
  const reading = text.slice(text.indexOf('Findings (`kind`'), text.indexOf('## Checking'));
  const rows = reading
    .split('\n')
    .filter((row) => row.startsWith('|'))
    .map((row) => row.split('|')[1] ?? '');
  const checking = text.slice(text.indexOf('## Checking'), text.indexOf('## Writing'));
  const rules = checking.replaceAll(/`(?:check|schema)[\w-]*(?:\.ts)?`|`(?:error|warning)`/g, '');
  const codes = [...rows, rules].flatMap((part) =>
    [...part.matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => code),
  );
  expect(codes.length).toBeGreaterThan(80);
  expect(codes.filter((code) => problems[code] === undefined)).toEqual([]);
  expect(Object.keys(germanProblems)).toEqual(Object.keys(problems));
  for (const words of [problems, germanProblems])
    for (const [what, toDo] of Object.values(words)) {
      expect(what).toMatch(/^[A-ZÄÖÜ].+[^.]$/);
      expect(toDo).toMatch(/^[A-ZÄÖÜ].+\.$/);
    }
  const pairs = Object.entries(germanProblems).map(([place, words]) => ({
    place,
    english: '',
    german: words.join('. '),
    names: null,
  }));
  expect(informal(pairs)).toEqual([]);
});

test('CHECK-PAGE-4 whatever the checker says about the conformance suite is German for readers of German', async () => {
  const said: string[] = [];
  for (const { content } of conformanceCases) {
    const bytes = typeof content === 'string' ? Uint8Array.from(Buffer.from(content)) : content;
    said.push(...(await checkArchive(bytesSource(bytes), 'datei.omanual')).map(({ message }) => message));
  }
  expect(said.length).toBeGreaterThan(80);
  const english = /\b(?:the|is|not|must|only|found|has|have|may|with|needs|twice)\b/i;
  expect(said.filter((sentence) => english.test(german.sentence(sentence)))).toEqual([]);
});
