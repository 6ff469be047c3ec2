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
import { pinnedGuide } from '../features/records/pinned-id.ts';
import { factsOfRelease, releasedIn } from '../features/records/releases.ts';
import { realIdOf, type Sources } from '../features/records/sources.ts';

/** Who looks, and what people and teams are called. */
interface Onlooker extends Signer {
  nameOf: (userid: number) => string;
  teamOf: (teamid: number) => string;
}

function onlooker({ me, people }: Sources): Observable<Onlooker> {
  return combineLatest([me, people]).pipe(
    map(([{ userid, privileges }, everybody]) => {
      const names = new Map(everybody.people.map((one) => [one.userid, one.username]));
      const teams = new Map(everybody.teams.map((one) => [one.teamid, one.name]));
      const own = everybody.people.find((one) => one.userid === userid)?.teams ?? [];
      // A shared account signs nothing.
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
  return combineLatest([guides, onlooker(sources)]).pipe(
    map(([found, who]) =>
      found
        .flatMap((record) => (record === null ? [] : cardOf(record.facts, who)))
        .toSorted((a, b) => Number(b.mine) - Number(a.mine) || a.since - b.since),
    ),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

function cardOf(facts: GuideFacts, who: Onlooker): ApprovalCard[] {
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
      requester: who.nameOf(request.userid),
      since: request.init_date * 1000,
      stage: open?.name ?? '',
      signed: stages.find(({ stage }) => stage === open)?.signatures.length ?? 0,
      needed: open?.required_approvals ?? 0,
      mine: 'stage' in whatToSign(soFar, who),
    },
  ];
}

/**
 * How a guide stands to its process; null: it is under none, or not on this device. With changes that the server does not
 * have it is another version, which nobody signed.
 */
export function guideApproval(sources: Sources, guideid: string): Observable<GuideApprovalView | null> {
  const pinned = pinnedGuide(guideid);
  if (pinned !== null) return releaseApproval(sources, pinned);
  const guide = realIdOf(sources, guideid).pipe(switchMap((id) => localGuide({ sources }, id)));
  return combineLatest([guide, onlooker(sources), sources.me]).pipe(
    map(([local, who, me]) => {
      const facts = local === null ? null : shownVersion(local);
      if (local === null || facts === null) return null;
      const view = viewOf(facts, who);
      if (view === null) return null;
      const isAsked = view.state === 'pending' || view.state === 'approved';
      return { ...view, canAsk: !isAsked && !local.pending && canShare(me, facts.userid) };
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/** How a prerequisite that is shown as it was released stood to its process; nobody signs there or asks. */
function releaseApproval(
  sources: Sources,
  { guideid, by }: { guideid: string; by: string },
): Observable<GuideApprovalView | null> {
  return combineLatest([sources.core.mirror.one('guides', by), onlooker(sources)]).pipe(
    map(([record, who]) => {
      const released = record === null ? [] : releasedIn(record.facts);
      const found = released.find(({ guide }) => String(guide.guideid) === guideid);
      const view = found === undefined ? null : viewOf(factsOfRelease(found), who);
      return view === null ? null : { ...view, mine: null, canAsk: false };
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/** No revision has it: what is on this device alone. */
const unsent = -1;

function shownVersion({ facts, content }: LocalGuide): GuideFacts | null {
  if (facts === null || sameValue(contentOf(facts), content)) return facts;
  return { ...facts, guide_revisionid: unsent };
}

function viewOf(facts: GuideFacts, who: Onlooker): Omit<GuideApprovalView, 'canAsk'> | null {
  const state = approvalStateOf(facts);
  if (facts.approval === undefined || state === 'none') return null;
  const open = openRequest(facts);
  const turn = open === undefined ? null : whatToSign(signedSoFar(open), who);
  return {
    guideid: String(facts.guideid),
    title: facts.title,
    state,
    requests: facts.approval.requests.toReversed().map((request) => requestView(request, facts, who)),
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

function requestView(request: GuideApprovalRequest, facts: GuideFacts, who: Onlooker): ApprovalRequestView {
  return {
    requestid: request.approval_requestid,
    process: request.process,
    purpose: request.purpose,
    status: request.status,
    reason: request.reason,
    requester: who.nameOf(request.userid),
    since: request.init_date * 1000,
    isAbout: isAbout(request, facts),
    revisionid: request.revisionid,
    hash: request.revision_hash,
    stages: foldApproval(signedSoFar(request)).stages.map(({ stage, status, signatures }) => ({
      stageid: stage.approval_stageid,
      name: stage.name,
      meaning: stage.meaning,
      status,
      needed: stage.required_approvals,
      approvers: [...stage.userids.map(who.nameOf), ...stage.teamids.map(who.teamOf)].filter(Boolean),
      signatures: signatures.map(({ name, meaning, comment, date }) => ({
        name,
        meaning,
        comment,
        at: date * 1000,
      })),
    })),
  };
}
