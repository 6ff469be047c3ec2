import { expect, test } from 'vitest';

import { bench, call, tokenOf, changeAs, type Bench } from './support/restored-bench.ts';

const titles = async ({ device }: Bench): Promise<string[]> =>
  (await device.look('library', { category: null })).guides.map(({ title }) => title).toSorted();

async function another({ server }: Bench, title: string): Promise<string> {
  const ben = await tokenOf(server, 'ben@example.com');
  const body = { category: 'Bench Grinder', type: 'repair', title, public: true };
  return String((await call(server, ben, 'POST', '/guides', body))['guideid']);
}

test('MIRROR-22 titles and removals that came while the app was closed are shown after the sync of the next starts', async () => {
  await using world = await bench();
  const { server } = world;
  const [kept, hidden] = [await another(world, 'Kept'), await another(world, 'Hidden')];
  world.device.actions.syncNow();
  await world.device.inSync();
  await expect.poll(() => titles(world)).toEqual(['Belt', 'Hidden', 'Kept']);
  await world.restart(async () => {
    await changeAs(server, 'ben@example.com', kept, { title: 'Kept new' });
    await changeAs(server, 'ben@example.com', hidden, { public: false });
  });
  await world.device.inSync();
  await expect.poll(() => titles(world)).toEqual(['Belt', 'Kept new']);
  await world.restart(async () => undefined);
  expect(await titles(world)).toEqual(['Belt', 'Kept new']);
  world.passes = () => false;
  await world.restart(async () => undefined);
  expect(await titles(world)).toEqual(['Belt', 'Kept new']);
});

test('MIRROR-22 after a restore and restarts, rows are those of the restored server', async () => {
  await using world = await bench();
  const { server, guideid } = world;
  const kept = await another(world, 'Before');
  await server.backUp();
  await changeAs(server, 'ben@example.com', kept, { title: 'Lost title' });
  await another(world, 'Lost guide');
  world.device.actions.syncNow();
  await world.device.shows((all) => all.guides.length === 3, 'library', { category: null });
  await world.device.inSync();
  await world.restart(() => server.restore());
  await changeAs(server, 'ben@example.com', kept, { summary: 'x' });
  world.device.actions.syncNow();
  await expect.poll(() => titles(world), { timeout: 8000 }).toEqual(['Before', 'Belt']);
  expect(guideid).toBe('1');
  world.passes = () => false;
  await world.restart(async () => undefined);
  expect(await titles(world)).toEqual(['Before', 'Belt']);
});
