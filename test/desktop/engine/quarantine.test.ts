import { expect, test } from 'vitest';

import { Homes } from '#desktop/engine/account/home.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { workIn } from '#desktop/engine/leaving/home-removal.ts';
import { Quarantine, type KeptWords } from '#desktop/engine/leaving/quarantine.ts';

import { newDisk, platformOn } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';

function words(value: string): KeptWords {
  return {
    version: 1,
    id: 'draft:61',
    collection: 'guides',
    recordid: '61',
    at: 1,
    history: '',
    isOnServer: false,
    isComment: false,
    words: [{ place: { field: 'summary' }, value }],
  };
}

test('LV4 words of a later draft of a guide do not take the place of those that are kept of an earlier one', async () => {
  const journal = await openJournal(memoryStore(), testEnvironment(fetch, 1));
  const keptOf = async (): Promise<string[]> => {
    const quarantine = new Quarantine(journal, 'home', () => undefined);
    await quarantine.read();
    return quarantine.present().flatMap(({ words }) => words.map(({ value }) => JSON.stringify(value)));
  };
  const quarantine = new Quarantine(journal, 'home', () => undefined);
  await quarantine.put([words('First'), words('Second')]);
  await quarantine.put([words('Third')]);
  await quarantine.put([words('First')]);
  expect((await keptOf()).toSorted()).toEqual(['"First"', '"Second"', '"Third"']);
  await quarantine.remove(quarantine.present().map(({ id }) => id));
  expect(await keptOf()).toEqual([]);
  await journal.close();
});

test('LV4 words that are kept before anything was read do not take the place of those that are there', async () => {
  const journal = await openJournal(memoryStore(), testEnvironment(fetch, 1));
  await new Quarantine(journal, 'home', () => undefined).put([words('First')]);
  const next = new Quarantine(journal, 'home', () => undefined);
  await next.put([words('Second')]);
  await next.read();
  const kept = next.present().flatMap((one) => one.words.map(({ value }) => JSON.stringify(value)));
  expect(kept.toSorted()).toEqual(['"First"', '"Second"']);
  await journal.close();
});

test('LV4 LV7 words that a newer version kept are work: nothing takes their place, and no library goes with them unasked', async () => {
  const environment = testEnvironment(fetch, 1);
  const journal = await openJournal(memoryStore(), environment);
  const newer = { version: 99, odd: true };
  await journal.append([{ op: 'put', collection: 'meta', id: 'kept/home/draft:61', value: newer }]);
  const homes = new Homes(platformOn(newDisk(), environment), journal);
  expect(await workIn({ platform: platformOn(newDisk(), environment), journal, homes }, 'home')).toBe(1);
  const quarantine = new Quarantine(journal, 'home', () => undefined);
  await quarantine.read();
  await quarantine.put([words('First')]);
  const { meta } = await journal.entries();
  expect(meta.get('kept/home/draft:61')).toEqual(newer);
  expect(quarantine.present()).toHaveLength(1);
  await journal.close();
});
