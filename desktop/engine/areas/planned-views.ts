import { type Observable, combineLatest, map } from 'rxjs';

import type { DeviationFacts } from '#shared/model/deviations.ts';
import type { ReleaseFacts } from '#shared/model/release-facts.ts';
import type { TeamFacts } from '#shared/model/user.ts';
import type { Lead } from '#shared/rules/deviations.ts';
import { isBeyondKiosk } from '#shared/rules/kiosk.ts';
import { isAssigned, plansFor } from '#shared/rules/planned-orders.ts';

import type {
  FollowedDeviationView,
  GuideReleaseView,
  PlannedOrderView,
  PlanningFor,
} from '../api/planned-records.ts';
import { toLive } from '../features/live.ts';
import { leadOf } from '../features/records/lead.ts';
import { type LocalPlanned, localPlanned } from '../features/records/overlay/planned.ts';
import type { Sources } from '../features/records/sources.ts';
import { teamidsOf } from '../features/records/teams.ts';
import type { Services } from '../features/services.ts';
import type { PlannedFields } from '../outbox/kinds/planned-orders.ts';

/** Live reads of planned orders, from what is on this device. */
export function plannedViews({ sources }: Services) {
  return {
    /** The planned orders that this person sees, by due time; those without one are last. */
    plannedOrders: () => toLive(plannedOrders(sources)),
    /** For whom this person plans. */
    planningFor: () => toLive(planningFor(sources)),
    /** The releases that planned orders can name, newest first; none on a site that does not use releases. */
    releases: () => toLive(releases(sources)),
  };
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function plannedOrders(sources: Sources): Observable<PlannedOrderView[]> {
  const { core, resolve } = sources;
  return combineLatest([
    core.mirror.all('plannedOrders'),
    core.mirror.all('deviations'),
    core.mirror.all('releases'),
    core.mirror.all('releaseTexts'),
    sources.calls,
    sources.me,
    sources.people,
    sources.names,
    sources.rows,
  ]).pipe(
    map(([records, deviations, released, texts, calls, me, { teams }, names, rows]) => {
      const around: Around = {
        lead: leadOf(me, teams),
        isKiosk: isBeyondKiosk(me, 'planned.plan'),
        teams,
        names,
        titles: new Map(rows.map(({ id, title }) => [id, title])),
        deviations: new Map(deviations.map(({ id, facts }) => [id, facts])),
        releases: new Map(released.map(({ facts }) => [facts.releaseid, facts])),
        texts: new Set(texts.map(({ facts }) => facts.releaseid)),
      };
      return localPlanned(records, calls, resolve)
        .map((one) => viewOf(one, around, sources))
        .toSorted(byDue);
    }),
  );
}

function byDue(a: PlannedOrderView, b: PlannedOrderView): number {
  return (
    (a.due ?? Number.MAX_SAFE_INTEGER) - (b.due ?? Number.MAX_SAFE_INTEGER) ||
    collator.compare(a.workorderid, b.workorderid)
  );
}

/** What is shown of planned orders besides their facts. */
interface Around {
  lead: Lead;
  isKiosk: boolean;
  teams: readonly TeamFacts[];
  names: ReadonlyMap<number, string>;
  titles: ReadonlyMap<string, string>;
  deviations: ReadonlyMap<string, DeviationFacts>;
  releases: ReadonlyMap<number, ReleaseFacts>;
  /** Releases whose text is on this device. */
  texts: ReadonlySet<number>;
}

function viewOf(local: LocalPlanned, around: Around, { core, resolve }: Sources): PlannedOrderView {
  const { userid, teamid, release } = local;
  const { lead, teams, names, titles } = around;
  const nameOf = (id: number): string => names.get(id) ?? '';
  const guideid = resolve(local.guideid);
  const teamids = local.seq === null ? teamidsOf({ userid, teamid }, teams) : local.teamids;
  const own = { userid: lead.userid, teams: teamidsOf({ userid: lead.userid, teamid: null }, teams) };
  const mine = isAssigned(local, own);
  const isOpen = local.status === 'open';
  const leads = !around.isKiosk && plansFor(lead, teamids);
  const hasText = release === null || around.texts.has(release.releaseid);
  return {
    planned_orderid: local.id,
    revisionid: local.revisionid,
    guideid,
    guideTitle: titles.get(guideid) ?? '',
    release,
    revision: (release === null ? undefined : around.releases.get(release.releaseid)?.revision) ?? null,
    workorderid: local.workorderid,
    assignee: userid === null ? { kind: 'team', id: teamid ?? 0 } : { kind: 'person', id: userid },
    assigneeName: assigneeNameOf(local, around),
    mine,
    due: local.due === null ? null : local.due * 1000 - core.clock.offset(),
    priority: local.priority,
    serials: local.serials,
    note: local.note,
    rrule: local.rrule,
    status: local.status,
    plannedBy: nameOf(local.plannedBy),
    entryid: local.entryid === null ? null : resolve(local.entryid),
    startedBy: local.startedBy === null ? null : nameOf(local.startedBy),
    others: local.others.map(({ entryid, userid: other, isReassigned, isOtherGuide }) => ({
      entryid: resolve(entryid),
      username: nameOf(other),
      isReassigned,
      isOtherGuide,
    })),
    earlier: local.earlier_revision ?? null,
    follows: followedView(local, around),
    leads,
    plans: isOpen && leads,
    starts: isOpen && titles.has(guideid) && hasText,
    awaitsText: isOpen && mine && titles.has(guideid) && !hasText,
    pending: local.isPending,
  };
}

/** The name of the person or team that is to do a planned order. */
export function assigneeNameOf(
  { userid, teamid }: Pick<PlannedFields, 'userid' | 'teamid'>,
  { teams, names }: Pick<Around, 'teams' | 'names'>,
): string {
  if (userid !== null) return names.get(userid) ?? '';
  return teams.find((team) => team.teamid === teamid)?.name ?? '';
}

/** A waiting follow-up order has the words of its deviation from the mirror, which loses them with the access. */
function followedView(
  { deviationid, follows }: LocalPlanned,
  { deviations }: Around,
): FollowedDeviationView | null {
  const followed = follows ?? deviations.get(deviationid ?? '');
  if (deviationid === null || followed === undefined) return null;
  const { workorderid, title } = followed;
  return { deviationid, entryid: String(followed.entryid), workorderid, title };
}

function planningFor({ me, people }: Sources): Observable<PlanningFor> {
  return combineLatest([me, people]).pipe(
    map(([own, everybody]) => {
      const lead = leadOf(own, everybody.teams);
      const teams = everybody.teams.filter(({ teamid }) => plansFor(lead, [teamid]));
      const members = new Set(teams.flatMap((team) => team.members));
      const persons = everybody.people.filter(
        ({ userid, enabled }) => enabled && (lead.isAdmin || members.has(userid)),
      );
      return {
        people: persons
          .map(({ userid, username }) => ({ userid, username }))
          .toSorted((a, b) => collator.compare(a.username, b.username)),
        teams: teams
          .map(({ teamid, name }) => ({ teamid, name }))
          .toSorted((a, b) => collator.compare(a.name, b.name)),
      };
    }),
  );
}

function releases({ core, site }: Sources): Observable<GuideReleaseView[]> {
  return combineLatest([core.mirror.all('releases'), site]).pipe(
    map(([records, { releases: areUsed }]) =>
      (areUsed ? records : [])
        .map(({ facts: { releaseid, title, guideid, revision } }) => {
          return { releaseid, title, guideid: String(guideid), revision };
        })
        .toSorted((a, b) => b.releaseid - a.releaseid),
    ),
  );
}
