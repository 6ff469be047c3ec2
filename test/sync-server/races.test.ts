import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide, Step } from '#shared/model/guide-record.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { Wiki } from '#shared/model/wiki-record.ts';
import { must } from '#shared/must.ts';
import type { Tx } from '#server/storage/tables.ts';
import { withoutDiskWaits } from '#test/support/database-settings.ts';
import { RawHttp, type RawAnswer } from '#test/support/raw-http.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeForm, makeGuide, stepAt } from '#test/support/workshop.ts';
import { byTest } from '#test/support/written.ts';

/** Rounds per kind of record: 1,000 in total. */
const rounds = 250;

let server: TestServer;
let raw: RawHttp;
let ana: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  server = await startServer();
  raw = new RawHttp(server.url, 2);
  // The disk should not influence who is first.
  await withoutDiskWaits(server.services.storage);
  await server.category('Bench Grinder', undefined, 'A double grinder.');
  ana = await server.person('Ana');
  ben = await server.person('Ben');
});
afterAll(async () => {
  raw[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

interface Race<T> {
  method: string;
  path: (current: T) => string;
  body: (text: string, current: T) => object;
  revisionOf: (record: T) => number;
  textOf: (record: T) => string;
}

/**
 * Two people repeatedly write the same record concurrently: one succeeds, the other receives the first one's version.
 */
async function race<T>(first: T, { method, path, body, revisionOf, textOf }: Race<T>): Promise<T> {
  let current = first;
  for (let round = 0; round < rounds; round += 1) {
    const texts = [`Ana ${round}`, `Ben ${round}`];
    const answers = await Promise.all(
      [ana, ben].map(({ token }, index) =>
        raw.send({
          method,
          url: `/api/2.0${path(current)}`,
          headers: { authorization: `api ${token}` },
          payload: JSON.stringify(body(must(texts[index], 'a text'), current)),
        }),
      ),
    );
    const won = answers.findIndex((answer) => answer.statusCode === 200);
    const [winner, loser] = won === 0 ? answers : answers.toReversed();
    expect([winner?.statusCode, loser?.statusCode], loser?.body.slice(0, 300)).toEqual([200, 409]);
    const [mine, theirs] = [winner, loser].map((answer) => recordOf<T>(answer));
    current = must(mine, 'the record that won');
    expect(textOf(current)).toBe(texts[won]);
    expect(textOf(must(theirs, 'the record of the 409'))).toBe(texts[won]);
    expect(revisionOf(must(theirs, 'the record of the 409'))).toBe(revisionOf(current));
  }
  return current;
}

function recordOf<T>(answer: RawAnswer | undefined): T {
  return JSON.parse(must(answer, 'an answer').body) as T;
}

const revisionOf = (record: { revisionid: number }): number => record.revisionid;

test('of two concurrent edits of a guide one succeeds and the other gets its version', async () => {
  const guide = await makeGuide(ana);
  const last = await race<Guide>(guide, {
    method: 'PATCH',
    path: ({ revisionid }) => `/guides/${guide.guideid}?revisionid=${revisionid}`,
    body: (title) => ({ title }),
    revisionOf,
    textOf: ({ title }) => title,
  });
  expect((await server.anonymous.guides.read({ params: { guideid: guide.guideid } })).title).toBe(last.title);
});

test('of two concurrent edits of a step one succeeds and the other gets its version', async () => {
  const guide = await makeGuide(ana);
  const last = await race<Step>(must(guide.steps[0], 'a step'), {
    method: 'PATCH',
    path: ({ stepid, revisionid }) => `/guides/${guide.guideid}/steps/${stepid}?revisionid=${revisionid}`,
    body: (title) => ({ title }),
    revisionOf,
    textOf: ({ title }) => title,
  });
  const stored = await server.anonymous.guides.read({ params: { guideid: guide.guideid } });
  expect(stored.steps[0]?.title).toBe(last.title);
});

test('of two forms saved concurrently one succeeds and the other gets it', async () => {
  const guide = await makeGuide(ana);
  const form: StepForm = await makeForm(ana, guide);
  const labelOf = (record: StepForm): string => must(record.fields[0], 'a field').label;
  const last = await race<StepForm>(form, {
    method: 'POST',
    path: () => `/step_forms/${stepAt(guide, 0)}`,
    body: (label, { form_revisionid, fields }) => ({
      form_revisionid,
      fields: [{ field_guid: fields[0]?.field_guid, field_type: 'Text Input', label }],
    }),
    revisionOf: ({ form_revisionid }) => form_revisionid,
    textOf: labelOf,
  });
  const stored: { body: StepForm } = await ana.call('GET', `/step_forms/stepid/${stepAt(guide, 0)}`);
  expect(labelOf(stored.body)).toBe(labelOf(last));
});

test('of two concurrent edits of a wiki one succeeds and the other gets its version', async () => {
  const path = '/wikis/CATEGORY/Bench%20Grinder';
  const wiki: { body: Wiki } = await ana.call('GET', path);
  const last = await race<Wiki>(wiki.body, {
    method: 'PATCH',
    path: ({ revisionid }) => `${path}?revisionid=${revisionid}`,
    body: (contents) => ({ contents }),
    revisionOf,
    textOf: ({ contents_raw }) => contents_raw,
  });
  const stored: { body: Wiki } = await ben.call('GET', path);
  expect(stored.body.contents_raw).toBe(last.contents_raw);
});

test('a role, a team or a session removed while a write waits no longer counts', async () => {
  const { storage } = server.services;
  const guide = await makeGuide(ana);
  const admin = await server.person('Mira', ['User', 'Admin']);
  const path = `/guides/${guide.guideid}?revisionid=${guide.revisionid}`;
  /** The response to the call when `meanwhile` happens between its arrival and its turn. */
  const whileWaiting = async (
    call: () => Promise<{ status: number }>,
    meanwhile: (tx: Tx) => Promise<unknown>,
  ): Promise<number> => {
    const write = storage.write.bind(storage);
    const arrived = new Promise<void>((resolve) => {
      storage.write = (origin, work) => {
        resolve();
        return write(origin, work);
      };
    });
    const turn = write(byTest, async (tx) => {
      await arrived;
      await meanwhile(tx);
    });
    const [answer] = await Promise.all([call(), turn]).finally(() => (storage.write = write));
    return answer.status;
  };
  const role = (privileges: string[]) => (tx: Tx) =>
    tx
      .updateTable('users')
      .set({ privileges: JSON.stringify(privileges) })
      .where('userid', '=', admin.userid)
      .execute();
  const patch = (): Promise<{ status: number }> => admin.call('PATCH', path, { title: 'Not any more' });
  const settings = (): Promise<{ status: number }> => admin.call('PATCH', '/site', { name: 'Taken over' });
  expect(await whileWaiting(patch, role([]))).toBe(403);
  await storage.write(byTest, role(['User', 'Admin']));
  expect(await whileWaiting(settings, role(['User']))).toBe(403);
  const signOut = (tx: Tx): Promise<unknown> =>
    tx.deleteFrom('tokens').where('userid', '=', admin.userid).execute();
  expect(await whileWaiting(patch, signOut)).toBe(401);
  expect((await ana.client.guides.read({ params: { guideid: guide.guideid } })).title).toBe(guide.title);
});
