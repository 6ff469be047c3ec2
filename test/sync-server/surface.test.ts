import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { problemCodes } from '#shared/api/problem.ts';

import { createClient } from '#shared/api/client.ts';
import { pathParameters, rootedPath, type Endpoint } from '#shared/api/endpoint.ts';
import { users } from '#shared/api/users.ts';
import type { Course } from '#shared/model/course.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { resources } from '#server/features/index.ts';
import { bmpFile } from '#test/support/media-files.ts';
import { IdentityProvider } from '#test/support/identity-provider.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld } from '#test/support/world.ts';

import { endpoints, filled, specifiedRoutes } from './routes.ts';

let server: TestServer;
let mira: TestPerson;
let ids: Record<string, string>;
/** The token of a station's device. */
let stationToken: string;

beforeAll(async () => {
  server = await startServer({
    site: { languages: ['en', 'de'], releases: true, ...new IdentityProvider().site() },
  });
  const world = await benchGrinderWorld(server);
  mira = world.mira;
  const entry = await mira.call('POST', '/work_log', { guideid: world.belt.guideid, workorderid: 'WO-1' });
  const deviation = await mira.call('POST', '/deviations', {
    entryid: (entry.body as { entryid: number }).entryid,
    title: 'A dent',
  });
  const planned = await mira.call('POST', '/work_orders', {
    guideid: world.belt.guideid,
    workorderid: 'WO-2',
    userid: mira.userid,
  });
  const badges = [{ userid: mira.userid, number: '1' }];
  const current_password = 'a long password';
  const station = await mira.call('POST', '/stations', { name: 'Press', current_password });
  const badge = await mira.call('POST', '/station_badges', { badges, current_password });
  const { enrolment_code: code } = station.body as { enrolment_code: string };
  const device = await fetch(`${server.url}/api/2.0/stations/enroll`, {
    method: 'POST',
    body: JSON.stringify({ code }),
  });
  stationToken = ((await device.json()) as { authToken: string }).authToken;
  const comment = await mira.call('POST', `/comments/step/${world.belt.steps[0]?.stepid}`, {
    text: 'Unsafe',
    feedback: 'unsafe',
  });
  const team = await mira.call('POST', '/teams', { name: 'Line B' });
  const { teamid } = team.body as { teamid: number };
  const summary = await mira.call('POST', '/shift_summaries', { teamid, from: 1, to: 2 });
  const story = await mira.call('POST', '/stories', { title: 'Belt', body: 'It held.' });
  const hook = { url: 'https://93.184.215.14/', events: ['guide.edited'], enabled: false };
  const webhook = await mira.call('POST', '/webhooks', hook);
  const picture = await fetch(`${server.url}/api/2.0/user/media/images?file=grey.bmp`, {
    method: 'POST',
    headers: { Authorization: `api ${mira.token}` },
    body: bmpFile(60, 60, () => [90, 90, 90]),
  });
  const begun = await mira.call('POST', '/external_training_modules/imports', { title: 'Lockout' });
  const asked = [{ vendor_question_uid: 'lock', title: 'Whose lock?' }];
  const quiz = await mira.call('POST', '/quizzes', { title: 'Lockout', questions: asked });
  const { quizid } = quiz.body as { quizid: number };
  const stages = [{ doctype: 'quiz', docid: quizid }];
  const course = await mira.call('POST', '/courses', { title: 'Lockout', stages });
  const attempt = await mira.call('POST', '/quizzes/attempt', { quizid });
  const process = await mira.call('POST', '/approvals/process', {
    name: 'Quality',
    stages: [{ name: 'Quality', userids: [mira.userid] }],
  });
  const { approval_processid } = process.body as { approval_processid: number };
  const workshop = await mira.call('GET', '/wikis/CATEGORY/Workshop');
  const { wikiid } = workshop.body as { wikiid: number };
  await mira.call('PUT', `/approvals/${wikiid}/${approval_processid}`);
  const asking = { category: 'Workshop', type: 'technique', title: 'Lockout', public: true };
  const waiting = (await mira.call('POST', '/guides', asking)).body as Guide;
  // Gives the first import id.
  await mira.call('POST', '/omanual/imports', { size: 10 });
  ids = {
    approval_processid: String(approval_processid),
    approval_requestid: String(waiting.approval?.requests[0]?.approval_requestid),
    wikiid: String(wikiid),
    id: String((begun.body as { external_training_moduleid: number }).external_training_moduleid),
    importid: String((begun.body as { importid: number }).importid),
    courseid: String((course.body as { courseid: number }).courseid),
    quizid: String(quizid),
    sessionid: String((attempt.body as { sessionid: number }).sessionid),
    course_stageid: String((course.body as Course).stages[0]?.course_stageid),
    image: String(((await picture.json()) as { image: { id: number } }).image.id),
    webhookid: String((webhook.body as { webhookid: number }).webhookid),
    storyid: String((story.body as { storyid: number }).storyid),
    teamid: String(teamid),
    guideid: String(world.belt.guideid),
    guide_revisionid: String(world.belt.guide_revisionid),
    stepid: String(world.belt.steps[0]?.stepid),
    userid: String(mira.userid),
    entryid: String((entry.body as { entryid: number }).entryid),
    deviationid: String((deviation.body as { deviationid: number }).deviationid),
    planned_orderid: String((planned.body as { planned_orderid: number }).planned_orderid),
    shift_summaryid: String((summary.body as { shift_summaryid: number }).shift_summaryid),
    stationid: String((station.body as { stationid: number }).stationid),
    station_badgeid: String((badge.body as { station_badgeid: number }[])[0]?.station_badgeid),
    commentid: String((comment.body as { commentid: number }).commentid),
    context: 'guide',
    contextid: String(world.belt.guideid),
    namespace: 'CATEGORY',
    title: 'Workshop',
    categoryname: 'Workshop',
  };
});

