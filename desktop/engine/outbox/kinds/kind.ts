import type { z } from 'zod';

import type { Problem } from '#shared/api/problem.ts';
import type { SyncedCollection } from '#shared/sync/wire.ts';
import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import type { ConflictHandler, OutboxCall } from '#desktop/engine/platform/ports.ts';
import { needsOf } from '#desktop/engine/sync/temporary-ids.ts';

import type { OwnWord } from '../own-words.ts';

/** What happens to a call after a 409. */
export type Settled = Awaited<ReturnType<ConflictHandler['settle']>>;

/** Behaviour of one kind of call. What is left out does not apply to calls of the kind. */
export interface CallKindSpec {
  /** Its kind in the list of activity. */
  activity: ActivityItem['kind'];
  /** Schema of the context, if this version reads one (OUTBOX-46); it allows parts that `strip` removes to be absent. */
  context?: z.ZodType;
  /**
   * Joins a call with `last`, the unsent call before it in its lane; null: both are sent. `isNeeded`: other calls need what
   * `last` creates.
   */
  join?: (last: OutboxCall, incoming: OutboxCall, isNeeded: boolean) => Coalesced | null;
  /** What a call changes, as codes that screens translate, separated by commas (`ActivityItem.detail`). */
  detail?: (call: OutboxCall) => string;
  /** The guide or page that a call is about, if its target is something else; by real or temporary id. */
  about?: (call: OutboxCall) => About | null;
  /** The person's own words in a call that changes a guide or page, or comments on one (LEAVING-4); undefined: none. */
  words?: (call: OutboxCall) => OwnWord[] | undefined;
  /** The call without content of a guide or page that left the device (LEAVING-5). Default: without base and subject. */
  strip?: (call: OutboxCall) => OutboxCall;
  /**
   * The call without what it says of its record, which others made, after that has left the device (LEAVING-9). Default: it
   * says nothing of it.
   */
  stripRecord?: (call: OutboxCall) => OutboxCall;
  /** Collection of the record that the call creates under its id. */
  creates?: SyncedCollection;
  /** It replaces a text without naming its revision (OUTBOX-35). */
  overwrites?: true;
  /** Its subject is not the title of a guide or page, but a name of the person's own or a public one. */
  hasOwnName?: true;
  /** Message when the server does not have a file that the call names. */
  fileLost?: string;
  /**
   * After a 409: `decide`: a person must; a function: merges with the record of the server (`theirs`, undefined: it is
   * gone). Default: the call is parked. Saves and publications of guides are merged with their drafts instead
   * (`actions/conflicts.ts`), which also knows whether their revision is mistaken.
   */
  conflict?: 'decide' | ((call: OutboxCall, theirs: unknown) => Settled);
  /** Whether the revision in a call belongs to another version of the record now (OUTBOX-31). */
  isMistaken?: (call: OutboxCall, facts: unknown) => boolean;
  /** Refusals (404) that mean that what the call removes is absent already (OUTBOX-16, OUTBOX-20). */
  absent?: readonly Problem[];
}

/** The guide or page that a call is about, by either of its ids. */
export interface About {
  collection: 'guides' | 'wikis';
  id: string;
}

/** Change of the outbox when a call joins it. */
export interface Coalesced {
  /** Calls to store: changed ones and, unless it became part of another, the new one. */
  put: OutboxCall[];
  /** Ids of calls that are no longer needed. */
  drop: string[];
  /** The call that now has the person's change; the incoming one if the two cancelled each other out. */
  result: OutboxCall;
}

/** OUTBOX-1, OUTBOX-2, OUTBOX-6: the earlier call with the new body. It keeps its order, key and revision, and loses its refusal. */
export function joined(last: OutboxCall, incoming: OutboxCall, body: unknown): Coalesced {
  const { recorded = last.recorded } = incoming;
  const call: OutboxCall = {
    ...last,
    ...(recorded === undefined ? {} : { recorded }),
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

/** OUTBOX-5: the last toggle counts, whatever the state on the server: both calls are valid in both states. */
export function switched(last: OutboxCall, incoming: OutboxCall): Coalesced {
  return joined({ ...last, method: incoming.method }, incoming, incoming.body);
}

/** OUTBOX-1: the base of the earlier save stays the base of both. */
function joinedContext(last: unknown, incoming: unknown): unknown {
  if (!isRecord(last) || !isRecord(incoming)) return incoming ?? last;
  return { ...last, ...incoming, ...('base' in last ? { base: last['base'] } : {}) };
}

/** `join` of kinds that are on or off (OUTBOX-5). */
export function switches(last: OutboxCall, incoming: OutboxCall): Coalesced | null {
  return last.kind === incoming.kind ? switched(last, incoming) : null;
}

/** `detail` of a call that turns something on or off. */
export function onOrOff({ method }: OutboxCall): string {
  return method === 'PUT' ? 'on' : 'off';
}

/** `detail` of a call: the names of the fields that its body changes. */
export function fieldsDetail({ body }: OutboxCall): string {
  return Object.keys(fieldsOf(body)).join(',');
}

/** `favorite:61`, `guideTags:tmp:…` → the record's own id. */
export function markedId({ target }: OutboxCall): string {
  return target.id.slice(target.id.indexOf(':') + 1);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a body; none if it is not an object. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
