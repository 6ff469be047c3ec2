import { z } from 'zod';

import { collectionName } from '#shared/sync/wire.ts';

import { callKinds, type OutboxCall } from '../platform/ports.ts';
import { callKindSpecs } from './kinds/index.ts';

/**
 * Version of calls at rest: in the journal, in its log of sent calls, and in the rows of the database. A record without
 * a version is of version 1. A change of `storedCall`, or of what `kinds/` says of contexts, that older records do not
 * pass needs a new number and a migration.
 */
export const callVersion = 1;

/** What makes a record of version n (at index n - 1) one of version n + 1. */
const migrations: readonly ((call: unknown) => unknown)[] = [];

// What another version of this app added to a call stays in it.
const storedCall = z.looseObject({
  id: z.string().min(1),
  userid: z.int(),
  kind: z.enum(callKinds),
  lane: z.string(),
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string(),
  query: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
  fileId: z.string().nullable().default(null),
  needs: z.array(z.string()).default([]),
  target: z.looseObject({ collection: collectionName, id: z.string() }),
  subject: z.string().default(''),
  at: z.number().default(0),
  order: z.number().default(0),
  state: z.enum(['queued', 'sending', 'done', 'parked', 'conflict']),
  tries: z.number().default(0),
  nextTryAt: z.number().default(0),
  created: z.record(z.string(), z.string()).default({}),
  doneSeq: z.number().nullable().default(null),
  doneAt: z.number().nullable().default(null),
  refusal: z
    .looseObject({
      status: z.number(),
      message: z.string(),
      code: z.string().optional(),
      errors: z.array(z.looseObject({ field: z.string(), message: z.string() })).default([]),
    })
    .nullable()
    .default(null),
  context: z.unknown().default(null),
});

const versioned = z.looseObject({ version: z.int().min(1).default(1), call: z.unknown().optional() });
const homed = z.looseObject({ home: z.string() });

/** A record as it is kept: the call with its version, and what else belongs to the record. */
export function atRest<T extends object>(
  call: OutboxCall,
  more: T,
): T & { version: number; call: OutboxCall } {
  return { ...more, version: callVersion, call };
}

/** A call as a row of the database holds it. */
export function textOf(call: object, version: number): string {
  return JSON.stringify({ ...call, version });
}

const anyRecord = z.object({ version: z.int(), call: z.looseObject({}) });

/** The text that a row holds of the call in a record of the journal, if both were written together; null: none. */
export function copyOf(record: unknown): string | null {
  const { data } = anyRecord.safeParse(record);
  return data === undefined ? null : textOf(data.call, data.version);
}

/** Whether a record is of this home; one that names none may be of any. */
export function mayBeOf(home: string, record: unknown): boolean {
  const { data } = homed.safeParse(record);
  return data === undefined || data.home === home;
}

/** The call in a record; null when this version of the app cannot read it. */
export function readRecord(record: unknown): OutboxCall | null {
  const { data } = versioned.safeParse(record);
  if (data === undefined || data.version > callVersion) return null;
  const current = migrations.slice(data.version - 1).reduce((call, migrate) => migrate(call), data.call);
  const { data: call } = storedCall.safeParse(current);
  return call === undefined || !isContext(call) ? null : { ...call, body: call.body };
}

/** The same as `readRecord`, with what cannot be read as a call that needs a person's attention (OUTBOX-46). */
export function readOrPark(id: string, record: unknown, userid: number): OutboxCall {
  return readRecord(record) ?? unreadableCall(id, record, userid);
}

/** Stands for a record that cannot be read. It is never sent and never written: the record stays as it is. */
function unreadableCall(id: string, record: unknown, userid: number): OutboxCall {
  const { data } = versioned.safeParse(record);
  const isNewer = data !== undefined && data.version > callVersion;
  const known = z.looseObject({ subject: z.string(), at: z.number(), userid: z.int() }).partial();
  const { subject = '', at = 0, userid: owner = userid } = known.safeParse(data?.call).data ?? {};
  return {
    id,
    userid: owner,
    kind: 'unreadable',
    lane: `unreadable/${id}`,
    method: 'POST',
    path: '/',
    query: {},
    body: undefined,
    fileId: null,
    needs: [],
    target: { collection: 'viewer', id },
    subject: subject === '' ? 'A change made on this device' : subject,
    at,
    order: 0,
    state: 'parked',
    tries: 0,
    nextTryAt: 0,
    created: {},
    doneSeq: null,
    doneAt: null,
    refusal: { status: 0, message: isNewer ? newer : damaged, errors: [] },
    context: record,
  };
}

const newer =
  'A newer version of this app made this change. It is kept. Update the app to send it, or export it.';
const damaged = 'This app cannot read this change any more. It is kept. Export it and ask for support.';

/** Names a draft that cannot be read in the list of what a person did. */
export function unreadableDraftId(guideid: string): string {
  return `draft:${guideid}`;
}

/** Whether a call stands for a record that cannot be read. */
export function isUnreadable({ kind }: Pick<OutboxCall, 'kind'>): boolean {
  return kind === 'unreadable';
}

/** Whether the context of a call at rest is what this version of the app reads in it (OUTBOX-46). */
function isContext({ kind, context }: Pick<OutboxCall, 'kind' | 'context'>): boolean {
  return context === null || (callKindSpecs[kind].context?.safeParse(context).success ?? true);
}
