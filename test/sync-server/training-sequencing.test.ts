import { afterAll, beforeAll, expect, test } from 'vitest';

import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { scorm2004, sequenced2004, type Files } from '#test/support/training-packages.ts';
import { page, played as playedBy, type Started } from '#test/support/training-world.ts';

let server: TestServer;
let author: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  server = await startServer();
  author = await server.person('Ana', ['User', 'Author']);
  ben = await server.person('Ben', ['User']);
});
afterAll(async () => server[Symbol.asyncDispose]());

interface Told {
  activities: { id: string }[];
  sequencing: { tree: Tree; state: object | null } | null;
}
interface Tree {
  id: string;
  children: Tree[];
}

const played = (files: Files) => playedBy({ server, author, learner: ben }, files);
const told = async (address: string): Promise<Told> => (await page<Told>(address, 'launch.json')).body;
const report = (address: string, body: unknown) =>
  page(address, 'sequencing', { method: 'PUT', body: JSON.stringify(body) });

test('TRAINING-19 the tree of a manifest is read with controls, rules, rollup, objectives and shared data', async () => {
  const { address } = await played(sequenced2004());
  const { activities, sequencing } = await told(address);
  expect(activities.map(({ id }) => id)).toEqual(['TEST', 'LESSON', 'EXAM']);
  expect(sequencing?.state).toBeNull();
  expect(sequencing?.tree).toMatchObject({
    id: 'ORG',
    sequencingControls: { choice: false, flow: true },
    children: [
      {
        id: 'TEST',
        primaryObjective: {
          objectiveID: 'test',
          isPrimary: true,
          mapInfo: [{ targetObjectiveID: 'knows', readSatisfiedStatus: true, writeSatisfiedStatus: true }],
        },
        sequencingRules: {
          preConditionRules: [],
          postConditionRules: [{ action: 'continue', conditions: [{ condition: 'satisfied' }] }],
        },
      },
      {
        id: 'LESSON',
        rollupConsiderations: { requiredForCompleted: 'ifNotSkipped', requiredForSatisfied: 'ifNotSkipped' },
        sequencingRules: { preConditionRules: [{ action: 'skip' }] },
      },
      {
        id: 'EXAM',
        sequencingRules: {
          postConditionRules: [
            {
              action: 'retry',
              conditionCombination: 'all',
              conditions: [{ condition: 'satisfied', operator: 'not' }],
            },
          ],
        },
      },
    ],
  });
  expect((await told((await played(scorm2004('4th'))).address)).sequencing).toBeNull();
});

test("TRAINING-19 the learner's position is stored, and the module has the state of the root", async () => {
  const { address, result } = await played(sequenced2004());
  const data = {
    'cmi.completion_status': 'completed',
    'cmi.success_status': 'passed',
    'cmi.score.scaled': '1',
  };
  await page(address, 'activities/0/data', { method: 'POST', body: JSON.stringify(data) });
  expect(await result()).toMatchObject({ completion: 'not attempted' });
  const root = { completion: 'incomplete', success: 'unknown', score: null };
  expect((await report(address, { engine: 'words', current: 'EXAM', root })).status).toBe(200);
  expect(await result()).toMatchObject({ completion: 'incomplete', success: 'unknown', score: null });
  expect((await told(address)).sequencing?.state).toEqual({ engine: 'words', current: 'EXAM' });
  const done = { completion: 'completed', success: 'passed', score: 0.905 };
  await report(address, { engine: 'more', current: null, root: done });
  expect(await result()).toMatchObject({ completion: 'completed', success: 'passed', score: 90.5 });
  expect((await told(address)).sequencing?.state).toEqual({ engine: 'more', current: null });
  for (const wrong of [{}, [], { engine: 'x', current: null, root: { ...done, score: 7 } }])
    expect((await report(address, wrong)).status).toBe(400);
  const free = await played(scorm2004('4th'));
  expect((await report(free.address, { engine: 'x', current: null, root: done })).status).toBe(404);
});

test('TRAINING-19 a new attempt starts without the previous data, unless that attempt was suspended', async () => {
  const { address } = await played(sequenced2004());
  const commit = (more: object) =>
    page(address, 'activities/2/data', {
      method: 'POST',
      body: JSON.stringify({ 'cmi.location': 'question', ...more }),
    });
  const launched = async (query = '') =>
    (await page<Started>(address, `activities/2/launch${query}`, { method: 'POST' })).body.data;
  await commit({});
  expect(await launched()).toMatchObject({ 'cmi.entry': 'resume', 'cmi.location': 'question' });
  const fresh = await launched('?attempt=new');
  expect(fresh).toMatchObject({ 'cmi.entry': 'ab-initio' });
  expect(fresh).not.toHaveProperty(['cmi.location']);
  await commit({ 'cmi.exit': 'suspend' });
  expect(await launched('?attempt=new')).toMatchObject({ 'cmi.entry': 'resume', 'cmi.location': 'question' });
});
