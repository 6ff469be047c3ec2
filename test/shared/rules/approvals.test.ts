import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { ApprovalSignature, ApprovalStage } from '#shared/model/approval.ts';
import {
  approvalStateOf,
  isApproved,
  foldApproval,
  isNamed,
  mayMean,
  signedRequests,
  whatToSign,
  type SignedSoFar,
} from '#shared/rules/approvals.ts';
import { canonicalJson } from '#shared/rules/canonical-json.ts';
import { runs } from '#test/support/long-run.ts';

const people = [1, 2, 3, 4, 5];
const teams = new Map([
  [10, [1, 2, 3]],
  [11, [4, 5]],
]);

function signerOf(userid: number) {
  return { userid, teams: [...teams].filter(([, members]) => members.includes(userid)).map(([id]) => id) };
}

const stage = fc.record({
  meaning: fc.constantFrom('approved' as const, 'reviewed' as const),
  required_approvals: fc.integer({ min: 1, max: 3 }),
  userids: fc.uniqueArray(fc.constantFrom(...people), { maxLength: 4 }),
  teamids: fc.uniqueArray(fc.constantFrom(...teams.keys()), { maxLength: 2 }),
});

const stages = fc.array(stage, { minLength: 1, maxLength: 4 }).map((list) =>
  list.map((one, index): ApprovalStage => ({
    ...one,
    approval_stageid: index + 100,
    name: 'S',
    orderby: index + 1,
  })),
);

/** An attempt to sign, or an edit of the guide. */
const attempt = fc.oneof(
  { weight: 12, arbitrary: fc.record({ userid: fc.constantFrom(...people), rejects: fc.constant(false) }) },
  { weight: 1, arbitrary: fc.record({ userid: fc.constantFrom(...people), rejects: fc.constant(true) }) },
  { weight: 1, arbitrary: fc.constant('edit' as const) },
);

function signatureOf(one: ApprovalStage, userid: number, rejects: boolean): ApprovalSignature {
  return {
    approval_stageid: one.approval_stageid,
    userid,
    name: `Person ${userid}`,
    meaning: rejects ? 'rejected' : one.meaning,
    comment: rejects ? 'Wrong torque' : '',
    method: 'password',
    date: 1,
  };
}

/** The server's reaction: signs where the rules allow it, and ends an open request on an edit. */
function next(request: SignedSoFar, one: { userid: number; rejects: boolean } | 'edit'): SignedSoFar {
  if (one === 'edit')
    return foldApproval(request).status === 'pending' ? { ...request, isVoid: true } : request;
  const turn = whatToSign(request, signerOf(one.userid));
  if ('refusal' in turn) return request;
  const signature = signatureOf(turn.stage, one.userid, one.rejects);
  return { ...request, signatures: [...request.signatures, signature] };
}

test('APPROVAL-5 in any history, stages are signed in order, by the named people, once each, and never after the end', () => {
  fc.assert(
    fc.property(stages, fc.array(attempt, { maxLength: 40 }), (list, attempts) => {
      let request: SignedSoFar = { stages: list, signatures: [], isVoid: false };
      for (const one of attempts) {
        const before = foldApproval(request);
        request = next(request, one);
        const after = foldApproval(request);
        if (before.status !== 'pending') expect(after).toEqual(before);
        const open = after.stages.findIndex(({ status }) => status !== 'done');
        for (const [index, { stage: of, status, signatures }] of after.stages.entries()) {
          const signers = signatures.map(({ userid }) => userid);
          expect(new Set(signers).size).toBe(signers.length);
          expect(signers.every((userid) => isNamed(of, signerOf(userid)))).toBe(true);
          expect(signatures.every(({ meaning }) => mayMean(of, meaning))).toBe(true);
          expect(signatures.length).toBeLessThanOrEqual(of.required_approvals);
          if (status === 'done') expect(signatures).toHaveLength(of.required_approvals);
          if (open !== -1 && index > open) expect(signatures).toHaveLength(0);
        }
        expect(after.status === 'approved').toBe(after.stages.every(({ status }) => status === 'done'));
        expect(after.open !== null).toBe(after.status === 'pending');
      }
    }),
    { numRuns: runs(500) },
  );
});

test('APPROVAL-5 one rejection ends a request, and nothing afterwards approves it', () => {
  fc.assert(
    fc.property(stages, fc.array(attempt, { maxLength: 20 }), (list, attempts) => {
      let request: SignedSoFar = { stages: list, signatures: [], isVoid: false };
      let ended: string | null = null;
      for (const one of attempts) {
        request = next(request, one);
        const { status } = foldApproval(request);
        if (ended !== null) expect(status).toBe(ended);
        if (status !== 'pending') ended = status;
        const rejected = request.signatures.filter(({ meaning }) => meaning === 'rejected');
        expect(rejected.length).toBe(status === 'rejected' ? 1 : 0);
      }
    }),
  );
});

