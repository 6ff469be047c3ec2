import fc from 'fast-check';
import { expect, test } from 'vitest';

import { GuideDraft } from '#desktop/engine/drafts/guide-draft.ts';
import { mergeGuide } from '#shared/merge/guide.ts';
import { type GuideFacts, bullets } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { type BodyLookup, applyBody } from '#shared/rules/guide-edit-body.ts';
import { applyEdit, contentOf, settledLevels } from '#shared/rules/guide-edit.ts';
import { Editor, plainGuide, rawEdit, rawEdits, type RawEdit } from '#test/support/guide-edits.ts';
import { runs } from '#test/support/long-run.ts';

const base = contentOf(plainGuide);

function draftOf(random: () => number): GuideDraft {
  return GuideDraft.open({ base: plainGuide, random });
}

function edit(draft: GuideDraft, editor: Editor, edits: readonly RawEdit[]): void {
  for (const raw of edits) draft.apply(editor.operation(draft.content(), raw));
}

function counter(start: number): () => number {
  let turn = start;
  return () => (turn = (turn + 0.0123) % 1);
}

test('a draft gives the result of the plain edits, and undoing all restores the base', () => {
  fc.assert(
    fc.property(fc.array(rawEdit, { maxLength: 25 }), (edits) => {
      using draft = draftOf(counter(0));
      const editor = new Editor('a');
      let model: GuideContent = base;
      for (const raw of edits) {
        const operation = editor.operation(model, raw);
        model = applyEdit(model, operation);
        draft.apply(operation);
        expect(draft.content()).toEqual(model);
      }
      while (draft.canUndo) draft.undo();
      expect(draft.content()).toEqual(base);
      while (draft.canRedo) draft.redo();
      expect(draft.content()).toEqual(model);
    }),
    { numRuns: runs(300) },
  );
});

function expectInvariants(content: GuideContent): void {
  const keys = content.steps.map((step) => step.key);
  expect(new Set(keys).size).toBe(keys.length);
  for (const step of content.steps) {
    const ids = step.lines.map((line) => line.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(settledLevels(step.lines)).toEqual(step.lines);
    expect(step.media).toEqual({ type: 'image', data: [] });
    expect(step.time_estimate).toBeTypeOf('number');
    for (const line of step.lines) expect(bullets).toContain(line.bullet);
  }
}

const windows = 4;
const who = fc.nat({ max: windows - 1 });
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ who, edit: rawEdit }) },
  { weight: 2, arbitrary: fc.record({ who, undo: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ who, from: who }) },
);

function exchange(target: GuideDraft, source: GuideDraft): void {
  target.applyUpdate(source.encodeUpdateSince(target.stateVector()), source.seed);
}

test('windows that edit, undo and exchange in any order converge, and no step is lost or doubled', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 80 }), (acts) => {
      const drafts = Array.from({ length: windows }, (_, index) => draftOf(counter(index / windows)));
      const editors = drafts.map((_, index) => new Editor(`${index}x`));
      const removed = new Set<string>();
      for (const one of acts) {
        const draft = must(drafts[one.who], 'draft');
        if ('from' in one) exchange(draft, must(drafts[one.from], 'draft'));
        else if ('undo' in one && one.undo) draft.undo();
        else if ('undo' in one) draft.redo();
        else {
          const operation = must(editors[one.who], 'editor').operation(draft.content(), one.edit);
          if (operation.op === 'removeStep') removed.add(operation.step);
          draft.apply(operation);
        }
      }
      for (const target of [...drafts, ...drafts]) for (const source of drafts) exchange(target, source);
      const [result] = drafts.map((draft) => draft.content());
      for (const draft of drafts) expect(draft.content()).toEqual(result);
      expectInvariants(must(result, 'content'));
      const keys = result?.steps.map((step) => step.key);
      for (const { key } of base.steps) if (!removed.has(key)) expect(keys).toContain(key);
      for (const draft of drafts) draft[Symbol.dispose]();
    }),
    { numRuns: runs(400) },
  );
});

const nothingElse: BodyLookup = {
  image: () => undefined,
  document: () => undefined,
  object: () => undefined,
  newLineId: () => 'new',
};

/** The facts on the server after another person's edit, with new ids for new steps. */
function factsOf(content: GuideContent): GuideFacts {
  const { steps, featured_documentid: _, prerequisites: __, ...fields } = content;
  return {
    ...plainGuide,
    ...fields,
    prerequisites: content.prerequisites.map(Number),
    revisionid: 71,
    steps: steps.map((step, index) => ({
      ...step,
      stepid: Number(step.key) || 500 + index,
      revisionid: 900,
      lines: step.lines.map((line) => ({ ...line, lineid: null })),
      media: { type: 'image' as const, data: [] },
    })),
  };
}

test('a rebased draft contains the result of the merge, and its difference leads from the new base to it', () => {
  fc.assert(
    fc.property(rawEdits, rawEdits, rawEdits, (mineEdits, theirEdits, laterEdits) => {
      using draft = draftOf(counter(0.5));
      const mineEditor = new Editor('m');
      const theirEditor = new Editor('t');
      edit(draft, mineEditor, mineEdits);
      const mine = draft.content();
      const theirs = theirEditor.edit(base, theirEdits);
      const expected = mergeGuide(base, mine, theirs);
      const { conflicts } = draft.rebase(factsOf(theirs));
      expect(draft.content()).toEqual(expected.merged);
      expect(conflicts).toEqual(expected.conflicts);
      const body = draft.body();
      if (body === null) expect(draft.isDirty()).toBe(draft.conflicts.length > 0);
      else expect(applyBody(factsOf(theirs), body, nothingElse)).toEqual(draft.content());
      edit(draft, mineEditor, laterEdits);
      const stored = GuideDraft.fromJSON(draft.toJSON(), counter(0.7));
      expect(stored.content()).toEqual(draft.content());
      expect(stored.conflicts).toEqual(draft.conflicts);
    }),
    { numRuns: runs(500) },
  );
});
