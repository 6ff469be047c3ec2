import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ApprovalRequest } from '#shared/model/approval.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import { ok, password } from '#test/support/approvals.ts';
import type { TestPerson } from '#test/support/server.ts';

import { testProcesses } from './approvals/processes.ts';
import { testReleases } from './approvals/releases.ts';
import { asked, endWorld, publish, read, shop, startWorld } from './approvals/world.ts';

// All tests share one server, because starting it takes longer than most of them.
beforeAll(startWorld);
afterAll(endWorld);

testProcesses();

test('APPROVAL-4 publishing leaves the guide private and creates one request', async () => {
  const guide = await shop.guide();
  const answer = await publish(guide);
  expect(answer).toMatchObject({ public: false, revisionid: guide.revisionid });
  expect(answer.approval?.requests).toMatchObject([
    { status: 'pending', purpose: 'publish', guide_revisionid: guide.guide_revisionid, signatures: [] },
  ]);
  expect((await publish(guide)).approval).toEqual(answer.approval);
  expect((await shop.lea.call('GET', `/guides/${guide.guideid}`)).status).toBe(404);
  const request = await shop.request(guide.guideid);
  expect(request).toMatchObject({
    title: guide.title,
    process: { name: 'Press safety' },
    requester: { userid: shop.ana.userid },
    revisionid: guide.revisionid,
    last_public_revisionid: null,
    end_date: null,
    stages: [
      { name: 'Check', status: 'open' },
      { name: 'Quality', status: 'waiting' },
    ],
  });
});

