import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import type { Guide } from '#shared/model/guide-record.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { pathShape, refusesTexts, statusesOf, type Endpoint } from '#shared/api/endpoint.ts';
import { assert, must } from '#shared/must.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld, type BenchGrinderWorld } from '#test/support/world.ts';

import { endpoints, filled } from './routes.ts';

let server: TestServer;
let world: BenchGrinderWorld;
let ids: Record<string, string>;

beforeAll(async () => {
  server = await startServer();
  world = await benchGrinderWorld(server);
  const { belt, mira } = world;
  await mira.call('POST', `/step_forms/${belt.steps[0]?.stepid}`, {
    fields: [{ field_type: 'Checkbox', label: 'Done' }],
  });
  const team = await mira.call('POST', '/teams', { name: 'Line B' });
  const comment = await mira.call('POST', `/comments/step/${belt.steps[0]?.stepid}`, {
    text: 'Unsafe',
    feedback: 'unsafe',
  });
  ids = {
    guideid: String(belt.guideid),
    stepid: String(belt.steps[0]?.stepid),
    userid: String(mira.userid),
    commentid: String((comment.body as { commentid: number }).commentid),
    teamid: String((team.body as { teamid?: number } | undefined)?.teamid ?? 1),
    context: 'guide',
    contextid: String(belt.guideid),
    namespace: 'CATEGORY',
    title: 'Workshop',
    categoryname: 'Workshop',
    search: 'Mira',
    query: 'belt',
  };
});
afterAll(async () => server[Symbol.asyncDispose]());

const pathOf = ({ path }: Endpoint): string => filled(path, (name) => encodeURIComponent(ids[name] ?? '1'));
const patternOf = ({ path }: Endpoint): RegExp => new RegExp(`^${filled(path, () => '[^/]+')}$`);
const message = (answer: { body: never }): unknown => (answer.body as { message?: string }).message;

describe('every endpoint', () => {
  const withQuery = endpoints.filter(([, one]) => one.method === 'GET' && refusesTexts(one.query));

  test.each(withQuery)('REFUSAL-1 %s names what is wrong in its query', async (route, endpoint) => {
    const { query: asked } = endpoint;
    assert(asked instanceof z.ZodObject, 'a query of named parts');
    const query = Object.keys(asked.shape)
      .map((name) => `${name}=${encodeURIComponent('\u{1F527}')}`)
      .join('&');
    const answer = await world.mira.call('GET', `${pathOf(endpoint)}?${query}`);
    // Without such a record in the world, there is nothing to ask about.
    if (answer.status === 404) return expect(message(answer), route).toMatch(/not found/i);
    expect([answer.status, message(answer)]).toEqual([422, 'Validation failed']);
  });

  const writes = endpoints.filter(([, one]) => one.method !== 'GET');

  test.each(writes)('REFUSAL-2 %s refuses an invalid Idempotency-Key', async (_, endpoint) => {
    const answer = await world.mira.call(endpoint.method, pathOf(endpoint), undefined, {
      'Idempotency-Key': 'no key',
    });
    expect(answer.status).toBe(422);
    expect((answer.body as { errors: { field: string }[] }).errors[0]?.field).toBe('Idempotency-Key');
  });

  const takesBody = writes.filter(([, one]) => statusesOf(one).includes(400));

  test.each(takesBody)('REFUSAL-9 %s refuses a body that is not JSON', async (_, endpoint) => {
    const answer = await world.mira.call(endpoint.method, pathOf(endpoint), '{"title":');
    expect([answer.status, message(answer)]).toEqual([400, expect.stringMatching(/JSON/)]);
  });

  const paths = Map.groupBy(
    endpoints.map(([, one]) => one).filter((one) => one.root === undefined),
    (one) => pathShape(one.path),
  );

  test.each([...paths])('REFUSAL-10 %s answers 405 to unsupported verbs', async (_, [endpoint]) => {
    const path = pathOf(must(endpoint, 'an endpoint'));
    // `PATCH /guides/featured` is a patch of a guide with an invalid id: 404.
    const served = endpoints.map(([, one]) => one).filter((one) => patternOf(one).test(path));
    for (const verb of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (served.some((one) => one.method === verb)) continue;
      const answer = await world.mira.call(verb, path);
      expect([verb, answer.status, answer.headers.get('allow')?.includes(verb)]).toEqual([verb, 405, false]);
    }
  });
});

