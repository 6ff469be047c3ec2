import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { GuideDraft } from '#desktop/engine/drafts/guide-draft.ts';
import { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import {
  type StoredHistory,
  changeOfHistory,
  changedHistory,
  emptyHistory,
  readHistory,
} from '#desktop/engine/drafts/stored-history.ts';
import { undoLimits } from '#desktop/engine/drafts/undo-steps.ts';
import { must } from '#shared/must.ts';
import { type GuideEditOperation, contentOf } from '#shared/rules/guide-edit.ts';
import { Editor, plainGuide, rawEdit } from '#test/support/guide-edits.ts';
import { runs } from '#test/support/long-run.ts';

import { testEnvironment } from '../support/environment.ts';
import { cover, open, random, withLine } from './draft-of-guide.ts';

/** The draft after it was stored as JSON and read again. */
function reopened(draft: GuideDraft): GuideDraft {
  const { record, history } = JSON.parse(
    JSON.stringify({ record: draft.toJSON(), history: draft.history() }),
  ) as { record: ReturnType<GuideDraft['toJSON']>; history: unknown };
  return GuideDraft.fromJSON(record, random, [], readHistory(history));
}

function undoAll(draft: GuideDraft): number {
  let count = 0;
  for (; draft.canUndo; count += 1) draft.undo();
  return count;
}

describe('UNDO-1 undo goes on after a draft was closed', () => {
  test('over 120 steps, and redo brings them back', () => {
    const first = open();
    for (let count = 1; count <= 120; count += 1)
      first.apply({ op: 'setText', field: 'introduction_raw', value: `Words ${1000 + count}` });
    using second = reopened(first);
    expect(second.content()).toEqual(first.content());
    expect(undoAll(second)).toBe(120);
    expect(second.content()).toEqual(contentOf(plainGuide));
    using third = reopened(second);
    while (third.canRedo) third.redo();
    expect(third.content().introduction_raw).toBe('Words 1120');
  });

  test('a removed step comes back with its words', () => {
    const first = open();
    first.apply({ op: 'removeStep', step: '13' });
    first.apply({ op: 'setLineText', ...cover, value: '' });
    using second = reopened(first);
    second.undo();
    second.undo();
    expect(second.content()).toEqual(contentOf(plainGuide));
  });

  test("it takes back this person's edits only, as before", () => {
    const first = open();
    first.apply({ op: 'setLineText', ...cover, value: 'Lift the back cover with care.' });
    first.rebase(withLine('Now lift the back cover.'));
    using second = reopened(first);
    second.undo();
    expect(second.content().steps[1]?.lines[0]?.text_raw).toBe('Now lift the back cover.');
    second.redo();
    expect(second.content().steps[1]?.lines[0]?.text_raw).toBe('Now lift the back cover with care.');
  });

  test('a new edit after that takes away what could be done again', () => {
    const first = open();
    first.apply({ op: 'setText', field: 'title', value: 'One' });
    first.undo();
    using second = reopened(first);
    expect(second.canRedo).toBe(true);
    second.apply({ op: 'setText', field: 'title', value: 'Two' });
    expect(second.canRedo).toBe(false);
  });
});

/** Edits of the same two texts, which replace what earlier steps inserted. */
const sameTexts: fc.Arbitrary<GuideEditOperation> = fc.oneof(
  fc.record({
    op: fc.constant('setText' as const),
    field: fc.constant('summary' as const),
    value: fc.constantFrom('', 'One', 'One two', 'Two', 'One two three', 'Two three'),
  }),
  fc.record({
    op: fc.constant('setStepTitle' as const),
    step: fc.constant('15'),
    value: fc.constantFrom('', 'Close', 'Close it', 'Close the lid'),
  }),
);
const act = fc.oneof(
  { weight: 5, arbitrary: fc.record({ edit: rawEdit }) },
  { weight: 6, arbitrary: fc.record({ same: sameTexts }) },
  { weight: 5, arbitrary: fc.constant('undo' as const) },
  { weight: 2, arbitrary: fc.constant('redo' as const) },
  { weight: 2, arbitrary: fc.constant('reopen' as const) },
  { weight: 1, arbitrary: fc.constant('rebase' as const) },
);

test('UNDO-1 a draft that is closed at any time undoes and redoes the same as one that is not', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const stays = open();
      let closes = open();
      const editor = new Editor('a');
      let turn = 0;
      for (const one of acts) {
        if (one === 'reopen') closes = reopened(closes);
        else if (one === 'rebase') {
          turn += 1;
          const theirs = { ...withLine(`Lift the back cover ${turn}.`), revisionid: 71 + turn };
          for (const draft of [stays, closes]) draft.rebase(theirs);
        } else if (one === 'undo') for (const draft of [stays, closes]) draft.undo();
        else if (one === 'redo') for (const draft of [stays, closes]) draft.redo();
        else {
          const operation = 'same' in one ? one.same : editor.operation(stays.content(), one.edit);
          if ('same' in one && !stays.content().steps.some(({ key }) => key === '15')) continue;
          for (const draft of [stays, closes]) draft.apply(operation);
        }
        expect(closes.content()).toEqual(stays.content());
        expect([closes.canUndo, closes.canRedo]).toEqual([stays.canUndo, stays.canRedo]);
      }
      closes = reopened(closes);
      while (stays.canUndo) {
        for (const draft of [stays, closes]) draft.undo();
        expect(closes.content()).toEqual(stays.content());
      }
      expect(closes.canUndo).toBe(false);
      for (const draft of [stays, closes]) draft[Symbol.dispose]();
    }),
    { numRuns: runs(300) },
  );
});

