import { must, unreachable } from '#shared/must.ts';

import {
  type GuideContent,
  type LineContent,
  type ListField,
  type MediaContent,
  type ScalarField,
  type StepContent,
  type TextField,
  documentIdOf,
} from './guide-content.ts';
import { sameValue } from './same-value.ts';

export type { GuideContent, LineContent, StepContent } from './guide-content.ts';
export { contentOf } from './guide-content.ts';

type SetField = { [F in ScalarField]: { op: 'setField'; field: F; value: GuideContent[F] } }[ScalarField];
type SetList = {
  [F in ListField]: { op: 'setList'; field: F; value: GuideContent[F]; from?: GuideContent[F] };
}[ListField];

/**
 * One edit of a guide. Steps are identified by key, lines by id; `index` counts in the list without the moved element.
 * `from`: the value that the person saw. If the draft has another value by then, both changes are applied
 * (`editedNow`).
 */
export type GuideEditOperation =
  | SetField
  | SetList
  | { op: 'setText'; field: TextField; value: string; from?: string }
  | { op: 'insertStep'; step: StepContent; index: number }
  | { op: 'removeStep'; step: string }
  | { op: 'moveStep'; step: string; index: number }
  | { op: 'setStepTitle'; step: string; value: string; from?: string }
  | { op: 'setStepMedia'; step: string; value: MediaContent; from?: MediaContent }
  | { op: 'setStepTime'; step: string; value: number }
  | { op: 'insertLine'; step: string; line: LineContent; index: number }
  | { op: 'removeLine'; step: string; line: string }
  | { op: 'moveLine'; step: string; line: string; index: number }
  | { op: 'setLineText'; step: string; line: string; value: string; from?: string }
  | { op: 'setLineBullet'; step: string; line: string; value: LineContent['bullet'] }
  | { op: 'setLineLevel'; step: string; line: string; value: number };

/** An edit that replaces a value. */
export type ReplacingEdit = Extract<GuideEditOperation, { from?: unknown }>;

/**
 * Adds to a replacing edit the value that it replaces in `content`, the guide as the person saw it. Returns other edits
 * unchanged.
 */
export function madeFrom(edit: GuideEditOperation, content: GuideContent): GuideEditOperation {
  switch (edit.op) {
    case 'setText':
      return { ...edit, from: edit.from ?? content[edit.field] };
    case 'setList':
      return { ...edit, from: content[edit.field] } as GuideEditOperation;
    case 'setStepTitle':
    case 'setStepMedia':
    case 'setLineText':
      return withFrom(
        edit,
        content.steps.find(({ key }) => key === edit.step),
      );
    default:
      return edit;
  }
}

function withFrom(
  edit: Extract<ReplacingEdit, { step: string }>,
  step: StepContent | undefined,
): GuideEditOperation {
  if (step === undefined || edit.from !== undefined) return edit;
  if (edit.op === 'setStepTitle') return { ...edit, from: step.title };
  if (edit.op === 'setStepMedia') return { ...edit, from: step.media };
  const line = step.lines.find(({ id }) => id === edit.line);
  return line === undefined ? edit : { ...edit, from: line.text_raw };
}

/**
 * The content after an edit. Does not modify the given content, and returns it when the edit has no effect. Throws when
 * the edit refers to a step or line that does not exist, or inserts one that exists.
 * After an edit of the order or level of lines, levels are lowered to what the lines above allow (`settledLevels`).
 */
export function applyEdit(content: GuideContent, edit: GuideEditOperation): GuideContent {
  const next = edited(content, edit);
  return sameValue(content, next) ? content : next;
}

function edited(content: GuideContent, edit: GuideEditOperation): GuideContent {
  switch (edit.op) {
    case 'setField':
    case 'setText':
      return { ...content, [edit.field]: edit.value };
    case 'setList':
      return withFeaturedDocument({ ...content, [edit.field]: edit.value });
    case 'insertStep':
    case 'removeStep':
    case 'moveStep':
      return { ...content, steps: editedSteps(content.steps, edit) };
    default:
      return withStep(content, edit.step, (step) => editedStep(step, edit));
  }
}

