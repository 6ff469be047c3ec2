import { linkedGuide, plainContext, type WikiContext } from './context.ts';
import { parseBlocks, parseLine } from './parse.ts';
import { expandTemplates, mostAddedToLine } from './templates.ts';
import type { Block, Inline, List } from './tree.ts';

/** The words of a block text, one line for each block, list item or table cell, for search and summaries. */
export function plainText(raw: string, context: WikiContext = plainContext): string {
  const lines: string[] = [];
  collectBlocks(parseBlocks(expandTemplates(raw, context)), lines, context);
  return lines.join('\n');
}

/** Number of characters of wiki text from which `plainBeginning` reads; lists show only a few lines of each text. */
const beginning = 20_000;

/** The first words of a block text. */
export function plainBeginning(raw: string, context: WikiContext = plainContext): string {
  const lines: string[] = [];
  const text = expandTemplates(raw.slice(0, beginning), context, beginning);
  collectBlocks(parseBlocks(text), lines, context);
  return lines.join('\n');
}

/** The words of a step line. */
export function plainLine(raw: string, context: WikiContext = plainContext): string {
  return inlineText(parseLine(expandTemplates(raw, context, mostAddedToLine)), context).trim();
}

/** The words of inline content. Images and videos have none; a link has its text, or what is shown in place of one. */
export function inlineText(nodes: readonly Inline[], context: WikiContext): string {
  let text = '';
  for (const node of nodes) text += nodeText(node, context);
  return text;
}

function nodeText(node: Inline, context: WikiContext): string {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'break':
      return '\n';
    case 'autolink':
      return node.url;
    case 'mark':
      return inlineText(node.children, context);
    case 'link':
      return inlineText(node.children, context) || node.url;
    case 'guide':
      return inlineText(node.children, context) || (linkedGuide(context, node.guide)?.title ?? '');
    case 'product':
      return inlineText(node.children, context) || (context.product(node.code)?.title ?? node.code);
    case 'mailto':
      return inlineText(node.children, context) || node.address;
    case 'image':
    case 'video':
    case 'guidelist':
      return '';
  }
}

function collectBlocks(blocks: readonly Block[], lines: string[], context: WikiContext): void {
  const add = (nodes: readonly Inline[]): void => addLine(inlineText(nodes, context), lines);
  for (const block of blocks) {
    if (block.type === 'paragraph' || block.type === 'heading') {
      add(block.children);
    } else if (block.type === 'list') {
      collectList(block, lines, context);
    } else if (block.type === 'code') {
      addLine(block.text, lines);
    } else if (block.type === 'quote') {
      collectBlocks(block.children, lines, context);
      add(block.attribution);
    } else if (block.type === 'table') {
      add(block.caption);
      for (const row of block.rows) for (const cell of row) add(cell.children);
    }
  }
}

function collectList(list: List, lines: string[], context: WikiContext): void {
  for (const item of list.items) {
    addLine(inlineText(item.children, context), lines);
    for (const inner of item.lists) collectList(inner, lines, context);
  }
}

function addLine(text: string, lines: string[]): void {
  const trimmed = text.trim();
  if (trimmed !== '') lines.push(trimmed);
}
