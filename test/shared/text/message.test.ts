import { expect, expectTypeOf, test } from 'vitest';

import { message, type Translation, translate } from '#shared/text/message.ts';
import { pseudoText, pseudoTranslation } from '#shared/text/pseudo.ts';

const english = {
  open: 'Board',
  columns: { running: 'Running' },
  days: ['Monday', 'Tuesday'],
  progress: message<[done: number, steps: number]>('{done} of {steps} steps', 'done', 'steps'),
  waiting: message<[changes: number]>(
    '{changes, plural, one {# change is} other {# changes are}} waiting',
    'changes',
  ),
  kept: message<[isOwn: boolean, name: string | null]>(
    '{isOwn, select, true {Kept} other {Kept by {name, select, null {somebody} other {{name}}}}}',
    'isOwn',
    'name',
  ),
  shout: (word: string) => word.toUpperCase(),
};

const german: Translation<typeof english> = {
  open: 'Übersicht',
  columns: { running: 'Läuft' },
  days: ['Montag', 'Dienstag'],
  progress: '{done} von {steps} Schritten',
  waiting: '{changes, plural, one {# Änderung wartet} other {# Änderungen warten}}',
  kept: '{isOwn, select, true {Behalten} other {Behalten von {name, select, null {jemandem} other {{name}}}}}',
  shout: (word) => word.toUpperCase(),
};

test('TEXT-1 a message has its values, plurals and choices, with numbers grouped', () => {
  expect(english.progress(3, 5)).toBe('3 of 5 steps');
  expect(english.waiting(1)).toBe('1 change is waiting');
  expect(english.waiting(12_345)).toBe('12,345 changes are waiting');
  expect(english.kept(true, null)).toBe('Kept');
  expect(english.kept(false, null)).toBe('Kept by somebody');
  expect(english.kept(false, 'Ana')).toBe('Kept by Ana');
});

test('TEXT-1 a value is never read as part of the pattern, and tags are text', () => {
  const said = message<[name: string]>('“{name}” is <b>kept</b>', 'name');
  expect(said('{x, plural, } <i>')).toBe('“{x, plural, } <i>” is <b>kept</b>');
});

test('TEXT-2 a translation has the same calls, by the rules of its own language', () => {
  const translated = translate(english, german, 'de');
  expect(translated.open).toBe('Übersicht');
  expect(translated.columns.running).toBe('Läuft');
  expect(translated.days).toEqual(['Montag', 'Dienstag']);
  expect(translated.progress(3, 5)).toBe('3 von 5 Schritten');
  expect(translated.waiting(12_345)).toBe('12.345 Änderungen warten');
  expect(translated.kept(false, null)).toBe('Behalten von jemandem');
  expect(translated.shout('ja')).toBe('JA');
  expectTypeOf(translated).toEqualTypeOf<typeof english>();
});

test('TEXT-3 the pseudo-locale marks each text and leaves values alone', () => {
  const pseudo = translate(english, pseudoTranslation(english), 'en');
  expect(pseudo.open).toBe('[Böåŕð~~]');
  expect(pseudo.progress(3, 5)).toBe('3[ öf ~~]5[ šţépš~~]');
  expect(pseudo.waiting(2)).toMatch(/^2\[ .*çĥåñĝéš.*\]\[ .*ŵåîţîñĝ.*\]$/);
  expect(pseudo.kept(false, 'Ana')).toContain('Ana');
  expect(pseudoText('12 %')).toBe('12 %');
});
