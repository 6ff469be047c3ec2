import { type Observable, combineLatest, distinctUntilChanged, map } from 'rxjs';

import { entryContextOf, waitingValues } from '../outbox/kinds/entry-calls.ts';
import { guideSaveOf } from '../outbox/kinds/guide-save.ts';
import { isUnreadable, unreadableDraftId } from '../outbox/at-rest.ts';
import { idsCreatedBy } from '../sync/temporary-ids.ts';
import type { CallKind, OutboxCall } from '../platform/ports.ts';
import { wikiSaveOf } from '../outbox/kinds/wiki-save.ts';
import { isOpen } from '../features/records/overlay/applies.ts';
import { commentTextOf } from '../outbox/kinds/comments.ts';
import { tagOf } from '../features/records/overlay/tags.ts';
import type { ActivityItem } from '../api/sync-records.ts';
import { unreadableWords } from '../features/editing/draft-manager.ts';
import type { Services } from '../features/services.ts';
import type { Sources } from '../features/records/sources.ts';
import { guideOf, wikiOf } from '../outbox/about-call.ts';

const kinds: Record<CallKind, ActivityItem['kind']> = {
  'guide-create': 'guide',
  'guide-save': 'guide',
  'guide-publish': 'guide',
  'guide-delete': 'guide',
  'form-save': 'guide',
  'wiki-create': 'page',
  'wiki-save': 'page',
  'wiki-delete': 'page',
  'wiki-patrol': 'page',
  'wiki-revert': 'page',
  'guide-tag': 'tag',
  'wiki-tag': 'tag',
  'profile-save': 'profile',
  membership: 'team',
  favorite: 'favorite',
  completion: 'completion',
  'comment-add': 'comment',
  'comment-edit': 'comment',
  'comment-remove': 'comment',
  'entry-create': 'work-order',
  'entry-move': 'work-order',
  'entry-data': 'work-order',
  'quiz-begin': 'quiz',
  'quiz-save': 'quiz',
  'quiz-submit': 'quiz',
  'quiz-cancel': 'quiz',
  'archive-import': 'file',
  'upload-image': 'picture',
  'upload-document': 'file',
  'upload-video': 'file',
  unreadable: 'file',
};

/** What the person did, newest first: what waits, and what the server took lately. */
export function activity({
  sources,
  drafts,
}: Pick<Services, 'sources' | 'drafts'>): Observable<ActivityItem[]> {
  const isExpired = sources.core.session.state.pipe(
    map(({ status }) => status === 'expired'),
    distinctUntilChanged(),
  );
  return combineLatest([sources.calls, sources.core.outbox.sent, isExpired, drafts.unreadable]).pipe(
    map(([calls, sent, expired, unreadable]) => {
      const waiting = new Set(calls.map(({ id }) => id));
      const makers = new Map(
        calls.filter(isOpen).flatMap((call) => idsCreatedBy(call).map((id) => [id, call.id] as const)),
      );
      const items = [...calls, ...sent.filter(({ id }) => !waiting.has(id))]
        .toSorted((a, b) => b.at - a.at || b.order - a.order)
        .map((call) => item(call, makers, expired, sources));
      return [...unreadable.map(unreadableDraft), ...items];
    }),
  );
}

