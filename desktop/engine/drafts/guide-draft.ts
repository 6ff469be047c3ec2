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
import { type Moved, readContent, rootOf, withSettledLevels, writeContent } from './guide-document.ts';
import { ForeignSeed, rebaseClient, seedHash, seedOf, seedUpdate, sessionClient } from './seed.ts';
import { continuesTyping } from './typing.ts';

/** A draft as it is stored. `seed` is the hash of the content it grew from, `update` the whole document. */
export type DraftRecord = {
  base: GuideFacts | null;
  seed: string;
  update: string;
  conflicts: MergeConflict[];
  resolved: MergeConflict[];
  sent: { id: string; content: GuideContent }[];
};

/** `update` holds what changed, to be journalled; it is empty when only conflicts did. */
export type DraftChange = { by: 'edit' | 'undo' | 'replica' | 'rebase' | 'conflicts'; update: Uint8Array };

/** A save as a draft remembers it. `before`: what `content` is to be compared with. */
export type AdoptedSave = { id: string; before: GuideContent; content: GuideContent };

type Options = { base: GuideFacts | null; random: () => number };
type State = Omit<DraftRecord, 'update'> & { update: Uint8Array | undefined; random: () => number };

const emptyUpdate = new Uint8Array();

/**
 * A guide being edited: one document that several windows may hold, with undo, conflicts and the server's version
 * it began from. Rebase in one window and give the others its update; all replicas converge.
 */
