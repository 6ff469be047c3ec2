import { afterAll, beforeAll, expect, test } from 'vitest';

import { listAudit } from '#server/features/audit/list.ts';
import { Dice } from '#test/support/odd-values.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { scorm12, scorm2004, xapi, type Files } from '#test/support/training-packages.ts';
import {
  assigned,
  imported,
  opened,
  page,
  played as playedBy,
  playerOf,
  type Started,
} from '#test/support/training-world.ts';

const modules = '/external_training_modules';
const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
let server: TestServer;
let author: TestPerson;
let ben: TestPerson;
let mira: TestPerson;

beforeAll(async () => {
  server = await startServer({ now: () => clock.now });
  author = await server.person('Ana', ['User', 'Author']);
  ben = await server.person('Ben', ['User']);
  mira = await server.person('Mira', ['User', 'Admin']);
});
afterAll(async () => server[Symbol.asyncDispose]());

const played = (files: Files, stage: object = {}) => playedBy({ server, author, learner: ben }, files, stage);

const commit = (address: string, data: unknown) =>
  page<{ result: boolean }>(address, 'activities/0/data', { method: 'POST', body: JSON.stringify(data) });

test('TRAINING-10 the player is open to people assigned to a course with the module, while they are', async () => {
  const { moduleid, course } = await assigned(server, author, ben, scorm12());
  const path = `${modules}/${moduleid}/player`;
  for (const person of [author, mira]) expect((await person.call('GET', path)).status).toBe(403);
  expect((await fetch(`${server.url}/api/2.0${path}`)).status).toBe(401);
  expect((await ben.call('GET', `${modules}/999999/player`)).status).toBe(404);
  const player = await playerOf(ben, moduleid);
  expect(player).toMatchObject({ title: 'Lockout', standard: 'scorm_1.2' });
  const address = await opened(player.url);
  expect((await page(address, 'launch.json')).status).toBe(200);
  const assignments = await author.call('GET', `/courses/${course.courseid}/assignments`);
  const [assignment] = assignments.body as { course_assignmentid: number }[];
  await author.call(
    'DELETE',
    `/courses/${course.courseid}/assignments/${assignment?.course_assignmentid ?? 0}`,
  );
  for (const one of ['', 'launch.json', 'content/content/index.html'])
    expect((await page(address, one)).status).toBe(401);
  expect((await commit(address, { 'cmi.core.lesson_status': 'passed' })).status).toBe(401);
  expect((await ben.call('GET', path)).status).toBe(403);
});

test('TRAINING-10 a link opens once within five minutes, and a session lasts four hours', async () => {
  const { moduleid } = await assigned(server, author, ben, scorm12());
  const used = await playerOf(ben, moduleid);
  const late = await playerOf(ben, moduleid);
  expect(used.expires).toBe(Math.floor(clock.now / 1000) + 300);
  const address = await opened(used.url);
  expect((await fetch(used.url, { redirect: 'manual' })).status).toBe(404);
  clock.now += 301_000;
  expect((await fetch(late.url, { redirect: 'manual' })).status).toBe(404);
  expect((await page(address, '')).status).toBe(200);
  clock.now += 4 * 3600_000;
  expect((await page(address, '')).status).toBe(401);
  expect((await page(address.replace(/[\w-]{43}/, 'x'.repeat(43)), '')).status).toBe(401);
});

test('TRAINING-10 disabling a person ends their session', async () => {
  const cleo = await server.person('Cleo', ['User']);
  const { moduleid } = await assigned(server, author, cleo, scorm12());
  const address = await opened((await playerOf(cleo, moduleid)).url);
  await mira.call('PATCH', `/users/${cleo.userid}`, { enabled: false });
  expect((await page(address, 'launch.json')).status).toBe(401);
});

