import { markBit, type MarkSet } from './marks.ts';
import { breakRun, normalizeRuns, textRun, type LinkTarget, type Run } from './runs.ts';
import type { Block, Inline, List, Video } from './tree.ts';

/** Blocks whose inline content is a list of runs: the common form of wiki text and rich-text trees. */
export type FlatBlock =
  | { readonly kind: 'paragraph'; readonly runs: readonly Run[] }
  | { readonly kind: 'heading'; readonly level: number; readonly runs: readonly Run[] }
  | FlatList
  | { readonly kind: 'code'; readonly text: string }
  | FlatQuote
  | FlatSource;

export interface FlatList {
  readonly kind: 'list';
  readonly ordered: boolean;
  readonly items: readonly FlatItem[];
}

export interface FlatItem {
  readonly runs: readonly Run[];
  readonly lists: readonly FlatList[];
}

export interface FlatQuote {
  readonly kind: 'quote';
  readonly format: 'long' | 'featured';
  readonly attribution: readonly Run[];
  readonly blocks: readonly FlatBlock[];
}

/** Content without a node in rich text, stored as its wiki text. */
export interface FlatSource {
  readonly kind: 'source';
  readonly attrs: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Returns the address of a picture for the `src` of an image node. */
export type ImageUrl = (imageid: number, size: string) => string;

export function flattenBlocks(blocks: readonly Block[], imageUrl: ImageUrl): FlatBlock[] {
  return blocks.map((block) => flattenBlock(block, imageUrl));
}

function flattenBlock(block: Block, imageUrl: ImageUrl): FlatBlock {
  const row = (nodes: readonly Inline[]): Run[] => flattenRow(nodes, imageUrl);
  switch (block.type) {
    case 'paragraph':
      return { kind: 'paragraph', runs: row(block.children) };
    case 'heading':
      return { kind: 'heading', level: block.level, runs: row(block.children) };
    case 'list':
      return flattenList(block, row);
    case 'code':
      return { kind: 'code', text: block.text };
    case 'quote': {
      const { format, attribution, children } = block;
      return {
        kind: 'quote',
        format,
        attribution: row(attribution),
        blocks: flattenBlocks(children, imageUrl),
      };
    }
    case 'table':
      return { kind: 'source', attrs: { rule: 'Table' }, text: block.source };
    case 'guidelist':
      return { kind: 'source', attrs: { rule: 'GuideList' }, text: block.source };
    case 'video':
      return { kind: 'source', attrs: videoAttributes(block), text: block.source };
  }
}

/** The attributes of a paragraph that represents a video, as live servers set them. */
function videoAttributes({ url, align, size }: Video): Record<string, unknown> {
  const service = /vimeo\.com/i.test(url) ? 'vimeo' : 'youtube';
  return { align, caption: '', formats: [], poster: '', rule: 'Video', service, size, url };
}

function flattenList(list: List, row: (nodes: readonly Inline[]) => Run[]): FlatList {
  const items = list.items.map((item) => ({
    runs: row(item.children),
    lists: item.lists.map((inner) => flattenList(inner, row)),
  }));
  return { kind: 'list', ordered: list.ordered, items };
}

function flattenRow(nodes: readonly Inline[], imageUrl: ImageUrl): Run[] {
  const runs: Run[] = [];
  addRuns(nodes, 0, null, runs, imageUrl);
  return runs;
}

function addRuns(
  nodes: readonly Inline[],
  marks: MarkSet,
  link: LinkTarget | null,
  runs: Run[],
  imageUrl: ImageUrl,
): void {
  const within = (children: readonly Inline[], target: LinkTarget, text: string): void => {
    if (children.length === 0) runs.push(textRun(text, marks, target));
    else addRuns(children, marks, target, runs, imageUrl);
  };
  for (const node of nodes) {
    if (node.type === 'text') runs.push(textRun(node.text, marks, link));
    else if (node.type === 'break') runs.push(breakRun);
    else if (node.type === 'mark') addRuns(node.children, marks | markBit(node.mark), link, runs, imageUrl);
    else if (node.type === 'autolink') runs.push(textRun(node.url, marks, link));
    else if (node.type === 'link')
      within(node.children, { href: node.url, newWindow: node.newWindow }, node.url);
    else if (node.type === 'mailto') {
      within(node.children, { href: `mailto:${node.address}`, newWindow: false }, node.address);
    } else if (node.type === 'image') {
      const { imageid, align, size } = node;
      const image = { imageid, align, size, src: imageUrl(imageid, size) };
      runs.push({ ...breakRun, kind: 'image', link, image });
    } else runs.push(textRun(node.source, marks, link));
  }
}

/** Converts blocks to the one form that wiki text can express; empty ones are dropped. */
export function normalizeBlocks(blocks: readonly FlatBlock[]): FlatBlock[] {
  return blocks.map(normalizeBlock).filter((block) => !isEmpty(block));
}

function normalizeBlock(block: FlatBlock): FlatBlock {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return { ...block, runs: normalizeRuns(block.runs) };
    case 'list':
      return normalizeList(block);
    case 'quote': {
      const attribution = normalizeRuns(block.attribution);
      return { ...block, attribution, blocks: normalizeBlocks(block.blocks) };
    }
    case 'code':
    case 'source':
      return block;
  }
}

/** Normalizes a list: the inner items of an item without text move to the outer list. */
function normalizeList(list: FlatList): FlatList {
  const items: FlatItem[] = [];
  for (const item of list.items) {
    const runs = normalizeRuns(item.runs);
    const lists = item.lists.map(normalizeList).filter((inner) => inner.items.length > 0);
    if (runs.length > 0) items.push({ runs, lists });
    else for (const inner of lists) for (const lifted of inner.items) items.push(lifted);
  }
  return { ...list, items };
}

function isEmpty(block: FlatBlock): boolean {
  if (block.kind === 'list') return block.items.length === 0;
  if (block.kind === 'quote') return block.blocks.length === 0;
  if (block.kind === 'code' || block.kind === 'source') return block.text === '';
  return block.runs.length === 0;
}