describe('UNDO-2 undo is bounded', () => {
  test('the last 200 steps can be undone, and the words of earlier ones are gone', () => {
    const draft = open();
    const secret = 'once-written-and-replaced';
    draft.apply({ op: 'setText', field: 'summary', value: secret });
    for (let count = 1; count <= 600; count += 1)
      draft.apply({ op: 'setText', field: 'summary', value: `Words ${1000 + count}` });
    expect(Buffer.from(draft.encodeUpdate()).includes(secret)).toBe(false);
    using second = reopened(draft);
    const steps = undoAll(second);
    expect(steps).toBeGreaterThanOrEqual(undoLimits.steps);
    expect(steps).toBeLessThanOrEqual(undoLimits.steps + undoLimits.slack);
    expect(second.content().summary).toBe(`Words ${1600 - steps}`);
  });

  test('what was deleted takes a limited place, and the last step can always be undone', () => {
    const draft = open();
    const long = (letter: string): string => letter.repeat(900_000);
    for (const letter of 'abcdef')
      draft.apply({ op: 'setText', field: 'conclusion_raw', value: long(letter) });
    expect(draft.encodeUpdate().length).toBeLessThan(4_000_000);
    using second = reopened(draft);
    second.undo();
    expect(second.content().conclusion_raw).toBe(long('e'));
    second.undo();
    expect(second.content().conclusion_raw).toBe(long('d'));
    expect(undoAll(second)).toBeLessThan(3);
  });

  test('words that no step can bring back are collected when the draft is opened', () => {
    const draft = open();
    draft.apply({ op: 'setText', field: 'summary', value: 'once-written' });
    draft.apply({ op: 'setText', field: 'summary', value: 'Other' });
    using without = GuideDraft.fromJSON(draft.toJSON(), random);
    expect(Buffer.from(without.encodeUpdate()).includes('once-written')).toBe(false);
    expect(without.canUndo).toBe(false);
    using withUndo = reopened(draft);
    expect(Buffer.from(withUndo.encodeUpdate()).includes('once-written')).toBe(true);
  });
});

describe('a history that does not fit', () => {
  test('of a draft whose words are gone is left out, and the draft is read', () => {
    const draft = open();
    draft.apply({ op: 'setText', field: 'summary', value: 'One' });
    draft.apply({ op: 'setText', field: 'summary', value: 'Two' });
    const old = GuideDraft.fromJSON(draft.toJSON(), random);
    using again = GuideDraft.fromJSON(old.toJSON(), random, [], draft.history());
    expect(again.content().summary).toBe('Two');
    expect(again.canUndo).toBe(false);
  });

  test('of another document, or with odd numbers, is left out', () => {
    const draft = open();
    draft.apply({ op: 'setText', field: 'summary', value: 'One' });
    const odd: unknown[] = [
      { undo: [[[5, 0, 9], []]], redo: [], copies: [] },
      { undo: [[[], [1, 0, 1e9]]], redo: [], copies: [1, 0, 1e9, 7, 3] },
      { undo: [[[1], [2, 3]]], redo: [], copies: [1] },
      { undo: 'x' },
      null,
    ];
    for (const history of odd) {
      using again = GuideDraft.fromJSON(draft.toJSON(), random, [], readHistory(history));
      expect(again.content()).toEqual(draft.content());
      while (again.canUndo) again.undo();
      again.apply({ op: 'setText', field: 'summary', value: 'Two' });
      again.undo();
      expect(again.content().summary).toBe('One');
    }
  });
});

const numbers = fc.array(fc.nat(20), { maxLength: 6 });
const steps = fc.array(fc.tuple(numbers, numbers), { maxLength: 5 });
const histories: fc.Arbitrary<StoredHistory> = fc.record({ undo: steps, redo: steps, copies: numbers });

test('the change between two histories leads from one to the other, and no change is nothing', () => {
  fc.assert(
    fc.property(histories, histories, (before, after) => {
      const change: unknown = JSON.parse(JSON.stringify(changeOfHistory(before, after) ?? {}));
      expect(changedHistory(before, change)).toEqual(after);
      expect(changeOfHistory(after, after)).toBeUndefined();
    }),
  );
  expect(changedHistory(emptyHistory, { undo: { from: 3, steps: [] } })).toBeNull();
});

test('UNDO-1 a draft that was stored in batches is read with its undo, and one edit costs few bytes', async () => {
  const values = new Map<string, unknown>();
  const store = {
    get: async (id: string) => values.get(id),
    put: async (id: string, value: unknown) => void values.set(id, structuredClone(value)),
    remove: async (id: string) => void values.delete(id),
  };
  const deps = { store, environment: testEnvironment(fetch, 1) };
  const read = async () =>
    must(await OpenDraft.read('7', [...values.keys()], deps, () => undefined), 'the draft');
  const first = new OpenDraft('7', open(), deps, () => undefined);
  const type = async (opened: OpenDraft, value: string) => {
    opened.draft.apply({ op: 'setText', field: 'summary', value });
    await opened.flush();
  };
  for (let count = 1; count <= 70; count += 1) await type(first, `Words ${1000 + count}`);
  first.draft.undo();
  await first.flush();
  first.draft.undo();
  await first.flush();
  first.draft.redo();
  await first.flush();
  const batches = [...values].filter(([id]) => id.includes('+'));
  expect(batches.length).toBeGreaterThan(10);
  const [, typed] = must(batches[0], 'a batch');
  expect(JSON.stringify((typed as { history: unknown }).history).length).toBeLessThan(150);
  first.close();
  const second = await read();
  expect(second.draft.content().summary).toBe('Words 1069');
  second.draft.redo();
  expect(second.draft.content().summary).toBe('Words 1070');
  await type(second, 'Words 1071');
  second.close();
  const third = await read();
  expect(undoAll(third.draft)).toBe(71);
  expect(third.draft.content().summary).toBe(plainGuide.summary);
  third.close();
});