test('TRAINING-11 modules have their own origin, with policies that confine them to it', async () => {
  const { address, launch } = await played(scorm12());
  expect(new URL(address).origin).not.toBe(new URL(server.url).origin);
  const outer = await page<string>(address, '');
  expect(outer.headers.get('content-security-policy')).toContain(`frame-ancestors ${server.url};`);
  expect(outer.headers.get('clear-site-data')).toBe('"storage"');
  expect(outer.body).not.toMatch(/bb_|<script>[^<]/);
  const { url } = await launch();
  const inner = await page<string>(url, '');
  const file = await page<string>(address, 'content/content/index.html');
  expect(file.headers.get('content-type')).toBe('text/html');
  expect(file.headers.get('content-security-policy')).toMatch(/connect-src 'self' data: blob:;/);
  expect([file.headers.get('x-content-type-options'), file.headers.get('referrer-policy')]).toEqual([
    'nosniff',
    'same-origin',
  ]);
  expect(inner.status).toBe(200);
  for (const outside of [
    'content/..%2f..%2f..%2fbenchbook.sqlite',
    'content/imsmanifest.xml%00',
    'content/0',
  ])
    expect((await page(address, outside)).status).toBe(404);
  // Authors on case-insensitive systems use any letter case.
  expect((await page(address, 'content/Content/INDEX.html')).status).toBe(200);
  // The API is not on this origin, and the player is not on the other.
  expect((await page(address, '/api/2.0/user')).status).toBe(404);
  expect((await fetch(`${server.url}${new URL(address).pathname}`)).status).toBe(404);
});

test('TRAINING-12 a SCORM 1.2 part gets its data back, and its score is scaled between minimum and maximum', async () => {
  const { address, launch, result, own } = await played(scorm12({ masteryScore: 80 }), { passing_score: 85 });
  const first = await launch();
  expect(first).toMatchObject({
    api: 'scorm12',
    data: {
      'cmi.core.entry': 'ab-initio',
      'cmi.core.student_name': 'Ben',
      'cmi.launch_data': 'mode=workshop',
      'cmi.student_data.mastery_score': '80',
    },
  });
  expect(first.url).toMatch(/\/content\/content\/index.html\?from=menu$/);
  const kept = { 'cmi.suspend_data': '{"place":"question"}', 'cmi.core.lesson_location': 'question' };
  await commit(address, { ...kept, 'cmi.core.lesson_status': 'incomplete', 'cmi.core.exit': 'suspend' });
  expect((await launch()).data).toMatchObject({ ...kept, 'cmi.core.entry': 'resume' });
  expect(await result()).toMatchObject({ completion: 'incomplete', success: 'unknown', score: null });
  const score = { 'cmi.core.score.min': 0, 'cmi.core.score.max': 50, 'cmi.core.score.raw': 42 };
  await commit(address, { ...kept, ...score, 'cmi.core.lesson_status': 'completed' });
  // 84 of 100 is enough for the module but not for the stage.
  expect(await result()).toMatchObject({ completion: 'completed', success: 'passed', score: 84 });
  expect(await own()).toMatchObject({ progress: { stages: [], completed_date: null } });
  await commit(address, { ...kept, ...score, 'cmi.core.score.raw': 45, 'cmi.core.lesson_status': 'passed' });
  expect(await own()).toMatchObject({
    progress: { stages: [{ score: 90 }], completed_date: expect.any(Number) },
  });
});

test('TRAINING-12 a failed SCORM 2004 part does not complete a stage; a passed one stays complete', async () => {
  const { address, launch, result, own } = await played(scorm2004('3rd'));
  expect((await launch()).data).toMatchObject({
    'cmi.scaled_passing_score': '0.6',
    'cmi.learner_name': 'Ben',
  });
  const done = { 'cmi.completion_status': 'completed', 'cmi.success_status': 'unknown' };
  await commit(address, { ...done, 'cmi.score.scaled': 0.2 });
  expect(await result()).toMatchObject({ completion: 'completed', success: 'failed', score: 20 });
  expect((await own())?.progress.completed_date).toBeNull();
  await commit(address, { ...done, 'cmi.score.scaled': 0.7 });
  const date = (await own())?.progress.completed_date;
  expect(date).toBe(Math.floor(clock.now / 1000));
  clock.now += 60_000;
  await commit(address, { ...done, 'cmi.score.scaled': 0.1 });
  expect((await own())?.progress).toMatchObject({ completed_date: date, stages: [{ score: 70 }] });
});

