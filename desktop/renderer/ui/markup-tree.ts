/** A node of a rendered text: a string, or an element of the allowed set below. */
export type MarkupNode = string | MarkupElement;

export interface MarkupElement {
  tag: MarkupTag;
  attributes: Readonly<Record<string, string>>;
  children: MarkupNode[];
}

/** Allowed tags and attributes. Other attributes are dropped; other tags are replaced by their children. */
const allowed = {
  a: ['href', 'class'],
  b: [],
  blockquote: ['class'],
  br: [],
  cite: [],
  code: [],
  dd: [],
  del: [],
  div: ['class', 'src'],
  dl: [],
  dt: [],
  em: [],
  h2: ['id'],
  h3: ['id'],
  h4: ['id'],
  h5: ['id'],
  h6: ['id'],
  hr: [],
  i: [],
  iframe: ['src', 'title'],
  img: ['src', 'alt'],
  ins: [],
  li: [],
  ol: [],
  p: [],
  pre: [],
  span: [],
  strong: [],
  sub: [],
  sup: [],
  table: [],
  tbody: [],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
  thead: [],
  tr: [],
  tt: [],
  u: [],
  ul: [],
} as const;

export type MarkupTag = keyof typeof allowed;

const empty = new Set(['br', 'hr', 'img']);
const tokens = /<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9]*)((?:[^>"']|"[^"]*"|'[^']*')*)>|[^<]+|</gi;
const attribute = /([a-z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi;
const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    para: '¶',
  }),
);

/**
 * Parses rendered text without passing it to the browser as markup. The result has only allowed elements and
 * attributes.
 */
export function readMarkup(html: string): MarkupNode[] {
  const root: MarkupNode[] = [];
  const open: { name: string; children: MarkupNode[] }[] = [];
  const here = () => open.at(-1)?.children ?? root;
  for (const [token, slash, name, attributes] of html.matchAll(tokens)) {
    if (name === undefined) {
      if (!token.startsWith('<!--')) here().push(decode(token));
      continue;
    }
    const tag = name.toLowerCase();
    if (slash === '/') {
      const at = open.findLastIndex((element) => element.name === tag);
      if (at >= 0) open.length = at;
      continue;
    }
    const children = isAllowed(tag) ? append(here(), tag, attributes ?? '') : here();
    if (!empty.has(tag) && !attributes?.endsWith('/'))
      open.push({ name: tag, children: silent.has(tag) ? [] : children });
  }
  return root;
}

/** Elements whose contents are dropped as well. */
const silent = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'math',
  'object',
  'textarea',
  'title',
]);

function isAllowed(tag: string): tag is MarkupTag {
  return Object.hasOwn(allowed, tag);
}

function append(to: MarkupNode[], tag: MarkupTag, source: string): MarkupNode[] {
  const names: readonly string[] = allowed[tag];
  const attributes: Record<string, string> = {};
  for (const [, name = '', double, single, bare] of source.matchAll(attribute)) {
    if (names.includes(name.toLowerCase()))
      attributes[name.toLowerCase()] = decode(double ?? single ?? bare ?? '');
  }
  const element: MarkupElement = { tag, attributes, children: [] };
  to.push(element);
  return element.children;
}

function decode(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities.get(name.toLowerCase()) ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
