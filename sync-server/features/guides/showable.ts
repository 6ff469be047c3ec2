import { invalid } from '#shared/api/problem.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { RenderBudget, renderLimits } from '#shared/formats/wikitext/budget.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';
import { renderBlocks, renderComment, renderLine } from '#shared/formats/wikitext/html.ts';
import type { Context } from '#server/core/context.ts';

import { wikiContextFor } from './wiki-context.ts';

/** Texts of a record by field name. */
type NamedTexts = Readonly<Record<string, string | undefined>>;

/** Throws 422 with the field whose text, including its lists and templates, is too long to be rendered completely. */
export async function mustShow(ctx: Context, texts: NamedTexts, langid?: string): Promise<void> {
  for (const [field, text] of Object.entries(texts)) {
    if (text === undefined || text === '') continue;
    const budget = new RenderBudget(renderLimits.text);
    renderBlocks(text, await wikiContextFor(ctx, [text], langid), budget);
    if (budget.isCut) throw tooLong(field, renderLimits.text);
  }
}

/** `mustShow` for a comment, which has no lists of guides. */
export async function mustShowComment(ctx: Context, text: string): Promise<void> {
  const budget = new RenderBudget(renderLimits.comment);
  renderComment(text, await wikiContextFor(ctx, [text], undefined, { lists: false }), budget);
  if (budget.isCut) throw tooLong('text', renderLimits.comment);
}

/**
 * `mustShow` for a guide, whose texts share a budget. Texts that are already in `base` are never refused, and neither
 * is the total length if it was too long before.
 */
export async function mustShowGuide(
  ctx: Context,
  base: GuideContent | null,
  content: GuideContent,
): Promise<void> {
  const known = new Set(base === null ? [] : textsOf(base).map(({ text }) => text));
  const texts = textsOf(content);
  const changed = texts.filter(({ text }) => !known.has(text));
  if (changed.length === 0 || areShort(texts)) return;
  const wiki = await wikiContextFor(
    ctx,
    texts.map(({ text }) => text),
  );
  const budget = new RenderBudget(renderLimits.guide);
  for (const { text, render } of texts) if (known.has(text)) render(text, wiki, budget);
  if (budget.left === 0) return;
  budget.isCut = false;
  for (const { field, text, index, render } of changed) {
    render(text, wiki, budget);
    if (!budget.isCut) continue;
    const most = field === 'lines' ? renderLimits.line : renderLimits.text;
    throw tooLong(field, budget.left === 0 ? renderLimits.guide : most, index);
  }
}

interface GuideText {
  field: string;
  text: string;
  /** Index of a line in its step. */
  index?: number;
  render: (raw: string, wiki: WikiContext, budget: RenderBudget) => string;
}

function textsOf({ introduction_raw, conclusion_raw, steps }: GuideContent): GuideText[] {
  return [
    { field: 'introduction', text: introduction_raw, render: renderBlocks },
    { field: 'conclusion', text: conclusion_raw, render: renderBlocks },
    ...steps.flatMap(({ lines }) =>
      lines.map(({ text_raw: text }, index) => ({ field: 'lines', text, index, render: renderLine })),
    ),
  ];
}

/** Most characters of HTML per character of wiki text without references; `== a ==` is a heading with an anchor. */
const mostPerCharacter = 40;

/** Whether all texts are short and without references, so that none can be too long. True for most guides. */
function areShort(texts: readonly GuideText[]): boolean {
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
  return (
    characters * mostPerCharacter <= renderLimits.text &&
    texts.every(
      ({ field, text }) => field !== 'lines' || text.length * mostPerCharacter <= renderLimits.line,
    ) &&
    texts.every(({ text }) => !/\{\{|\[guide|\[product/.test(text))
  );
}

function tooLong(field: string, most: number, index?: number): Error {
  const what = 'Once its lists and templates are expanded, this text is too long to be shown';
  return invalid(field, `${what} (more than ${most} characters of HTML). Shorten it`, index);
}
