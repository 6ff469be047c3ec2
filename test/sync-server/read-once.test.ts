import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { DocumentReads } from '#test/support/document-reads.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';

let reads: DocumentReads;
let server: TestServer;
let ana: TestPerson;
let guide: Guide;
let form: StepForm;
let entry: WorkLogEntry;

beforeEach(async () => {
  // The reads of SQLite are counted; PostgreSQL is asked by the same code.
  vi.stubEnv('BENCHBOOK_TEST_DATABASE', undefined);
  reads = new DocumentReads();
  // The check of answers would read the records again.
  server = await startServer({ checked: false });
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  guide = await makeGuide(ana);
  form = await makeForm(ana, guide);
  entry = await called('POST', '/work_log', { guideid: guide.guideid, workorderid: 'WO-88' }, 201);
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  reads[Symbol.dispose]();
  vi.unstubAllEnvs();
});

async function called<T>(method: string, path: string, body: object, status = 200): Promise<T> {
  const answer = await ana.call(method, path, body);
  expect([answer.status, answer.body]).toMatchObject([status, {}]);
  return answer.body as T;
}

/** Makes a call and returns the documents that it read. */
async function readBy(method: string, path: string, body: object, status = 200): Promise<string[]> {
  reads.take();
  await called(method, path, body, status);
  return reads.take().toSorted();
}

test('STORAGE-35 a patch of a guide, or of a step, reads the guide and what follows it once', async () => {
  const { guideid, revisionid, steps } = guide;
  const step = must(steps[0], 'a step');
  const expected = [`guides/${guideid}`, `workLog/${entry.entryid}`, `workVersions/${entry.entryid}`];
  const title = { title: 'Another title' };
  expect(await readBy('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, title)).toEqual(expected);
  const path = `/guides/${guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`;
  expect(await readBy('PATCH', path, title)).toEqual(expected);
});

test('STORAGE-35 the start of a work order, its values and its end read its guide once', async () => {
  const { guideid, steps } = guide;
  const { entryid } = entry;
  const path = `/work_log/${entryid}`;
  const own = [`guides/${guideid}`, `workLog/${entryid}`];
  const field = must(form.fields[0], 'a field');
  expect(await readBy('POST', '/work_log', { guideid, workorderid: 'WO-89' }, 201)).toEqual([
    `guides/${guideid}`,
    `workVersions/${entryid + 1}`,
  ]);
  const fields = { [field.field_revisionid]: '12' };
  expect(await readBy('PUT', `${path}/stepData`, { fields })).toEqual(own);
  expect(await readBy('PUT', `${path}/step`, { stepid: must(steps[0], 'a step').stepid })).toEqual(own);
  const forms = steps.map(({ stepid }) => `stepForms/${stepid}`);
  expect(await readBy('POST', `${path}/finish`, {})).toEqual([...own, ...forms].toSorted());
});

test('STORAGE-35 a comment reads the guide once', async () => {
  const { guideid } = guide;
  expect(await readBy('POST', `/comments/guide/${guideid}`, { text: 'Good' }, 201)).toEqual([
    `guides/${guideid}`,
  ]);
});
