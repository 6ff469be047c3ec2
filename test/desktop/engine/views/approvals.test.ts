import { afterEach, expect, test } from 'vitest';

import type { GuideApprovalRequest } from '#shared/model/approval.ts';
import { Bench } from '#test/desktop/engine/bench/bench.ts';
import { now } from '#test/desktop/engine/bench/live-values.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { guideOf } from '#test/support/guide-edits.ts';

const open: Bench[] = [];

afterEach(async () => {
  for (const bench of open.splice(0)) await bench.close();
});

const request: GuideApprovalRequest = {
  approval_requestid: 9,
  process: 'Machine safety',
  purpose: 'publish',
  status: 'pending',
  revisionid: 70,
  guide_revisionid: 71,
  published_guide_revisionid: null,
  revision_hash: 'abc',
  userid: 2,
  init_date: 100,
  end_date: null,
  reason: null,
  stages: [
    {
      approval_stageid: 1,
      name: 'Check',
      orderby: 1,
      meaning: 'reviewed',
      required_approvals: 1,
      userids: [2],
      teamids: [],
    },
    {
      approval_stageid: 2,
      name: 'Quality',
      orderby: 2,
      meaning: 'approved',
      required_approvals: 1,
      userids: [],
      teamids: [10],
    },
  ],
  signatures: [],
};

const signature = {
  approval_stageid: 1,
  userid: 2,
  name: 'Ben',
  meaning: 'reviewed' as const,
  comment: 'Tried it',
  method: 'password' as const,
  date: 200,
};

function guide(change: Partial<GuideApprovalRequest>) {
  const approval = { approval_processid: 1, requests: [{ ...request, ...change }] };
  return {
    ...guideOf([['Vent it']], { guideid: 12, title: 'Ram', revisionid: 70, guide_revisionid: 71 }),
    approval,
  };
}

function person(userid: number, username: string, teams: number[]) {
  return {
    kind: 'user',
    userid,
    username,
    unique_username: null,
    join_date: 1,
    image: null,
    reputation: 0,
    teams,
    privileges: ['User'],
    summary: null,
    about_raw: '',
    location: null,
    latitude: null,
    longitude: null,
    enabled: true,
  };
}

async function opened(): Promise<{ server: StandInServer; bench: Bench }> {
  const server = StandInServer.still();
  server.put('people', 'user:1', person(1, 'Ana', [10]));
  server.put('people', 'user:2', person(2, 'Ben', []));
  server.put('viewer', 'approval:12', { kind: 'approval', guideid: 12, approval_requestid: 9 });
  server.put('guides', '12', guide({}));
  const bench = await Bench.open(server);
  open.push(bench);
  return { server, bench };
}

test("APPROVAL-11 a request from the feed is listed, and is the person's turn when the stage of their team opens", async () => {
  const { server, bench } = await opened();
  expect(await now(bench.views.approvals())).toMatchObject([
    { requestid: 9, guideid: '12', title: 'Ram', requester: 'Ben', stage: 'Check', mine: false },
  ]);
  expect((await now(bench.views.guideApproval('12')))?.mine).toBeNull();
  server.put('guides', '12', guide({ signatures: [signature] }));
  await bench.pull();
  expect(await now(bench.views.approvals())).toMatchObject([{ stage: 'Quality', needed: 1, mine: true }]);
  expect(await now(bench.views.guideApproval('12'))).toMatchObject({
    state: 'pending',
    mine: { requestid: 9, hash: 'abc', stage: 'Quality', meaning: 'approved' },
    requests: [
      { isAbout: true, requester: 'Ben', stages: [{ signatures: [{ name: 'Ben', at: 200_000 }] }, {}] },
    ],
  });
});

test('APPROVAL-15 people who decide about the guide may request the approval of an unapproved version, once', async () => {
  const { server, bench } = await opened();
  const none = { ...guide({}), public: true, approval: { approval_processid: 1, requests: [] } };
  server.put('guides', '12', { ...none, userid: 2 });
  await bench.pull();
  expect(await now(bench.views.guideApproval('12'))).toMatchObject({ state: 'unapproved', canAsk: false });
  server.put('guides', '12', { ...none, userid: 1 });
  await bench.pull();
  expect(await now(bench.views.guideApproval('12'))).toMatchObject({ state: 'unapproved', canAsk: true });
  await bench.actions.publish('12', true);
  expect(await now(bench.views.guideApproval('12'))).toMatchObject({ canAsk: false });
});

test('APPROVAL-18 a version with a different form is not approved', async () => {
  const { server, bench } = await opened();
  const approved = { signatures: [signature], status: 'approved' as const, end_date: 300 };
  server.put('guides', '12', { ...guide(approved), userid: 1 });
  await bench.pull();
  expect(await now(bench.views.guideApproval('12'))).toMatchObject({ state: 'approved', canAsk: false });
  server.put('guides', '12', { ...guide({ ...approved, forms_changed: true }), userid: 1 });
  await bench.pull();
  expect(await now(bench.views.guideApproval('12'))).toMatchObject({
    state: 'unapproved',
    canAsk: true,
    requests: [{ isAbout: false }],
  });
});

test('APPROVAL-12 a guide with unsent changes is not approved', async () => {
  const { server, bench } = await opened();
  const approved = { signatures: [signature], status: 'approved' as const, end_date: 300 };
  server.put('guides', '12', { ...guide(approved), userid: 1 });
  await bench.pull();
  await bench.actions.openDraft('12');
  await bench.actions.editDraft('12', { op: 'setText', field: 'title', value: 'Ram seal' });
  await bench.actions.saveDraft('12');
  expect(await now(bench.views.guideApproval('12'))).toMatchObject({
    state: 'unapproved',
    canAsk: false,
    requests: [{ isAbout: false }],
  });
});

test('APPROVAL-12 a release that another guide requires shows its own signatures and accepts none', async () => {
  const { server, bench } = await opened();
  const { approval, prerequisites: _, ...released } = guide({ signatures: [signature], status: 'approved' });
  server.put('guides', '20', {
    ...guideOf([['Then this']], { guideid: 20, prerequisites: [12] }),
    prerequisite_releases: [
      { guideid: 12, releaseid: 3, released: { releaseid: 3, title: 'v1.0', guide: released, approval } },
    ],
  });
  await bench.pull();
  expect(await now(bench.views.guideApproval('12@20'))).toMatchObject({
    guideid: '12',
    state: 'approved',
    canAsk: false,
    mine: null,
    requests: [{ isAbout: true, stages: [{ signatures: [{ name: 'Ben' }] }, {}] }],
  });
  expect(await now(bench.views.guideApproval('12@21'))).toBeNull();
});

test('APPROVAL-12 a version edited since shows its signatures as those of an earlier one', async () => {
  const { server, bench } = await opened();
  const approved = guide({
    signatures: [signature],
    status: 'approved',
    end_date: 300,
    published_guide_revisionid: 72,
  });
  server.put('guides', '12', { ...approved, guide_revisionid: 72 });
  await bench.pull();
  expect(await now(bench.views.approvals())).toEqual([]);
  expect(await now(bench.views.guideApproval('12'))).toMatchObject({
    state: 'approved',
    requests: [{ isAbout: true }],
  });
  server.put('guides', '12', { ...approved, guide_revisionid: 73 });
  await bench.pull();
  expect(await now(bench.views.guideApproval('12'))).toMatchObject({
    state: 'unapproved',
    mine: null,
    requests: [{ isAbout: false }],
  });
});
