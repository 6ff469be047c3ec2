import { previousRevision, type FeedRow } from '#shared/sync/wire.ts';

import type { OutboxCall } from '../platform/ports.ts';
import type { Calls } from './calls.ts';
import { createdBy, revisionOf } from '../sync/rows.ts';

type RevisedStep = { stepid?: number | string; revisionid?: number | string };
type GuideBody = { steps?: RevisedStep[]; removed_steps?: RevisedStep[] };

/** Whether a call needs the revision that the call before it in its lane produces. */
export function followsPrevious(call: Pick<OutboxCall, 'query' | 'body'>): boolean {
  const { revisionid, form_revisionid } = call.query;
  return (
    revisionid === previousRevision ||
    form_revisionid === previousRevision ||
    fieldOf(call.body) === previousRevision ||
    namesPrevious(call.body)
  );
}

/**
 * The next call of the lane with the revision that `done` produced (OUTBOX-10). `row`: the record as `done` left it;
 * undefined if somebody may have changed it since. Then the next call gets the revision that `done` was sent with: it is
 * stale, so the server answers 409 and the merge sees both versions.
 */
export function passRevision(
  calls: Pick<Calls, 'inLane'>,
  done: OutboxCall,
  row: FeedRow | undefined,
): OutboxCall[] {
  const next = followerOf(calls, done);
  if (next === undefined) return [];
  const revision = row === undefined ? undefined : revisionOf(row);
  if (row === undefined || revision === undefined) return inheritRevision(calls, done);
  return [withRevision({ ...next, body: withStepRevisions(next.body, done.body, row) }, String(revision))];
}

/** The next call of the lane with the revision that `call` was made on, since `call` is dropped without an effect. */
export function inheritRevision(calls: Pick<Calls, 'inLane'>, call: OutboxCall): OutboxCall[] {
  const next = followerOf(calls, call);
  if (next === undefined || !followsPrevious(next)) return [];
  const inBody = fieldOf(call.body);
  const named = typeof inBody === 'number' ? String(inBody) : undefined;
  const revision = call.query['revisionid'] ?? call.query['form_revisionid'] ?? named;
  if (revision === undefined) return [];
  return [withRevision({ ...next, body: withStepRevisions(next.body, undefined, undefined) }, revision)];
}

function followerOf(calls: Pick<Calls, 'inLane'>, call: OutboxCall): OutboxCall | undefined {
  const next = calls.inLane(call.lane).find(({ order, state }) => order > call.order && state !== 'done');
  if (next === undefined || next.state === 'sending') return undefined;
  // Calls from another device count as tried (OUTBOX-3) and still need the revision.
  return next.tries === 0 || followsPrevious(next) ? next : undefined;
}

function withRevision(call: OutboxCall, revision: string): OutboxCall {
  const query = Object.fromEntries(
    Object.entries(call.query).map(([name, value]) => [name, value === previousRevision ? revision : value]),
  );
  const body =
    fieldOf(call.body) === previousRevision
      ? { ...(call.body as object), form_revisionid: Number(revision) }
      : call.body;
  return { ...call, query, body };
}

function fieldOf(body: unknown): unknown {
  return (body as { form_revisionid?: unknown } | null | undefined)?.form_revisionid;
}

/**
 * Steps that have the same revision in both calls get the revisions that `done` produced. A step that `done` created may
 * still have its temporary id. A step whose revision is unknown gets 0, which no version has: the server answers 409.
 */
function withStepRevisions(body: unknown, doneBody: unknown, row: FeedRow | undefined): unknown {
  const [next, before] = [asGuideBody(body), asGuideBody(doneBody)];
  if (next.steps === undefined && next.removed_steps === undefined) return body;
  const seen = new Map((before.steps ?? []).map(({ stepid, revisionid }) => [stepid, revisionid]));
  const facts = row?.doc as { steps?: { stepid: number; revisionid: number }[] } | undefined;
  const now = new Map((facts?.steps ?? []).map(({ stepid, revisionid }) => [String(stepid), revisionid]));
  const created = row === undefined ? {} : createdBy(row);
  const revisionOfStep = (stepid: number | string): number | undefined =>
    now.get(created[String(stepid)] ?? String(stepid));
  const revise = (step: RevisedStep): RevisedStep => {
    const isAsSeen =
      step.revisionid === previousRevision ||
      (seen.has(step.stepid) && seen.get(step.stepid) === step.revisionid);
    const revisionid = step.stepid === undefined ? undefined : revisionOfStep(step.stepid);
    if (isAsSeen && revisionid !== undefined) return { ...step, revisionid };
    return step.revisionid === previousRevision ? { ...step, revisionid: 0 } : step;
  };
  return {
    ...next,
    ...(next.steps === undefined ? {} : { steps: next.steps.map(revise) }),
    ...(next.removed_steps === undefined ? {} : { removed_steps: next.removed_steps.map(revise) }),
  };
}

/** Whether a save needs revisions of steps from the call before it, even if it names a revision of the guide. */
function namesPrevious(body: unknown): boolean {
  const { steps, removed_steps: removed } = asGuideBody(body);
  return [steps, removed].flat().some((step) => step?.revisionid === previousRevision);
}

function asGuideBody(body: unknown): GuideBody {
  return typeof body === 'object' && body !== null ? (body as GuideBody) : {};
}