function item(
  call: OutboxCall,
  /** The open call that makes a temporary id real. */
  makers: ReadonlyMap<string, string>,
  isExpired: boolean,
  { resolve }: Sources,
): ActivityItem {
  const guideid = guideOf(call);
  const wikiid = wikiOf(call);
  const isContested = call.state === 'conflict';
  const contested =
    isContested && wikiSaveOf(call) !== undefined && wikiid !== null
      ? `wiki:${resolve(wikiid)}`
      : isContested && guideSaveOf(call) !== undefined && guideid !== null
        ? resolve(guideid)
        : null;
  return {
    id: contested === null ? call.id : `conflict:${contested}`,
    state: stateOf(call, isExpired),
    subject: call.subject,
    kind: kinds[call.kind],
    detail: detailOf(call),
    at: call.at,
    doneAt: call.doneAt,
    refusal: call.refusal,
    isUnreadable: isUnreadable(call),
    waitsFor: call.needs.map((id) => makers.get(id)).find((id) => id !== undefined) ?? null,
    guideid: guideid === null ? null : resolve(guideid),
    wikiid: wikiid === null ? null : resolve(wikiid),
    entryid: entryContextOf(call) === undefined ? null : resolve(call.target.id),
    call: { method: call.method, path: call.path, body: call.body },
  };
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

/**
 * What a call changes, as words that screens translate, separated by commas: fields of a guide with the number of
 * steps touched (`title,steps:2`; `moved` when steps stand in another order; `merged` when it was brought together with somebody else's), a work order's move or the labels of its values, a comment's first words.
 */
function detailOf(call: OutboxCall): string {
  const entry = entryContextOf(call);
  if (entry !== undefined) {
    const labels = waitingValues(entry).map(({ data }) => data.label);
    return entry.move ?? (labels.length > 0 ? labels.join(', ') : 'start');
  }
  switch (call.kind) {
    case 'guide-create':
    case 'guide-save':
      return (
        guideDetail(call.body, stepsBefore(call)) + (guideSaveOf(call)?.merged === true ? ',merged' : '')
      );
    case 'wiki-create':
    case 'wiki-save':
      return guideDetail(call.body) + (wikiSaveOf(call)?.merged === true ? ',merged' : '');
    case 'guide-tag':
    case 'wiki-tag':
      return `${call.method === 'PUT' ? 'on' : 'off'}:${tagOf(call)}`;
    case 'profile-save':
      return guideDetail(call.body);
    case 'guide-publish':
    case 'membership':
    case 'favorite':
    case 'completion':
      return call.method === 'PUT' ? 'on' : 'off';
    case 'wiki-patrol':
      return 'patrolled';
    case 'wiki-revert':
      return 'reverted';
    case 'guide-delete':
    case 'wiki-delete':
    case 'comment-remove':
      return 'removed';
    case 'quiz-begin':
    case 'quiz-save':
    case 'quiz-submit':
    case 'quiz-cancel':
      return call.kind.slice('quiz-'.length);
    case 'archive-import':
      return call.subject;
    case 'upload-image':
    case 'upload-document':
    case 'upload-video':
      return call.query['file'] ?? '';
    default:
      return commentTextOf(call).slice(0, 80);
  }
}

function stepsBefore(call: OutboxCall): number[] {
  return (guideSaveOf(call)?.base?.steps ?? []).map(({ stepid }) => stepid);
}

function guideDetail(body: unknown, before: readonly number[] = []): string {
  return Object.entries(body ?? {})
    .flatMap(([name, value]) => {
      if (name === 'removed_steps' && Array.isArray(value)) return `removed:${value.length}`;
      return name === 'steps' && Array.isArray(value) ? stepsDetail(value, before) : name;
    })
    .join(',');
}

/** How many steps were changed, and whether those that were there before stand in another order. */
function stepsDetail(steps: readonly unknown[], before: readonly number[]): string[] {
  const touched = steps.filter(isTouched).length;
  const ids = steps.map((step) => Number((step as { stepid?: unknown } | null)?.stepid));
  const after = ids.filter((id) => before.includes(id));
  const stayed = before.filter((id) => after.includes(id));
  const isMoved = after.some((id, index) => id !== stayed[index]);
  return [...(touched > 0 ? [`steps:${touched}`] : []), ...(isMoved ? ['moved'] : [])];
}

/** An unchanged step names nothing but itself and its revision. */
function isTouched(step: unknown): boolean {
  return Object.keys(step ?? {}).some((name) => name !== 'stepid' && name !== 'revisionid');
}
