import { expect, it } from 'vitest';

import { RenderBudget, renderLimits } from '#shared/formats/wikitext/budget.ts';
import { plainContext, type WikiContext } from '#shared/formats/wikitext/context.ts';
import { renderBlocks, renderComment, renderLine } from '#shared/formats/wikitext/html.ts';
import { fromRichText, toRichText } from '#shared/formats/wikitext/rich-text.ts';

import { findUnsafeHtml } from './html-checker.ts';

const guide = { guideid: 7, title: '"'.repeat(250), url: '/Guide/7' };
const context: WikiContext = {
  ...plainContext,
  guideTitle: () => guide,
  guidelist: () => Array.from({ length: 200 }, () => guide),
  template: (name) => (name === 'Long' ? 'x'.repeat(10_000) : null),
};

/** Each expands to far more than the budget. */
const multiplying: [string, string][] = [
  ['links with titles', '[guide|7] '.repeat(30_000)],
  ['headings', '== a ==\n'.repeat(60_000)],
  ['formats', "''a '''b ".repeat(140_000)],
  ['list items', '* [guide|7]\n'.repeat(30_000)],
  ['cells', `{|\n${'| [guide|7] || [guide|7]\n'.repeat(20_000)}|}`],
  ['quotes', `[quote|[guide|7]]${'[guide|7]\n\n'.repeat(30_000)}[/quote]`],
  ['addresses', 'https://example.com/a-long-address-that-is-shortened-to-forty '.repeat(40_000)],
];

it.each(multiplying)('WIKITEXT-15 %s stop at the budget, in valid HTML with a note', (_, raw) => {
  for (const [render, most] of [
    [renderBlocks, renderLimits.text],
    [renderComment, renderLimits.comment],
    [renderLine, renderLimits.line],
  ] as const) {
    const html = render(raw, context);
    expect(html.length).toBeLessThan(most + 5000);
    expect(html).toContain('The rest is not shown');
    expect(findUnsafeHtml(html)).toBeNull();
  }
});

it('WIKITEXT-15 lists and templates stop at the budget', () => {
  const letters = 'abcdefghij'.split('');
  const types = letters.flatMap((one) => letters.map((other) => one + other));
  const lists = types.map((type) => `[guidelist|type=${type}]`).join('\n\n');
  expect(renderBlocks(lists, context).length).toBeLessThan(renderLimits.text + 1000);
  const templates = '{{Long}}\n\n'.repeat(1000);
  expect(renderBlocks(templates, context).length).toBeLessThan(renderLimits.text);
  expect(renderComment(templates, context).length).toBeLessThan(renderLimits.comment);
});

it('WIKITEXT-15 a truncated text is shown up to the cut, and others completely', () => {
  const html = renderBlocks('== a ==\n'.repeat(60_000), context);
  expect(html).toContain('id="Section_a_2"');
  expect(html.length).toBeGreaterThan(renderLimits.text * 0.9);
  expect(html.endsWith('too long.]</p>')).toBe(true);
  expect(renderLine('a&'.repeat(100_000))).toMatch(/^(a&amp;){3000,}a?\[The rest is not shown/);
  expect(renderBlocks('a&'.repeat(100_000))).toBe(`<p>${'a&amp;'.repeat(100_000)}</p>`);
});

it('WIKITEXT-15 the texts of one record share a budget', () => {
  const budget = new RenderBudget(5000);
  const first = renderLine('[guide|7] '.repeat(3), context, budget);
  const second = renderLine('[guide|7]', context, budget);
  expect([first.length > 4000, second.includes('<a '), budget.isCut]).toEqual([true, false, true]);
  expect(second).toContain('The rest is not shown');
});

it('WIKITEXT-7 a list of guides is shown once per text, and not at all in comments', () => {
  const text = '[guidelist|type=how-to]\n\n[guidelist|type=How-To]\n\n[guidelist|type=tool]';
  const html = renderBlocks(text, context);
  expect(html.match(/<ul class="guidelist">/g)).toHaveLength(2);
  expect(html).toContain('<p>(This list of guides is shown above.)</p>');
  expect(renderComment('[guidelist|type=how-to]', context)).toBe('<p>[guidelist|type=how-to]</p>');
});

it('WIKITEXT-12 a text of very many nodes is one paragraph that contains its wiki text', () => {
  const raw = "''a'' '''b'''\n\n".repeat(11_000).trim();
  const tree = toRichText(raw);
  expect(tree.content).toHaveLength(1);
  expect(fromRichText(tree)).toBe(raw);
});