test('APPROVAL-4 a patch, a creation and a batch create a request too; a patch with text requests the new version', async () => {
  const { ana, server } = shop;
  const created = await shop.guide({ public: true });
  expect(created.public).toBe(false);
  expect((await shop.request(created.guideid)).guide_revisionid).toBe(created.guide_revisionid);
  const path = `/guides/${created.guideid}?revisionid=${created.revisionid}`;
  const patched = await ok<Guide>(ana.call('PATCH', path, { public: true, summary: 'Mind the oil' }));
  expect(patched.public).toBe(false);
  expect(patched.revisionid).toBeGreaterThan(created.revisionid);
  const list = await ok<ApprovalRequest[]>(ana.call('GET', `/approvals/requests?guideid=${created.guideid}`));
  expect(list.map((one) => [one.status, one.revisionid])).toEqual([
    ['pending', patched.revisionid],
    ['void', created.revisionid],
  ]);
  const guide = await shop.guide();
  const call = {
    id: '0192aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa',
    lane: 'guide',
    method: 'PUT',
    path: `/guides/${guide.guideid}/public`,
    query: { revisionid: String(guide.revisionid) },
  };
  const batch = await server.app.inject({
    method: 'POST',
    url: '/sync/1/batch',
    headers: { authorization: `api ${ana.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ protocol: unannouncedProtocol, calls: [call] }),
  });
  expect(batch.body).toContain('"status":200');
  expect((await shop.request(guide.guideid)).status).toBe('pending');
  expect((await read(ana, guide.guideid)).public).toBe(false);
});

test('APPROVAL-5 APPROVAL-9 the last signature publishes the guide as a revision of its requester', async () => {
  const { tom, tia, quinn, lea, ana } = shop;
  const { guide, request } = await asked();
  const id = request.approval_requestid;
  const first = await ok<ApprovalRequest>(shop.sign(tom, id, 'review', { comment: 'Looks right' }));
  expect(first).toMatchObject({
    status: 'pending',
    can_sign: false,
    current_stageid: request.stages[0]?.approval_stageid,
  });
  expect(await shop.sign(tom, id, 'review')).toMatchObject({ status: 409, body: { approval_requestid: id } });
  expect((await shop.sign(quinn, id, 'approve')).status).toBe(422);
  expect(await shop.sign(tia, id, 'approve')).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'decision' }] },
  });
  const second = await ok<ApprovalRequest>(shop.sign(tia, id, 'review'));
  expect(second.stages.map((one) => one.status)).toEqual(['done', 'open']);
  expect((await shop.sign(tom, id, 'review')).status).toBe(409);
  expect((await read(ana, guide.guideid)).public).toBe(false);
  const last = await ok<ApprovalRequest>(shop.sign(quinn, id, 'approve'));
  expect(last).toMatchObject({ status: 'approved', current_stageid: null });
  expect(last.stages[0]?.signatures[0]?.comment).toBe('Looks right');
  const published = await read(lea, guide.guideid);
  expect(published).toMatchObject({ public: true, title: guide.title });
  expect(published.revisionid).toBeGreaterThan(guide.revisionid);
  expect(published.published_date).toBeGreaterThan(0);
  expect(published.guide_revisionid).toBe(last.published_guide_revisionid);
  expect(published.steps.map((step) => step.revisionid)).toEqual(guide.steps.map((step) => step.revisionid));
  const [version] = await ok<{ user: { userid: number } }[]>(
    lea.call('GET', `/guides/${guide.guideid}/revisions`),
  );
  expect(version?.user.userid).toBe(ana.userid);
  expect(published.approval?.requests[0]?.signatures).toMatchObject([
    { name: 'Tom', meaning: 'reviewed', comment: '', method: 'password' },
    { name: 'Tia', meaning: 'reviewed' },
    { name: 'Quinn', meaning: 'approved' },
  ]);
  expect((await shop.sign(quinn, id, 'approve')).status).toBe(409);
});

test('APPROVAL-5 a rejection needs a reason and ends the request; the same version can be requested again', async () => {
  const { guide, request } = await asked();
  const id = request.approval_requestid;
  expect(await shop.sign(shop.tom, id, 'reject')).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'comment' }] },
  });
  expect((await shop.sign(shop.tom, id, 'reject', { comment: '   ' })).status).toBe(422);
  const rejected = await ok<ApprovalRequest>(shop.sign(shop.tom, id, 'reject', { comment: 'Wrong torque' }));
  expect(rejected).toMatchObject({ status: 'rejected', reason: 'Wrong torque', can_sign: false });
  expect(rejected.stages.map((one) => one.status)).toEqual(['rejected', 'void']);
  expect((await shop.sign(shop.tia, id, 'review')).status).toBe(404);
  const again = await publish(guide);
  expect(again.approval?.requests.map((one) => one.status)).toEqual(['rejected', 'pending']);
});

test('APPROVAL-6 nobody else signs: not the author, not an administrator, not someone acting as another person', async () => {
  const { ana, mira, lea, tom } = shop;
  const { request } = await asked();
  const id = request.approval_requestid;
  expect((await shop.sign(ana, id, 'review')).status).toBe(403);
  expect((await shop.sign(mira, id, 'review')).status).toBe(403);
  expect((await shop.sign(lea, id, 'review')).status).toBe(404);
  const { authToken } = await ok<{ authToken: string }>(
    mira.call('POST', '/user/token/impersonate', { userid: tom.userid }),
  );
  const response = await shop.server.app.inject({
    method: 'POST',
    url: `/api/2.0/approvals/request/sign/${id}`,
    headers: { authorization: `api ${authToken}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ decision: 'review', password: 'a long password' }),
  });
  expect(response.statusCode).toBe(403);
  expect((await shop.request(request.guideid)).stages[0]?.signatures).toEqual([]);
});

test('APPROVAL-6 a kiosk account cannot sign, even if a stage names it', async () => {
  const { mira, tom } = shop;
  const { request } = await asked();
  const id = request.approval_requestid;
  await ok(mira.call('PATCH', `/users/${tom.userid}`, { privileges: ['User', 'Kiosk'] }));
  try {
    // The kiosk does not even see the request.
    expect((await shop.sign(tom, id, 'review')).status).toBe(404);
  } finally {
    const edit = { privileges: ['User'], current_password: password };
    await ok(mira.call('PATCH', `/users/${tom.userid}`, edit));
  }
  expect((await shop.request(request.guideid)).stages[0]?.signatures).toEqual([]);
  expect((await shop.sign(tom, id, 'review')).status).toBe(200);
});

