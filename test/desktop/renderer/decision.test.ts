import { expect, test } from 'vitest';

import type { GuideConflictView } from '#desktop/engine/api/conflict-records.ts';
import { resultSpans, sideText } from '#desktop/renderer/screens/sync/decision.ts';

const conflict: GuideConflictView = {
  conflictid: 'c',
  versions: 'c1',
  place: { field: 'summary' },
  kind: 'words',
  base: 'Old summary',
  mine: [
    { text: 'Ana’s ', by: 'mine' },
    { text: 'summary', by: 'base' },
  ],
  theirs: [{ text: 'A summary of Ben', by: 'theirs' }],
  suggestion: [],
  canKeepBoth: true,
  mineAt: 0,
  theirsAt: 0,
};

test('in a result that keeps both, every word has the colour of its author', () => {
  const spans = resultSpans(conflict, sideText(conflict, 'both'));
  const words = (by: string) => spans.filter((span) => span.by === by).map(({ text }) => text.trim());
  expect(spans.map(({ text }) => text).join('')).toBe(sideText(conflict, 'both'));
  expect(words('mine').join(' ')).toContain('Ana');
  expect(words('theirs').join(' ')).toContain('A');
  expect(words('mine').join(' ')).not.toContain('Ben');
  expect(words('theirs').join(' ')).not.toContain('Ana');
});

test('the words of one side have the colours that they have beside it', () => {
  expect(resultSpans(conflict, sideText(conflict, 'mine'))).toEqual(conflict.mine);
  expect(resultSpans(conflict, sideText(conflict, 'theirs'))).toEqual(conflict.theirs);
});
