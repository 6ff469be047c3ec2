import type { RichTextNode } from '#shared/model/rich-text.ts';
import { flattenBlocks, normalizeBlocks } from './flat-blocks.ts';
import type { FlatBlock, ImageUrl } from './flat-blocks.ts';
import { parseBlocks } from './parse.ts';
import { fromDocument, toDocument } from './rich-text-nodes.ts';
import type { Dialect } from './rich-text-nodes.ts';
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
 * links stay wiki text inside the text. Templates are not expanded.
 */
export function toRichText(raw: string, options: RichTextOptions = {}): RichTextNode {
  const blocks = flattenBlocks(parseBlocks(raw), options.imageUrl ?? (() => ''));
  return toDocument(normalizeBlocks(blocks), options.dialect ?? 'live');
}

/**
 * A rich-text tree of either dialect as wiki text. Text is written as it is unless it would be read
 * as syntax; then the parts that could are put in `[nowiki]`. Never throws: unknown nodes are read
 * as the text inside them.
 */
export function fromRichText(doc: RichTextNode): string {
  const blocks = normalizeBlocks(fromDocument(doc));
  const plain = writeBlocks(blocks, false);
  const reread = normalizeBlocks(flattenBlocks(parseBlocks(plain), () => ''));
  return signature(reread) === signature(blocks) ? plain : writeBlocks(blocks, true);
}

/** The content as one string; the addresses of pictures do not count. */
function signature(blocks: readonly FlatBlock[]): string {
  return JSON.stringify(blocks, (key, value: unknown) =>
    key === 'src' || key === 'attrs' ? undefined : value,
  );
}