export class GuideDraft implements Disposable {
  readonly #doc = new Y.Doc();
  readonly #undo: Y.UndoManager;
  readonly #seed: string;
  readonly #listeners = new Set<(change: DraftChange) => void>();
  #base: GuideFacts | null;
  #conflicts: MergeConflict[];
  #resolved: MergeConflict[];
  #sent: { id: string; content: GuideContent }[];
  #content: GuideContent | undefined;
  #lastEdit: GuideEditOperation | undefined;
  /** What others removed while this draft was open: somebody may be typing there. */
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
    this.#undo = new Y.UndoManager(rootOf(this.#doc), {
      trackedOrigins: new Set(['edit']),
      captureTimeout: Number.MAX_SAFE_INTEGER,
    });
    this.#doc.on('update', (update: Uint8Array, origin: unknown) => {
      this.#content = undefined;
      this.#tell({ by: origin === this.#undo ? 'undo' : (origin as DraftChange['by']), update });
    });
  }

  /**
   * Opens a draft that grows from `base` (null: a new guide), with the edits of `update` if there are any.
   * Throws ForeignSeed when these edits grew from something else.
   */
  static open({ base, update, random }: Options & { update?: Uint8Array }): GuideDraft {
    const content = base === null ? emptyContent() : contentOf(base);
    const seed = seedHash(content);
    const whole = seedUpdate(content);
    if (update !== undefined) checkSeed(update, seed);
    const all = update === undefined ? whole : Y.mergeUpdates([whole, update]);
    return new GuideDraft({ base, seed, update: all, conflicts: [], resolved: [], sent: [], random });
  }

  /** Opens a stored draft, with the updates that were journalled after it. */
  static fromJSON(record: DraftRecord, random: () => number, later: readonly Uint8Array[] = []): GuideDraft {
    const update = Y.mergeUpdates([fromBase64(record.update), ...later.filter((bytes) => bytes.length > 0)]);
    return new GuideDraft({ ...record, update, random });
  }

  /** The server's version that the draft is to be compared with; null for a guide that is not there yet. */
  get base(): GuideFacts | null {
    return this.#base;
  }

  get seed(): string {
    return this.#seed;
  }

  /** Contradictions a person has not decided yet. */
  get conflicts(): readonly MergeConflict[] {
    return this.#conflicts;
  }

  /** Contradictions that were decided, with both versions, for as long as the draft lives. */
  get resolved(): readonly MergeConflict[] {
    return this.#resolved;
  }

  get canUndo(): boolean {
    return this.#undo.canUndo();
  }

  get canRedo(): boolean {
    return this.#undo.canRedo();
  }

  content(): GuideContent {
    this.#content ??= withSettledLevels(readContent(this.#doc), this.#baseContent());
    return this.#content;
  }

  /** Whether the draft says something else than its base, or leaves something to decide. */
  isDirty(): boolean {
    return this.#conflicts.length > 0 || !sameValue(this.content(), this.#baseContent());
  }

  /** Limits of the spec that the draft breaks and its base did not. */
  flaws(): Flaw[] {
    return validateChange(this.#base === null ? null : this.#baseContent(), this.content());
  }

  /** The patch that brings the base to the draft; null when there is nothing to say. Throws for a new guide. */
  body(): WaitingGuideEdit | null {
    return guideEditBody(must(this.#base, 'a guide that is on the server'), this.content());
  }

  /**
   * Applies one edit. A step or line that somebody else removed meanwhile is put back with it; of one that nobody knows,
   * the edit throws. Typing within a word is one step of undo, everything else is one each.
   */
  apply(given: GuideEditOperation): void {
    const edit = withoutNul(given);
    const before = this.content();
    const whole = withTarget(before, edit, this.#removed);
    if (whole === null) return;
    const next = editedNow(whole, edit);
    if (next === before) return;
    if (!continuesTyping(this.#lastEdit, edit, before)) this.#undo.stopCapturing();
    this.#lastEdit = edit;
    this.#write(next, movedBy(edit));
  }

  undo(): void {
    this.#lastEdit = undefined;
    this.#undo.undo();
  }

  redo(): void {
    this.#lastEdit = undefined;
    this.#undo.redo();
  }

  /** Calls `listener` after every change; returns what ends that. */
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

  /** What changed since a state vector. */
  encodeUpdateSince(stateVector: Uint8Array): Uint8Array {
    return Y.encodeStateAsUpdate(this.#doc, stateVector);
  }

  /** Takes the edits of another window. Throws ForeignSeed when that draft grew from something else. */
  applyUpdate(update: Uint8Array, seed: string): void {
    if (seed !== this.#seed) throw new ForeignSeed(this.#seed, seed);
    const before = this.content();
    Y.applyUpdate(this.#doc, update, 'replica');
    this.#removed.push(...removedParts(before, this.content()));
  }

  /** Remembers what a save says, so that its own effect is no contradiction when it comes back (`rebase`). */
  markSent(id: string): void {
    this.#sent = [...this.#sent.filter((save) => save.id !== id), { id, content: this.content() }];
    this.#tell({ by: 'conflicts', update: emptyUpdate });
  }

  /** What the draft said when a save was made of it; undefined when it awaits no such save. */
  sentContent(id: string): GuideContent | undefined {
    return this.#sent.find((save) => save.id === id)?.content;
  }

  /** Forgets a save that came to nothing. */
  forgetSent(id: string): void {
    this.#sent = this.#sent.filter((save) => save.id !== id);
    this.#tell({ by: 'conflicts', update: emptyUpdate });
  }

  /**
   * Takes in saves that the draft does not know, oldest first: they had been sent, and the server forgot them. Their
   * words stand beneath the draft's own edits. `base`: the version that the first of them was made on; it becomes the
   * draft's base, so that every word counts as changed when the server's version comes (`rebase`).
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
    this.#tell({ by: 'conflicts', update: emptyUpdate });
  }

  /**
   * Takes over the server's version, which is the draft's base from now on. `after`: the save that this version
   * holds already. Returns the new conflicts and what merged by itself.
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
    this.#tell({ by: 'conflicts', update: emptyUpdate });
    return { conflicts, merges };
  }

  /** The base is a version that the server no longer knows: any version of the server follows it. */
  forgetRevision(): void {
    if (this.#base === null) return;
    this.#base = { ...this.#base, revisionid: 0 };
    this.#tell({ by: 'conflicts', update: emptyUpdate });
  }

  /**
   * Contests what a person wrote without knowing `theirs`: everything in which `mine` differs from `blank`, and `theirs`
   * too, becomes a conflict. To be called on a fresh draft of `theirs`. Returns what merged by itself.
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
    this.#undo.stopCapturing();
    this.#lastEdit = undefined;
    this.#write(next);
    this.#tell({ by: 'conflicts', update: emptyUpdate });
  }

  /** Puts a decided conflict up for decision again. */
  reopen(id: string): void {
    const conflict = must(
      this.#resolved.find((one) => one.id === id),
      `conflict ${id}`,
    );
    this.#resolved = this.#resolved.filter((one) => one !== conflict);
    this.#conflicts = [...this.#conflicts.filter((one) => one.id !== id), conflict];
    this.#tell({ by: 'conflicts', update: emptyUpdate });
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

  [Symbol.dispose](): void {
    this.#listeners.clear();
    this.#undo.destroy();
    this.#doc.destroy();
  }

  #baseContent(): GuideContent {
    return this.#base === null ? emptyContent() : contentOf(this.#base);
  }

  #write(next: GuideContent, moved?: Moved): void {
    this.#doc.transact(() => writeContent(this.#doc, next, moved), 'edit');
  }

  /** Writes the merged content as the edits of another replica, which undo does not take back. `from`: what came in. */
  #takeOver(merged: GuideContent, from: GuideContent): void {
    if (sameValue(merged, readContent(this.#doc))) return;
    const replica = new Y.Doc();
    Y.applyUpdate(replica, this.encodeUpdate());
    const before = Y.encodeStateVector(replica);
    replica.clientID = rebaseClient(toBase64(before), seedHash(from), seedHash(merged));
    replica.transact(() => writeContent(replica, merged));
    this.#lastEdit = undefined;
    Y.applyUpdate(this.#doc, Y.encodeStateAsUpdate(replica, before), 'rebase');
    replica.destroy();
  }

  #tell(change: DraftChange): void {
    this.#content = undefined;
    for (const listener of this.#listeners) listener(change);
  }
}

function checkSeed(update: Uint8Array, expected: string): void {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, update);
  const found = seedOf(doc);
  doc.destroy();
  if (found !== expected) throw new ForeignSeed(expected, found);
}

function movedBy(edit: GuideEditOperation): Moved {
  if (edit.op === 'moveStep') return { step: edit.step };
  return edit.op === 'moveLine' ? { step: edit.step, line: edit.line } : {};
}
