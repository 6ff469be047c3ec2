import type { RichTextNode } from '#shared/model/rich-text.ts';
import type { FlatBlock, FlatItem, FlatList, FlatQuote } from './flat-blocks.ts';
import { markBit, nameOf } from './marks.ts';
import { breakRun, orderedMarks, textRun, type ImageAttributes, type LinkTarget, type Run } from './runs.ts';
import type { MarkName } from './tree.ts';
import { isMailAddress, isSafeUrl } from './urls.ts';

/**
 * The names of live servers and of the open-source editor differ. `live`: strong is `bold`, links have `href` and
 * `target`, lists are `bulletList` and `orderedList` of `listItem`. `editor`: strong is `strong`, links also have a
 * `title`, lists are `bullet_list` and `ordered_list` of `list_item`.
 *
 * - WIKITEXT-16 Lists have the names of live servers in trees for clients of live servers; either name is read.
 */
export type Dialect = 'live' | 'editor';

type NodeMark = NonNullable<RichTextNode['marks']>[number];

/**
 * Maximum depth of a tree; deeper content is dropped, because trees from other programs may be nested without bound.
 */
const MAX_DEPTH = 40;

const MARK_TYPES: Readonly<Record<MarkName, string>> = {
  em: 'em',
  strong: 'strong',
  underline: 'underline',
  strike: 'strikethrough',
  sup: 'superscript',
  sub: 'subscript',
  code: 'code',
};
const MARK_NAMES_BY_TYPE: ReadonlyMap<string, MarkName> = new Map([
  ['em', 'em'],
  ['italic', 'em'],
  ['strong', 'strong'],
  ['bold', 'strong'],
  ['underline', 'underline'],
  ['strikethrough', 'strike'],
  ['strike', 'strike'],
  ['superscript', 'sup'],
  ['subscript', 'sub'],
  ['code', 'code'],
]);

export function toDocument(blocks: readonly FlatBlock[], dialect: Dialect): RichTextNode {
  return { type: 'doc', content: blocks.length === 0 ? [{ type: 'paragraph' }] : toNodes(blocks, dialect) };
}

function toNodes(blocks: readonly FlatBlock[], dialect: Dialect): RichTextNode[] {
  return blocks.map((block) => toNode(block, dialect));
}

function toNode(block: FlatBlock, dialect: Dialect): RichTextNode {
  switch (block.kind) {
    case 'paragraph':
      return { type: 'paragraph', content: toInlineNodes(block.runs, dialect) };
    case 'heading':
      return { type: 'heading', attrs: { level: block.level }, content: toInlineNodes(block.runs, dialect) };
    case 'list':
      return toListNode(block, dialect);
    case 'code':
      return { type: 'code_block', content: [{ type: 'text', text: block.text }] };
    case 'quote':
      return toQuoteNode(block, dialect);
    case 'source':
      return { type: 'paragraph', attrs: { ...block.attrs }, content: [{ type: 'text', text: block.text }] };
  }
}

function toListNode(list: FlatList, dialect: Dialect): RichTextNode {
  const content = list.items.map((item) => ({
    type: dialect === 'live' ? 'listItem' : 'list_item',
    content: [
      { type: 'paragraph', content: toInlineNodes(item.runs, dialect) },
      ...item.lists.map((inner) => toListNode(inner, dialect)),
    ],
  }));
  if (list.ordered)
    return { type: dialect === 'live' ? 'orderedList' : 'ordered_list', attrs: { order: 1 }, content };
  // Live servers send the empty attributes of a list as an empty array.
  return dialect === 'live' ? { type: 'bulletList', attrs: [], content } : { type: 'bullet_list', content };
}

/** Writes a quote. One without attribution has the word "null" instead, as live servers do. */
function toQuoteNode(quote: FlatQuote, dialect: Dialect): RichTextNode {
  const named = quote.attribution.length > 0;
  const attribute = named
    ? { type: 'paragraph', content: toInlineNodes(quote.attribution, dialect) }
    : 'null';
  return {
    type: 'blockquote',
    attrs: { format: quote.format, attribute },
    content: toNodes(quote.blocks, dialect),
  };
}