test('TRAINING-12 a module of several parts is complete when all are, including parts that report nothing', async () => {
  const one = scorm12();
  const manifest = (one['imsmanifest.xml'] ?? '')
    .replace(
      '</organization>',
      '<item identifier="MORE"><title>More</title><item identifier="B" identifierref="RES"><title>Again</title></item><item identifier="C" identifierref="NOTE"><title>Note</title></item></item></organization>',
    )
    .replace(
      '</resources>',
      '<resource identifier="NOTE" type="webcontent" adlcp:scormtype="asset" href="note.html"/></resources>',
    );
  const files = { ...one, 'imsmanifest.xml': manifest, 'note.html': '<p>Note</p>' };
  const { address, result } = await played(files);
  const parts = async (): Promise<{ title: string; status: string }[]> =>
    (await page<{ activities: { title: string; status: string }[] }>(address, 'launch.json')).body.activities;
  expect((await parts()).map(({ title }) => title)).toEqual(['Unplug', 'Again', 'Note']);
  const say = (at: number, data: object) =>
    page(address, `activities/${at}/data`, { method: 'POST', body: JSON.stringify(data) });
  await say(0, { 'cmi.core.lesson_status': 'passed', 'cmi.core.score.raw': '90' });
  await page(address, 'activities/2/launch', { method: 'POST' });
  expect((await parts()).map(({ status }) => status)).toEqual(['completed', 'not attempted', 'completed']);
  expect(await result()).toMatchObject({ completion: 'incomplete', success: 'unknown', score: 90 });
  await say(1, { 'cmi.core.lesson_status': 'failed', 'cmi.core.score.raw': '40' });
  expect(await result()).toMatchObject({ completion: 'completed', success: 'failed', score: 65 });
  await say(1, { 'cmi.core.lesson_status': 'passed', 'cmi.core.score.raw': '80' });
  expect(await result()).toMatchObject({ completion: 'completed', success: 'passed', score: 85 });
});

test('TRAINING-12 data that does not fit the data model is refused and not stored', async () => {
  const { address, result } = await played(scorm12());
  for (const wrong of [[], 'x', { 'cmi.core': { lesson_status: 'passed' } }, { ['x'.repeat(300)]: '1' }])
    expect((await commit(address, wrong)).status).toBe(400);
  expect((await page(address, 'activities/0/data', { method: 'POST', body: '{' })).status).toBe(400);
  expect((await page(address, 'activities/7/data', { method: 'POST', body: '{}' })).status).toBe(404);
  expect(await result()).toMatchObject({ completion: 'not attempted' });
});

test('AUDIT-2 actions in the player are recorded with the address they came from', async () => {
  const before = await audited();
  const { address, launch } = await played(scorm12());
  await launch();
  await commit(address, { 'cmi.core.lesson_status': 'passed' });
  const rows = (await audited()).slice(before.length).filter(({ action }) => action.includes('play'));
  expect(rows.map(({ action, name }) => [action, name])).toEqual([
    ['make a link to the player', 'Ben'],
    ['play a training module: open the player', 'Ben'],
    ['play a training module', 'Ben'],
  ]);
  expect(rows.map(({ address: from }) => from)).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
});

function audited() {
  const { reader } = server.services.storage;
  return listAudit(reader, {}, { limit: 10_000, offset: 0, order: 'asc' });
}