afterAll(async () => server[Symbol.asyncDispose]());

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

async function send(
  endpoint: Endpoint,
  options: { path?: string; token?: string; body?: unknown } = {},
): Promise<Answer> {
  const path = options.path ?? filled(endpoint.path, (name) => ids[name] ?? '1');
  const response = await fetch(`${server.url}${rootedPath({ ...endpoint, path })}`, {
    method: endpoint.method,
    headers: options.token === undefined ? {} : { Authorization: `api ${options.token}` },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
}

const problem = z.object({
  error: z.literal(true),
  message: z.string(),
  msg: z.string(),
  code: z.enum(problemCodes),
});
const fieldProblem = problem.extend({
  errors: z.array(z.object({ field: z.string(), message: z.string(), index: z.int().optional() })).min(1),
});

/** The path with a revision, if the call needs one; any number, because the call is refused before. */
function revisioned(endpoint: Endpoint): string {
  const path = filled(endpoint.path, (name) => ids[name] ?? '1');
  return endpoint.revisioned === undefined ? path : `${path}?revisionid=1`;
}

/** The token of somebody who may make the call: an administrator, or a station about itself. */
function callerOf({ path }: Endpoint): string {
  return path.startsWith('/stations/self') ? stationToken : mira.token;
}

const withAccount = endpoints.filter(([, endpoint]) => endpoint.access !== 'public');
const withJson = endpoints.filter(([, { body }]) => body !== undefined);
const idParameters = new Set([
  'guideid',
  'guide_revisionid',
  'stepid',
  'userid',
  'entryid',
  'commentid',
  'deviationid',
  'planned_orderid',
  'shift_summaryid',
  'stationid',
  'station_badgeid',
  'teamid',
  'webhookid',
  'appid',
  'sso_userid',
  'email',
  'contextid',
  'categoryname',
  'title',
  'form_revisionid',
  'field_revisionid',
  'image',
  'name',
  'importid',
  'id',
  'courseid',
  'course_assignmentid',
  'archiveid',
]);
const withIds = endpoints.filter(([, { path }]) =>
  pathParameters(path).some((name) => idParameters.has(name)),
);

describe('every endpoint of the contract', () => {
  test.each(withAccount)('API-1 %s answers 401 without a token', async (_, endpoint) => {
    const answer = await send(endpoint);
    expect(answer.status).toBe(401);
    expect(problem.parse(answer.body).message).toBe('Authentication required');
  });

  test.each(endpoints)('API-2 %s answers 401 `Invalid login` to an invalid token', async (_, endpoint) => {
    const answer = await send(endpoint, { token: 'bb_nobody' });
    expect(answer.status).toBe(401);
    expect(problem.parse(answer.body).message).toBe('Invalid login');
  });

  test.each([...new Map(endpoints.map(([, one]) => [one.path, one]))])(
    'API-3 %s answers 405 with Allow to other verbs',
    async (path, { root }) => {
      const methods = new Set(
        endpoints.filter(([, one]) => shapeOf(one.path) === shapeOf(path)).map(([, one]) => one.method),
      );
      const known = new Set(specifiedRoutes.map(shapeOf));
      const other = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
        (method) => !methods.has(method) && !known.has(shapeOf(`${method} ${path}`)),
      );
      for (const method of other) {
        const at = root === undefined ? {} : { root };
        const answer = await send({ method, path, summary: '', ...at }, { token: mira.token });
        // A parameter may match a word of another route: GET /users/1 is one, GET /users/search another.
        if (answer.status === 404) continue;
        expect([method, answer.status]).toEqual([method, 405]);
        const allowed = (answer.headers.get('allow') ?? '').split(', ');
        expect(allowed).toEqual(expect.arrayContaining([...methods]));
        expect(allowed).not.toContain(method);
        problem.parse(answer.body);
      }
      expect(other.length).toBeGreaterThan(0);
    },
  );

  test.each(withJson)('API-4 %s names the missing fields of an empty body', async (route, endpoint) => {
    const required = endpoint.body?.safeParse({}).error?.issues.map((issue) => String(issue.path[0])) ?? [];
    if (required.length === 0) return expect(endpoint.body?.safeParse({}).success, route).toBe(true);
    const answer = await send(endpoint, { path: revisioned(endpoint), token: callerOf(endpoint) });
    expect(answer.status).toBe(422);
    const fields = fieldProblem.parse(answer.body).errors.map((error) => error.field);
    expect(fields).toEqual(expect.arrayContaining(required));
  });

  test.each(withJson)('API-5 %s refuses an unknown field by name', async (_, endpoint) => {
    const answer = await send(endpoint, {
      path: revisioned(endpoint),
      token: callerOf(endpoint),
      body: { surprising: 1 },
    });
    expect(answer.status).toBe(422);
    expect(fieldProblem.parse(answer.body).errors.map((error) => error.field)).toContain('surprising');
  });

  test.each(withIds)('API-6 %s answers 404 to an id that matches nothing', async (_, endpoint) => {
    const path = filled(endpoint.path, (name) => (idParameters.has(name) ? '987654321' : (ids[name] ?? '1')));
    const answer = await send(endpoint, {
      path,
      token: mira.token,
      body: endpoint.method === 'GET' ? undefined : {},
    });
    expect(answer.status).toBe(404);
    problem.parse(answer.body);
  });
});

describe('the routes of the specification', () => {
  test.each(specifiedRoutes)('API-7 %s is served', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    // Without a token, so that nothing takes effect.
    const answer = await send(
      { method: method as Endpoint['method'], path, summary: '' },
      { path: filled(path, (name) => ids[name] ?? '987654321') },
    );
    expect(endpoints.some(([, one]) => sameRoute(one, method, path))).toBe(true);
    expect([200, 401, 404, 422]).toContain(answer.status);
  });
});

