import { invalid } from '#shared/api/problem.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { RenderBudget, renderLimits } from '#shared/formats/wikitext/budget.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';
import { renderBlocks, renderComment, renderLine } from '#shared/formats/wikitext/html.ts';
import type { Context } from '#server/core/context.ts';

import { wikiContextFor } from './wiki-context.ts';

/** Texts of a record by the names of their fields. */
type NamedTexts = Readonly<Record<string, string | undefined>>;

/** 422 naming the field whose text, with all that it lists and includes, is too long to be shown whole. */
export async function mustShow(ctx: Context, texts: NamedTexts, langid?: string): Promise<void> {
  for (const [field, text] of Object.entries(texts)) {
    if (text === undefined || text === '') continue;
    const budget = new RenderBudget(renderLimits.text);
    renderBlocks(text, await wikiContextFor(ctx, [text], langid), budget);
    if (budget.isCut) throw tooLong(field, renderLimits.text);
  }
}

/** `mustShow` for a comment; lists of guides are none in it. */
export async function mustShowComment(ctx: Context, text: string): Promise<void> {
  const budget = new RenderBudget(renderLimits.comment);
  renderComment(text, await wikiContextFor(ctx, [text], undefined, { lists: false }), budget);
  if (budget.isCut) throw tooLong('text', renderLimits.comment);
}

/**
 * `mustShow` for a guide, whose texts share a budget. A text that is already in `base` is never refused, nor is a guide
 * that was too long as a whole before.
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
  /** Of a line in its step. */
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

/** The most that a character of wiki text becomes, where it names nothing else: `== a ==` is a heading with its anchor. */
const mostPerCharacter = 40;

/** Whether no text can be too long: all are short, and name nothing whose length is not known. Most guides are. */
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
