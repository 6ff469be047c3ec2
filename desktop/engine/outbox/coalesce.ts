import type { OutboxCall } from '../platform/ports.ts';
import type { Calls } from './calls.ts';
import { nameOtherFields } from './named-by-number.ts';
import { idsCreatedBy, needsOf } from '../sync/temporary-ids.ts';

/** What becomes of the outbox when `incoming` joins it. */
export interface Coalesced {
  /** Calls to store: changed ones and, unless it was folded into another, the new one. */
  put: OutboxCall[];
  /** Ids of calls that are no longer needed. */
  drop: string[];
  /** The call that now carries what the person did; `incoming` itself when two calls cancelled each other out. */
  result: OutboxCall;
}

/** Lets `incoming` join `calls`. The numbered rules are in README.md. */
export function coalesce(calls: Pick<Calls, 'inLane' | 'needing'>, incoming: OutboxCall): Coalesced {
  const last = calls.inLane(incoming.lane).findLast(({ state }) => state !== 'done');
  if (last === undefined || !isUnsent(last) || isOfAnother(last, incoming)) return asItIs(incoming);
  const isNeeded = idsCreatedBy(last).some((id) => calls.needing(id).some((call) => call !== last));
  return coalesceWith(last, incoming, isNeeded) ?? asItIs(incoming);
}

/** Whether the server can not know a call: never sent (O1), or answered with a refusal (O7). */
export function isUnsent(call: OutboxCall): boolean {
  return (call.state === 'queued' && call.tries === 0) || call.state === 'parked';
}

/** Whether a number that both name belonged to another record, or field, when the earlier one was made (O34). */
function isOfAnother(last: OutboxCall, incoming: OutboxCall): boolean {
  const uid = incoming.record?.uid ?? last.record?.uid;
  return (last.record?.uid ?? uid) !== uid || nameOtherFields(last, incoming);
}

function coalesceWith(last: OutboxCall, incoming: OutboxCall, isNeeded: boolean): Coalesced | null {
  switch (incoming.kind) {
    case 'guide-save':
      if (last.kind === 'guide-save' || last.kind === 'guide-create')
        return joined(last, incoming, guideSaveBody(last, incoming));
      return null;
    case 'wiki-save':
      if (last.kind !== 'wiki-save' && last.kind !== 'wiki-create') return null;
      return joined(last, incoming, { ...fieldsOf(last.body), ...fieldsOf(incoming.body) });
    case 'wiki-delete':
      if (last.kind === 'wiki-create')
        return isNeeded ? null : { put: [], drop: [last.id], result: incoming };
      if (last.kind !== 'wiki-save') return null;
      return { put: [{ ...incoming, query: last.query }], drop: [last.id], result: incoming };
    case 'profile-save':
      return last.kind === 'profile-save'
        ? joined(last, incoming, { ...fieldsOf(last.body), ...fieldsOf(incoming.body) })
        : null;
    case 'guide-tag':
    case 'wiki-tag':
    case 'membership':
      return last.kind === incoming.kind ? switched(last, incoming) : null;
    case 'quiz-save':
      return isSameAttempt(last, incoming) ? joined(last, incoming, incoming.body) : null;
    case 'quiz-submit':
      return isSameAttempt(last, incoming) ? { put: [incoming], drop: [last.id], result: incoming } : null;
    case 'form-save':
      return last.kind === 'form-save' ? joined(last, incoming, incoming.body) : null;
    case 'comment-edit':
      if (last.kind !== 'comment-add' && last.kind !== 'comment-edit') return null;
      return joined(last, incoming, { ...fieldsOf(last.body), ...fieldsOf(incoming.body) });
    case 'comment-remove':
      if (last.kind === 'comment-add')
        return isNeeded ? null : { put: [], drop: [last.id], result: incoming };
      return last.kind === 'comment-edit' ? { put: [incoming], drop: [last.id], result: incoming } : null;
    case 'favorite':
    case 'completion':
      return last.kind === incoming.kind ? switched(last, incoming) : null;
    case 'entry-data':
      return last.kind === 'entry-data'
        ? joined(last, incoming, entryDataBody(last.body, incoming.body))
        : null;
    case 'guide-create':
    case 'wiki-create':
    case 'unreadable':
    case 'wiki-patrol':
    case 'wiki-revert':
    case 'guide-publish':
    case 'guide-delete':
    case 'comment-add':
    case 'entry-create':
    case 'entry-move':
    case 'quiz-begin':
    case 'quiz-cancel':
    case 'archive-import':
    case 'upload-image':
    case 'upload-document':
    case 'upload-video':
      return null;
  }
}

