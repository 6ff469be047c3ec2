import { afterEach, expect, test } from 'vitest';

import type { GuideApprovalRequest } from '#shared/model/approval.ts';
import { Bench, now } from '#test/desktop/engine/bench/bench.ts';
import { MemoryServer } from '#test/desktop/engine/bench/memory-server.ts';
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

async function opened(): Promise<{ server: MemoryServer; bench: Bench }> {
  const server = new MemoryServer();
  server.put('people', 'user:1', person(1, 'Ana', [10]));
  server.put('people', 'user:2', person(2, 'Ben', []));
  server.put('viewer', 'approval:12', { kind: 'approval', guideid: 12, approval_requestid: 9 });
  server.put('guides', '12', guide({}));
  const bench = await Bench.open(server);
  open.push(bench);
  return { server, bench };
}

test('AP11 a request of the feed is listed, and is the person’s when the stage of their team opens', async () => {
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

test('AP12 a version that was edited since shows its signatures as those of an earlier one', async () => {
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