function toInlineNodes(runs: readonly Run[], dialect: Dialect): RichTextNode[] {
  const order = orderedMarks(runs);
  return runs.map((run, index) => {
    if (run.kind === 'break') return { type: 'hard_break' };
    const marks: NodeMark[] = (order[index] ?? []).map((mark) => ({
      type: markType(nameOf(1 << mark), dialect),
    }));
    if (run.link !== null) marks.push(linkMark(run.link, dialect));
    const node: RichTextNode = run.image === null ? { type: 'text', text: run.text } : imageNode(run.image);
    return marks.length === 0 ? node : { ...node, marks };
  });
}

function markType(name: MarkName, dialect: Dialect): string {
  return name === 'strong' && dialect === 'live' ? 'bold' : MARK_TYPES[name];
}

function linkMark({ href, newWindow }: LinkTarget, dialect: Dialect): NodeMark {
  const target = newWindow ? '_blank' : null;
  return { type: 'link', attrs: dialect === 'live' ? { href, target } : { href, title: '', target } };
}

function imageNode({ imageid, src, size, align }: ImageAttributes): RichTextNode {
  return { type: 'image', attrs: { imageid, src, size, align } };
}

/** Reads a tree of either dialect; an unknown node is read as the text inside. */
export function fromDocument(doc: RichTextNode): FlatBlock[] {
  return fromNodes(doc.content ?? [], 0);
}

function fromNodes(nodes: readonly RichTextNode[], depth: number): FlatBlock[] {
  const blocks: FlatBlock[] = [];
  let loose: RichTextNode[] = [];
  const close = (): void => {
    if (loose.length > 0) blocks.push({ kind: 'paragraph', runs: fromInlineNodes(loose, depth) });
    loose = [];
  };
  for (const node of depth > MAX_DEPTH ? [] : nodes) {
    if (isInline(node)) {
      loose.push(node);
    } else {
      close();
      for (const block of fromNode(node, depth)) blocks.push(block);
    }
  }
  close();
  return blocks;
}

function isInline(node: RichTextNode): boolean {
  return ['text', 'hard_break', 'hardBreak', 'image'].includes(node.type);
}

function fromNode(node: RichTextNode, depth: number): FlatBlock[] {
  const content = node.content ?? [];
  const attrs = attributes(node);
  switch (node.type) {
    case 'paragraph':
      if (typeof attrs['rule'] === 'string') return [{ kind: 'source', attrs, text: textOf(content).trim() }];
      return [{ kind: 'paragraph', runs: fromInlineNodes(content, depth) }];
    case 'heading': {
      const level = Math.min(6, Math.max(2, Math.trunc(Number(attrs['level'])) || 2));
      return [{ kind: 'heading', level, runs: fromInlineNodes(content, depth) }];
    }
    case 'code_block':
      return [{ kind: 'code', text: textOf(content).replace(/\r\n?/g, '\n') }];
    case 'blockquote': {
      const format = attrs['format'] === 'featured' ? 'featured' : 'long';
      const attribution = fromInlineNodes(attributionNodes(attrs['attribute']), depth);
      return [{ kind: 'quote', format, attribution, blocks: fromNodes(content, depth + 1) }];
    }
    case 'ordered_list':
    case 'orderedList':
    case 'bullet_list':
    case 'bulletList':
      return [fromListNode(node, depth)];
    default:
      return fromNodes(content, depth + 1);
  }
}

function fromListNode(node: RichTextNode, depth: number): FlatList {
  const items = depth > MAX_DEPTH ? [] : (node.content ?? []).map((item) => fromItem(item, depth));
  return { kind: 'list', ordered: node.type === 'ordered_list' || node.type === 'orderedList', items };
}

