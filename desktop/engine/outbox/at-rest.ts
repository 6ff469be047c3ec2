import { z } from 'zod';

import { collectionName } from '#shared/sync/wire.ts';

import type { OutboxCall } from '../platform/ports.ts';
import { callKindSpecs, storedKinds } from './kinds/index.ts';

/**
 * Version of calls at rest: in the journal, in its log of sent calls, and in the rows of the database. A record without
 * a version is of version 1. If older records do not satisfy a change of `storedCall`, or of the contexts in `kinds/`, it
 * needs a new version and a migration.
 */
export const callVersion = 1;

/** The function at index n - 1 migrates a call from version n to n + 1. */
const migrations: readonly ((call: unknown) => unknown)[] = [];

// Properties that another version of this app added stay in the call.
const storedCall = z.looseObject({
  id: z.string().min(1),
  userid: z.int(),
  kind: z.enum(storedKinds),
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
  recorded: z.looseObject({ for: z.string(), at: z.string(), station: z.int() }).optional(),
});

const versioned = z.looseObject({ version: z.int().min(1).default(1), call: z.unknown().optional() });
const homed = z.looseObject({ home: z.string() });

/** A record as it is stored: the call with its version, and `more` properties. */
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

/** The text in the database row of a journal record, if both were written together; null: the record is not a call. */
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

/** Like `readRecord`; a record that cannot be read becomes a parked call for a person to see (OUTBOX-47). */
export function readOrPark(id: string, record: unknown, userid: number): OutboxCall {
  return readRecord(record) ?? unreadableCall(id, record, userid);
}

/** A call that represents a record that cannot be read. It is never sent and never written: the record stays as it is. */
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

/** Id of a draft that cannot be read, in the list of a person's changes. */
export function unreadableDraftId(guideid: string): string {
  return `draft:${guideid}`;
}

/** Whether a call represents a record that cannot be read. */
export function isUnreadable({ kind }: Pick<OutboxCall, 'kind'>): boolean {
  return kind === 'unreadable';
}

/** Whether this version of the app can read the context of a stored call (OUTBOX-46). */
function isContext({ kind, context }: Pick<OutboxCall, 'kind' | 'context'>): boolean {
  return context === null || (callKindSpecs[kind].context?.safeParse(context).success ?? true);
}
