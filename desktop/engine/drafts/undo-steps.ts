import * as Y from 'yjs';

import { wordsOf } from '#shared/merge/words.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import type { GuideEditOperation } from '#shared/rules/guide-edit.ts';

import { rootOf } from './guide-document.ts';
import { type StoredHistory, type StoredStep, emptyHistory } from './stored-history.ts';

type TextEdit = Extract<GuideEditOperation, { op: 'setText' | 'setStepTitle' | 'setLineText' }>;
type Step = Y.UndoManager['undoStack'][number];
type Ranges = Step['insertions'];

/** Limits of the steps that can be undone (UNDO-2). Steps are dropped `slack` at a time. */
export const undoLimits = { steps: 200, slack: 50, characters: 2_000_000, copies: 10_000 };

/** Undo and redo of one draft. Typing within a word is one step; every other edit is a step of its own. */
export class UndoSteps {
  readonly #doc: Y.Doc;
  readonly #undo: Y.UndoManager;
  /** The stored form of each step, while it is the same. */
  readonly #stored = new WeakMap<Ranges, { deletions: Ranges; step: StoredStep }>();
  #copies: number[] | null = null;
  #lastEdit: GuideEditOperation | undefined;

  /** `origin`: of the transactions that can be undone. */
  constructor(doc: Y.Doc, origin: string) {
    this.#doc = doc;
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
    if (!continuesTyping(this.#lastEdit, edit, before)) this.endStep();
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
    this.#dropOldest();
  }

  undo(): void {
    this.#lastEdit = undefined;
    this.#copies = null;
    this.#undo.undo();
  }

  redo(): void {
    this.#lastEdit = undefined;
    this.#copies = null;
    this.#undo.redo();
  }

  /** The steps in their stored form; none if there are too many copies. */
  toJSON(): StoredHistory {
    this.#copies ??= copiesIn(this.#doc);
    if (this.#copies.length > undoLimits.copies * numbersOfCopy) return emptyHistory;
    return {
      undo: this.#undo.undoStack.map((step) => this.#storedStep(step)),
      redo: this.#undo.redoStack.map((step) => this.#storedStep(step)),
      copies: this.#copies,
    };
  }

  /**
   * Takes over stored steps, and marks what they deleted, so that it is not collected as garbage. To be called on a
   * document that was loaded without collecting any. Steps whose words are gone, and earlier ones, are left out.
   */
  restore({ undo, redo, copies }: StoredHistory): void {
    Y.transact(this.#doc, (transaction) => {
      for (let at = 0; at + numbersOfCopy <= copies.length; at += numbersOfCopy) {
        const [client = 0, clock = 0, length = 0, toClient = 0, toClock = 0] = copies.slice(at);
        if (Y.getState(this.#doc.store, toClient) < toClock + length) continue;
        Y.iterateDeletedStructs(transaction, rangesOf([client, clock, length]), (struct) => {
          if (struct instanceof Y.Item)
            struct.redone = Y.createID(toClient, toClock + struct.id.clock - clock);
        });
      }
      this.#undo.undoStack = this.#restored(transaction, undo);
      this.#undo.redoStack = this.#restored(transaction, redo);
    });
  }

  [Symbol.dispose](): void {
    this.#undo.destroy();
  }

  #storedStep({ insertions, deletions }: Step): StoredStep {
    const known = this.#stored.get(insertions);
    if (known?.deletions === deletions) return known.step;
    const step: StoredStep = [numbersOf(insertions), numbersOf(deletions)];
    this.#stored.set(insertions, { deletions, step });
    return step;
  }

  #restored(transaction: Y.Transaction, stored: readonly StoredStep[]): Step[] {
    const steps: Step[] = [];
    for (const step of stored.toReversed()) {
      const [insertions, deletions] = [rangesOf(step[0]), rangesOf(step[1])];
      if (!isWhole(this.#doc, insertions, deletions)) break;
      keep(transaction, deletions, true);
      this.#stored.set(insertions, { deletions, step });
      steps.unshift({ insertions, deletions, meta: new Map() });
    }
    return steps;
  }

  /** Drops the oldest steps beyond the limits, with the words that only they could bring back. */
  #dropOldest(): void {
    const { undoStack, redoStack } = this.#undo;
    const most = undoLimits.steps + undoLimits.slack;
    const sizes = undoStack.map((step) => sizeOf(this.#doc, step));
    let characters = sizes.reduce((sum, size) => sum + size, 0);
    let count = undoStack.length > most ? undoStack.length - undoLimits.steps : 0;
    for (let at = 0; at < undoStack.length - 1; at += 1) {
      if (at >= count && characters <= undoLimits.characters) break;
      characters -= sizes[at] ?? 0;
      count = Math.max(count, at + 1);
    }
    if (count === 0) return;
    const dropped = undoStack.splice(0, count);
    Y.transact(this.#doc, (transaction) => {
      for (const { deletions } of dropped) keep(transaction, deletions, false);
      for (const { deletions } of [...undoStack, ...redoStack]) keep(transaction, deletions, true);
      const { store, gcFilter } = this.#doc;
      Y.tryGc(Y.mergeDeleteSets(dropped.map(({ deletions }) => deletions)), store, gcFilter);
    });
  }
}

/** Removes the content of everything that was deleted and that no step keeps. */
export function collectGarbage(doc: Y.Doc): void {
  doc.gc = true;
  Y.tryGc(Y.createDeleteSetFromStructStore(doc.store), doc.store, doc.gcFilter);
}

const numbersOfCopy = 5;

/** The deleted parts of a document that were put back, with the places of their copies. */
function copiesIn({ store }: Y.Doc): number[] {
  return [...store.clients.values()].flatMap((structs) =>
    structs.flatMap((struct) =>
      struct instanceof Y.Item && struct.redone !== null
        ? [struct.id.client, struct.id.clock, struct.length, struct.redone.client, struct.redone.clock]
        : [],
    ),
  );
}

function numbersOf({ clients }: Ranges): number[] {
  return [...clients].flatMap(([client, found]) => found.flatMap(({ clock, len }) => [client, clock, len]));
}

function rangesOf(numbers: readonly number[]): Ranges {
  const ranges = Y.createDeleteSet();
  for (let at = 0; at + 3 <= numbers.length; at += 3) {
    const [client = 0, clock = 0, len = 0] = numbers.slice(at);
    ranges.clients.set(client, [...(ranges.clients.get(client) ?? []), { clock, len }]);
  }
  return ranges;
}

/** Whether a document has all parts of a step, and the content of what it deleted. */
function isWhole(doc: Y.Doc, insertions: Ranges, deletions: Ranges): boolean {
  const isKnown = ({ clients }: Ranges): boolean =>
    [...clients].every(([client, found]) => {
      const state = Y.getState(doc.store, client);
      return found.every(({ clock, len }) => clock + len <= state);
    });
  return isKnown(insertions) && isKnown(deletions) && itemsIn(doc, deletions).every(hasContent);
}

function hasContent(struct: Y.Item | Y.GC): boolean {
  return struct instanceof Y.Item && !(struct.content instanceof Y.ContentDeleted);
}

/** The structs that lie at least partly in these ranges. */
function itemsIn({ store }: Y.Doc, { clients }: Ranges): (Y.Item | Y.GC)[] {
  return [...clients].flatMap(([client, found]) => {
    const structs = store.clients.get(client) ?? [];
    return found.flatMap(({ clock, len }) => {
      if (structs.length === 0 || len === 0) return [];
      const first = Y.findIndexSS(structs, clock);
      let after = first + 1;
      while ((structs[after]?.id.clock ?? Infinity) < clock + len) after += 1;
      return structs.slice(first, after);
    });
  });
}

/** Protects the content in these ranges from being collected, or ends that. What it is in is protected, too. */
function keep(transaction: Y.Transaction, ranges: Ranges, isKept: boolean): void {
  Y.iterateDeletedStructs(transaction, ranges, (struct) => {
    let item: Y.Item | null = struct instanceof Y.Item ? struct : null;
    while (item !== null) {
      item.keep = isKept;
      item = item.parent instanceof Y.AbstractType ? item.parent._item : null;
    }
  });
}

const sizeName = 'size';

/** How many characters the words have that a step deleted. */
function sizeOf(doc: Y.Doc, { deletions, meta }: Step): number {
  const known: unknown = meta.get(sizeName);
  if (typeof known === 'number') return known;
  const size = itemsIn(doc, deletions).reduce((sum, struct) => sum + charactersIn(struct), 0);
  meta.set(sizeName, size);
  return size;
}

function charactersIn(struct: Y.Item | Y.GC): number {
  const content = struct instanceof Y.Item ? struct.content : undefined;
  return content instanceof Y.ContentAny ? JSON.stringify(content.arr).length : struct.length;
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