test("APPROVAL-6 new members of a stage's team may sign, and former members may not", async () => {
  const { mira, lea, tom, tia, teamid } = shop;
  const { request } = await asked();
  const id = request.approval_requestid;
  await ok(shop.sign(tom, id, 'review'));
  await ok(shop.sign(tia, id, 'review'));
  expect((await shop.sign(lea, id, 'approve')).status).toBe(404);
  const membership = `/teams/${teamid}/users/${lea.userid}`;
  await ok(mira.call('PUT', membership, {}));
  expect(await ok(lea.call('GET', `/approvals/request/${id}`))).toMatchObject({ can_sign: true });
  await ok(mira.call('DELETE', membership));
  expect((await shop.sign(lea, id, 'approve')).status).toBe(404);
  await ok(mira.call('PUT', membership, {}));
  expect((await ok<ApprovalRequest>(shop.sign(lea, id, 'approve'))).status).toBe('approved');
  await ok(mira.call('DELETE', membership));
});

test('APPROVAL-10 an edit of the guide or a step, a withdrawal and a deletion end the open request', async () => {
  const { ana, tom } = shop;
  const reasonAfter = async (
    act: (guide: Guide) => ReturnType<TestPerson['call']>,
  ): Promise<string | null> => {
    const { guide, request } = await asked();
    await ok(shop.sign(tom, request.approval_requestid, 'review'));
    await ok(act(guide));
    const { status, reason, stages } = await shop.request(guide.guideid);
    expect(status).toBe('void');
    expect(stages[0]?.signatures).toHaveLength(1);
    const answer = await shop.sign(shop.tom, request.approval_requestid, 'review');
    expect(answer.status).toBe(409);
    return reason;
  };
  const step = (guide: Guide) => must(guide.steps[0], 'a step');
  const at = (guide: Guide): string => `/guides/${guide.guideid}`;
  expect(
    await reasonAfter((guide) =>
      ana.call('PATCH', `${at(guide)}?revisionid=${guide.revisionid}`, { summary: 'New' }),
    ),
  ).toBe('The guide was edited');
  expect(
    await reasonAfter((guide) =>
      ana.call('PATCH', `${at(guide)}/steps/${step(guide).stepid}?revisionid=${step(guide).revisionid}`, {
        title: 'Vent it well',
      }),
    ),
  ).toBe('The guide was edited');
  expect(
    await reasonAfter((guide) => ana.call('DELETE', `${at(guide)}/public?revisionid=${guide.revisionid}`)),
  ).toBe('The request was withdrawn');
  expect(
    await reasonAfter((guide) => ana.call('DELETE', `${at(guide)}?revisionid=${guide.revisionid}`)),
  ).toBe('The guide was deleted');
});

test('APPROVAL-10 a changed form of a step ends the open request, an unchanged one does not', async () => {
  const { guide, request } = await asked();
  const { stepid } = must(guide.steps[0], 'a step');
  const field = { field_guid: 'temporary-id', field_type: 'Text Area', label: 'Notes', textarea: '' };
  const save = (body: object) =>
    ok<StepForm>(shop.ana.call('POST', `/step_forms/${stepid}`, { fields: [field], ...body }));
  await ok(shop.sign(shop.tom, request.approval_requestid, 'review'));
  const { form_revisionid, fields } = await save({});
  expect(await shop.request(guide.guideid)).toMatchObject({
    status: 'void',
    reason: 'A form of the guide was changed',
  });
  expect((await shop.sign(shop.tia, request.approval_requestid, 'review')).status).toBe(404);
  expect((await shop.tia.call('GET', `/step_forms/stepid/${stepid}`)).status).toBe(404);
  await publish(guide);
  await save({ form_revisionid, fields });
  expect(await shop.request(guide.guideid)).toMatchObject({ status: 'pending' });
  await save({ form_revisionid, fields: fields.map((one) => ({ ...one, label: 'Limits' })) });
  expect(await shop.request(guide.guideid)).toMatchObject({ status: 'void' });
});

