import type { z } from 'zod';

import type { Endpoint, OfflineLane } from '#shared/api/endpoint.ts';
import type { Problem } from '#shared/api/problem.ts';
import type { SyncedCollection } from '#shared/sync/wire.ts';
import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { needsOf } from '#desktop/engine/sync/temporary-ids.ts';

import type { OwnWord } from '../own-words.ts';

/** All that the outbox knows of one kind of call. Whatever is left out does not happen to calls of the kind. */
export interface CallKindSpec {
  /** What the list of activity calls it. */
  activity: ActivityItem['kind'];
  /** The calls of the contract that may wait under this kind (WAITING-8). */
  endpoints: readonly (Endpoint & { offline: OfflineLane })[];
  /** The outer shape of the context, where this version reads one (OUTBOX-46); parts of it may have been dropped. */
  context?: z.ZodType;
  /**
   * Joins a call to `last`, which waits before it in its lane and was never sent; null: both are sent. `isNeeded`: others
   * wait for what `last` creates. The numbered rules are in the README.
   */
  join?: (last: OutboxCall, incoming: OutboxCall, isNeeded: boolean) => Coalesced | null;
  /** What a call changes, as words that screens translate, separated by commas (`ActivityItem.detail`). */
  detail?: (call: OutboxCall) => string;
  /** The guide or page that a call is about, by either of its ids, where its target is neither. */
  about?: (call: OutboxCall) => About | null;
  /** The person's own words in a call that changes a guide or page, or comments on one (LEAVING-4); undefined: it holds none. */
  words?: (call: OutboxCall) => OwnWord[] | undefined;
  /** The call without what it holds of a guide or page that left the device (LEAVING-5). Default: without base and subject. */
  strip?: (call: OutboxCall) => OutboxCall;
  /** What the id of a call stands for once the server has it. */
  creates?: SyncedCollection;
  /** It puts a text in the place of another and names no revision of it (OUTBOX-35). */
  overwrites?: true;
  /** Its subject is no title of a guide or page, but a name of the person's own or one that everybody sees. */
  hasOwnName?: true;
  /** What to tell the person when a file that the call names is not on the server. */
  fileLost?: string;
  /** Refusals (404) that leave nothing to do, since what is to go is gone (OUTBOX-16, OUTBOX-20). */
  absent?: readonly Problem[];
}

/** The guide or page that a call is about, by either of its ids. */
export interface About {
  collection: 'guides' | 'wikis';
  id: string;
}

/** What becomes of the outbox when `incoming` joins it. */
export interface Coalesced {
  /** Calls to store: changed ones and, unless it was folded into another, the new one. */
  put: OutboxCall[];
  /** Ids of calls that are no longer needed. */
  drop: string[];
  /** The call that now carries what the person did; `incoming` itself when two calls cancelled each other out. */
  result: OutboxCall;
}

/** OUTBOX-1, OUTBOX-2, OUTBOX-4, OUTBOX-6: the earlier call keeps its place, key and revision; a refusal it had is taken back. */
export function joined(last: OutboxCall, incoming: OutboxCall, body: unknown): Coalesced {
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

/** OUTBOX-5: the last wish counts. Whether the server's mark was on or off before is not asked: both calls fit both. */
export function switched(last: OutboxCall, incoming: OutboxCall): Coalesced {
  return joined({ ...last, method: incoming.method }, incoming, incoming.body);
}

/** OUTBOX-1: the base of the earlier save stays the base of both. */
function joinedContext(last: unknown, incoming: unknown): unknown {
  if (!isRecord(last) || !isRecord(incoming)) return incoming ?? last;
  return { ...last, ...incoming, ...('base' in last ? { base: last['base'] } : {}) };
}

/** OUTBOX-5 for kinds that are on or off: the last wish counts. */
export function switches(last: OutboxCall, incoming: OutboxCall): Coalesced | null {
  return last.kind === incoming.kind ? switched(last, incoming) : null;
}

/** The words of a call that turns something on or off. */
export function onOrOff({ method }: OutboxCall): string {
  return method === 'PUT' ? 'on' : 'off';
}

/** The names of the fields that a body changes. */
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

/** The fields of a body; none where it has no fields. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
