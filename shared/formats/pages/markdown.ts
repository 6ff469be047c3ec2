import { escapeHtml } from '#shared/html.ts';

import { nodesText, printable, type PageElement, type PageNode } from './page-nodes.ts';

/** Formats that Markdown writes with signs; all others are elements of HTML. */
const signs: Readonly<Record<string, string>> = { strong: '**', em: '*', del: '~~' };

/** Writes the blocks of a page as Markdown (CommonMark). */
export function markdownText(blocks: readonly PageElement[]): string {
  return `${blocks
    .map((block) => blockText(block))
    .filter((text) => text !== '')
    .join('\n\n')}\n`;
}

function blockText(block: PageElement): string {
  const { name, children } = block;
  const heading = /^h([1-6])$/.exec(name)?.[1];
  if (heading !== undefined)
    return `${'#'.repeat(Number(heading))} ${lineText(children).replace(/#+$/, '\\$&')}`;
  switch (name) {
    case 'ul':
    case 'ol':
      return listText(block);
    case 'pre':
      return fenced(nodesText(children));
    case 'blockquote': {
      const inner = markdownText(children.filter((child) => typeof child !== 'string')).trimEnd();
      return inner.replaceAll(/^/gm, '> ').replaceAll(/^> $/gm, '>');
    }
    default:
      return lineText(children);
  }
}

function listText({ name, children }: PageElement): string {
  const items = children.filter((child) => typeof child !== 'string');
  return items
    .map((item, index) => {
      const sign = name === 'ol' ? `${index + 1}. ` : '- ';
      const isList = (child: PageNode): child is PageElement =>
        typeof child !== 'string' && (child.name === 'ul' || child.name === 'ol');
      const line = lineText(item.children.filter((child) => !isList(child)));
      const inner = item.children.filter(isList).map((list) => listText(list));
      // Parsers differ about empty items.
      const first = line === '' ? '<!-- -->' : line;
      return [sign + first, ...inner.map((text) => text.replaceAll(/^/gm, ' '.repeat(sign.length)))].join(
        '\n',
      );
    })
    .join('\n');
}

function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** Nodes on one line, as a block of its own. */
function lineText(nodes: readonly PageNode[]): string {
  const text = inlineText(nodes).replaceAll(/ {2,}/g, ' ').trim();
  return text.replace(/^(?:[-+=]|#{1,6}(?=\s|$))/, '\\$&').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

function inlineText(nodes: readonly PageNode[]): string {
  let text = '';
  for (const [index, one] of nodes.entries()) {
    if (typeof one !== 'string') text += elementText(one, text, nodes[index + 1]);
    // In front of a link, the sign would make it a picture.
    else text += index === nodes.length - 1 ? escaped(one) : escaped(one).replace(/!$/, '\\!');
  }
  return text;
}

function elementText(element: PageElement, before: string, next: PageNode | undefined): string {
  const { name, children, attributes } = element;
  if (name === 'br') return '<br>';
  if (name === 'span') return inlineText(children);
  if (name === 'img') return `![${escaped(attributes['alt'] ?? '')}](${target(attributes['src'] ?? '')})`;
  if (name === 'a') {
    const { href = '' } = attributes;
    if (nodesText(children) === href && /^https?:\/\/[^\s<>\\]+$/i.test(href)) return `<${href}>`;
    const inner = inlineText(children);
    if (inner.trim() === '') return '';
    // Parsers encode these characters, which are part of some hosts.
    if (/[[\]]/.test(href)) return `<a href="${escapeHtml(href)}">${inner}</a>`;
    return `[${inner}](${target(href)})`;
  }
  const inner = inlineText(children);
  if (inner.trim() === '') return inner;
  const [only] = children;
  const words = children.length === 1 && typeof only === 'string' ? only : '';
  if (name === 'code' && /^[^\s`]([^`\r\n\t]*[^\s`])?$/.test(words) && !/ {2}|\\/.test(words))
    return `\`${words}\``;
  const sign = signs[name];
  if (sign !== undefined && isAlone(words, before, next)) return sign + inner + sign;
  return `<${name}>${inner}</${name}>`;
}

/** Whether a format is around whole words, so that its signs are recognised everywhere. */
function isAlone(words: string, before: string, next: PageNode | undefined): boolean {
  const after = next === undefined ? '' : typeof next === 'string' ? next : '?';
  return (
    /^[\p{L}\p{N}]/u.test(words) &&
    /[\p{L}\p{N}:]$/u.test(words) &&
    /(?:^|[\s(])$/.test(before) &&
    (after === '' || /^[\s.,;!?)]/.test(after))
  );
}

/** Text without anything that Markdown or HTML would take as a sign. */
function escaped(text: string): string {
  return (
    printable(text)
      .replaceAll(/[\\`*_[\]<>~|]/g, '\\$&')
      .replaceAll('&', '&amp;')
      .replaceAll(/(?:[^\S ]|\ufeff)/g, (space) => `&#${space.codePointAt(0)};`)
      // Addresses in running text are not links unless they are written as links.
      .replaceAll(/:(?=\/\/)|(?<=www)\.|@/gi, '\\$&')
  );
}

/** An address or path between brackets. */
function target(url: string): string {
  const plain = url.replaceAll(/[\s<>\\]/g, (sign) => encodeURIComponent(sign)).replaceAll('&', '&amp;');
  return /[()]/.test(plain) ? `<${plain}>` : plain;
}
