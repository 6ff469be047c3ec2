import * as Y from 'yjs';

import type { AutomaticMerge, Choice, MergeConflict } from '#shared/merge/conflict.ts';
import { editedNow, foldLost, refreshConflict } from '#shared/merge/refresh.ts';
import { mergeGuide } from '#shared/merge/guide.ts';
import { resolveConflict } from '#shared/merge/resolve.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { type GuideContent, contentOf, emptyContent } from '#shared/rules/guide-content.ts';
import { removedParts, withTarget, type RemovedPart } from '#shared/rules/edit-target.ts';
import { type WaitingGuideEdit, guideEditBody } from '#shared/rules/guide-edit-body.ts';
import type { GuideEditOperation } from '#shared/rules/guide-edit.ts';
import { type Flaw, validateChange } from '#shared/rules/guide-limits.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { withoutNul } from '#shared/rules/without-nul.ts';

import { fromBase64, toBase64 } from '../platform/base64.ts';
import { type Moved, movedBy, readContent, withSettledLevels, writeContent } from './guide-document.ts';
import { checkSeed, ForeignSeed, rebaseUpdate, seedHash, seedOf, seedUpdate, sessionClient } from './seed.ts';
import { type StoredHistory, emptyHistory } from './stored-history.ts';
import { UndoSteps, collectGarbage } from './undo-steps.ts';

/** A draft in its stored form. `seed`: hash of the content from which it grew. `update`: the whole document, base64. */
export type DraftRecord = {
  base: GuideFacts | null;
  seed: string;
  update: string;
  conflicts: MergeConflict[];
  resolved: MergeConflict[];
  sent: { id: string; content: GuideContent }[];
};

/** A change. `update`: the change of the document, to be journalled; empty when only conflicts changed. */
export type DraftChange = { by: 'edit' | 'undo' | 'replica' | 'rebase' | 'conflicts'; update: Uint8Array };

/** A save that is added to a draft. `before`: the content with which `content` is compared. */
export type AdoptedSave = { id: string; before: GuideContent; content: GuideContent };

type Options = { base: GuideFacts | null; random: () => number };
type State = Omit<DraftRecord, 'update'> & {
  update: Uint8Array | undefined;
  random: () => number;
  history: StoredHistory;
};

const emptyUpdate = new Uint8Array();

/**
 * A guide that is being edited: a document that several windows may hold, with undo, conflicts and the server's version
 * from which it began. A rebase in one window is sent to the others as an update; all replicas converge.
 */
export class GuideDraft implements Disposable {
  // What steps of undo can bring back is deleted, and would be collected while the document is loaded.
  readonly #doc = new Y.Doc({ gc: false });
  readonly #undo: UndoSteps;
  readonly #seed: string;
  readonly #listeners = new Set<(change: DraftChange) => void>();
  #base: GuideFacts | null;
  #conflicts: MergeConflict[];
  #resolved: MergeConflict[];
  #sent: { id: string; content: GuideContent }[];
  #content: GuideContent | undefined;
  /** Steps and lines that others removed while this draft was open: the person may be typing in them. */
  readonly #removed: RemovedPart[] = [];

