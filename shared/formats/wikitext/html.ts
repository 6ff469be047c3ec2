import { escapeHtml } from '#shared/html.ts';

import { linkedGuide, plainContext, type NamedLink, type WikiContext } from './context.ts';
import { listName, mostLists, RenderBudget, renderLimits } from './budget.ts';
import { eachBlock, parseLine } from './parse.ts';
import { inlineText } from './plain-text.ts';
import { expandTemplates, mostAddedToLine } from './templates.ts';
import type {
  Block,
  GuideLink,
  Image,
  Inline,
  List,
  MarkName,
  Quote,
  Table,
  TableCell,
  Text,
  Video,
} from './tree.ts';
import { isSafeUrl, resolveLink, videoTarget } from './urls.ts';

const MARK_TAGS: Readonly<Record<MarkName, string>> = {
  em: 'em',
  strong: 'strong',
  underline: 'ins',
  strike: 'del',
  sup: 'sup',
  sub: 'sub',
  code: 'tt',
};

/** Maximum visible length of a bare address. */
const MAX_URL_TEXT = 40;

/** The state of rendering one text: its context and budget. */
interface Rendering extends WikiContext {
  readonly budget: RenderBudget;
  /** Number of occurrences of each heading. */
  readonly sections: Map<string, number>;
  /** The lists shown so far. */
  readonly lists: Set<string>;
}

const blockGap = '\n\n';

/** The note in place of the rest of a text that is too long. */
const cutNote = '[The rest is not shown: once its lists and templates are expanded, this text is too long.]';

/**
 * Renders text on one line (`text_rendered` of a step line). `shared`: the budget of all texts of a record; each
 * function here charges it.
 */
export function renderLine(raw: string, context: WikiContext = plainContext, shared?: RenderBudget): string {
  return withinBudget(renderLimits.line, shared, (budget) => {
    const text = expandTemplates(raw, context, Math.min(mostAddedToLine, budget.left));
    return inlineHtml(parseLine(text), renderingOf(context, budget)) + (budget.isCut ? cutNote : '');
  });
}

/** Renders introductions, conclusions and wikis. */
export function renderBlocks(
  raw: string,
  context: WikiContext = plainContext,
  shared?: RenderBudget,
): string {
  return withinBudget(renderLimits.text, shared, (budget) =>
    renderEach(expandTemplates(raw, context, budget.left), renderingOf(context, budget), false),
  );
}

/** Renders comments: like blocks, but a single newline is a line break, and lists of guides stay text. */
export function renderComment(
  raw: string,
  context: WikiContext = plainContext,
  shared?: RenderBudget,
): string {
  return withinBudget(renderLimits.comment, shared, (budget) => {
    const text = expandTemplates(raw, context, Math.min(mostAddedToLine, budget.left));
    return renderEach(text, renderingOf({ ...context, guidelist: () => null }, budget), true);
  });
}

function renderingOf(context: WikiContext, budget: RenderBudget): Rendering {
  return { ...context, budget, sections: new Map(), lists: new Set() };
}

function withinBudget(
  most: number,
  shared: RenderBudget | undefined,
  write: (budget: RenderBudget) => string,
): string {
  const budget = shared?.forText(most) ?? new RenderBudget(most);
  const html = write(budget);
  shared?.count(html.length, budget);
  return html;
}

function renderEach(text: string, rendering: Rendering, breaks: boolean): string {
  const { budget } = rendering;
  const parts: string[] = [];
  const add = (block: Block): void => {
    if (budget.isCut) return;
    parts.push(counted(rendering, () => blockHtml(block, rendering)));
    budget.left = Math.max(0, budget.left - blockGap.length);
  };
  eachBlock(text, { breaks }, add, () => budget.isCut);
  if (budget.isCut) parts.push(`<p>${cutNote}</p>`);
  return parts.filter((part) => part !== '' || !budget.isCut).join(blockGap);
}

/** Writes nodes as long as the budget has room. */
function eachHtml<T>(nodes: readonly T[], rendering: Rendering, write: (node: T) => string): string[] {
  const parts: string[] = [];
  for (const node of nodes) {
    if (rendering.budget.isCut) break;
    parts.push(counted(rendering, () => write(node)));
  }
  return parts;
}

/**
 * Charges the budget for a node. A node with children is kept even without room, because the children were charged
 * separately; any other node is written whole or not at all.
 */