/** Reads a list item. Wiki text has one line per item, so paragraphs become lines of it. */
function fromItem(item: RichTextNode, depth: number): FlatItem {
  const runs: Run[] = [];
  const lists: FlatList[] = [];
  for (const block of fromNodes(item.content ?? [], depth + 1)) {
    if (block.kind === 'list') {
      lists.push(block);
      continue;
    }
    if (runs.length > 0) runs.push(breakRun);
    for (const run of rowOf(block)) runs.push(run);
  }
  return { runs, lists };
}

function rowOf(block: Exclude<FlatBlock, FlatList>): readonly Run[] {
  if (block.kind === 'paragraph' || block.kind === 'heading') return block.runs;
  if (block.kind === 'quote')
    return block.blocks.flatMap((inner) => (inner.kind === 'list' ? [] : rowOf(inner)));
  return [textRun(block.text)];
}

function fromInlineNodes(nodes: readonly RichTextNode[], depth: number): Run[] {
  if (depth > MAX_DEPTH) return [];
  return nodes.flatMap((node): Run[] => {
    if (node.type === 'text') return [readText(node)];
    if (node.type === 'hard_break' || node.type === 'hardBreak') return [breakRun];
    if (node.type === 'image') return readImage(node);
    return fromInlineNodes(node.content ?? [], depth + 1);
  });
}

function readText(node: RichTextNode): Run {
  let marks = 0;
  for (const { type } of node.marks ?? []) {
    const name = MARK_NAMES_BY_TYPE.get(type);
    if (name !== undefined) marks |= markBit(name);
  }
  return textRun(node.text ?? '', marks, readLink(node));
}

/**
 * The address of a link as wiki text can have it: characters that would end the bracket are percent-encoded. Null for an
 * unsafe address, which wiki text cannot have.
 */
export function linkTarget(address: string): string | null {
  const href = address.replace(/[[\]|\s]/g, (sign) => encodeURIComponent(sign));
  const usable = href.startsWith('mailto:') ? isMailAddress(href.slice('mailto:'.length)) : isSafeUrl(href);
  return usable ? href : null;
}

/** Reads the target of a link; an unsafe address is dropped. */
function readLink(node: RichTextNode): LinkTarget | null {
  const attrs = node.marks?.find(({ type }) => type === 'link')?.attrs;
  if (typeof attrs?.['href'] !== 'string') return null;
  const href = linkTarget(attrs['href']);
  if (href === null) return null;
  return { href, newWindow: !href.startsWith('mailto:') && attrs['target'] === '_blank' };
}

function readImage(node: RichTextNode): Run[] {
  const attrs = attributes(node);
  const imageid = Number(attrs['imageid']);
  if (!Number.isSafeInteger(imageid) || imageid < 0) return [];
  const align = attrs['align'] === 'center' || attrs['align'] === 'right' ? attrs['align'] : 'left';
  const size =
    typeof attrs['size'] === 'string' && /^\w{1,20}$/.test(attrs['size']) ? attrs['size'] : 'standard';
  const src = typeof attrs['src'] === 'string' ? attrs['src'] : '';
  return [{ ...breakRun, kind: 'image', link: readLink(node), image: { imageid, align, size, src } }];
}

function attributes(node: RichTextNode): Record<string, unknown> {
  return node.attrs === undefined || Array.isArray(node.attrs) ? {} : node.attrs;
}

function attributionNodes(attribute: unknown): RichTextNode[] {
  if (typeof attribute === 'string') return attribute === 'null' ? [] : [{ type: 'text', text: attribute }];
  const content =
    typeof attribute === 'object' && attribute !== null && 'content' in attribute ? attribute.content : [];
  return Array.isArray(content) ? content.filter(isNode) : [];
}

function isNode(value: unknown): value is RichTextNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function textOf(nodes: readonly RichTextNode[]): string {
  return nodes.map((node) => node.text ?? (node.type === 'hard_break' ? '\n' : '')).join('');
}
