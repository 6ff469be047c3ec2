import { difficulties } from '#shared/model/guide.ts';
import type { DocumentReport } from '#shared/formats/omanual/findings.ts';
import type { SimpleGuide } from '#shared/formats/omanual/simple-guides.ts';
import { elementsIn, type XmlElement } from '#shared/formats/omanual/xml-tree.ts';

import { factWords, nameOf, timeRange } from './notation.ts';
import { plainText } from './page-outline.ts';

/** The pairs of a list whose items all begin with a bold word and a colon, one of which is known; null: another list. */
export function factPairs(list: XmlElement | undefined): [string, string][] | null {
  if (list?.name !== 'ul' && list?.name !== 'ol') return null;
  const pairs = elementsIn(list).map((item): [string, string] | null => {
    const [first] = elementsIn(item);
    const word = first !== undefined && /^(?:strong|b)$/.test(first.name) ? plainText(first) : '';
    const text = plainText(item);
    const found = /^([^:]{1,40}):/.exec(text);
    return found === null ||
      !text.startsWith(word) ||
      word === '' ||
      /\bul\b/.test(
        elementsIn(item)
          .map(({ name }) => name)
          .join(' '),
      )
      ? null
      : [(found[1] ?? '').trim(), text.slice(found[0].length).trim()];
  });
  const all = pairs.filter((pair) => pair !== null);
  const isKnown = all.some(([word]) => nameOf(factWords, word) !== null);
  return all.length === pairs.length && isKnown ? all : null;
}

/** Sets the facts of a guide. Unknown and unreadable ones are reported. */
export function setFacts(
  guide: SimpleGuide,
  pairs: readonly (readonly [word: string, value: string])[],
  report: DocumentReport,
): void {
  const tags: string[] = [];
  for (const [word, value] of pairs) {
    const name = nameOf(factWords, word);
    const isRead = name === null ? false : setFact(guide, name, value, tags);
    if (!isRead) report.add('dropped', 'fact', '', `“${word}: ${value.slice(0, 100)}” is left out.`);
  }
  if (tags.length > 0) guide.tags = tags;
}

function setFact(guide: SimpleGuide, name: keyof typeof factWords, value: string, tags: string[]): boolean {
  switch (name) {
    case 'title':
    case 'summary':
    case 'category':
    case 'subject':
    case 'author':
    case 'language':
      guide[name] = value;
      return true;
    case 'type':
      guide.type = value;
      return true;
    case 'tag':
      tags.push(value);
      return true;
    case 'difficulty': {
      const known = difficulties.find((one) => one.toLowerCase() === value.toLowerCase());
      if (known !== undefined) guide.difficulty = known;
      return known !== undefined;
    }
    case 'time': {
      const range = timeRange(value);
      if (range !== null) {
        guide.seconds = range.most;
        if (range.least > 0) guide.leastSeconds = range.least;
      }
      return range !== null;
    }
    case 'created':
    case 'changed': {
      const date = /^\d{4}-\d{2}-\d{2}/.test(value) ? new Date(value) : new Date(Number.NaN);
      if (Number.isNaN(date.getTime())) return false;
      guide[name === 'created' ? 'created' : 'modified'] = date;
      return true;
    }
  }
}
