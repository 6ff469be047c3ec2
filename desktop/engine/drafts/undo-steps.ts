import * as Y from 'yjs';

import { wordsOf } from '#shared/merge/words.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import type { GuideEditOperation } from '#shared/rules/guide-edit.ts';

import { rootOf } from './guide-document.ts';

type TextEdit = Extract<GuideEditOperation, { op: 'setText' | 'setStepTitle' | 'setLineText' }>;

/** Undo and redo of one draft. Typing within a word is one step; every other edit is a step of its own. */
export class UndoSteps {
  readonly #undo: Y.UndoManager;
  #lastEdit: GuideEditOperation | undefined;

  /** `origin`: of the transactions that can be undone. */
  constructor(doc: Y.Doc, origin: string) {
    this.#undo = new Y.UndoManager(rootOf(doc), {
      trackedOrigins: new Set([origin]),
      captureTimeout: Number.MAX_SAFE_INTEGER,
    });
  }

  get canUndo(): boolean {
    return this.#undo.canUndo();
  }

  get canRedo(): boolean {
    return this.#undo.canRedo();
  }

  /** Whether a transaction of this origin is an undo or a redo. */
  isOrigin(origin: unknown): boolean {
    return origin === this.#undo;
  }

  /** To be called before an edit is written: begins a new step unless the edit continues the last one. */
  beforeEdit(edit: GuideEditOperation, before: GuideContent): void {
    if (!continuesTyping(this.#lastEdit, edit, before)) this.#undo.stopCapturing();
    this.#lastEdit = edit;
  }

  /** The next edit begins a new step. */
  endTyping(): void {
    this.#lastEdit = undefined;
  }

  /** The next change begins a new step, even if it is not an edit. */
  endStep(): void {
    this.#undo.stopCapturing();
    this.#lastEdit = undefined;
  }

  undo(): void {
    this.#lastEdit = undefined;
    this.#undo.undo();
  }

  redo(): void {
    this.#lastEdit = undefined;
    this.#undo.redo();
  }

  [Symbol.dispose](): void {
    this.#undo.destroy();
  }
}

/** Whether an edit adds or removes one letter of the word in which the last edit was. */
function continuesTyping(
  last: GuideEditOperation | undefined,
  edit: GuideEditOperation,
  before: GuideContent,
): boolean {
  if (last === undefined || !isTextEdit(last) || !isTextEdit(edit) || fieldOf(last) !== fieldOf(edit))
    return false;
  const old = textAt(before, edit);
  return (
    old === last.value &&
    Math.abs(old.length - edit.value.length) === 1 &&
    wordsOf(old).length === wordsOf(edit.value).length
  );
}

function isTextEdit(edit: GuideEditOperation): edit is TextEdit {
  return edit.op === 'setText' || edit.op === 'setStepTitle' || edit.op === 'setLineText';
}

function fieldOf(edit: TextEdit): string {
  if (edit.op === 'setText') return edit.field;
  return edit.op === 'setStepTitle' ? `step ${edit.step}` : `line ${edit.step} ${edit.line}`;
}

function textAt(content: GuideContent, edit: TextEdit): string {
  if (edit.op === 'setText') return content[edit.field];
  const step = content.steps.find((one) => one.key === edit.step);
  if (edit.op === 'setStepTitle') return step?.title ?? '';
  return step?.lines.find((line) => line.id === edit.line)?.text_raw ?? '';
}
