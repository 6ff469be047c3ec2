import type { FollowUpView } from '#desktop/engine/api/planned-records.ts';
import type { StationView } from '#desktop/engine/api/station-records.ts';
import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';

import { textOf } from '../choices.ts';
import type { SeenOf, UserSession } from './user-session.ts';
import type { Seen, ShownDeviation, ShownGuide, ShownStation } from './wire.ts';

/** Reads everything that the person at a device can find. */
export class DeviceViews {
  readonly #userSession: UserSession;
  readonly #quarantine: () => Promise<string[]>;

  /** `quarantine`: reads the quarantined texts, place by place. */
  constructor(userSession: UserSession, quarantine: () => Promise<string[]>) {
    this.#userSession = userSession;
    this.#quarantine = quarantine;
  }

  /** `isShort`: only the status line. */
  async read(isShort: boolean): Promise<Seen> {
    const session = await this.#userSession.look('session');
    const state = await this.#userSession.look('syncState');
    const seen = statusOf(session, state);
    if (session.user === null) return seen;
    const activity = await this.#userSession.look('activity');
    const isStation = session.user.privileges.includes('Kiosk');
    const station = isStation ? await this.#userSession.look('station') : null;
    seen.blocked = blockedIn(activity, station !== null);
    if (station !== null) {
      seen.person = station.name;
      seen.station = await this.#stationOf(station);
    }
    if (isShort) return seen;
    await this.#readWork(activity, seen);
    await this.#readRecords(seen);
    return seen;
  }

