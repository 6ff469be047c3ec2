import type { FlatBlock, FlatList, FlatQuote } from './flat-blocks.ts';
import { MarkStack, nameOf, RunEnds, type MarkSet } from './marks.ts';
import { groupItems, KEPT_ELSEWHERE, KEPT_IN_PARAGRAPH, type Item, type Run } from './runs.ts';
import type { MarkName } from './tree.ts';

const SIGNS: Readonly<Record<MarkName, string>> = {
  em: "''",
  strong: "'''",
  underline: '++',
  strike: '~~',
  sup: '^^',
  sub: ',,',
  code: '``',
};

const SPECIAL = /['+~^,`[\]{}|=*#!]|https?:/i;

interface Options {
  /** Whether text that could be read as syntax is put in `[nowiki]`. */
  readonly escape: boolean;
  /** Whether the content is a paragraph, which may have several lines. */
  readonly paragraph: boolean;
}

/** Writes blocks as wiki text. */
export function writeBlocks(blocks: readonly FlatBlock[], escape: boolean): string {
  return blocks.map((block) => writeBlock(block, escape)).join('\n\n');
}

function writeBlock(block: FlatBlock, escape: boolean): string {
  switch (block.kind) {
    case 'paragraph':
      return writeRow(block.runs, { escape, paragraph: true }).replace(/\n$/, '');
    case 'heading': {
      const signs = '='.repeat(block.level);
      return `${signs} ${writeRow(block.runs, { escape, paragraph: false })} ${signs}`;
    }
    case 'list':
      return writeList(block, 1, escape).join('\n');
    case 'code':
      return `[code]\n${block.text}\n[/code]`;
    case 'quote':
      return writeQuote(block, escape);
    case 'source':
      return block.text;
  }
}

function writeList(list: FlatList, depth: number, escape: boolean): string[] {
  const signs = (list.ordered ? '#' : '*').repeat(depth);
  return list.items.flatMap((item) => [
    `${signs} ${writeRow(item.runs, { escape, paragraph: false })}`,
    ...item.lists.flatMap((inner) => writeList(inner, depth + 1, escape)),
  ]);
}

function writeQuote(quote: FlatQuote, escape: boolean): string {
  const named = quote.attribution.length > 0;
  const by = named ? `|${writeRow(quote.attribution, { escape, paragraph: false })}` : '';
  const format = quote.format === 'featured' ? '|format=featured' : '';
  return `[quote${by}${format}]\n${writeBlocks(quote.blocks, escape)}\n\n[/quote]`;
}

function writeRow(runs: readonly Run[], options: Options): string {
  return writeItems(groupItems(runs), options);
}

function writeItems(items: readonly Item[], options: Options): string {
  const stack = new MarkStack();
  const ends = new RunEnds(items.map((item) => item.marks));
  let out = '';
  const closeTo = (kept: number): void => {
    while (stack.open.length > kept) out += signOf(stack.open.pop() ?? 0);
  };
  items.forEach((item, index) => {
    closeTo(stack.kept(item.marks));
    out += item.gap;
    for (const bit of stack.toOpen(item.marks, (mark) => ends.of(mark, index))) {
      stack.open.push(bit);
      out += signOf(bit);
    }
    out += item.link === null ? writeRun(item.runs[0], options) : writeLink(item, options);
  });
  closeTo(0);
  return out;
}

function signOf(bit: MarkSet): string {
  return SIGNS[nameOf(bit)];
}

function writeRun(run: Run | undefined, options: Options): string {
  if (run === undefined) return '';
  if (run.kind === 'break') return options.paragraph ? '[br]\n' : '[br]';
  if (run.image !== null)
    return `[image|${run.image.imageid}|align=${run.image.align}|size=${run.image.size}]`;
  return options.escape && !run.bare
    ? escapeText(run.text, options.paragraph ? KEPT_IN_PARAGRAPH : KEPT_ELSEWHERE)
    : run.text;
}

function writeLink(item: Item, options: Options): string {
  const inner = item.runs.map((run) => ({ ...run, link: null, bare: false, marks: run.marks & ~item.marks }));
  const label = writeRow(inner, { ...options, paragraph: false });
  const href = item.link?.href ?? '';
  if (href.startsWith('mailto:')) return `[mailto|${href.slice('mailto:'.length)}|${label}]`;
  return `[${href}|${label}${item.link?.newWindow === true ? '|new_window=true' : ''}]`;
}

function escapeText(text: string, kept: string): string {
  return text
    .split(new RegExp(`(${kept})`))
    .map((part, index) =>
      index % 2 === 1 || !(SPECIAL.test(part) || part === 'featured') ? part : protect(part),
    )
    .join('');
}

function protect(text: string): string {
  return `[nowiki]${text.replaceAll('[/nowiki]', '[/now[/nowiki][nowiki]iki]')}[/nowiki]`;
}
