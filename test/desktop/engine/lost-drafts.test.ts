import { expect, test } from 'vitest';

import type { Core } from '#desktop/engine/account/core.ts';
import { LostDrafts } from '#desktop/engine/features/leaving/lost-drafts.ts';
import type { KeptWords } from '#desktop/engine/account/leaving/quarantine.ts';
import { servicesOf } from '#desktop/engine/features/services.ts';
import { must } from '#shared/must.ts';
import { workshop } from '#test/desktop/engine/bench/bench-of-test.ts';

test('LEAVING-4 an edit that arrives while a draft is being quarantined is kept too', async () => {
  const { bench } = await workshop();
  const { actions, core } = bench;
  const { drafts, sources } = servicesOf(core);
  const kept = new Map<string, KeptWords>();
  // Each field is typed while the journal stores the previous text.
  const later = ['conclusion_raw', 'summary'] as const;
  let stored = 0;
  const store = async (item: KeptWords): Promise<void> => {
    const field = later[stored];
    stored += 1;
    if (field !== undefined) await actions.editDraft('7', { op: 'setText', field, value: `${field} typed` });
    kept.set(item.id, item);
  };
  const leaving = {
    ...core.leaving,
    keep: async (items: readonly KeptWords[]) => {
      for (const item of items) await store(item);
      return items.map(({ id }) => id);
    },
    rewrite: store,
  };
  await actions.openDraft('7');
  await actions.editDraft('7', { op: 'setText', field: 'introduction_raw', value: 'introduction_raw typed' });
  const open = must(drafts.find('7'), 'the draft');
  const keeping: Core = { ...core, leaving, held: () => keeping };
  await new LostDrafts({ core: keeping, sources, drafts }).lose(open, 'history');
  expect(drafts.find('7')).toBeUndefined();
  for (const act of ['undoDraft', 'redoDraft', 'saveDraft'] as const)
    await expect(actions[act]('7')).rejects.toMatchObject({
      kind: 'not-found',
      message: expect.stringContaining('kept under Sync'),
    });
  const words = [...kept.values()].map((item) => item.words.map(({ place, value }) => [place.field, value]));
  const fields = ['introduction_raw', ...later];
  expect(words.map((one) => Object.fromEntries(one))).toEqual([
    Object.fromEntries(fields.map((field) => [field, `${field} typed`])),
  ]);
});
