import { describe, expect, test } from 'vitest';

import { GuideDraft } from '#desktop/engine/drafts/guide-draft.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { emptyStep } from '#shared/rules/guide-content.ts';
import { contentOf } from '#shared/rules/guide-edit.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

import { cover, coverLine, open, random, saved, withLine } from './draft-of-guide.ts';

describe('rebase', () => {
  test('leaves a draft without edits clean on the new base', () => {
    const draft = open();
    const theirs = withLine('Now lift the back cover.');
    expect(draft.rebase(theirs).conflicts).toEqual([]);
    expect(draft.content()).toEqual(contentOf(theirs));
    expect(draft.isDirty()).toBe(false);
    expect(draft.body()).toBeNull();
  });

  test('keeps mine in the conflict and theirs in the text until a person decides', () => {
    const draft = open();
    draft.apply({ op: 'setLineText', ...cover, value: 'Lift the front cover.' });
    const { conflicts } = draft.rebase(withLine('Lift the upper cover.'));
    expect(conflicts.map((conflict) => conflict.id)).toEqual([`step:12/line:${coverLine}/text_raw`]);
    expect(draft.content().steps[1]?.lines[0]?.text_raw).toBe('Lift the upper cover.');
    draft.resolve(conflicts[0]?.id ?? '', 'mine');
    expect(draft.content().steps[1]?.lines[0]?.text_raw).toBe('Lift the front cover.');
    expect(draft.conflicts).toEqual([]);
    expect(draft.resolved).toEqual(conflicts);
    expect(draft.body()?.steps?.[1]).toMatchObject({
      stepid: 12,
      lines: [{ text: 'Lift the front cover.' }],
    });
  });

  test('a decided conflict can be reopened', () => {
    const draft = open();
    draft.apply({ op: 'setField', field: 'difficulty', value: 'Easy' });
    draft.rebase(saved({ difficulty: 'Difficult' }));
    const before = { content: draft.content(), conflicts: draft.conflicts };
    draft.resolve('difficulty', 'theirs');
    draft.reopen(before.content, before.conflicts);
    expect(draft.resolved).toEqual([]);
    draft.resolve('difficulty', 'mine');
    expect(draft.content().difficulty).toBe('Easy');
  });

  test("an open conflict follows the server's next version", () => {
    const draft = open();
    draft.apply({ op: 'setLineText', ...cover, value: 'Lift the front cover.' });
    draft.rebase(withLine('Lift the upper cover.'));
    draft.rebase({ ...withLine('Lift the top cover.'), revisionid: 72 });
    expect(draft.conflicts).toHaveLength(1);
    expect(draft.conflicts[0]).toMatchObject({
      theirs: 'Lift the top cover.',
      provisional: 'Lift the top cover.',
      mine: 'Lift the front cover.',
    });
  });

  test('the texts of an open conflict survive the removal of their step by others', () => {
    const draft = open();
    draft.apply({ op: 'setLineText', ...cover, value: 'Lift the front cover.' });
    draft.rebase(withLine('Lift the upper cover.'));
    draft.rebase(saved({ steps: plainGuide.steps.filter((step) => step.stepid !== 12), revisionid: 72 }));
    expect(draft.conflicts).toMatchObject([{ id: 'step:12', kind: 'removal', removedBy: 'theirs' }]);
    expect(JSON.stringify(draft.content())).toContain('Lift the front cover.');
    draft.resolve('step:12', 'theirs');
    expect(draft.content().steps.map((step) => step.key)).toEqual(['11', '13', '14', '15']);
  });

  test('a step that others removed and this person keeps is sent as a new step with the same identity', () => {
    const draft = open();
    draft.apply({ op: 'setLineText', ...cover, value: 'Lift the front cover.' });
    draft.rebase(saved({ steps: plainGuide.steps.filter((step) => step.stepid !== 12) }));
    draft.resolve('step:12', 'mine');
    expect(draft.body()?.steps?.[1]).toMatchObject({ key: '12', lines: [{ text: 'Lift the front cover.' }] });
  });

  test("one's own save does not conflict with later text", () => {
    const draft = open();
    draft.apply({ op: 'setLineText', ...cover, value: 'Lift the front cover.' });
    draft.apply({ op: 'insertStep', step: emptyStep('0198c0de'), index: 0 });
    draft.markSent('call');
    draft.apply({ op: 'setLineText', ...cover, value: 'Lift the frontmost cover.' });
    draft.apply({ op: 'setStepTitle', step: '0198c0de', value: 'Begin' });
    const mine = draft.content();
    const media = { type: 'image' as const, data: [] };
    const made = { ...emptyStep('0198c0de'), stepid: 99, revisionid: 990, media, lines: [] };
    const theirs = withLine('Lift the front cover.');
    const result = draft.rebase({ ...theirs, steps: [made, ...theirs.steps] }, 'call');
    expect(result.conflicts).toEqual([]);
    expect(draft.content()).toEqual(mine);
    expect(draft.body()?.steps?.[0]).toEqual({ stepid: 99, revisionid: 990, title: 'Begin' });
  });

  test('two windows that rebase in the same way agree without repeating anything', () => {
    const first = open();
    first.apply({ op: 'setText', field: 'title', value: 'Mine: radio battery replacement' });
    const second = GuideDraft.fromJSON(first.toJSON(), random);
    const theirs = saved({ title: 'Radio battery replacement, theirs' });
    first.rebase(theirs);
    second.rebase(theirs);
    first.applyUpdate(second.encodeUpdate(), second.seed);
    expect(first.content().title).toBe('Mine: radio battery replacement, theirs');
  });
});

