import { type Observable, combineLatest, distinctUntilChanged, map } from 'rxjs';

import { entryContextOf } from '../outbox/kinds/work-orders.ts';
import { guideSaveOf } from '../outbox/kinds/guides.ts';
import { isUnreadable, unreadableDraftId } from '../outbox/at-rest.ts';
import { waitsOf } from '../outbox/waits.ts';
import { callKindSpecs } from '../outbox/kinds/index.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { wikiSaveOf } from '../outbox/kinds/pages.ts';
import type { ActivityItem } from '../api/sync-records.ts';
import { unreadableWords } from '../features/editing/stored-drafts.ts';
import type { Services } from '../features/services.ts';
import type { Sources } from '../features/records/sources.ts';
import { decisionsOf } from '../features/editing/decisions.ts';
import { guideOf, wikiOf } from '../outbox/about-call.ts';

/** The person's calls, newest first: those that wait, and those that the server took recently. */
export function activity({
  sources,
  drafts,
}: Pick<Services, 'sources' | 'drafts'>): Observable<ActivityItem[]> {
  const isExpired = sources.core.session.state.pipe(
    map(({ status }) => status === 'expired'),
    distinctUntilChanged(),
  );
  return combineLatest([
    sources.calls,
    sources.core.outbox.sent,
    isExpired,
    drafts.unreadable,
    sources.names,
    drafts.drafts,
  ]).pipe(
    map(([calls, sent, expired, unreadable, names]) => {
      const waiting = new Set(calls.map(({ id }) => id));
      const waits = waitsOf(calls);
      const items = [...calls, ...sent.filter(({ id }) => !waiting.has(id))]
        .toSorted((a, b) => b.at - a.at || b.order - a.order)
        .map((call) => ({
          ...item(call, waits.get(call.id), expired, sources),
          decisions: decisionsOf(call, drafts),
          ...doerOf(call, names),
        }));
      return [...unreadable.map(unreadableDraft), ...items];
    }),
  );
}

function item(
  call: OutboxCall,
  /** What it waits for. */
  awaited: OutboxCall | undefined,
  isExpired: boolean,
  { resolve }: Sources,
): Omit<ActivityItem, 'decisions'> {
  const guideid = guideOf(call);
  const wikiid = wikiOf(call);
  return {
    id: itemId(call, resolve),
    state: stateOf(call, isExpired),
    subject: call.subject,
    kind: callKindSpecs[call.kind].activity,
    detail: callKindSpecs[call.kind].detail?.(call) ?? '',
    at: call.at,
    doneAt: call.doneAt,
    refusal: call.refusal,
    isUnreadable: isUnreadable(call),
    waitsFor: awaited === undefined ? null : itemId(awaited, resolve),
    guideid: guideid === null ? null : resolve(guideid),
    wikiid: wikiid === null ? null : resolve(wikiid),
    entryid: entryContextOf(call) === undefined ? null : resolve(call.target.id),
    call: { method: call.method, path: call.path, body: call.body },
  };
}

/** The id under which a call is listed. */
function itemId(call: OutboxCall, resolve: Sources['resolve']): string {
  const guideid = guideOf(call);
  const wikiid = wikiOf(call);
  if (call.state !== 'conflict') return call.id;
  if (wikiSaveOf(call) !== undefined && wikiid !== null) return `conflict:wiki:${resolve(wikiid)}`;
  if (guideSaveOf(call) !== undefined && guideid !== null) return `conflict:${resolve(guideid)}`;
  return call.id;
}

/** Whose a call is, at a station. */
function doerOf(
  { recorded, userid }: OutboxCall,
  names: ReadonlyMap<number, string>,
): Pick<ActivityItem, 'username'> {
  return recorded === undefined ? {} : { username: names.get(userid) ?? '' };
}

/** A draft that this version of the app cannot read. */
function unreadableDraft(guideid: string): ActivityItem {
  return {
    id: unreadableDraftId(guideid),
    state: 'parked',
    subject: 'A draft made on this device',
    kind: 'guide',
    detail: '',
    at: 0,
    doneAt: null,
    refusal: { status: 0, message: unreadableWords, errors: [] },
    isUnreadable: true,
    waitsFor: null,
    decisions: 0,
    guideid,
    wikiid: null,
    entryid: null,
    call: { method: '', path: '', body: null },
  };
}

function stateOf(call: OutboxCall, isExpired: boolean): ActivityItem['state'] {
  switch (call.state) {
    case 'queued':
      return isExpired ? 'waits-for-sign-in' : 'queued';
    case 'done':
      return 'on-the-server';
    case 'conflict':
      return 'needs-decision';
    default:
      return call.state;
  }
}
