import { describe, expect, test } from 'vitest';

import { GuideDraft, type DraftChange } from '#desktop/engine/drafts/guide-draft.ts';
import { ForeignSeed, seedUpdate } from '#desktop/engine/drafts/seed.ts';
import { emptyStep } from '#shared/rules/guide-content.ts';
import { contentOf } from '#shared/rules/guide-edit.ts';
import { guideOf, plainGuide } from '#test/support/guide-edits.ts';

import { cover, open, random, saved, withLine } from './draft-of-guide.ts';

describe('the seed', () => {
  test('contains the guide it was made of', () => {
    expect(open().content()).toEqual(contentOf(plainGuide));
  });

  test('is the same bytes for equal content, whatever the order of its keys', () => {
    const content = contentOf(plainGuide);
    const turned = Object.fromEntries(Object.entries(content).toReversed()) as typeof content;
    expect(seedUpdate(turned)).toEqual(seedUpdate(content));
  });

  test('of another base refuses the edits of this one', () => {
    const draft = open();
    draft.apply({ op: 'setText', field: 'title', value: 'Mine' });
    const other = saved({ title: 'Another base' });
    expect(() => GuideDraft.open({ base: other, update: draft.encodeUpdate(), random })).toThrow(ForeignSeed);
    const replica = open(other);
    expect(() => replica.applyUpdate(draft.encodeUpdate(), draft.seed)).toThrow(ForeignSeed);
    expect(replica.content().title).toBe('Another base');
  });

  test('levels that an import left out of order stay as they are', () => {
    const odd = guideOf([['One', 'Two']]);
    const steps = odd.steps.map((step) => ({
      ...step,
      lines: step.lines.map((line) => ({ ...line, level: 2 })),
    }));
    const draft = open({ ...odd, steps });
    draft.apply({ op: 'setText', field: 'title', value: 'Mine' });
    expect(draft.body()).toEqual({ title: 'Mine' });
  });
});

describe('editing', () => {
  test('a new guide grows from nothing', () => {
    const draft = open(null);
    draft.apply({ op: 'insertStep', step: emptyStep('0198c0de'), index: 0 });
    expect(draft.content().steps.map((step) => step.key)).toEqual(['0198c0de']);
    expect(draft.isDirty()).toBe(true);
  });

  test('one edit costs tens of bytes in the journal', () => {
    const draft = open();
    const changes: DraftChange[] = [];
    draft.on('change', (change) => changes.push(change));
    draft.apply({ op: 'setLineText', ...cover, value: 'Lift the back cover!' });
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ by: 'edit' });
    expect(changes[0]?.update.length).toBeLessThan(100);
  });

  test('only a moved step gets a new position', () => {
    const draft = open();
    const changes: DraftChange[] = [];
    draft.on('change', (change) => changes.push(change));
    draft.apply({ op: 'moveStep', step: '11', index: 1 });
    expect(draft.content().steps.map((step) => step.key)).toEqual(['12', '11', '13', '14', '15']);
    expect(changes[0]?.update.length).toBeLessThan(100);
  });

  test('a removed step comes back whole', () => {
    const draft = open();
    draft.apply({ op: 'removeStep', step: '13' });
    draft.undo();
    expect(draft.content()).toEqual(contentOf(plainGuide));
    draft.redo();
    expect(draft.content().steps.map((step) => step.key)).not.toContain('13');
  });

  test('letters outside the basic plane survive edits around them', () => {
    const draft = open();
    for (const value of ['🔧', '🔩', '🔩🔧', '🤧', '😧']) {
      draft.apply({ op: 'setText', field: 'title', value });
      expect(draft.content().title).toBe(value);
    }
    expect(GuideDraft.fromJSON(draft.toJSON(), random).content().title).toBe('😧');
  });

  test('a step can be inserted between two that two windows put at one position', () => {
    const first = open();
    const second = open();
    first.apply({ op: 'insertStep', step: emptyStep('from-first'), index: 1 });
    second.apply({ op: 'insertStep', step: emptyStep('from-second'), index: 1 });
    first.applyUpdate(second.encodeUpdate(), second.seed);
    first.apply({ op: 'insertStep', step: emptyStep('between'), index: 2 });
    const keys = first.content().steps.map((step) => step.key);
    expect(keys).toEqual(['11', 'from-first', 'between', 'from-second', '12', '13', '14', '15']);
  });

  test('a list whose first of equal elements was removed in another window is written only when edited', () => {
    const [part] = plainGuide.parts;
    const draft = open();
    const second = open();
    draft.apply({ op: 'setList', field: 'parts', value: part === undefined ? [] : [part, part] });
    second.apply({ op: 'setList', field: 'parts', value: [] });
    draft.applyUpdate(second.encodeUpdate(), second.seed);
    expect(draft.content().parts).toEqual([part]);
    const costs = [draft, open()].map((one) => {
      const again = GuideDraft.fromJSON(one.toJSON(), random);
      const changes: DraftChange[] = [];
      again.on('change', (change) => changes.push(change));
      again.apply({ op: 'setField', field: 'time_required_max', value: 5 });
      expect(again.content().parts).toEqual(one.content().parts);
      return changes[0]?.update.length ?? 0;
    });
    expect(Math.abs((costs[0] ?? 0) - (costs[1] ?? 0))).toBeLessThan(8);
  });
});

describe('undo', () => {
  test('undoes 100 edits and more, and redo restores them', () => {
    const draft = open();
    for (let count = 1; count <= 120; count += 1) {
      draft.apply({ op: 'setField', field: 'time_required_max', value: 5000 + count });
    }
    for (let count = 1; count <= 120; count += 1) draft.undo();
    expect(draft.content()).toEqual(contentOf(plainGuide));
    expect(draft.canUndo).toBe(false);
    for (let count = 1; count <= 120; count += 1) draft.redo();
    expect(draft.content().time_required_max).toBe(5120);
    expect(draft.canRedo).toBe(false);
  });

  test('undoes typed text word by word', () => {
    const draft = open(null);
    for (const value of ['N', 'Ne', 'New', 'New ', 'New t', 'New ti']) {
      draft.apply({ op: 'setText', field: 'title', value });
    }
    draft.undo();
    expect(draft.content().title).toBe('New ');
    draft.undo();
    expect(draft.content().title).toBe('');
  });

  test("undoes this person's edits and keeps those from the server", () => {
    const draft = open();
    draft.apply({ op: 'setLineText', ...cover, value: 'Lift the back cover with care.' });
    draft.rebase(withLine('Now lift the back cover.'));
    expect(draft.content().steps[1]?.lines[0]?.text_raw).toBe('Now lift the back cover with care.');
    draft.undo();
    expect(draft.content().steps[1]?.lines[0]?.text_raw).toBe('Now lift the back cover.');
  });
});