/** A route without the names of its parameters. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

/** Whether an endpoint serves a route of the specification, whatever the names of its parameters. */
function sameRoute(endpoint: Endpoint, method: string, path: string): boolean {
  const pattern = new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return endpoint.method === method && pattern.test(path);
}

test('API-9 a resource that can be read and written at one address has a revision or an ETag', () => {
  const shape = (schema: z.ZodType | undefined): unknown =>
    schema === undefined ? undefined : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const reads = new Map(
    endpoints.flatMap(([, one]) => (one.method === 'GET' ? [[one.path, one.result] as const] : [])),
  );
  const changes = endpoints.filter(
    ([, one]) => ['PATCH', 'PUT', 'DELETE'].includes(one.method) && reads.has(one.path),
  );
  expect(changes.length).toBeGreaterThan(15);
  const unguarded = changes.filter(
    ([, one]) =>
      one.revisioned === undefined &&
      JSON.stringify(shape(one.tagged)) !== JSON.stringify(shape(reads.get(one.taggedAt ?? one.path))),
  );
  expect(unguarded.map(([route]) => route)).toEqual([
    'DELETE /users/{userid}/sessions',
    'DELETE /accounts/sessions',
    'DELETE /user/media/images',
  ]);
});

test('API-8 the typed client reaches every resource, and a refusal is thrown as a problem', async () => {
  const tables = Object.fromEntries(resources.map(({ table }, index) => [`r${index}`, table]));
  const client = createClient(tables, { baseUrl: server.url, token: mira.token });
  const calls = Object.values(client).flatMap((resource) => Object.keys(resource));
  expect(calls).toHaveLength(endpoints.length);
  const typed = createClient({ users }, { baseUrl: server.url, token: mira.token }).users;
  const own = await typed.own({});
  expect(own).toMatchObject({ userid: mira.userid, username: 'Mira' });
  await expect(typed.read({ params: { userid: 987_654_321 } })).rejects.toMatchObject({ kind: 'not-found' });
  await expect(
    typed.patch({ params: { userid: mira.userid }, body: { latitude: 91 } }),
  ).rejects.toMatchObject({
    kind: 'invalid',
    details: { errors: [{ field: 'latitude' }] },
  });
});