function editedSteps(
  steps: StepContent[],
  edit: Extract<GuideEditOperation, { op: 'insertStep' | 'removeStep' | 'moveStep' }>,
): StepContent[] {
  switch (edit.op) {
    case 'insertStep':
      return inserted(steps, edit.step, edit.index, (step) => step.key);
    case 'removeStep':
      return removed(steps, edit.step, (step) => step.key);
    case 'moveStep':
      return moved(steps, edit.step, edit.index, (step) => step.key);
    default:
      return unreachable(edit);
  }
}

type StepEdit = Exclude<
  GuideEditOperation,
  { op: 'setField' | 'setText' | 'setList' | 'insertStep' | 'removeStep' | 'moveStep' }
>;

function editedStep(step: StepContent, edit: StepEdit): StepContent {
  const idOf = (line: LineContent) => line.id;
  switch (edit.op) {
    case 'setStepTitle':
      return { ...step, title: edit.value };
    case 'setStepMedia':
      return { ...step, media: edit.value };
    case 'setStepTime':
      return { ...step, time_estimate: edit.value };
    case 'insertLine':
      return withLines(step, inserted(step.lines, edit.line, edit.index, idOf));
    case 'removeLine':
      return withLines(step, removed(step.lines, edit.line, idOf));
    case 'moveLine':
      return withLines(step, moved(step.lines, edit.line, edit.index, idOf));
    case 'setLineLevel':
      return withLines(step, withLine(step.lines, edit.line, { level: edit.value }));
    case 'setLineText':
      return { ...step, lines: withLine(step.lines, edit.line, { text_raw: edit.value }) };
    case 'setLineBullet':
      return { ...step, lines: withLine(step.lines, edit.line, { bullet: edit.value }) };
    default:
      return unreachable(edit);
  }
}

/** Replaces the lines of a step. An edit without effect must not change levels that an import left out of order. */
function withLines(step: StepContent, lines: LineContent[]): StepContent {
  return sameValue(step.lines, lines) ? step : { ...step, lines: settledLevels(lines) };
}

/**
 * Lowers levels so that the first line has level 0 and each next line is at most one level deeper than the line before.
 */
export function settledLevels(lines: readonly LineContent[]): LineContent[] {
  let allowed = 0;
  return lines.map((line) => {
    const level = Math.max(0, Math.min(line.level, allowed));
    allowed = level + 1;
    return level === line.level ? line : { ...line, level };
  });
}

/** Clears the featured document if it is not among the documents (spec, "POST /guides body"). */
function withFeaturedDocument(content: GuideContent): GuideContent {
  const featured = content.featured_documentid;
  if (featured === null || content.documents.some((document) => documentIdOf(document) === featured))
    return content;
  return { ...content, featured_documentid: null };
}

function withStep(
  content: GuideContent,
  key: string,
  edit: (step: StepContent) => StepContent,
): GuideContent {
  must(
    content.steps.find((step) => step.key === key),
    `step ${key}`,
  );
  return { ...content, steps: content.steps.map((step) => (step.key === key ? edit(step) : step)) };
}

function withLine(lines: LineContent[], id: string, change: Partial<LineContent>): LineContent[] {
  must(
    lines.find((line) => line.id === id),
    `line ${id}`,
  );
  return lines.map((line) => (line.id === id ? { ...line, ...change } : line));
}

function inserted<T>(items: T[], item: T, index: number, keyOf: (item: T) => string): T[] {
  const key = keyOf(item);
  if (items.some((other) => keyOf(other) === key)) throw new Error(`${key} is there already`);
  return items.toSpliced(Math.max(0, Math.min(index, items.length)), 0, item);
}

function removed<T>(items: T[], key: string, keyOf: (item: T) => string): T[] {
  must(
    items.find((item) => keyOf(item) === key),
    `element ${key}`,
  );
  return items.filter((item) => keyOf(item) !== key);
}

function moved<T>(items: T[], key: string, index: number, keyOf: (item: T) => string): T[] {
  const item = must(
    items.find((other) => keyOf(other) === key),
    `element ${key}`,
  );
  return inserted(removed(items, key, keyOf), item, index, keyOf);
}