test('TRAINING-16 a preview shows an import to its authors, starts anew, and counts for nobody', async () => {
  const done = await imported(server, author, scorm12());
  const path = `${modules}/imports/${done.importid}/preview`;
  expect((await ben.call('GET', path)).status).toBe(403);
  const preview = async (): Promise<string> => {
    const { status, body } = await author.call('GET', path);
    expect(status).toBe(200);
    return opened((body as { url: string }).url);
  };
  const address = await preview();
  expect((await page(address, 'launch.json')).body).toMatchObject({ preview: true });
  await commit(address, { 'cmi.core.lesson_status': 'passed', 'cmi.suspend_data': 'x' });
  const again = await page<Started>(await preview(), 'activities/0/launch', { method: 'POST' });
  expect(again.body.data).not.toHaveProperty(['cmi.suspend_data']);
  expect(again.body.data).toMatchObject({ 'cmi.core.credit': 'no-credit' });
  const { body } = await author.call('GET', `${modules}/${done.external_training_moduleid}/results`);
  expect(body).toEqual([]);
});

test('TRAINING-17 odd requests to the player are refused with its own messages, and nothing fails', async () => {
  const failures: string[] = [];
  const { error } = server.services.log;
  server.services.log.error = (...told: unknown[]) => void failures.push(JSON.stringify(told));
  const dice = new Dice(17);
  const odd = ['', '0', '-1', '%00', '..%2f..', '%zz', 'x'.repeat(3000), '%F0%9F%94%A7', '__proto__', 'null'];
  const bodies = [
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"__proto__":{"a":1}}',
    '[[]]',
    '\u0000',
    '\ud800',
    'a=b&c',
    '{"cmi.core.lesson_status":{}}',
    '{"cmi.x":1e400}',
    String.raw`{"cmi.suspend_data":"a\u0000b"}`,
    String.raw`{"actor":{},"verb":{"id":"a:b"},"object":{"id":"a:\u0000"}}`,
    `{"cmi.suspend_data":"${'x'.repeat(70_000)}"}`,
    'command=PutParam&session_id=x&aicc_data=[Core',
    'command[]=1',
    '['.repeat(20_000),
    '{"actor":{},"verb":{"id":"a:b"},"object":{},"result":{"score":{"scaled":"1"}}}',
    '[{"id":1}]',
  ];
  const { address } = await played(xapi());
  const root = new URL(address).pathname;
  const token = root.split('/')[2] ?? '';
  const auth = [
    `Basic ${Buffer.from(`session:${token}`).toString('base64')}`,
    'Basic',
    'Basic !!!',
    'api x',
    '',
  ];
  const statuses = new Set<number>();
  for (let time = 0; time < 400; time += 1) {
    const one = dice.pick(odd);
    const path = dice.pick([
      `${root}activities/${one}/launch`,
      `${root}activities/0/data`,
      `${root}activities/${one}/data`,
      `${root}hacp/0`,
      `${root}hacp/${one}`,
      `${root}fetch/${one}`,
      `${root}content/${one}`,
      `/play/${one}/`,
      `${root}launch.json`,
      '/lrs/statements',
      `/lrs/statements?statementId=${one}&limit=${one}`,
      `/lrs/activities/state?activityId=${one}&stateId=${one}`,
      `/lrs/agents/profile?profileId=${one}`,
    ]);
    const answer = await server.player.inject({
      method: dice.pick(['GET', 'POST', 'PUT', 'DELETE']),
      url: path,
      headers: {
        authorization: dice.pick(auth),
        'content-type': dice.pick(['application/json', 'text/plain', '']),
        host: new URL(address).host,
      },
      payload: dice.pick(bodies),
    });
    statuses.add(answer.statusCode);
    expect([path, answer.body.slice(0, 300), answer.statusCode < 500]).toEqual([
      path,
      expect.anything(),
      true,
    ]);
    if (answer.statusCode >= 400) expect(answer.body).not.toMatch(/\.ts:\d|node_modules|sqlite|at async /i);
  }
  server.services.log.error = error;
  expect(failures).toEqual([]);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404]));
});