  private constructor(state: State) {
    this.#base = state.base;
    this.#seed = state.seed;
    this.#conflicts = state.conflicts;
    this.#resolved = state.resolved;
    this.#sent = state.sent;
    if (state.update !== undefined) Y.applyUpdate(this.#doc, state.update);
    if (seedOf(this.#doc) !== state.seed) throw new ForeignSeed(state.seed, seedOf(this.#doc));
    this.#doc.clientID = sessionClient(state.random);
    this.#undo = new UndoSteps(this.#doc, 'edit');
    this.#undo.restore(state.history);
    collectGarbage(this.#doc);
    this.#doc.on('update', (update: Uint8Array, origin: unknown) => {
      this.#content = undefined;
      this.#notify({ by: this.#undo.isOrigin(origin) ? 'undo' : (origin as DraftChange['by']), update });
    });
  }

  /**
   * Opens a draft that grows from `base` (null: a new guide), with the edits of `update` if given. Throws `ForeignSeed`
   * when these edits grew from another content.
   */
  static open({ base, update, random }: Options & { update?: Uint8Array }): GuideDraft {
    const content = base === null ? emptyContent() : contentOf(base);
    const seed = seedHash(content);
    const whole = seedUpdate(content);
    if (update !== undefined) checkSeed(update, seed);
    const all = update === undefined ? whole : Y.mergeUpdates([whole, update]);
    const none = { conflicts: [], resolved: [], sent: [], history: emptyHistory };
    return new GuideDraft({ base, seed, update: all, random, ...none });
  }

  /** Opens a stored draft, with the updates that were journalled after it (`later`), and its undo (`history`). */
  static fromJSON(
    record: DraftRecord,
    random: () => number,
    later: readonly Uint8Array[] = [],
    history: StoredHistory = emptyHistory,
  ): GuideDraft {
    const update = Y.mergeUpdates([fromBase64(record.update), ...later.filter((bytes) => bytes.length > 0)]);
    return new GuideDraft({ ...record, update, random, history });
  }

  /** The server's version with which the draft is compared; null for a guide that the server does not have. */
  get base(): GuideFacts | null {
    return this.#base;
  }

  get seed(): string {
    return this.#seed;
  }

  /** Conflicts that a person has not decided yet. */
  get conflicts(): readonly MergeConflict[] {
    return this.#conflicts;
  }

  /** Decided conflicts, with both versions. They stay until the draft is removed. */
  get resolved(): readonly MergeConflict[] {
    return this.#resolved;
  }

  get canUndo(): boolean {
    return this.#undo.canUndo;
  }

  get canRedo(): boolean {
    return this.#undo.canRedo;
  }

  content(): GuideContent {
    this.#content ??= withSettledLevels(readContent(this.#doc), this.#baseContent());
    return this.#content;
  }

  /** Whether the draft differs from its base, or has open conflicts. */
  isDirty(): boolean {
    return this.#conflicts.length > 0 || !sameValue(this.content(), this.#baseContent());
  }

  /** Limits of the specification that the draft exceeds and its base did not. */
  flaws(): Flaw[] {
    return validateChange(this.#base === null ? null : this.#baseContent(), this.content());
  }

  /** The patch from the base to the draft; null when they are equal. Throws for a new guide. */
  body(): WaitingGuideEdit | null {
    return guideEditBody(must(this.#base, 'a guide that is on the server'), this.content());
  }

  /**
   * Applies one edit. If somebody else has removed its step or line, restores that with it. Throws for an unknown step
   * or line. Typing within a word is one step of undo; every other edit is a step of its own.
   */
  apply(given: GuideEditOperation): void {
    const edit = withoutNul(given);
    const before = this.content();
    const whole = withTarget(before, edit, this.#removed);
    if (whole === null) return;
    const next = editedNow(whole, edit);
    if (next === before) return;
    this.#undo.beforeEdit(edit, before);
    this.#write(next, movedBy(edit));
  }

  /** Replaces the whole content, as one step of undo. */
  replace(content: GuideContent): void {
    this.#undo.endStep();
    this.#write(content);
  }

  undo(): void {
    this.#undo.undo();
  }

  redo(): void {
    this.#undo.redo();
  }

  /** Calls `listener` after every change; returns a function that ends this. */
  on(_event: 'change', listener: (change: DraftChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The whole document. */
  encodeUpdate(): Uint8Array {
    return Y.encodeStateAsUpdate(this.#doc);
  }

  stateVector(): Uint8Array {
    return Y.encodeStateVector(this.#doc);
  }

  /** The changes since a state vector. */
  encodeUpdateSince(stateVector: Uint8Array): Uint8Array {
    return Y.encodeStateAsUpdate(this.#doc, stateVector);
  }

  /** Applies the edits of another window. Throws `ForeignSeed` when its draft grew from another content. */
  applyUpdate(update: Uint8Array, seed: string): void {
    if (seed !== this.#seed) throw new ForeignSeed(this.#seed, seed);
    const before = this.content();
    Y.applyUpdate(this.#doc, update, 'replica');
    this.#removed.push(...removedParts(before, this.content()));
  }

  /** Remembers the content of a save, so that its own effect causes no conflict when it comes back (`rebase`). */
  markSent(id: string): void {
    this.#sent = [...this.#sent.filter((save) => save.id !== id), { id, content: this.content() }];
    this.#notify({ by: 'conflicts', update: emptyUpdate });
  }

  /** The content of the draft when a save was made; undefined when the draft does not await this save. */
  sentContent(id: string): GuideContent | undefined {
    return this.#sent.find((save) => save.id === id)?.content;
  }

  /** Forgets a save that will have no effect. */
  forgetSent(id: string): void {
    this.#sent = this.#sent.filter((save) => save.id !== id);
    this.#notify({ by: 'conflicts', update: emptyUpdate });
  }

  /**
   * Adds saves that the draft does not know, oldest first, which a restored server has lost. Their texts are put below
   * the draft's own edits. `base`: the version on which the first of them was made. It becomes the draft's base, so
   * that all their texts count as changes when the server's version comes (`rebase`).
   */
  adopt(base: GuideFacts | null, saves: readonly AdoptedSave[]): void {
    const fresh = saves.filter(({ id }) => this.sentContent(id) === undefined);
    const own = this.#baseContent();
    let said: GuideContent | undefined;
    const adopted = fresh.map(({ id, before, content }) => {
      said = said === undefined ? content : mergeGuide(before, said, content).merged;
      return { id, content: said };
    });
    if (said === undefined) return;
    const beneath = said;
    const onTop = (content: GuideContent): GuideContent => mergeGuide(own, beneath, content).merged;
    const next = onTop(this.content());
    this.#sent = [...adopted, ...this.#sent.map((save) => ({ ...save, content: onTop(save.content) }))];
    this.#base = base;
    this.#takeOver(next, beneath);
    this.#notify({ by: 'conflicts', update: emptyUpdate });
  }

  /**
   * Merges the draft with the server's version, which becomes its base. `after`: the last save that this version
   * includes. Returns the new conflicts and the automatic merges.
   */
  rebase(theirs: GuideFacts, after?: string): { conflicts: MergeConflict[]; merges: AutomaticMerge[] } {
    const sentAt = this.#sent.findIndex((save) => save.id === after);
    const before = this.#sent[sentAt]?.content ?? this.#baseContent();
    const next = contentOf(theirs);
    const shown = this.content();
    const { open, mine } = foldLost(this.#conflicts, shown, next);
    const { merged, conflicts, merges } = mergeGuide(before, mine, next);
    this.#base = theirs;
    this.#sent = this.#sent.slice(sentAt + 1);
    const fresh = new Set(conflicts.map((conflict) => conflict.id));
    const kept = open.filter((conflict) => !fresh.has(conflict.id));
    const refreshed = kept.map((conflict) => refreshConflict(conflict, next, merged));
    this.#conflicts = [...refreshed.filter((conflict) => conflict !== undefined), ...conflicts];
    this.#takeOver(merged, next);
    this.#removed.push(...removedParts(shown, this.content()));
    this.#notify({ by: 'conflicts', update: emptyUpdate });
    return { conflicts, merges };
  }

  /** Forgets the revision of the base, which the server has lost: then any version of the server is newer. */
  forgetRevision(): void {
    if (this.#base === null) return;
    this.#base = { ...this.#base, revisionid: 0 };
    this.#notify({ by: 'conflicts', update: emptyUpdate });
  }

  /**
   * Makes conflicts of texts that a person wrote without knowing `theirs`: every place in which both `mine` and
   * `theirs` differ from `blank`. To be called on a new draft of `theirs`. Returns the automatic merges.
   */
  meet(blank: GuideContent, mine: GuideContent, theirs: GuideFacts): AutomaticMerge[] {
    this.#sent = [{ id: 'blank', content: blank }];
    this.#write(mine);
    return this.rebase(theirs, 'blank').merges;
  }

  /** Decides a conflict. Both versions stay in `resolved`. */
  resolve(id: string, given: Choice): void {
    const choice = withoutNul(given);
    const conflict = must(
      this.#conflicts.find((one) => one.id === id),
      `conflict ${id}`,
    );
    const next = resolveConflict(this.content(), conflict, choice);
    this.#conflicts = this.#conflicts.filter((one) => one !== conflict);
    this.#resolved = [...this.#resolved.filter((one) => one.id !== id), conflict];
    this.#undo.endStep();
    this.#write(next);
    this.#notify({ by: 'conflicts', update: emptyUpdate });
  }

  /** Puts decided conflicts up for decision again. `content`: the content before they were decided. */
  reopen(content: GuideContent, conflicts: readonly MergeConflict[]): void {
    const ids = new Set(conflicts.map(({ id }) => id));
    this.#resolved = this.#resolved.filter(({ id }) => !ids.has(id));
    this.#conflicts = [...this.#conflicts.filter(({ id }) => !ids.has(id)), ...conflicts];
    this.#undo.endStep();
    this.#write(content);
    this.#notify({ by: 'conflicts', update: emptyUpdate });
  }

  toJSON(): DraftRecord {
    return {
      base: this.#base,
      seed: this.#seed,
      update: toBase64(this.encodeUpdate()),
      conflicts: this.#conflicts,
      resolved: this.#resolved,
      sent: this.#sent,
    };
  }

  /** Undo and redo in their stored form. What they bring back is in the record of the same time. */
  history(): StoredHistory {
    return this.#undo.toJSON();
  }

  [Symbol.dispose](): void {
    this.#listeners.clear();
    this.#undo[Symbol.dispose]();
    this.#doc.destroy();
  }

  #baseContent(): GuideContent {
    return this.#base === null ? emptyContent() : contentOf(this.#base);
  }

  #write(next: GuideContent, moved?: Moved): void {
    this.#doc.transact(() => writeContent(this.#doc, next, moved), 'edit');
  }

  /** Writes a merged content as edits of another replica, which undo does not revert. `from`: the content merged in. */
  #takeOver(merged: GuideContent, from: GuideContent): void {
    if (sameValue(merged, readContent(this.#doc))) return;
    const update = rebaseUpdate(this.#doc, merged, from);
    this.#undo.endTyping();
    Y.applyUpdate(this.#doc, update, 'rebase');
  }

  #notify(change: DraftChange): void {
    this.#content = undefined;
    for (const listener of this.#listeners) listener(change);
  }
}
