import { mergeGuide } from '#shared/merge/guide.ts';
import { must } from '#shared/must.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { type GuideEditOperation, applyEdit, contentOf } from '#shared/rules/guide-edit.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

export const base = contentOf(plainGuide);

export const lineIds = base.steps.map((step) => step.lines.map((line) => line.id));

export const screws = { step: '11', line: must(lineIds[0]?.[1], 'line') };

export function after(...edits: GuideEditOperation[]): GuideContent {
  return edits.reduce(applyEdit, base);
}

export function merge(mine: GuideEditOperation[], theirs: GuideEditOperation[]) {
  return mergeGuide(base, after(...mine), after(...theirs));
}

export function picture(id: number) {
  return { id, guid: `guid${id}`, width: 800, height: 600 };
}