function counted({ budget }: Rendering, write: () => string): string {
  const before = budget.left;
  const html = write();
  const isLeaf = budget.left === before;
  budget.left = Math.max(0, before - html.length);
  if (html.length <= before) return html;
  budget.isCut = true;
  return isLeaf ? '' : html;
}

/** Writes text. An escaped character has at most six characters. */
function textHtml(text: string, { budget }: Rendering): string {
  const html = escapeHtml(text);
  const isWhole = html.length <= budget.left;
  if (!isWhole) budget.isCut = true;
  const written = isWhole
    ? html
    : escapeHtml(text.slice(0, Math.floor(budget.left / 6)).replace(/[\uD800-\uDBFF]$/, ''));
  budget.left -= written.length;
  return written;
}

function inlineHtml(nodes: readonly Inline[], rendering: Rendering): string {
  let html = '';
  for (const node of nodes) {
    if (rendering.budget.isCut) break;
    html +=
      node.type === 'text'
        ? textHtml(node.text, rendering)
        : counted(rendering, () => inlineNodeHtml(node, rendering));
  }
  return html;
}

function joinBlocks(blocks: readonly Block[], context: Rendering): string {
  return eachHtml(blocks, context, (block) => blockHtml(block, context)).join(blockGap);
}

function blockHtml(block: Block, context: Rendering): string {
  switch (block.type) {
    case 'paragraph':
      return `<p>${inlineHtml(block.children, context)}</p>`;
    case 'heading':
      return headingHtml(block.level, block.children, context);
    case 'list':
      return listHtml(block, context);
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case 'quote':
      return quoteHtml(block, context);
    case 'table':
      return tableHtml(block, context);
    case 'video':
      return videoHtml(block, context);
    case 'guidelist':
      return guideListHtml(block.options, block.source, context);
  }
}

/** Writes a heading. A repeated heading gets a number, so that every anchor is unique. */
function headingHtml(level: number, children: readonly Inline[], context: Rendering): string {
  const words = inlineText(children, context).trim();
  const name = `Section_${/\s/.test(words) ? words.replace(/\s+/g, '_') : words}`;
  const count = (context.sections.get(name) ?? 0) + 1;
  context.sections.set(name, count);
  const id = escapeHtml(count === 1 ? name : `${name}_${count}`);
  const anchor = `<a class="anchor" href="#${id}" title="Link to this section">&nbsp;&para;&nbsp;</a>`;
  return `<h${level} id="${id}">${inlineHtml(children, context)}${anchor}</h${level}>`;
}

function listHtml(list: List, context: Rendering): string {
  const tag = list.ordered ? 'ol' : 'ul';
  const items = eachHtml(list.items, context, (item) => {
    const inner = inlineHtml(item.children, context);
    const lists = eachHtml(item.lists, context, (one) => listHtml(one, context));
    return `<li>${inner}${lists.join('')}</li>`;
  });
  return `<${tag}>${items.join('')}</${tag}>`;
}

function quoteHtml(quote: Quote, context: Rendering): string {
  const inner = joinBlocks(quote.children, context);
  const open = quote.format === 'featured' ? '<blockquote class="featured">' : '<blockquote>';
  const by = quote.attribution.length > 0 ? `<footer>${inlineHtml(quote.attribution, context)}</footer>` : '';
  return `${open}${inner}${by}</blockquote>`;
}

