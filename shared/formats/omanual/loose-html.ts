import type { XmlElement, XmlNode } from './xml-tree.ts';

const token = /<(\/?)([a-z][a-z0-9]{0,15})((?:"[^"]*"|'[^']*'|[^'"<>])*)>|<!--[^]*?-->/gi;
const attribute = /([a-z][\w-]{0,30})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const empty = new Set(['br', 'hr', 'img', 'input', 'wbr']);
/** Maximum nesting depth; deeper tags become text. */
const deepest = 30;

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
  ['deg', '°'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['rsquo', '’'],
  ['lsquo', '‘'],
  ['rdquo', '”'],
  ['ldquo', '“'],
  ['times', '×'],
  ['para', '¶'],
]);

/** Whether a text contains markup that was escaped once too often. */
export function hasEscapedMarkup(text: string): boolean {
  return /<\/?(?:a|p|b|i|u|em|strong|code|tt|pre|ul|ol|li|br|div|span|sub|sup|del|ins|h[1-6])(?:\s[^<>]*)?\/?>/i.test(
    text,
  );
}

/** Undoes character references that were escaped twice (`&amp;#160;`, `&amp;quot;`). */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities.get(String(name).toLowerCase()) ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    const isCharacter = code === 9 || code === 10 || (code >= 32 && code <= 0x10_ffff);
    return isCharacter && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}

/** The text with each run of spaces, tabs and line breaks replaced by one space. */
export function inOneRow(text: string): string {
  return /[\t\r\n]|  /.test(text) ? text.replaceAll(/[ \t\r\n]+/g, ' ') : text;
}

/** Parses a fragment of HTML leniently: an unclosed tag ends with its parent. */
export function parseLooseHtml(html: string, around: XmlElement): XmlNode[] {
  const root: XmlElement = { ...around, children: [] };
  const open = [root];
  let from = 0;
  const text = (until: number): void => {
    if (until > from) open.at(-1)?.children.push(decodeEntities(html.slice(from, until)));
  };
  for (const match of html.matchAll(token)) {
    text(match.index);
    from = match.index + match[0].length;
    const name = match[2]?.toLowerCase();
    if (name === undefined) continue;
    if (match[1] === '/') {
      const at = open.findLastIndex((one, depth) => depth > 0 && one.name === name);
      if (at > 0) open.length = at;
      continue;
    }
    const parent = open.at(-1) ?? root;
    const element: XmlElement = {
      ...around,
      name,
      attributes: attributesOf(match[3] ?? ''),
      children: [],
      parent,
    };
    parent.children.push(element);
    const isClosed = empty.has(name) || match[3]?.endsWith('/') === true;
    if (!isClosed && open.length <= deepest) open.push(element);
  }
  text(html.length);
  return root.children;
}

function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(attribute))
    attributes.set(name.toLowerCase(), decodeEntities(double ?? single ?? bare ?? ''));
  return attributes;
}
