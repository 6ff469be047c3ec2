import type { ApprovalActions, ApprovalViews } from '#desktop/engine/api/approvals.ts';
import type { Live } from '#desktop/engine/engine.ts';
import type {
  ApprovalCard,
  GuideApprovalView,
  PreparedDecision,
} from '#desktop/engine/api/approval-records.ts';
import { conflict, invalid } from '#shared/api/problem.ts';
import {
  approvalProcess,
  approvalRequest,
  type ApprovalProcess,
  type ApprovalRequest,
} from '#shared/model/approval.ts';
import { must } from '#shared/must.ts';

import { demoSteps } from './fixture-history.ts';
import type { World } from './fixture-world.ts';

/** Approvals in the memory of the page. */
export interface ApprovalWorld {
  cards: ApprovalCard[];
  guides: GuideApprovalView[];
}

const hour = 3_600_000;

/** The first stage has signed; the second stage waits for the person. */
export function demoApprovals(): ApprovalWorld {
  const since = Date.UTC(2026, 4, 4, 8);
  const hash = '6a1f'.repeat(16);
  return {
    cards: [
      {
        requestid: 9,
        guideid: '9001',
        title: 'Bench Grinder Drive Belt Replacement',
        process: 'Machine safety',
        purpose: 'publish',
        requester: 'Ana Ruiz',
        since,
        stage: 'Quality',
        signed: 0,
        needed: 1,
        mine: true,
      },
    ],
    guides: [
      {
        guideid: '9001',
        title: 'Bench Grinder Drive Belt Replacement',
        state: 'pending',
        canAsk: false,
        mine: { requestid: 9, hash, stage: 'Quality', meaning: 'approved' },
        requests: [
          {
            requestid: 9,
            process: 'Machine safety',
            purpose: 'publish',
            status: 'pending',
            reason: null,
            requester: 'Ana Ruiz',
            since,
            isAbout: true,
            revision: 7,
            hash,
            stages: [
              {
                stageid: 1,
                name: 'Check',
                meaning: 'reviewed',
                status: 'done',
                needed: 1,
                approvers: ['Tom Okafor'],
                signatures: [
                  { name: 'Tom Okafor', meaning: 'reviewed', comment: 'Tried it.', at: since + hour },
                ],
              },
              {
                stageid: 2,
                name: 'Quality',
                meaning: 'approved',
                status: 'open',
                needed: 1,
                approvers: ['Ana Ruiz'],
                signatures: [],
              },
            ],
          },
        ],
      },
    ],
  };
}

/** The same, with the person in the first stage of a request from a server. */
export function waitingFor(asked: ApprovalRequest): ApprovalWorld {
  const { cards, guides } = demoApprovals();
  const { approval_requestid: requestid, revision_hash: hash, stages } = asked;
  const stage = must(stages[0], 'a stage');
  return {
    cards: cards.map((card) => ({ ...card, requestid, stage: stage.name })),
    guides: guides.map((guide) => ({
      ...guide,
      mine: {
        requestid,
        hash,
        stage: stage.name,
        meaning: stage.meaning === 'reviewed' ? 'reviewed' : 'approved',
      },
    })),
  };
}

/** Survives a reload, like data stored on a device. */
const preparedKey = 'fixture.prepared';

function preparedIn(page: Storage): [number, PreparedDecision][] {
  return JSON.parse(page.getItem(preparedKey) ?? '[]') as [number, PreparedDecision][];
}

export function approvalViews(live: <T>(pick: (now: World) => T) => Live<T>): ApprovalViews {
  return {
    preparedDecisions: () => live(() => new Map(preparedIn(sessionStorage))),
    approvals: () => live(({ approvals }) => approvals.cards),
    guideApproval: (guideid) =>
      live(({ approvals }) => approvals.guides.find((one) => one.guideid === guideid) ?? null),
  };
}