const two: ApprovalStage[] = [
  {
    approval_stageid: 1,
    name: 'Check',
    orderby: 1,
    meaning: 'reviewed',
    required_approvals: 2,
    userids: [1, 2, 3],
    teamids: [],
  },
  {
    approval_stageid: 2,
    name: 'Quality',
    orderby: 2,
    meaning: 'approved',
    required_approvals: 1,
    userids: [4],
    teamids: [11],
  },
];

test('APPROVAL-6 the reason is given why a person cannot sign', () => {
  const [check] = two;
  if (check === undefined) throw new Error('a stage');
  const none: SignedSoFar = { stages: two, signatures: [], isVoid: false };
  const one = { ...none, signatures: [signatureOf(check, 1, false)] };
  const done = { ...none, signatures: [signatureOf(check, 1, false), signatureOf(check, 2, false)] };
  expect(whatToSign(none, { userid: 9, teams: [] })).toEqual({ refusal: 'stranger' });
  expect(whatToSign(none, { userid: 4, teams: [] })).toEqual({ refusal: 'waiting' });
  expect(whatToSign(one, { userid: 1, teams: [] })).toEqual({ refusal: 'signed' });
  expect(whatToSign(done, { userid: 3, teams: [] })).toEqual({ refusal: 'passed' });
  expect(whatToSign(done, { userid: 9, teams: [11] })).toEqual({ stage: two[1] });
  expect(whatToSign({ ...done, isVoid: true }, { userid: 4, teams: [] })).toEqual({ refusal: 'closed' });
});

/** A requested and signed publication. */
const publication = {
  approval_requestid: 1,
  process: 'Quality',
  purpose: 'publish' as const,
  status: 'approved' as const,
  revisionid: 5,
  guide_revisionid: 50,
  published_guide_revisionid: 51,
  revision_hash: 'abc',
  userid: 1,
  init_date: 1,
  end_date: 2,
  reason: null,
};

test('APPROVAL-12 signatures count for the signed version and the one made of it, and for no other', () => {
  const request = {
    ...publication,
    stages: two,
    signatures: two.slice(0, 1).map((of) => signatureOf(of, 1, false)),
  };
  const approval = { approval_processid: 1, requests: [request] };
  const at = (guide_revisionid: number) => ({ approval, guide_revisionid });
  expect([50, 51, 52].map((id) => signedRequests(at(id)).length)).toEqual([1, 1, 0]);
  expect([50, 51, 52].map((id) => approvalStateOf(at(id)))).toEqual(['approved', 'approved', 'unapproved']);
  expect(approvalStateOf({ guide_revisionid: 1 })).toBe('none');
  const open = { ...request, approval_requestid: 2, status: 'pending' as const, guide_revisionid: 53 };
  const both = { approval_processid: 1, requests: [{ ...request }, open] };
  expect(approvalStateOf({ approval: both, guide_revisionid: 53 })).toBe('pending');
});

test('APPROVAL-12 a version signed in all stages stays approved, whatever becomes of a later request', () => {
  const stages = two.slice(0, 1);
  const signed = {
    ...publication,
    stages,
    signatures: stages.map((of) => signatureOf(of, 1, false)),
  };
  const after = (status: 'pending' | 'rejected' | 'void', first: 'approved' | 'void' = 'approved') => ({
    approval: {
      approval_processid: 1,
      requests: [
        { ...signed, status: first },
        {
          ...signed,
          approval_requestid: 2,
          purpose: 'release' as const,
          status,
          guide_revisionid: 51,
          published_guide_revisionid: null,
        },
      ],
    },
    guide_revisionid: 51,
  });
  const ends = ['pending', 'rejected', 'void'] as const;
  expect(ends.map((end) => approvalStateOf(after(end)))).toEqual(['pending', 'approved', 'approved']);
  expect(ends.map((end) => isApproved(after(end)))).toEqual([true, true, true]);
  expect(ends.map((end) => isApproved(after(end, 'void')))).toEqual([false, false, false]);
  expect(approvalStateOf(after('rejected', 'void'))).toBe('rejected');
});

test('APPROVAL-8 one value has one canonical text, whatever the order of its keys', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'é"\n' }], a: undefined })).toBe(
    '{"b":[1,{"c":"é\\"\\n","d":null}]}',
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(value))).toBe(text);
    }),
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, one]) => [key, reversed(one)]),
  );
}
