import { expect, test } from 'vitest';

import { type Mark, withMark } from '#desktop/renderer/screens/editor/marks.ts';

/** `|` stands for the ends of the selection. */
function marked(text: string, mark: Mark): string {
  const start = text.indexOf('|');
  const end = text.indexOf('|', start + 1) - 1;
  const set = withMark({ words: text.replaceAll('|', ''), start, end }, mark);
  return `${set.words.slice(0, set.start)}<${set.words.slice(set.start, set.end)}>${set.words.slice(set.end)}`;
}

test.each<[string, Mark, string]>([
  ['Turn it |off| now', 'bold', "Turn it '''<off>''' now"],
  ["Turn it '''|off|''' now", 'bold', 'Turn it <off> now'],
  ["Turn it '''|off|'''", 'italic', "Turn it '''''<off>'''''"],
  ["Turn it ''|off|''", 'italic', 'Turn it <off>'],
  ['Type |reset|', 'code', 'Type ``<reset>``'],
  ['||', 'bold', "'''<>'''"],
])('a mark is set and taken away: %s', (text, mark, expected) => {
  expect(marked(text, mark)).toBe(expected);
});

test('a link asks for its address, or for its words if an address is selected', () => {
  const { words, start, end } = withMark({ words: 'See the manual', start: 8, end: 14 }, 'link');
  expect([words, words.slice(start, end)]).toEqual(['See the [https://|manual]', 'https://']);
  const other = withMark({ words: 'https://example.org/a', start: 0, end: 21 }, 'link');
  expect(other).toEqual({ words: '[https://example.org/a|]', start: 23, end: 23 });
});

test('selected lines become a list and plain lines again', () => {
  const list = withMark({ words: 'one\ntwo\nthree', start: 1, end: 6 }, 'list');
  expect(list.words).toBe('* one\n* two\nthree');
  expect(withMark(list, 'list').words).toBe('one\ntwo\nthree');
});