test('APPROVAL-10 changes that make no new version leave the request open', async () => {
  const { guide, request } = await asked();
  await ok(shop.ana.call('POST', `/comments/guide/${guide.guideid}`, { text: 'Please look' }));
  await ok(shop.ana.call('PUT', `/guides/${guide.guideid}/users/${shop.lea.userid}`));
  expect((await shop.request(guide.guideid)).approval_requestid).toBe(request.approval_requestid);
  expect((await shop.request(guide.guideid)).status).toBe('pending');
});

test('APPROVAL-11 signers see the private guide while the request is open, and the request afterwards', async () => {
  const { tom, quinn, lea } = shop;
  const { guide, request } = await asked();
  const id = request.approval_requestid;
  expect((await read(tom, guide.guideid)).title).toBe(guide.title);
  expect((await read(quinn, guide.guideid)).title).toBe(guide.title);
  const version = `/guides/${guide.guideid}?revisionid=${guide.revisionid}`;
  expect((await tom.call('GET', version)).status).toBe(200);
  expect((await lea.call('GET', `/guides/${guide.guideid}`)).status).toBe(404);
  expect((await lea.call('GET', `/approvals/request/${id}`)).status).toBe(404);
  await ok(shop.sign(tom, id, 'reject', { comment: 'No' }));
  expect((await tom.call('GET', `/guides/${guide.guideid}`)).status).toBe(404);
  expect((await tom.call('GET', `/approvals/request/${id}`)).status).toBe(200);
  expect((await quinn.call('GET', `/approvals/request/${id}`)).status).toBe(404);
  const mine = await ok<ApprovalRequest[]>(tom.call('GET', '/approvals/requests?status=rejected'));
  expect(mine.map((one) => one.approval_requestid)).toContain(id);
});

test('APPROVAL-14 requests are found by state, guide, process and next signer', async () => {
  const { tom, tia, quinn, process } = shop;
  const { guide, request } = await asked({ title: 'Piston' });
  const id = request.approval_requestid;
  const waiting = async (person: TestPerson): Promise<number[]> =>
    (await ok<ApprovalRequest[]>(person.call('GET', '/approvals/requests?waiting=true&limit=200'))).map(
      (one) => one.approval_requestid,
    );
  expect(await waiting(tom)).toContain(id);
  expect(await waiting(quinn)).not.toContain(id);
  await ok(shop.sign(tom, id, 'review'));
  expect(await waiting(tom)).not.toContain(id);
  await ok(shop.sign(tia, id, 'review'));
  expect(await waiting(quinn)).toContain(id);
  const found = async (query: string): Promise<number[]> =>
    (await ok<ApprovalRequest[]>(tom.call('GET', `/approvals/requests?${query}`))).map(
      (one) => one.approval_requestid,
    );
  expect(await found(`guideid=${guide.guideid}`)).toEqual([id]);
  expect(await found(`guideid=${guide.guideid}&status=void`)).toEqual([]);
  expect(await found(`approval_processid=${process.approval_processid}&limit=1`)).toEqual([id]);
  expect((await tom.call('GET', '/approvals/requests?status=odd')).status).toBe(422);
  expect((await tom.call('GET', '/approvals/request/999999')).status).toBe(404);
});

testReleases();

test('APPROVAL-15 an edit of an approved public guide stays public, without signatures', async () => {
  const { guide, request } = await asked();
  await shop.signAll(request.approval_requestid);
  const published = await read(shop.ana, guide.guideid);
  const path = `/guides/${guide.guideid}?revisionid=${published.revisionid}`;
  const edited = await ok<Guide>(shop.ana.call('PATCH', path, { summary: 'Changed' }));
  expect(edited.public).toBe(true);
  expect(edited.approval?.requests.at(-1)?.published_guide_revisionid).toBe(published.guide_revisionid);
  expect(edited.guide_revisionid).not.toBe(published.guide_revisionid);
  const old = await ok<Guide>(
    shop.lea.call('GET', `/guides/${guide.guideid}?revisionid=${published.revisionid}`),
  );
  expect(old.approval?.requests[0]?.signatures).toHaveLength(3);
});
