import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { GuideConflictView } from '#desktop/engine/api/conflict-records.ts';
import { germanRefusal } from '#desktop/renderer/text/de/refused-words.ts';

beforeEach(() => {
  vi.resetModules();
  vi.doMock('#desktop/renderer/text/language.ts', () => ({
    currentLocale: () => 'de',
    formatLocale: () => 'de',
    inLanguage: (_area: string, english: unknown) => english,
    refusedWords: germanRefusal,
  }));
});
afterEach(() => {
  vi.doUnmock('#desktop/renderer/text/language.ts');
  vi.resetModules();
});

test('LANGUAGE-13 the state of the backups says in German what failed', async () => {
  const { Backups } = await import('#desktop/renderer/screens/site/backups-card.tsx');
  const backup = {
    scheduled: true,
    folder: '/mnt/backup',
    running: false,
    next_date: null,
    last: null,
    failed: { date: 1_795_662_000, findings: ['There is no folder /mnt/backup.'] },
    proof: { date: 1_795_662_000, findings: ['Audit log: Row 7 is missing.', 'Row 9 was changed'] },
  };
  const shown = renderToStaticMarkup(createElement(Backups, { backup }));
  expect(shown).toContain('Den Ordner /mnt/backup gibt es nicht.');
  expect(shown).toContain('Audit-Protokoll: Zeile 7 fehlt. Zeile 9 wurde geändert');
});

test('LANGUAGE-13 pictures that contradict each other are named in German', async () => {
  const { spansInWords, valueWords } = await import('#desktop/renderer/screens/sync/conflict-place.ts');
  const conflict: GuideConflictView = {
    conflictid: 'a',
    versions: 'b',
    place: { field: 'media', step: 1 },
    kind: 'value',
    base: 'picture 7',
    mine: [{ text: 'picture 7 with 2 markers', by: 'mine' }],
    theirs: [{ text: 'picture 7, new picture', by: 'theirs' }],
    suggestion: [],
    canKeepBoth: false,
    mineAt: 0,
    theirsAt: 0,
  };
  expect(valueWords(conflict, conflict.base)).toBe('Bild 7');
  expect(spansInWords(conflict, 'mine')).toEqual([{ text: 'Bild 7 mit 2 Markierungen', by: 'mine' }]);
  expect(spansInWords(conflict, 'theirs')).toEqual([{ text: 'Bild 7, neues Bild', by: 'theirs' }]);
  // A title that reads like a picture is what somebody wrote.
  expect(valueWords({ ...conflict, place: { field: 'title' } }, 'picture 7')).toBe('picture 7');
});
