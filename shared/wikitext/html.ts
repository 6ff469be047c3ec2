import { linkedGuide, plainContext } from './context.ts';
import type { NamedLink, WikiContext } from './context.ts';
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

/** Longest visible text of a bare address. */
const MAX_URL_TEXT = 40;

/** Renders text that stands on one line (`text_rendered` of a step line). */
export function renderLine(raw: string, context: WikiContext = plainContext): string {
  return inlineHtml(parseLine(expandTemplates(raw, context, mostAddedToLine)), context);
}

/** Renders introductions, conclusions and wikis. */
export function renderBlocks(raw: string, context: WikiContext = plainContext): string {
  return renderEach(raw, context, false);
}

/** Renders comments: like blocks, but a single newline breaks the line. */
export function renderComment(raw: string, context: WikiContext = plainContext): string {
  return renderEach(raw, context, true);
}

function renderEach(raw: string, context: WikiContext, breaks: boolean): string {
  const sections = new Map<string, number>();
  const parts: string[] = [];
  eachBlock(expandTemplates(raw, context), { breaks }, (block) =>
    parts.push(blockHtml(block, context, sections)),
  );
  return parts.join('\n\n');
}

export function blocksHtml(blocks: readonly Block[], context: WikiContext): string {
  return joinBlocks(blocks, context, new Map());
}

export function inlineHtml(nodes: readonly Inline[], context: WikiContext): string {
  const first = nodes[0];
  if (nodes.length === 1 && first !== undefined) return inlineNodeHtml(first, context);
  let html = '';
  for (const node of nodes) html += inlineNodeHtml(node, context);
  return html;
}

export function escapeHtml(text: string): string {
  if (!/[&<>"]/.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function joinBlocks(blocks: readonly Block[], context: WikiContext, sections: Map<string, number>): string {
  return blocks.map((block) => blockHtml(block, context, sections)).join('\n\n');
}

function blockHtml(block: Block, context: WikiContext, sections: Map<string, number>): string {
  switch (block.type) {
    case 'paragraph':
      return `<p>${inlineHtml(block.children, context)}</p>`;
    case 'heading':
      return headingHtml(block.level, block.children, context, sections);
    case 'list':
      return listHtml(block, context);
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case 'quote':
      return quoteHtml(block, context, sections);
    case 'table':
      return tableHtml(block, context);
    case 'video':
      return videoHtml(block, context);
    case 'guidelist':
      return guideListHtml(block.options, block.source, context);
  }
}

/** A repeated heading gets a number, so that every anchor leads to its own section. */
function headingHtml(
  level: number,
  children: readonly Inline[],
  context: WikiContext,
  sections: Map<string, number>,
): string {
  const words = inlineText(children, context).trim();
  const name = `Section_${/\s/.test(words) ? words.replace(/\s+/g, '_') : words}`;
  const count = (sections.get(name) ?? 0) + 1;
  sections.set(name, count);
  const id = escapeHtml(count === 1 ? name : `${name}_${count}`);
  const anchor = `<a class="anchor" href="#${id}" title="Link to this section">&nbsp;&para;&nbsp;</a>`;
  return `<h${level} id="${id}">${inlineHtml(children, context)}${anchor}</h${level}>`;
}

function listHtml(list: List, context: WikiContext): string {
  const tag = list.ordered ? 'ol' : 'ul';
  let html = `<${tag}>`;
  for (const item of list.items) {
    html += `<li>${inlineHtml(item.children, context)}`;
    for (const inner of item.lists) html += listHtml(inner, context);
    html += '</li>';
  }
  return `${html}</${tag}>`;
}

function quoteHtml(quote: Quote, context: WikiContext, sections: Map<string, number>): string {
  const open = quote.format === 'featured' ? '<blockquote class="featured">' : '<blockquote>';
  const by = quote.attribution.length > 0 ? `<footer>${inlineHtml(quote.attribution, context)}</footer>` : '';
  return `${open}${joinBlocks(quote.children, context, sections)}${by}</blockquote>`;
}

function tableHtml(table: Table, context: WikiContext): string {
  const caption = table.caption.length > 0 ? `<caption>${inlineHtml(table.caption, context)}</caption>` : '';
  const parts = [`<table>${caption}<tbody>`];
  for (const row of table.rows) {
    parts.push('<tr>');
    for (const cell of row) parts.push(cellHtml(cell, context));
    parts.push('</tr>');
  }
  parts.push('</tbody></table>');
  return parts.join('');
}

function cellHtml(cell: TableCell, context: WikiContext): string {
  const tag = cell.header ? 'th' : 'td';
  const columns = cell.colspan > 1 ? ` colspan="${cell.colspan}"` : '';
  const rows = cell.rowspan > 1 ? ` rowspan="${cell.rowspan}"` : '';
  return `<${tag}${columns}${rows}>${inlineHtml(cell.children, context)}</${tag}>`;
}

function inlineNodeHtml(node: Inline, context: WikiContext): string {
  switch (node.type) {
    case 'text':
      return escapeHtml(node.text);
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

function linkHtml(url: string, newWindow: boolean, label: string, context: WikiContext, title = ''): string {
  const { href, trusted } = resolveLink(url, context);
  const rel = trusted ? '' : ' rel="nofollow noopener noreferrer"';
  const target = newWindow ? ' target="_blank"' : '';
  return `<a href="${escapeHtml(href)}"${rel}${target}${title}>${label}</a>`;
}

function autolinkHtml(url: string, newWindow: boolean, context: WikiContext): string {
  if (url.length <= MAX_URL_TEXT) return linkHtml(url, newWindow, escapeHtml(url), context);
  const title = ` title="${escapeHtml(url)}"`;
  const visible = url.slice(0, MAX_URL_TEXT).replace(/[\uD800-\uDBFF]$/, '');
  return linkHtml(url, newWindow, `${escapeHtml(visible)}...`, context, title);
}

function guideHtml(node: GuideLink, context: WikiContext): string {
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
  context: WikiContext,
): string {
  if (found === null || !isSafeUrl(found.url)) return missing;
  return linkHtml(found.url + fragment, newWindow, label || escapeHtml(found.title), context);
}

function imageHtml(node: Image, context: WikiContext): string {
  const image = context.image(node.imageid);
  const url = image?.url(node.size) ?? '';
  if (!isSafeUrl(url)) return '[invalid image]';
  return `<img class="wikiImage image_${node.align} ${node.size}" src="${escapeHtml(url)}" alt="" />`;
}

/**
 * The markup that live servers answer for a video, unquoted attribute and both style attributes
 * included. Nothing in it comes from the text but the checked video id.
 */
function videoHtml(node: Video, context: WikiContext): string {
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
  context: WikiContext,
): string {
  const guides = context.guidelist(options);
  if (guides === null) return `<p>${escapeHtml(source)}</p>`;
  const items = guides
    .filter(({ url }) => isSafeUrl(url))
    .map(({ url, title }) => linkHtml(url, false, escapeHtml(title), context));
  return items.length === 0 ? '' : `<ul class="guidelist"><li>${items.join('</li><li>')}</li></ul>`;
}