describe('work orders', () => {
  const moves = ['finish', 'cancel', 'pause', 'resume', 'suspend'] as const;

  /** An order that Ana started and suspended, so that others see it. */
  async function suspended(workorderid: string): Promise<WorkLogEntry> {
    const made = await world.ana.call('POST', '/work_log', { guideid: world.belt.guideid, workorderid });
    const { entryid } = made.body as WorkLogEntry;
    const answer = await world.ana.call('POST', `/work_log/${entryid}/suspend`, {});
    expect(answer.status).toBe(200);
    return answer.body as WorkLogEntry;
  }

  test.each(moves)('%s is refused for people who see the order but never held it', async (move) => {
    const { entryid } = await suspended(`refused ${move}`);
    expect((await world.ben.call('POST', `/work_log/${entryid}/${move}`, {})).status).toBe(403);
    const data = await world.ben.call('PUT', `/work_log/${entryid}/stepData`, { fields: {} });
    expect(data.status).toBe(403);
    expect((await world.ana.call('GET', `/work_log/${entryid}`)).body).toMatchObject({ status: 'suspended' });
  });

  test.each(moves)('%s by a former holder is 409 with the order', async (move) => {
    const { entryid } = await suspended(`late ${move}`);
    const assumed = await world.ben.call('POST', `/work_log/${entryid}/assume`, {});
    expect(assumed.status).toBe(200);
    const late = await world.ana.call('POST', `/work_log/${entryid}/${move}`, {});
    expect([late.status, (late.body as WorkLogEntry).userid]).toEqual([409, world.ben.userid]);
  });
});

describe('the spelling of the specification', () => {
  test('publishing needs the current revision and the right', async () => {
    const path = `/guide/${world.lockout.guideid}/public`;
    const { revisionid } = (await world.ana.call('GET', `/guides/${world.lockout.guideid}`)).body as Guide;
    const shown = await world.ana.call('PUT', `${path}?revisionid=${revisionid}`);
    expect([shown.status, shown.body]).toMatchObject([200, { public: true }]);
    for (const method of ['PUT', 'DELETE']) {
      const status = async (person: TestPerson, query: string): Promise<number> =>
        (await person.call(method, path + query)).status;
      expect(await status(world.maria, `?revisionid=${revisionid}`)).toBe(403);
      expect(await status(world.ana, '')).toBe(422);
      expect(await status(world.ana, `?revisionid=${revisionid}`)).toBe(409);
    }
    expect((await world.ben.call('GET', `/guides/${world.lockout.guideid}`)).body).toMatchObject({
      public: true,
    });
  });
});

describe('effects that show elsewhere', () => {
  test('a registered account can be read', async () => {
    const body = { email: 'nina@example.com', username: 'Nina', password: 'quite a long one' };
    const proof = { current_password: 'a long password' };
    const made = await world.mira.call('POST', '/users', { ...body, ...proof });
    expect(made.status).toBe(201);
    const { userid } = made.body as { userid: number };
    const profile = await world.ana.call('GET', `/users/${userid}`);
    expect([profile.status, profile.body]).toMatchObject([200, { username: 'Nina' }]);
  });

  test('a copied picture is in the media manager of the person who copied it', async () => {
    const gif = Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64');
    const uploaded = await fetch(`${server.url}/api/2.0/user/media/images?file=dot.gif`, {
      method: 'POST',
      headers: { Authorization: `api ${world.ana.token}` },
      body: gif,
    });
    const { image } = (await uploaded.json()) as { image: { id: number; guid: string } };
    const copied = await world.ben.call('POST', `/user/media/images/${image.guid}`);
    const { id } = (copied.body as { image: { id: number } }).image;
    const listed = (await world.ben.call('GET', '/user/media/images')).body as { image: { id: number } }[];
    expect([copied.status, listed.map((one) => one.image.id)]).toEqual([200, [id]]);
    expect((await world.ben.call('DELETE', `/user/media/images/${id}`)).status).toBe(204);
    expect((await world.ben.call('GET', '/user/media/images')).body).toEqual([]);
  });

  test('an unknown namespace matches nothing', async () => {
    for (const path of ['/wikis/NOTHING', '/wikis/NOTHING/Workshop', '/wikis/category'])
      expect((await world.ana.call('GET', path)).status).toBe(404);
  });
});
