import { z } from 'zod';

import type { NamedRelease } from '#shared/model/release-facts.ts';
import type { WorkedRevision } from '#shared/model/revision.ts';
import type { EntryFacts, EntryGap, WorkDataValue } from '#shared/model/work-log.ts';
import type { WorkVersion } from '#shared/model/work-version.ts';

import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { type CallKindSpec, joined, fieldsOf } from './kind.ts';

/** The moves of a work order that have a call of their own. */
export type EntryMoveCall = 'pause' | 'resume' | 'suspend' | 'assume' | 'finish' | 'cancel';

/** A waiting form value, as the server will store it. */
export interface WaitingValue {
  data: WorkDataValue;
  /** Name of the file, if the value is a file that waits for upload. */
  fileName: string | null;
  /** The value that the server had before; null: none. Absent in calls of an older app. */
  before?: string | null;
}

/** The text of a revision, with the forms of its steps. */
export type WorkedVersion = Pick<WorkVersion, 'guide' | 'forms'>;

/**
 * Context of a work-order call. Values are properties beside the others, because joined calls merge their contexts by
 * property.
 */
export interface EntryContext {
  guideid: string;
  workorderid: string;
  /** `entry-create`: the planned order that it is to fulfil. */
  planned_orderid?: string;
  /** `entry-create`: serial or lot numbers of what is worked on. */
  serials?: readonly string[];
  /** `entry-create`: the release that the planned order names. */
  release?: NamedRelease;
  /** `entry-create`, `entry-revision`: the revision that the person works by, or decided about. */
  revision?: WorkedRevision;
  /** Its text, in case the guide changes before the server has the call. */
  version?: WorkedVersion;
  /** `entry-revision`: what the person decided. */
  decision?: 'switch' | 'keep';
  /** `entry-move`: which one; `step`: the worker went to another step. */
  move?: EntryMoveCall | 'step';
  /** `finish`: required fields without a value. */
  gaps?: EntryGap[];
  /** `suspend`: for the next person. */
  note?: string;
  /** The order before its first waiting call: what remains if somebody else takes it over. */
  base?: EntryFacts | undefined;
  /** `entry-data`: values by field revision. */
  [value: `value:${number}`]: WaitingValue;
}

/** The context of a work-order call. Its schema is checked when the call is read (`workOrderKinds`). */
export function entryContextOf(call: OutboxCall): EntryContext | undefined {
  if (!isEntryKind(call.kind)) return undefined;
  const context = call.context;
  return typeof context === 'object' && context !== null && 'workorderid' in context
    ? (context as EntryContext)
    : undefined;
}

function isEntryKind(kind: OutboxCall['kind']): boolean {
  return (
    kind === 'entry-create' || kind === 'entry-move' || kind === 'entry-data' || kind === 'entry-revision'
  );
}

/** The value in a field of an order as the server has it; null: none. */
export function recordedValue({ events }: EntryFacts, field_revisionid: number): string | null {
  const values = events.flatMap(({ data = [] }) => data);
  return values.findLast((one) => one.field_revisionid === field_revisionid)?.value ?? null;
}

/** The values of an `entry-data` call. */
export function waitingValues(context: EntryContext): WaitingValue[] {
  return Object.entries(context).flatMap(([key, value]) =>
    key.startsWith('value:') ? [value as WaitingValue] : [],
  );
}

/** The values of an `entry-data` call that a person entered. Others follow from them. */
export function enteredValues(context: EntryContext): WaitingValue[] {
  return waitingValues(context).filter(
    ({ data }) => data.computed !== true && data.second_person?.lost === undefined,
  );
}

/**
 * The revision in a call that starts an order. Extensions that a server may not know are in the query, which such a server
 * ignores. A guide that the server does not have yet has no version to name.
 */
export function seenInCall(
  revision: WorkedRevision | undefined,
  body: Record<string, unknown>,
): { body: unknown; query?: Record<string, string> } {
  if (revision === undefined || revision.guide_revisionid === 0) return { body };
  const { guide_revisionid, form_revisionid, unsaved } = revision;
  return {
    body: { ...body, guide_revisionid },
    query: { form_revisionid: String(form_revisionid), ...(unsaved === true ? { unsaved: '1' } : {}) },
  };
}

const order = {
  activity: 'work-order',
  context: z.looseObject({ guideid: z.string(), workorderid: z.string() }).partial(),
  hasOwnName: true,
  about: (call) => {
    const guideid = entryContextOf(call)?.guideid;
    return guideid === undefined ? null : { collection: 'guides', id: guideid };
  },
  strip: (call) => {
    const context = entryContextOf(call);
    if (context?.base === undefined && context?.version === undefined && context?.release === undefined)
      return call;
    const { base: _base, version: _version, release: _release, ...rest } = context;
    return { ...call, context: rest };
  },
  stripRecord: (call) => {
    const context = entryContextOf(call);
    if (context === undefined) return call;
    const { base } = context;
    const rest = Object.entries(context).map(([name, value]) => [name, withoutBefore(name, value)]);
    return {
      ...call,
      context: { ...Object.fromEntries(rest), ...(base === undefined ? {} : { base: withoutContent(base) }) },
    };
  },
  detail: (call) => {
    const context = entryContextOf(call);
    if (context === undefined) return '';
    const labels = enteredValues(context).map(({ data }) => data.label);
    return context.decision ?? context.move ?? (labels.length > 0 ? labels.join(', ') : 'start');
  },
} as const satisfies Partial<CallKindSpec>;

/** Who worked on an order, when and by which revision, without what was recorded: enough to decide about work on it. */
function withoutContent({ events, serials: _serials, release: _release, ...facts }: EntryFacts): EntryFacts {
  const { record: _record, signatures: _signatures, confirmations: _confirmations, ...rest } = facts;
  const bare = events.map(({ data: _data, gaps: _gaps, note: _note, ...event }) => event);
  return { ...rest, events: bare, images: [] };
}

/** A property of a context; a value without the one that it replaces. */
function withoutBefore(name: string, value: unknown): unknown {
  if (!name.startsWith('value:')) return value;
  const { before: _before, ...rest } = value as WaitingValue;
  return rest;
}

/** Calls that begin or move a work order, or record values in it. */
export const workOrderKinds = {
  'entry-create': { ...order, creates: 'workLog' },
  'entry-move': {
    ...order,
    conflict: 'decide',
  },
  'entry-revision': {
    ...order,
    conflict: 'decide',
  },
  'entry-data': {
    ...order,
    conflict: 'decide',
    overwrites: true,
    fileLost:
      'A photo or document in this work order is not on the server. Record it again: the other values are kept.',
    join: (last, incoming) =>
      last.kind === 'entry-data' ? joined(last, incoming, entryDataBody(last.body, incoming.body)) : null,
  },
} satisfies Record<string, CallKindSpec>;

/** OUTBOX-6: joins values by field, each with its details; the moment of the later call counts. */
function entryDataBody(earlier: unknown, later: unknown): unknown {
  const first = fieldsOf(earlier);
  const last = fieldsOf(later);
  const fields = { ...fieldsOf(first['fields']), ...fieldsOf(last['fields']) };
  const kept = Object.entries(fieldsOf(first['details'])).filter(
    ([name]) => !Object.hasOwn(fieldsOf(last['fields']), name),
  );
  const details = { ...Object.fromEntries(kept), ...fieldsOf(last['details']) };
  return { ...first, ...last, fields, ...(Object.keys(details).length === 0 ? {} : { details }) };
}
