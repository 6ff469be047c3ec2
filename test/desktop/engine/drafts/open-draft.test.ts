import { expect, test } from 'vitest';

import { GuideDraft } from '#desktop/engine/drafts/guide-draft.ts';
import { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

import { testEnvironment } from '../support/environment.ts';

/** An open draft, its stored state, and a hook before each step of the store. */
function stored() {
  const values = new Map<string, unknown>();
  const world = {
    values,
    before: (_step: 'put' | 'remove', _id: string): void => undefined,
  };
  const store = {
    get: async (id: string) => values.get(id),
    put: async (id: string, value: unknown) => {
      world.before('put', id);
      await Promise.resolve();
      values.set(id, value);
    },
    remove: async (id: string) => {
      world.before('remove', id);
      await Promise.resolve();
      values.delete(id);
    },
  };
  const environment = testEnvironment(fetch, 1);
  const draft = GuideDraft.open({ base: plainGuide, random: Math.random });
  const open = new OpenDraft('7', draft, { store, environment }, () => undefined);
  const read = async (): Promise<string | undefined> => {
    const again = await OpenDraft.read('7', [...values.keys()], { store, environment }, () => undefined);
    const text = again?.draft.content().summary;
    again?.close();
    return text;
  };
  return { world, open, read };
}

function type(open: OpenDraft, value: string): void {
  open.draft.apply({ op: 'setText', field: 'summary', value });
}

test('text typed while an accepted draft is cleaned up stays stored', async () => {
  for (const step of ['put', 'remove'] as const) {
    const { world, open, read } = stored();
    open.keep();
    await open.flush();
    open.markSaved(false);
    let isTyped = false;
    world.before = (now) => {
      if (now !== step || isTyped) return;
      isTyped = true;
      type(open, 'Typed meanwhile');
    };
    await open.tidy();
    expect(isTyped).toBe(true);
    await open.flush();
    expect(await read(), step).toBe('Typed meanwhile');
    open.close();
  }
});

test('text typed in several batches while a draft is cleaned up stays stored', async () => {
  const { world, open, read } = stored();
  for (const text of ['One', 'Two', 'Three', plainGuide.summary]) {
    type(open, text);
    await open.flush();
  }
  const typed: Promise<void>[] = [];
  world.before = (step) => {
    if (step !== 'remove' || typed.length > 3) return;
    type(open, 'Typed meanwhile'.slice(0, 3 * (typed.length + 2)));
    typed.push(open.flush());
  };
  await open.tidy();
  await Promise.all(typed);
  type(open, 'Typed meanwhile');
  await open.flush();
  expect(await read()).toBe('Typed meanwhile');
  open.close();
});
