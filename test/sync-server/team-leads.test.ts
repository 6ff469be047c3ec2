import { expect, test } from 'vitest';

import { startServer, type TestPerson } from '#test/support/server.ts';
import { makeGuide, seenBy } from '#test/support/workshop.ts';

test('TEAM-17 the owner of a team sees the work that its members do, and a new owner takes this over', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ana = await server.person('Ana', ['User', 'Author']);
  const ben = await server.person('Ben', ['User']);
  const worker = await server.person('Wim', ['User']);
  const { teamid } = (await ana.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  for (const { userid } of [worker, ben]) await ana.call('PUT', `/teams/${teamid}/users/${userid}`);
  const { guideid } = await makeGuide(ana);
  const begun = await worker.call('POST', '/work_log', { guideid, workorderid: 'WO-1' });
  const order = `/work_log/${(begun.body as { entryid: number }).entryid}`;
  const statuses = async (): Promise<number[]> =>
    [await ana.call('GET', order), await ben.call('GET', order)].map(({ status }) => status);
  expect(await statuses()).toEqual([200, 404]);
  await ana.call('PATCH', `/teams/${teamid}`, { owner: ben.userid });
  expect(await statuses()).toEqual([404, 200]);
  const devices = async (person: TestPerson): Promise<boolean> =>
    (await seenBy(server, person, 'workLog')).some(({ id }) => order.endsWith(`/${id}`));
  expect([await devices(ana), await devices(ben)]).toEqual([false, true]);
  await ben.call('DELETE', `/teams/${teamid}/users/${ben.userid}`);
  expect(await statuses()).toEqual([200, 404]);
});
