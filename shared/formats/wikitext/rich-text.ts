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
  /** The names of marks and links; default `live`. */
  readonly dialect?: Dialect;
  /** Returns the `src` of images; default ''. */
  readonly imageUrl?: ImageUrl;
}

/**
 * Converts wiki text to a rich-text tree (`introduction_json`, `contents_json`). Tables, videos and guide lists become
 * paragraphs that contain their wiki text and name their kind in `attrs.rule`; guide and product links stay wiki text
 * inside the text. Templates are not expanded. A text of more than 20,000 nodes becomes one such paragraph.
 */
export function toRichText(raw: string, options: RichTextOptions = {}): RichTextNode {
  const blocks = flattenBlocks(parseBlocks(raw), options.imageUrl ?? (() => ''));
  if (raw.length > mostNodes && nodesIn(blocks) > mostNodes) return sourceDocument(raw);
  return toDocument(normalizeBlocks(blocks), options.dialect ?? 'live');
}

/** Maximum number of blocks and runs in a tree; each becomes about a hundred characters of an answer. */
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

/** The tree of a text that is too large: one paragraph with its wiki text, like a table. Nothing is lost. */
function sourceDocument(raw: string): RichTextNode {
  const content: RichTextNode[] = [{ type: 'text', text: raw }];
  return { type: 'doc', content: [{ type: 'paragraph', attrs: { rule: 'WikiText' }, content }] };
}

/**
 * Converts a rich-text tree of either dialect to wiki text. Text that would be read as syntax is put in `[nowiki]`.
 * Never throws: an unknown node is read as the text inside it.
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

/** The text of a document with one paragraph without formats, like most lines of steps; null for anything else. */
function loneText({ content = [] }: RichTextNode): string | null {
  const [paragraph] = content;
  const [node] = paragraph?.content ?? [];
  const isLone = content.length === 1 && paragraph?.type === 'paragraph' && paragraph.content?.length === 1;
  const isPlain = node?.type === 'text' && paragraph?.attrs === undefined && (node.marks ?? []).length === 0;
  return isLone && isPlain ? (node.text ?? '') : null;
}

/** Matches text that may contain syntax. Any other text is one paragraph without formats. */
const mayBeSyntax = /[[\]{}|=*#\r\n]|([+~^,`'])\1|https?:/i;

/** Whether two documents have the same content, ignoring addresses of pictures. */
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
