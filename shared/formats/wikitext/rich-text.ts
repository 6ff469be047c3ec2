import type { RichTextNode } from '#shared/model/rich-text.ts';
import {
  flattenBlocks,
  normalizeBlocks,
  type FlatBlock,
  type FlatList,
  type ImageUrl,
} from './flat-blocks.ts';
import { parseBlocks } from './parse.ts';
import { fromDocument, toDocument, type Dialect } from './rich-text-nodes.ts';
import { writeBlocks } from './wiki-writer.ts';

export type { Dialect } from './rich-text-nodes.ts';

export interface RichTextOptions {
  /** How marks and links are named; `live` when left out. */
  readonly dialect?: Dialect;
  /** Address for the `src` of images; '' when left out. */
  readonly imageUrl?: ImageUrl;
}

/**
 * Wiki text as a rich-text tree (`introduction_json`, `contents_json`). Tables, videos and guide lists
 * become paragraphs that hold their wiki text and name their kind in `attrs.rule`; guide and product
 * links stay wiki text inside the text. Templates are not expanded. A text of more than 20,000 nodes is one such paragraph.
 */
export function toRichText(raw: string, options: RichTextOptions = {}): RichTextNode {
  const blocks = flattenBlocks(parseBlocks(raw), options.imageUrl ?? (() => ''));
  if (raw.length > mostNodes && nodesIn(blocks) > mostNodes) return sourceDocument(raw);
  return toDocument(normalizeBlocks(blocks), options.dialect ?? 'live');
}

/** Blocks and runs of text of a tree; each becomes about a hundred characters of an answer. */
const mostNodes = 20_000;

function nodesIn(blocks: readonly FlatBlock[]): number {
  let nodes = 0;
  for (const block of blocks) {
    nodes += 1;
    if (block.kind === 'quote') nodes += block.attribution.length + nodesIn(block.blocks);
    else if (block.kind === 'list') nodes += nodesOfList(block);
    else if (block.kind === 'paragraph' || block.kind === 'heading') nodes += block.runs.length;
  }
  return nodes;
}

function nodesOfList({ items }: FlatList): number {
  let nodes = items.length;
  for (const { runs, lists } of items) {
    nodes += runs.length;
    for (const inner of lists) nodes += nodesOfList(inner);
  }
  return nodes;
}

/** A text whose tree would be too large: one paragraph that holds its wiki text, as a table does. Nothing is lost. */
function sourceDocument(raw: string): RichTextNode {
  const content: RichTextNode[] = [{ type: 'text', text: raw }];
  return { type: 'doc', content: [{ type: 'paragraph', attrs: { rule: 'WikiText' }, content }] };
}

/**
 * A rich-text tree of either dialect as wiki text. Text is written as it is unless it would be read
 * as syntax; then the parts that could are put in `[nowiki]`. Never throws: unknown nodes are read
 * as the text inside them.
 */
export function fromRichText(doc: RichTextNode): string {
  const lone = loneText(doc);
  if (lone !== null && !mayBeSyntax.test(lone)) return lone.replaceAll(/^[ \t]+|[ \t]+$/g, '');
  const blocks = normalizeBlocks(fromDocument(doc));
  const plain = writeBlocks(blocks, false);
  if (!mayBeSyntax.test(plain)) return plain;
  const reread = normalizeBlocks(flattenBlocks(parseBlocks(plain), () => ''));
  return isSameContent(reread, blocks) ? plain : writeBlocks(blocks, true);
}

/** The text of one paragraph without formats, which most lines of steps are; null for anything else. */
function loneText({ content = [] }: RichTextNode): string | null {
  const [paragraph] = content;
  const [node] = paragraph?.content ?? [];
  const isLone = content.length === 1 && paragraph?.type === 'paragraph' && paragraph.content?.length === 1;
  const isPlain = node?.type === 'text' && paragraph?.attrs === undefined && (node.marks ?? []).length === 0;
  return isLone && isPlain ? (node.text ?? '') : null;
}

/** Without any of it a text is one paragraph without formats, and is read as it is written. */
const mayBeSyntax = /[[\]{}|=*#\r\n]|([+~^,`'])\1|https?:/i;

/** Whether the content is the same; the addresses of pictures do not count. */
function isSameContent(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => key === 'src' || key === 'attrs' || isSameContent(one[key], other[key]))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
