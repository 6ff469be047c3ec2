import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { Quarantine, type KeptWords } from '#desktop/engine/leaving/quarantine.ts';

import { testEnvironment } from './support/environment.ts';

test('LV4 words of a later draft of a guide do not take the place of those that are kept of an earlier one', async () => {
  const journal = await openJournal(memoryStore(), testEnvironment(fetch, 1));
  const keptOf = async (): Promise<string[]> => {
    const quarantine = new Quarantine(journal, 'home', () => undefined);
    await quarantine.read();
    return quarantine.present().flatMap(({ words }) => words.map(({ value }) => JSON.stringify(value)));
  };
  const words = (value: string): KeptWords => ({
    version: 1,
    id: 'draft:61',
    collection: 'guides',
    recordid: '61',
    at: 1,
    history: '',
    isOnServer: false,
    isComment: false,
    words: [{ place: { field: 'summary' }, value }],
  });
  const quarantine = new Quarantine(journal, 'home', () => undefined);
  await quarantine.put([words('First'), words('Second')]);
  await quarantine.put([words('Third')]);
  await quarantine.put([words('First')]);
  expect((await keptOf()).toSorted()).toEqual(['"First"', '"Second"', '"Third"']);
  await quarantine.remove(quarantine.present().map(({ id }) => id));
  expect(await keptOf()).toEqual([]);
  await journal.close();
});