  async #stationOf({ person, lock, failedTries }: StationView): Promise<ShownStation> {
    const health = await this.#userSession.look('stationHealth');
    const waiting = (health?.waiting ?? []).map(({ username, count, needLead, refused }) => {
      return { person: username, count, needLead, refused };
    });
    return { present: person?.username ?? null, lock: lock?.why ?? null, failedTries, waiting };
  }

  /** Calls, decisions, and the quarantine. */
  async #readWork(activity: readonly ActivityItem[], seen: Seen): Promise<void> {
    for (const item of activity.filter((one) => one.state !== 'on-the-server'))
      seen.kept.push(JSON.stringify(item));
    for (const { kind, state, subject } of activity)
      if ((kind === 'work-order' || kind === 'deviation' || kind === 'planned') && state !== 'on-the-server')
        seen.numbers.push(subject);
    for (const { id, refusal } of activity) if (refusal !== null) seen.refusals.push([id, refusal.status]);
    const undecided = activity.filter((one) => one.state === 'needs-decision');
    const frozen = (await this.#userSession.look('workOrders')).filter((order) => order.frozen);
    for (const { id, entryid, call } of undecided) {
      if (id.startsWith('conflict:') || frozen.some((order) => order.entryid === entryid)) continue;
      const isOrphaned = entryid !== null && (await this.#isOrphaned(entryid, call.path));
      if (isOrphaned) seen.orphaned.push({ id, entryid });
      else seen.hidden.push(id);
    }
    const open = undecided.filter(({ id }) => id.startsWith('conflict:')).map(({ id }) => id.slice(9));
    for (const id of new Set(open)) {
      const found = await this.#userSession.look('conflict', id);
      if (found === null || found.conflicts.length === 0) seen.hidden.push(id);
      for (const { mine, theirs, base } of found?.conflicts ?? [])
        seen.kept.push(textOf(mine), textOf(theirs), base);
    }
    for (const item of await this.#userSession.look('keptWords')) seen.kept.push(JSON.stringify(item));
    seen.quarantine.push(...(await this.#quarantine()));
  }

  /** Whether a work order is missing on this device, while the work on it is exported with the call of this path. */
  async #isOrphaned(entryid: string, path: string): Promise<boolean> {
    if ((await this.#userSession.look('workOrder', entryid)) !== null) return false;
    const file = await this.#userSession.actions.exportOrder(entryid).catch(() => null);
    return file?.json.includes(JSON.stringify(path)) === true;
  }

  /** Guides, drafts, pages and work orders. */
  async #readRecords(seen: Seen): Promise<void> {
    const { drafts } = this.#userSession;
    const { guides } = await this.#userSession.look('library', { category: null });
    for (const { guideid } of guides) await this.#readGuide(guideid, seen);
    for (const id of drafts) {
      const draft = await this.#userSession.look('draft', id);
      if (draft?.dirty === true) seen.kept.push(JSON.stringify(draft.content));
    }
    for (const { wikiid } of await this.#userSession.look('pages', 'INFO')) {
      const page = await this.#userSession.look('page', wikiid);
      if (page !== null) seen.pages[`${page.title}`] = page.text.contents;
    }
    for (const order of await this.#userSession.look('workOrders')) {
      const { workorderid, entryid, status, values, mine, pending } = order;
      const texts = Object.values(values).map(({ value }) => value);
      // The app of protocol 5 has neither.
      const { handover, gaps }: Partial<Pick<typeof order, 'handover' | 'gaps'>> = order;
      seen.orders.push({
        order: workorderid,
        entryid,
        status,
        values: texts.toSorted(),
        mine,
        pending,
        handover: handover === undefined ? undefined : (handover?.note ?? null),
        gaps: gaps?.map(({ reason }) => reason),
      });
    }
    seen.orders.sort((a, b) => a.order.localeCompare(b.order));
    const { of } = await this.#userSession.look('followUps');
    for (const deviation of await this.#userSession.look('deviations')) {
      const { deviationid } = deviation;
      seen.deviations[deviationid] = shownDeviation(deviation, of[deviationid]);
    }
  }

  async #readGuide(guideid: string, seen: Seen): Promise<void> {
    const guide = await this.#userSession.look('guide', guideid);
    if (guide === null) return;
    if (guide.editState === 'draft' || guide.editState === 'conflict') this.#userSession.drafts.add(guideid);
    const own = guide.steps.filter((step) => step.guideid === guide.guideid);
    const comments = guide.comments.flatMap((one) => [one, ...one.replies]).map(({ text }) => text);
    const shown: ShownGuide = {
      title: guide.title,
      text: JSON.stringify([
        guide.title,
        guide.summary,
        plain(guide.introductionHtml),
        plain(guide.conclusionHtml),
        own.map(({ title, lines }) => [title, ...lines.map(({ text }) => text)]),
      ]),
      comments: comments.toSorted(),
      tags: guide.tags.toSorted(),
      favorite: guide.favorite,
      completed: guide.completed,
      isPending: guide.editState !== 'none' || guideid.startsWith('tmp:'),
    };
    seen.guides[guideid] = shown;
  }
}

function shownDeviation(
  deviation: SeenOf<'deviations'>[number],
  followUp: FollowUpView | undefined,
): ShownDeviation {
  const { workorderid, entryid, title, note, measured, decision, earlier, decides, pending } = deviation;
  const decisions = [decision, ...earlier].flatMap((one) => one ?? []).toReversed();
  return {
    order: workorderid,
    entryid,
    title,
    note,
    value: measured?.value ?? null,
    decisions: decisions.map(({ disposition, reason }) => `${disposition} ${reason}`),
    decides,
    followUp: followUp === undefined ? null : `${followUp.workorderid} ${followUp.status}`,
    isPending: pending || decisions.some((one) => one.pending),
  };
}

/** The status line; records and work are still empty. */
function statusOf(session: SeenOf<'session'>, state: SeenOf<'syncState'>): Seen {
  return {
    person: session.user?.username ?? null,
    status: session.status,
    isLossTold: session.loss !== null || session.damage !== null,
    pending: state.pending,
    parked: state.parked,
    blocked: 0,
    conflicts: state.conflicts,
    phase: state.phase,
    connection: state.connection,
    trouble: state.trouble,
    interference: state.interference !== null,
    tooOld: state.tooOld,
    elsewhere: session.elsewhere.reduce((sum, { changes }) => sum + changes, 0),
    kept: [],
    refusals: [],
    quarantine: [],
    hidden: [],
    orphaned: [],
    numbers: [],
    guides: {},
    pages: {},
    orders: [],
    deviations: {},
  };
}

/** Number of calls that wait, directly or not, for a refused call or a decision, at a station also of a lead. */
function blockedIn(activity: readonly ActivityItem[], isStation: boolean): number {
  const stuck = new Set(
    activity
      .filter(
        ({ state, refusal }) =>
          state === 'parked' || state === 'needs-decision' || (isStation && refusal !== null),
      )
      .map(({ id }) => id),
  );
  const queued = activity.filter(({ state }) => state === 'queued');
  for (let before = -1; before !== stuck.size;) {
    before = stuck.size;
    for (const { id, waitsFor } of queued) if (waitsFor !== null && stuck.has(waitsFor)) stuck.add(id);
  }
  return queued.filter(({ id }) => stuck.has(id)).length;
}

/** The words of safe HTML. */
function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
