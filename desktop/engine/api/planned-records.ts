import type { EarlierRevision, PlannedStatus, Priority } from '#shared/model/planned-orders.ts';
import type { NamedRelease } from '#shared/model/release-facts.ts';
import type { WorkedRevision } from '#shared/model/revision.ts';

/** Who is to do the work. A station is the account of its kiosk. */
export interface Assignee {
  kind: 'person' | 'team';
  id: number;
}

/** What a planner enters. `due`: ms since 1970 by the clock of the device; null: at any time. */
export interface OrderPlan {
  guideid: string;
  /** The release of the guide to work by; null: the guide as it is at the start. */
  release: NamedRelease | null;
  workorderid: string;
  assignee: Assignee;
  due: number | null;
  priority: Priority;
  serials: readonly string[];
  note: string;
  /** How it repeats, a recurrence rule (RFC 5545); null: it does not. */
  rrule: string | null;
}

/** The deviation that an order follows up. */
export interface FollowedDeviationView {
  deviationid: string;
  /** The work order in which it was reported. */
  entryid: string;
  workorderid: string;
  title: string;
}

/** The follow-up order of a deviation. */
export interface FollowUpView {
  /** The server's number, or `tmp:…`. */
  planned_orderid: string;
  workorderid: string;
  status: PlannedStatus;
  /** Who is to do it; '' if this person does not see the planned order. */
  assigneeName: string;
  /** The work order that fulfils it; null: none, or this person does not see the planned order. */
  entryid: string | null;
  /** A change is not on the server yet. */
  pending: boolean;
}

/** The follow-up orders of deviations, by deviationid. `plans`: this person may plan one where none is open or done. */
export interface FollowUpsView {
  plans: boolean;
  of: Readonly<Record<string, FollowUpView>>;
}

/** A planned order as the screens show it. */
export interface PlannedOrderView extends OrderPlan {
  /** The server's number, or `tmp:…`. */
  planned_orderid: string;
  /** The version that is shown; 0: it is not on the server yet. */
  revisionid: number;
  guideTitle: string;
  /** What was released; null: no release is named, or this person does not see the guide. */
  revision: WorkedRevision | null;
  assigneeName: string;
  /** Whether this person, or a team of this person, is to do it. */
  mine: boolean;
  status: PlannedStatus;
  plannedBy: string;
  /** The work order that fulfils it; null: none. */
  entryid: string | null;
  /** Who started that work order. */
  startedBy: string | null;
  /**
   * Work orders of their own: others had started the planned order before, it was withdrawn, or it had been given to
   * somebody else (`isReassigned`) or changed to another guide (`isOtherGuide`).
   */
  others: readonly { entryid: string; username: string; isReassigned: boolean; isOtherGuide: boolean }[];
  /** By which revision its work order was started, if the guide had another one when the start arrived. */
  earlier: EarlierRevision | null;
  /** Of a follow-up order. */
  follows: FollowedDeviationView | null;
  /** Whether this person plans for those who are to do it. */
  leads: boolean;
  /** Whether this person may change or withdraw it. */
  plans: boolean;
  /** Whether this person may start it on this device. */
  starts: boolean;
  /** Whether the text of the release is not on this device yet, although the person is to work by it. */
  awaitsText: boolean;
  /** A change is not on the server yet. */
  pending: boolean;
}

/** For whom this person plans, sorted by name; empty: for nobody. */
export interface PlanningFor {
  people: readonly { userid: number; username: string }[];
  teams: readonly { teamid: number; name: string }[];
}

/** A release of a guide, which planned orders can name. */
export interface GuideReleaseView extends NamedRelease {
  guideid: string;
  revision: WorkedRevision;
}