function tableHtml(table: Table, context: Rendering): string {
  const caption = table.caption.length > 0 ? `<caption>${inlineHtml(table.caption, context)}</caption>` : '';
  const rows = eachHtml(table.rows, context, (row) => {
    const cells = eachHtml(row, context, (cell) => cellHtml(cell, context));
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<table>${caption}<tbody>${rows.join('')}</tbody></table>`;
}

function cellHtml(cell: TableCell, context: Rendering): string {
  const tag = cell.header ? 'th' : 'td';
  const columns = cell.colspan > 1 ? ` colspan="${cell.colspan}"` : '';
  const rows = cell.rowspan > 1 ? ` rowspan="${cell.rowspan}"` : '';
  return `<${tag}${columns}${rows}>${inlineHtml(cell.children, context)}</${tag}>`;
}

function inlineNodeHtml(node: Exclude<Inline, Text>, context: Rendering): string {
  switch (node.type) {
    case 'break':
      return '<br />';
    case 'mark':
      return `<${MARK_TAGS[node.mark]}>${inlineHtml(node.children, context)}</${MARK_TAGS[node.mark]}>`;
    case 'autolink':
      return autolinkHtml(node.url, false, context);
    case 'link':
      if (node.children.length === 0) return autolinkHtml(node.url, node.newWindow, context);
      return linkHtml(node.url, node.newWindow, inlineHtml(node.children, context), context);
    case 'guide':
      return guideHtml(node, context);
    case 'product': {
      const label = inlineHtml(node.children, context);
      return namedHtml(
        context.product(node.code),
        label,
        node.newWindow,
        '',
        '[invalid product link]',
        context,
      );
    }
    case 'mailto': {
      const label = inlineHtml(node.children, context) || escapeHtml(node.address);
      return `<a href="mailto:${escapeHtml(node.address)}">${label}</a>`;
    }
    case 'image':
      return imageHtml(node, context);
    case 'video':
      return autolinkHtml(node.url, false, context);
    case 'guidelist':
      return escapeHtml(node.source);
  }
}

function linkHtml(url: string, newWindow: boolean, label: string, context: Rendering, title = ''): string {
  const { href, trusted } = resolveLink(url, context);
  const rel = trusted ? '' : ' rel="nofollow noopener noreferrer"';
  const target = newWindow ? ' target="_blank"' : '';
  return `<a href="${escapeHtml(href)}"${rel}${target}${title}>${label}</a>`;
}

function autolinkHtml(url: string, newWindow: boolean, context: Rendering): string {
  if (url.length <= MAX_URL_TEXT) return linkHtml(url, newWindow, escapeHtml(url), context);
  const title = ` title="${escapeHtml(url)}"`;
  const visible = url.slice(0, MAX_URL_TEXT).replace(/[\uD800-\uDBFF]$/, '');
  return linkHtml(url, newWindow, `${escapeHtml(visible)}...`, context, title);
}

function guideHtml(node: GuideLink, context: Rendering): string {
  const fragment = node.stepid === null ? '' : `#s${node.stepid}`;
  const label = inlineHtml(node.children, context);
  return namedHtml(
    linkedGuide(context, node.guide),
    label,
    node.newWindow,
    fragment,
    '[invalid guide link]',
    context,
  );
}

function namedHtml(
  found: NamedLink | null,
  label: string,
  newWindow: boolean,
  fragment: string,
  missing: string,
  context: Rendering,
): string {
  if (found === null || !isSafeUrl(found.url)) return missing;
  return linkHtml(found.url + fragment, newWindow, label || escapeHtml(found.title), context);
}

function imageHtml(node: Image, context: Rendering): string {
  const image = context.image(node.imageid);
  const url = image?.url(node.size) ?? '';
  if (!isSafeUrl(url)) return '[invalid image]';
  return `<img class="wikiImage image_${node.align} ${node.size}" src="${escapeHtml(url)}" alt="" />`;
}

/**
 * Writes a video exactly as live servers do, including the unquoted attribute and both style attributes. Only the
 * checked video id comes from the text.
 */
function videoHtml(node: Video, context: Rendering): string {
  const video = videoTarget(node.url);
  if (video === null) return `<p>${autolinkHtml(node.url, false, context)}</p>`;
  const size = `width="560" height="315"`;
  const player =
    video.service === 'youtube'
      ? `<div videoid=${video.id} class='youtube-player' src="https://www.youtube-nocookie.com/embed/${video.id}?wmode=opaque" style='background-image:url("https://i.ytimg.com/vi/${video.id}/hqdefault.jpg")' ${size} ></div>`
      : `<iframe src="https://player.vimeo.com/video/${video.id}" ${size} allowfullscreen></iframe>`;
  return `<div class="${node.size} videoFrame videoBox_${node.align}" style="width:570px"><div class="videoBox">${player}</div></div>`;
}

function guideListHtml(
  options: Readonly<Record<string, string>>,
  source: string,
  context: Rendering,
): string {
  const list = listName(options);
  if (context.lists.has(list)) return '<p>(This list of guides is shown above.)</p>';
  const guides = context.lists.size < mostLists ? context.guidelist(options) : null;
  if (guides === null) return `<p>${escapeHtml(source)}</p>`;
  context.lists.add(list);
  const links = guides.filter(({ url }) => isSafeUrl(url));
  const items = eachHtml(
    links,
    context,
    ({ url, title }) => `<li>${linkHtml(url, false, escapeHtml(title), context)}</li>`,
  );
  return items.length === 0 ? '' : `<ul class="guidelist">${items.join('')}</ul>`;
}
