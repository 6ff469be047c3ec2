import { expect, test } from 'vitest';

import { guideEdit } from '#shared/api/guides.ts';
import type { SupplyFacts } from '#shared/model/guide.ts';
import { emptyContent } from '#shared/rules/guide-content.ts';
import { newGuideBody } from '#shared/rules/guide-edit-body.ts';
import { validateContent } from '#shared/rules/guide-limits.ts';

const tool: SupplyFacts = { text: 'Mallet', notes: null, type: '', quantity: 1, url: '', thumbnail: null };

test.each<[string, Partial<SupplyFacts>, string | null]>([
  ['a tool', {}, null],
  ['a tool without a name', { text: '  ' }, 'text'],
  ['a name of 201 characters', { text: 'x'.repeat(201) }, 'text'],
  ['a kind of 101 characters', { type: 'x'.repeat(101) }, 'type'],
  ['a note of 1,001 characters', { notes: 'x'.repeat(1001) }, 'notes'],
  ['an address of 2,001 characters', { url: `https://example.org/${'x'.repeat(1981)}` }, 'url'],
  ['an address of 2,000 characters', { url: `https://example.org/${'x'.repeat(1980)}` }, null],
])('the device refuses %s exactly if the server does', (_, change, field) => {
  const content = { ...emptyContent(), title: 'Belt', category: 'C', tools: [{ ...tool, ...change }] };
  const found = validateContent(content);
  const body = newGuideBody(emptyContent(), content);
  expect(guideEdit.pick({ tools: true }).safeParse({ tools: body.tools }).success).toBe(field === null);
  expect(found.map(({ place }) => place)).toEqual(
    field === null ? [] : [{ list: 'tools', element: '0', field }],
  );
});

test('only what is missing waits until its field was left', () => {
  const content = {
    ...emptyContent(),
    tools: [
      { ...tool, text: '' },
      { ...tool, text: 'x'.repeat(201) },
    ],
  };
  expect(validateContent(content).map(({ missing }) => missing ?? false)).toEqual([true, false]);
});

test('a part or topic has at most 200 characters', () => {
  const places = validateContent({ ...emptyContent(), subject: 'x'.repeat(201) });
  expect(places).toMatchObject([{ place: { field: 'subject' } }]);
});