/** O18: answers that were saved before and not sent, of the same attempt. */
function isSameAttempt(last: OutboxCall, incoming: OutboxCall): boolean {
  return last.kind === 'quiz-save' && last.target.id === incoming.target.id;
}

function asItIs(incoming: OutboxCall): Coalesced {
  return { put: [incoming], drop: [], result: incoming };
}

/** O1, O2, O4, O6: the earlier call keeps its place, key and revision; a refusal it had is taken back. */
function joined(last: OutboxCall, incoming: OutboxCall, body: unknown): Coalesced {
  const call: OutboxCall = {
    ...last,
    body,
    subject: incoming.subject,
    context: joinedContext(last.context, incoming.context),
    state: 'queued',
    tries: 0,
    refusal: null,
    nextTryAt: 0,
  };
  call.needs = needsOf(call);
  return { put: [call], drop: [], result: call };
}

/** O5: the last wish counts. Whether the server's mark was on or off before is not asked: both calls fit both. */
function switched(last: OutboxCall, incoming: OutboxCall): Coalesced {
  return joined({ ...last, method: incoming.method }, incoming, incoming.body);
}

/** O1: the base of the earlier save stays the base of both. */
function joinedContext(last: unknown, incoming: unknown): unknown {
  if (!isRecord(last) || !isRecord(incoming)) return incoming ?? last;
  return { ...last, ...incoming, ...('base' in last ? { base: last['base'] } : {}) };
}

/** O1: an edit of the same base takes the place of the earlier one; an edit on top of it is added. */
function guideSaveBody(last: OutboxCall, incoming: OutboxCall): unknown {
  const sameBase = baseRevision(last) !== undefined && baseRevision(last) === baseRevision(incoming);
  if (last.kind === 'guide-save' && sameBase) return incoming.body;
  const [earlier, later] = [fieldsOf(last.body), fieldsOf(incoming.body)];
  const steps = joinedSteps(earlier['steps'], later['steps']);
  const removed = [...listOf(earlier['removed_steps']), ...listOf(later['removed_steps'])];
  const joinedRemoved = last.kind === 'guide-create' ? [] : removed;
  const { removed_steps: _, ...rest } = { ...earlier, ...later };
  return {
    ...rest,
    ...(steps === undefined ? {} : { steps }),
    ...(joinedRemoved.length === 0 ? {} : { removed_steps: joinedRemoved }),
  };
}

function baseRevision(call: OutboxCall): unknown {
  const { base } = fieldsOf(call.context);
  return fieldsOf(base)['revisionid'];
}

/** The later list says which steps there are and in which order; what it does not name of a step, the earlier says. */
function joinedSteps(earlier: unknown, later: unknown): unknown {
  if (!Array.isArray(later)) return earlier;
  const before = new Map(listOf(earlier).map((step) => [identityOf(step), fieldsOf(step)]));
  return later.map((step) => ({ ...before.get(identityOf(step)), ...fieldsOf(step) }));
}

function identityOf(step: unknown): string {
  const { key, stepid } = fieldsOf(step);
  return JSON.stringify(key === undefined ? { stepid } : { key });
}

/** O6: values by field; the moment is the later one's. */
function entryDataBody(earlier: unknown, later: unknown): unknown {
  const fields = { ...fieldsOf(fieldsOf(earlier)['fields']), ...fieldsOf(fieldsOf(later)['fields']) };
  return { ...fieldsOf(earlier), ...fieldsOf(later), fields };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