describe('storing', () => {
  test('a stored draft with later increments is the draft again, conflicts included', () => {
    const draft = open();
    draft.apply({ op: 'setField', field: 'difficulty', value: 'Easy' });
    draft.rebase(saved({ difficulty: 'Difficult' }));
    const record = JSON.parse(JSON.stringify(draft.toJSON())) as ReturnType<GuideDraft['toJSON']>;
    const increments: Uint8Array[] = [];
    draft.on('change', (change) => increments.push(change.update));
    draft.apply({ op: 'removeStep', step: '14' });
    draft.apply({ op: 'setText', field: 'summary', value: 'Short.' });
    const again = GuideDraft.fromJSON(record, random, increments);
    expect(again.content()).toEqual(draft.content());
    expect(again.conflicts).toEqual(draft.conflicts);
    expect(again.base).toEqual(draft.base);
    expect(again.body()).toEqual(draft.body());
  });

  test('the changes since a state are enough for another window', () => {
    const first = open();
    const second = open();
    const state = second.stateVector();
    first.apply({ op: 'setText', field: 'summary', value: 'Short.' });
    second.applyUpdate(first.encodeUpdateSince(state), first.seed);
    expect(second.content()).toEqual(first.content());
  });
});

describe('OUTBOX-56 an element just removed by a merge', () => {
  const without = (key: string): GuideFacts =>
    saved({ steps: plainGuide.steps.filter(({ stepid }) => String(stepid) !== key) });

  test('is restored with the text being typed there, at its position', () => {
    const draft = open();
    const keys = draft.content().steps.map(({ key }) => key);
    draft.rebase(without('12'));
    expect(draft.content().steps.map(({ key }) => key)).not.toContain('12');
    draft.apply({ op: 'setLineText', ...cover, value: 'Lift the cover with both hands.' });
    expect(draft.content().steps.map(({ key }) => key)).toEqual(keys);
    expect(draft.content().steps[1]?.lines[0]?.text_raw).toBe('Lift the cover with both hands.');
    expect(draft.isDirty()).toBe(true);
    draft.undo();
    expect(draft.content().steps.map(({ key }) => key)).not.toContain('12');
  });

  test('stays removed when the edit would only remove or move it', () => {
    const draft = open();
    draft.rebase(without('12'));
    const before = draft.content();
    draft.apply({ op: 'removeLine', ...cover });
    draft.apply({ op: 'moveStep', step: '12', index: 0 });
    draft.apply({ op: 'removeStep', step: '12' });
    expect(draft.content()).toEqual(before);
  });

  test('can be a line as well as a step', () => {
    const draft = open();
    const steps = plainGuide.steps.map((step, index) =>
      index === 1 ? { ...step, lines: step.lines.slice(1) } : step,
    );
    draft.rebase(saved({ steps }));
    draft.apply({ op: 'setLineText', ...cover, value: 'Kept' });
    expect(draft.content().steps[1]?.lines[0]).toMatchObject({ id: coverLine, text_raw: 'Kept' });
  });

  test('is restored when another window removed it', () => {
    const [draft, other] = [open(), open()];
    other.apply({ op: 'removeStep', step: '12' });
    draft.applyUpdate(other.encodeUpdate(), other.seed);
    draft.apply({ op: 'setStepTitle', step: '12', value: 'Cover' });
    expect(draft.content().steps[1]).toMatchObject({ key: '12', title: 'Cover' });
  });

  test('an edit of a step that never existed is reported as a bug', () => {
    expect(() => open().apply({ op: 'setStepTitle', step: '99', value: '' })).toThrow('step 99');
  });
});

describe('OUTBOX-56 text typed into a text that changed meanwhile', () => {
  const line = (draft: GuideDraft): string | undefined => draft.content().steps[1]?.lines[0]?.text_raw;
  const old = plainGuide.steps[1]?.lines[0]?.text_raw ?? '';

  test('is applied to the merged text', () => {
    const draft = open();
    draft.rebase(withLine(`First, ${old}`));
    draft.apply({ op: 'setLineText', ...cover, value: `${old} Slowly.`, from: old });
    expect(line(draft)).toBe(`First, ${old} Slowly.`);
  });

  test('stays beside what a merge added to the same words', () => {
    const draft = open();
    draft.rebase(saved({ summary: 'Theirs' }));
    draft.apply({ op: 'setText', field: 'summary', value: 'Mine', from: plainGuide.summary });
    expect(draft.content().summary).toMatch(/Mine.*Theirs|Theirs.*Mine/);
  });

  test('is applied to the text typed in another window', () => {
    const [draft, other] = [open(), open()];
    other.apply({ op: 'setStepTitle', step: '12', value: 'The cover' });
    draft.applyUpdate(other.encodeUpdate(), other.seed);
    const from = plainGuide.steps[1]?.title ?? '';
    draft.apply({ op: 'setStepTitle', step: '12', value: `${from} off`, from });
    expect(draft.content().steps[1]?.title).toContain('The cover');
    expect(draft.content().steps[1]?.title).toContain('off');
  });

  test('keeps what a merge added to a list', () => {
    const draft = open();
    const part = (text: string) => ({ text, notes: '', type: '', quantity: 1, url: '', thumbnail: null });
    const from = draft.content().parts;
    draft.rebase(saved({ parts: [...from, part('Theirs')] }));
    draft.apply({ op: 'setList', field: 'parts', value: [...from, part('Mine')], from });
    const parts = draft.content().parts.map(({ text }) => text);
    expect(parts).toEqual(expect.arrayContaining(['Theirs', 'Mine']));
    expect(parts).toHaveLength(from.length + 2);
  });

  test('is written as it is where nothing changed', () => {
    const draft = open();
    draft.apply({ op: 'setLineText', ...cover, value: 'Anew', from: old });
    expect(line(draft)).toBe('Anew');
  });
});