export function approvalActions(change: (make: (now: World) => Partial<World>) => void): ApprovalActions {
  let processes: ApprovalProcess[] = [];
  return {
    async prepareDecision(requestid, decision) {
      const others = preparedIn(sessionStorage).filter(([id]) => id !== requestid);
      const next = decision === null ? others : [...others, [requestid, decision]];
      sessionStorage.setItem(preparedKey, JSON.stringify(next));
      change(() => ({}));
    },
    async adoptDecisions(decisions) {
      const kept = preparedIn(sessionStorage);
      const known = new Set(kept.map(([id]) => id));
      const next = [...kept, ...[...decisions].filter(([id]) => !known.has(id))];
      sessionStorage.setItem(preparedKey, JSON.stringify(next));
      change(() => ({}));
    },
    async signApproval(requestid, { decision, comment }, password) {
      if (password === 'wrong') throw invalid('password', 'This is not your password');
      const status = decision === 'reject' ? 'rejected' : 'approved';
      change(({ approvals }) => ({
        approvals: {
          cards: approvals.cards.filter((card) => card.requestid !== requestid),
          guides: approvals.guides.map((one) => ({
            ...one,
            state: status,
            mine: null,
            requests: one.requests.map((request) => ({
              ...request,
              status,
              reason: decision === 'reject' ? comment : null,
              stages: request.stages.map((stage) =>
                stage.status === 'open'
                  ? {
                      ...stage,
                      status: decision === 'reject' ? ('rejected' as const) : ('done' as const),
                      signatures: [
                        { name: 'Ana Ruiz', meaning: status, comment, at: Date.UTC(2026, 4, 4, 10) },
                      ],
                    }
                  : stage,
              ),
            })),
          })),
        },
      }));
      return approvalRequest.parse({
        approval_requestid: requestid,
        approval_processid: 2,
        process: { approval_processid: 2, name: 'Machine safety', description: '' },
        guideid: 61,
        title: 'Bench Grinder Drive Belt Replacement',
        langid: 'en',
        purpose: 'publish',
        status,
        revisionid: 42,
        guide_revisionid: 410,
        revision_hash: '6a1f'.repeat(16),
        forms: null,
        published_guide_revisionid: null,
        last_public_revisionid: 40,
        releaseid: null,
        requester: null,
        current_stageid: null,
        can_sign: false,
        init_date: 1,
        end_date: 2,
        reason: null,
        stages: [],
      });
    },
    compareApproval: () =>
      Promise.resolve({
        parts: [{ part: 'summary', before: 'Change the belt.', after: 'Change the belt safely.' }],
        steps: demoSteps,
        forms: [
          { number: 1, before: 'Torque (Numeric Input) · ≤ 25', after: 'Torque (Numeric Input) · ≤ 30' },
        ],
      }),
    listProcesses: () => Promise.resolve(processes),
    async saveProcess(seen, { stages, ...words }) {
      const approval_processid = seen?.approval_processid ?? processes.length + 1;
      const before = processes.find((one) => one.approval_processid === approval_processid);
      if (seen !== null && seen.description !== before?.description) throw conflict(before);
      const made = approvalProcess.parse({
        wikiids: before?.wikiids ?? [],
        ...words,
        approval_processid,
        created_date: 1,
        modified_date: 1,
        stages: stages.map((stage, index) => ({ approval_stageid: index + 1, ...stage, orderby: index + 1 })),
      });
      processes = [...processes.filter((one) => one !== before), made];
      return made;
    },
    async setDefaultProcess(wikiid, processid) {
      const others = (one: ApprovalProcess) => one.wikiids.filter((id) => id !== wikiid);
      if (processid !== null)
        must(
          processes.find((one) => one.approval_processid === processid),
          'the process',
        );
      processes = processes.map((one) => ({
        ...one,
        wikiids: one.approval_processid === processid ? [...others(one), wikiid] : others(one),
      }));
    },
  };
}
