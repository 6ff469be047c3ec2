import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TrainingImport, TrainingModule } from '#shared/model/training.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { scorm12 } from '#test/support/training-packages.ts';
import { assigned, beginImport, imported } from '#test/support/training-world.ts';

const modules = '/external_training_modules';
let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  server = await startServer();
  ana = await server.person('Anna', ['User', 'Author']);
  ben = await server.person('Benno', ['User']);
});
afterAll(async () => server[Symbol.asyncDispose]());

const folderOf = (importid: number): string => join(server.dataDir, 'training', String(importid));
const remove = (path: string): ReturnType<TestPerson['call']> => ana.call('DELETE', `${modules}/${path}`);

test('TRAINING-18 a version is deleted with its files, unless learners use it or it is being imported', async () => {
  const first = await imported(server, ana, scorm12());
  const id = first.external_training_moduleid;
  await ana.call('PUT', `${modules}/${id}/current`, { importid: first.importid });
  const next = await imported(server, ana, scorm12(), { external_training_moduleid: id });
  expect(existsSync(folderOf(next.importid))).toBe(true);
  expect(await remove(`imports/${first.importid}`)).toMatchObject({
    status: 422,
    body: { errors: [{ message: expect.stringContaining('Learners play this version') }] },
  });
  expect((await remove(`imports/${next.importid}`)).status).toBe(204);
  expect(existsSync(folderOf(next.importid))).toBe(false);
  expect((await remove(`imports/${next.importid}`)).status).toBe(404);
  const left = (await ana.call('GET', `${modules}/${id}/imports`)).body as TrainingImport[];
  expect(left.map(({ importid }) => importid)).toEqual([first.importid]);
  const begun = await beginImport(ana, { external_training_moduleid: id });
  expect((await remove(`imports/${begun.importid}`)).status).toBe(422);
});

test('TRAINING-18 a module that a course uses cannot be deleted; a deleted one is not found anywhere', async () => {
  const { moduleid, course, version } = await assigned(server, ana, ben, scorm12());
  expect(await remove(String(moduleid))).toMatchObject({
    status: 422,
    body: { errors: [{ message: expect.stringContaining('asks for this module') }] },
  });
  expect((await ana.call('DELETE', `/courses/${course.courseid}`)).status).toBe(204);
  expect((await remove(String(moduleid))).status).toBe(204);
  expect(existsSync(folderOf(version.importid))).toBe(false);
  expect((await ana.call('GET', `${modules}/${moduleid}/imports`)).status).toBe(404);
  const current = (await ana.call('GET', `${modules}/current?limit=200`)).body as TrainingModule[];
  expect(current.map((one) => one.external_training_moduleid)).not.toContain(moduleid);
});

test('TRAINING-18 results in a deleted version stay with its module, and none of it can be played', async () => {
  const { moduleid, version } = await assigned(server, ana, ben, scorm12());
  const player = (await ben.call('GET', `${modules}/${moduleid}/player`)).body as { url: string };
  expect((await fetch(player.url, { redirect: 'manual' })).status).toBeLessThan(400);
  const next = await imported(server, ana, scorm12(), { external_training_moduleid: moduleid });
  await ana.call('PUT', `${modules}/${moduleid}/current`, { importid: next.importid });
  expect((await remove(`imports/${version.importid}`)).status).toBe(204);
  expect((await ana.call('GET', `${modules}/imports/${version.importid}/preview`)).status).toBe(404);
  const results = (await ana.call('GET', `${modules}/${moduleid}/results`)).body as { userid: number }[];
  expect(results).toMatchObject([{ userid: ben.userid, importid: version.importid }]);
});
