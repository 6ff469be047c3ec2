import { combineLatest, distinctUntilChanged, map, of, switchMap, type Observable } from 'rxjs';

import type { GuideApprovalRequest } from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import {
  approvalStateOf,
  foldApproval,
  isAbout,
  openRequest,
  signedSoFar,
  whatToSign,
  type Signer,
} from '#shared/rules/approvals.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { isBeyondKiosk } from '#shared/rules/kiosk.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { ApprovalCard, ApprovalRequestView, GuideApprovalView } from '../api/approval-records.ts';
import { canShare } from '../features/records/guide-access.ts';
import { localGuide } from '../features/records/guide.ts';
import type { LocalGuide } from '../features/records/overlay/guide.ts';
import { factsOfRelease, pinnedGuide, releasedIn } from '../features/records/pinned-releases.ts';
import { realIdOf, type Sources } from '../features/records/sources.ts';

/** The person as a signer, and the names of people and teams. */
interface SigningPerson extends Signer {
  nameOf: (userid: number) => string;
  teamOf: (teamid: number) => string;
}

function signingPerson({ me, people }: Sources): Observable<SigningPerson> {
  return combineLatest([me, people]).pipe(
    map(([{ userid, privileges }, everybody]) => {
      const names = new Map(everybody.people.map((one) => [one.userid, one.username]));
      const teams = new Map(everybody.teams.map((one) => [one.teamid, one.name]));
      const own = everybody.people.find((one) => one.userid === userid)?.teams ?? [];
      // A kiosk is a shared account and cannot sign.
      const signer = isBeyondKiosk({ privileges }, 'approvalRequest.sign') ? 0 : userid;
      return {
        userid: signer,
        teams: signer === 0 ? [] : own,
        nameOf: (id: number) => names.get(id) ?? '',
        teamOf: (id: number) => teams.get(id) ?? '',
      };
    }),
  );
}

/** Open requests that concern the person. */
export function approvals(sources: Sources): Observable<ApprovalCard[]> {
  const open = sources.core.mirror.all('viewer').pipe(
    map((records) =>
      records.flatMap(({ facts }) => (facts.kind === 'approval' ? [String(facts.guideid)] : [])).toSorted(),
    ),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
  const guides = open.pipe(
    switchMap((ids) =>
      ids.length === 0 ? of([]) : combineLatest(ids.map((id) => sources.core.mirror.one('guides', id))),
    ),
  );
  return combineLatest([guides, signingPerson(sources)]).pipe(
    map(([found, signer]) =>
      found
        .flatMap((record) => (record === null ? [] : cardOf(record.facts, signer)))
        .toSorted((a, b) => Number(b.mine) - Number(a.mine) || a.since - b.since),
    ),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

function cardOf(facts: GuideFacts, signer: SigningPerson): ApprovalCard[] {
  const request = openRequest(facts);
  if (request === undefined) return [];
  const soFar = signedSoFar(request);
  const { open, stages } = foldApproval(soFar);
  return [
    {
      requestid: request.approval_requestid,
      guideid: String(facts.guideid),
      title: facts.title,
      process: request.process,
      purpose: request.purpose,
      requester: signer.nameOf(request.userid),
      since: request.init_date * 1000,
      stage: open?.name ?? '',
      signed: stages.find(({ stage }) => stage === open)?.signatures.length ?? 0,
      needed: open?.required_approvals ?? 0,
      mine: 'stage' in whatToSign(soFar, signer),
    },
  ];
}

/**
 * The approvals of a guide; null if it has none, or is not on this device. A guide with waiting changes is another
 * version, which has no signatures.
 */
export function guideApproval(sources: Sources, guideid: string): Observable<GuideApprovalView | null> {
  const pinned = pinnedGuide(guideid);
  if (pinned !== null) return releaseApproval(sources, pinned);
  const guide = realIdOf(sources, guideid).pipe(switchMap((id) => localGuide({ sources }, id)));
  return combineLatest([guide, signingPerson(sources), sources.me]).pipe(
    map(([local, signer, me]) => {
      const facts = local === null ? null : shownVersion(local);
      if (local === null || facts === null) return null;
      const view = viewOf(facts, signer);
      if (view === null) return null;
      const isAsked = view.state === 'pending' || view.state === 'approved';
      return { ...view, canAsk: !isAsked && !local.pending && canShare(me, facts.userid) };
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/** The approvals of a pinned release. They cannot be signed or requested there. */
function releaseApproval(
  sources: Sources,
  { guideid, by }: { guideid: string; by: string },
): Observable<GuideApprovalView | null> {
  return combineLatest([sources.core.mirror.one('guides', by), signingPerson(sources)]).pipe(
    map(([record, signer]) => {
      const released = record === null ? [] : releasedIn(record.facts);
      const found = released.find(({ guide }) => String(guide.guideid) === guideid);
      const view = found === undefined ? null : viewOf(factsOfRelease(found), signer);
      return view === null ? null : { ...view, mine: null, canAsk: false };
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/** Revision id of a version that is on this device only. No version of the server has it. */
const unsent = -1;

function shownVersion({ facts, content }: LocalGuide): GuideFacts | null {
  if (facts === null || sameValue(contentOf(facts), content)) return facts;
  return { ...facts, guide_revisionid: unsent };
}

function viewOf(facts: GuideFacts, signer: SigningPerson): Omit<GuideApprovalView, 'canAsk'> | null {
  const state = approvalStateOf(facts);
  if (facts.approval === undefined || state === 'none') return null;
  const open = openRequest(facts);
  const turn = open === undefined ? null : whatToSign(signedSoFar(open), signer);
  return {
    guideid: String(facts.guideid),
    title: facts.title,
    state,
    requests: facts.approval.requests.toReversed().map((request) => requestView(request, facts, signer)),
    mine:
      open !== undefined && turn !== null && 'stage' in turn
        ? {
            requestid: open.approval_requestid,
            hash: open.revision_hash,
            stage: turn.stage.name,
            meaning: turn.stage.meaning,
          }
        : null,
  };
}

function requestView(
  request: GuideApprovalRequest,
  facts: GuideFacts,
  signer: SigningPerson,
): ApprovalRequestView {
  return {
    requestid: request.approval_requestid,
    process: request.process,
    purpose: request.purpose,
    status: request.status,
    reason: request.reason,
    requester: signer.nameOf(request.userid),
    since: request.init_date * 1000,
    isAbout: isAbout(request, facts),
    revision: isAbout(request, facts) ? (facts.revision?.number ?? null) : null,
    hash: request.revision_hash,
    stages: foldApproval(signedSoFar(request)).stages.map(({ stage, status, signatures }) => ({
      stageid: stage.approval_stageid,
      name: stage.name,
      meaning: stage.meaning,
      status,
      needed: stage.required_approvals,
      approvers: [...stage.userids.map(signer.nameOf), ...stage.teamids.map(signer.teamOf)].filter(Boolean),
      signatures: signatures.map(({ name, meaning, comment, date }) => ({
        name,
        meaning,
        comment,
        at: date * 1000,
      })),
    })),
  };
}
