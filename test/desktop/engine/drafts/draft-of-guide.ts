import { GuideDraft } from '#desktop/engine/drafts/guide-draft.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

let turn = 0;
/** A deterministic sequence instead of chance. */
export const random = (): number => (turn = (turn + 0.137) % 1);

export function open(base: GuideFacts | null = plainGuide): GuideDraft {
  return GuideDraft.open({ base, random });
}

export function saved(change: Partial<GuideFacts>): GuideFacts {
  return { ...plainGuide, ...change, revisionid: 71 };
}

export function withLine(text: string): GuideFacts {
  const steps = plainGuide.steps.map((step, index) =>
    index === 1 ? { ...step, lines: step.lines.map((line) => ({ ...line, text_raw: text })) } : step,
  );
  return saved({ steps });
}

export const coverLine = plainGuide.steps[1]?.lines[0]?.id ?? '';

export const cover = { step: '12', line: coverLine };
