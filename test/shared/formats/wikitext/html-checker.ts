/**
 * An allow-list HTML checker that is independent of the renderer: reads tags strictly, checks names, attributes and
 * addresses, and that every element is closed in order.
 */
const VOID = new Set(['br', 'img']);
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  p: [],
  br: [],
  em: [],
  strong: [],
  ins: [],
  del: [],
  sup: [],
  sub: [],
  tt: [],
  pre: [],
  code: [],
  ul: ['class'],
  ol: [],
  li: [],
  blockquote: ['class'],
  footer: [],
  table: [],
  caption: [],
  tbody: [],
  tr: [],
  th: ['colspan', 'rowspan'],
  td: ['colspan', 'rowspan'],
  h2: ['id'],
  h3: ['id'],
  h4: ['id'],
  h5: ['id'],
  h6: ['id'],
  a: ['href', 'rel', 'target', 'title', 'class'],
  img: ['class', 'src', 'alt'],
  iframe: ['src', 'width', 'height', 'allowfullscreen'],
  div: ['class', 'src', 'style', 'videoid', 'width', 'height'],
};
const FRAME =
  /^https:\/\/(?:www\.youtube-nocookie\.com\/embed\/[\w-]{11}\?wmode=opaque|player\.vimeo\.com\/video\/\d{1,12})$/;
/** The two fixed styles of the recorded video markup; no other style is allowed. */
const STYLE =
  /^(?:width:570px|background-image:url\("https:\/\/i\.ytimg\.com\/vi\/[\w-]{11}\/hqdefault\.jpg"\))$/;
const LINK = /^(?:https?:\/\/[^\s/?#\\<>"]|\/(?![/\\])|#|mailto:[^\s<>"]+@[a-z0-9.-]+$)/i;
const CLASS = /^[\w -]+$/;
const ENTITY = /&(?:amp|lt|gt|quot|nbsp|para);/g;

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z]+(?:=(?:"[^"]*"|'[^']*'|[\w-]+))?)*)\s*(\/?)>/y;
const ATTRIBUTE = /\s+([a-z]+)(?:=(?:"([^"]*)"|'([^']*)'|([\w-]+)))?/g;

/** Returns the flaw of the HTML, or null. */
export function findUnsafeHtml(html: string): string | null {
  const open: string[] = [];
  let at = 0;
  while (at < html.length) {
    const next = html.indexOf('<', at);
    const text = html.slice(at, next === -1 ? html.length : next);
    if (/[<>"]/.test(text)) return `unescaped text ${text}`;
    if (text.replace(ENTITY, '').includes('&')) return `unescaped ampersand ${text}`;
    if (next === -1) break;
    TAG.lastIndex = next;
    const tag = TAG.exec(html);
    if (tag === null) return `not a tag: ${html.slice(next, next + 60)}`;
    const problem = checkTag(tag, open);
    if (problem !== null) return problem;
    at = TAG.lastIndex;
  }
  return open.length === 0 ? null : `not closed: ${open.join(' ')}`;
}

function checkTag(tag: RegExpExecArray, open: string[]): string | null {
  const [whole, slash, name = '', attributes = '', selfClosing] = tag;
  const allowed = ALLOWED[name];
  if (allowed === undefined) return `element ${whole}`;
  if (slash === '/') {
    if (attributes !== '' || open.pop() !== name) return `closing tag ${whole} out of order`;
    return null;
  }
  if ((selfClosing === '/') !== VOID.has(name)) return `wrong closing of ${whole}`;
  if (name === 'a' && open.includes('a')) return `link in a link ${whole}`;
  if (!VOID.has(name)) open.push(name);
  return checkAttributes(name, attributes, allowed);
}

function checkAttributes(name: string, attributes: string, allowed: readonly string[]): string | null {
  const seen = new Set<string>();
  for (const match of attributes.matchAll(ATTRIBUTE)) {
    const key = match[1] ?? '';
    const value = decode(match[2] ?? match[3] ?? match[4] ?? '');
    if (!allowed.includes(key) || seen.has(key)) return `attribute ${name} ${match[0]}`;
    seen.add(key);
    if (!isFine(name, key, value)) return `value ${name} ${match[0]}`;
  }
  return null;
}

function isFine(name: string, key: string, value: string): boolean {
  if (key === 'href') return LINK.test(value);
  if (key === 'src')
    return name === 'img' ? /^(?:https?:\/\/[^\s\\]|\/(?![/\\]))/i.test(value) : FRAME.test(value);
  if (key === 'style') return STYLE.test(value);
  if (key === 'id') return value.startsWith('Section_');
  if (key === 'class') return CLASS.test(value);
  if (key === 'videoid') return /^[\w-]{11}$/.test(value);
  if (key === 'rel') return value === 'nofollow noopener noreferrer';
  if (key === 'target') return value === '_blank';
  if (key === 'title') return true;
  if (key === 'alt' || key === 'allowfullscreen') return value === '';
  return /^\d{1,3}$/.test(value);
}

function decode(value: string): string {
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
