import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Course } from '#shared/model/course.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { TrainingModule } from '#shared/model/training.ts';
import { contextForJob } from '#server/core/job.ts';
import { issueSignOn } from '#server/features/sign-on/tokens.ts';
import { openShop } from '#test/support/approvals.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { scorm12, zipOf } from '#test/support/training-packages.ts';
import { beginImport, imported } from '#test/support/training-world.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';

let server: TestServer;
let ana: TestPerson;
let admin: TestPerson;

beforeAll(async () => {
  server = await startServer({ site: { private_networks: ['127.0.0.1/32'] } });
  await server.category('Bench Grinder', undefined, 'A double grinder.');
  ana = await server.person('Ana');
  admin = await server.person('Ada', ['User', 'Author', 'Moderator', 'Admin']);
});
afterAll(async () => server[Symbol.asyncDispose]());

async function ok<T>(person: TestPerson, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await person.call(method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** The response to a question before and after a write. */
async function around<T>(
  ask: () => Promise<T>,
  write: () => Promise<unknown>,
): Promise<[before: T, after: T]> {
  const before = await ask();
  await write();
  return [before, await ask()];
}

test('an account is found by its name and by its single sign-on id', async () => {
  const account = { email: 'zoe@example.com', username: 'Zoe Zander', password: 'a long password' };
  const { userid } = await ok<{ userid: number }>(admin, 'POST', '/users', {
    ...account,
    current_password: 'a long password',
  });
  expect(await ok(admin, 'GET', '/users/searchnames/Zander')).toMatchObject([{ userid }]);
  await ok(admin, 'PATCH', `/users/${userid}`, {
    sso_userid: 'zander-77',
    location: 'Hall 2',
    current_password: 'a long password',
  });
  expect(await ok(admin, 'GET', '/users/sso/zander-77')).toMatchObject({ userid, location: 'Hall 2' });
});

test.each([
  ['Cleo', () => '/user'],
  ['Cora', ({ userid }: TestPerson) => `/users/${userid}`],
] as const)('the first guide of %s earns a badge', async (name, pathOf) => {
  const person = await server.person(name);
  const [before, after] = await around(
    () => ok<object[]>(person, 'GET', `${pathOf(person)}/badges`),
    () => makeGuide(person),
  );
  expect(after.length).toBeGreaterThan(before.length);
});

test('privileges decide which flags a person may set', async () => {
  const dan = await server.person('Dan', ['User']);
  const [before, after] = await around(
    () => ok<{ guide: object }>(dan, 'GET', '/user/flags'),
    () => ok(admin, 'PATCH', `/users/${dan.userid}`, { privileges: ['User', 'Author', 'Moderator'] }),
  );
  expect(Object.keys(after.guide).length).toBeGreaterThan(Object.keys(before.guide).length);
});

test('a favourite appears in the list of favourites', async () => {
  const { guideid } = await makeGuide(ana);
  const [before, after] = await around(
    () => ok<{ guide: Guide }[]>(ana, 'GET', '/user/favorites/guides'),
    () => ok(ana, 'PUT', `/user/favorites/guides/${guideid}`),
  );
  expect([before, after]).toMatchObject([[], [{ guide: { guideid } }]]);
});

test('a removed tag and an unpublished guide are read that way', async () => {
  const { guideid, revisionid } = await makeGuide(ana);
  const path = `/guides/${guideid}`;
  await ok(ana, 'PUT', `${path}/tag`, { tag: 'spindle' });
  const tags = await around(
    () => ok<string[]>(ana, 'GET', `${path}/tags`),
    () => ok(ana, 'DELETE', `${path}/tag`, { tag: 'spindle' }),
  );
  expect(JSON.stringify(tags[0])).toContain('spindle');
  expect(JSON.stringify(tags[1])).not.toContain('spindle');
  const guide = await around(
    () => ok<Guide>(ana, 'GET', path),
    () => ok(ana, 'DELETE', `/guide/${guideid}/public?revisionid=${revisionid}`),
  );
  expect(guide).toMatchObject([{ public: true }, { public: false }]);
});

test('a deleted comment is in no list', async () => {
  const { guideid } = await makeGuide(ana);
  const { commentid } = await ok<{ commentid: number }>(ana, 'POST', `/comments/guide/${guideid}`, {
    text: 'The belt squeals',
  });
  const [before, after] = await around(
    () => ok<object[]>(ana, 'GET', `/comments?context=guide&contextid=${guideid}`),
    () => ok(ana, 'DELETE', `/comments/${commentid}`),
  );
  expect(JSON.stringify(before)).toContain('The belt squeals');
  expect(JSON.stringify(after)).not.toContain('The belt squeals');
});

test('form values of a work order are read from it', async () => {
  const guide = await makeGuide(ana);
  const form = await makeForm(ana, guide);
  const field = form.fields.find((one) => one.label === 'Torque');
  const { entryid } = await ok<{ entryid: number }>(ana, 'POST', '/work_log', {
    guideid: guide.guideid,
    workorderid: 'WO-7',
  });
  const [before, after] = await around(
    () => ok<{ work_data: object[] }>(ana, 'GET', `/work_log/${entryid}`),
    () =>
      ok(ana, 'PUT', `/work_log/${entryid}/stepData`, {
        fields: { [String(field?.field_revisionid)]: 12.5 },
      }),
  );
  expect([before.work_data, after.work_data]).toMatchObject([[], [{ label: 'Torque', value: '12.5' }]]);
});

test('the pass mark of a stage follows the course; something that is no quiz has no assignments', async () => {
  const quiz = await ok<{ quizid: number }>(admin, 'POST', '/quizzes', { title: 'Lockout' });
  const stage = { doctype: 'quiz', docid: quiz.quizid };
  const course = await ok<Course>(admin, 'POST', '/courses', {
    title: 'Safety',
    stages: [{ ...stage, passing_score: 50 }],
  });
  const [first] = course.stages;
  const scores = await around(
    () => ok(admin, 'GET', `/quizzes/passingScore/${first?.course_stageid}/${quiz.quizid}`),
    () =>
      ok(admin, 'PATCH', `/courses/${course.courseid}`, {
        stages: [{ ...stage, course_stageid: first?.course_stageid, passing_score: 90 }],
      }),
  );
  expect(scores).toEqual([{ passing_score: 50 }, { passing_score: 90 }]);
  expect((await admin.call('GET', '/quizzes/courseAssignments/987654')).status).toBe(404);
});

test('another import becomes the draft of its module, and one is fetched from an address', async () => {
  const modules = '/external_training_modules';
  const first = await imported(server, ana, scorm12());
  const { external_training_moduleid } = first;
  const second = await imported(server, ana, scorm12(), { external_training_moduleid });
  const drafts = await around(
    () => ok<TrainingModule[]>(ana, 'POST', `${modules}/drafts`, {}),
    () => ok(ana, 'PUT', `${modules}/${external_training_moduleid}/draft`, { importid: second.importid }),
  );
  expect(drafts).toMatchObject([[{ draft_importid: first.importid }], [{ draft_importid: second.importid }]]);

  const source = createServer((_, response) => response.end(zipOf(scorm12())));
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/lockout.zip`;
  const begun = await beginImport(ana);
  const path = `${modules}/imports/${begun.importid}`;
  const states = await around(
    () => ok(ana, 'GET', path),
    async () => {
      await ok(ana, 'POST', `${path}/start/byUrl`, { url });
      await server.jobs.idle();
    },
  );
  source.close();
  expect(states).toMatchObject([{ status: begun.status }, { status: 'complete', standard: 'scorm_1.2' }]);
});

test('a process names its categories until they are unassigned; a decided request is 409', async () => {
  await using shop = await openShop();
  const { mira, tom, process } = shop;
  const category = await ok<{ wikiid: number }>(mira, 'GET', '/wikis/CATEGORY/Workshop');
  const ask = () =>
    ok<{ wikiids: number[] }>(mira, 'GET', `/approvals/process/${process.approval_processid}`);
  const set = await around(ask, () =>
    ok(mira, 'PUT', `/approvals/${category.wikiid}/${process.approval_processid}`),
  );
  expect(set[0].wikiids).not.toContain(category.wikiid);
  expect(set[1].wikiids).toContain(category.wikiid);
  const [, removed] = await around(ask, () => ok(mira, 'DELETE', `/approvals/${category.wikiid}`));
  expect(removed.wikiids).not.toContain(category.wikiid);
  expect((await mira.call('GET', '/approvals/process/987654')).status).toBe(404);

  const guide = await shop.guide({ public: true });
  const { approval_requestid } = await shop.request(guide.guideid);
  await shop.signAll(approval_requestid);
  const { token } = await contextForJob(shop.server.services, null, (ctx) =>
    issueSignOn(ctx, tom.userid, ctx.seconds),
  );
  const late = await tom.call('POST', `/approvals/request/sign/${approval_requestid}/token`, {
    decision: 'review',
    token,
  });
  expect(late).toMatchObject({ status: 409, body: { approval_requestid } });
});
