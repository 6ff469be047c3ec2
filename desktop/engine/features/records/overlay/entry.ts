import type { EntryEventType, EntryFacts, Moment } from '#shared/model/work-log.ts';
import { appendEvent, eventTime } from '#shared/rules/work-log.ts';
import { isSameRevision } from '#shared/rules/work-revision.ts';

import {
  type EntryContext,
  entryContextOf,
  waitingValues,
} from '#desktop/engine/outbox/kinds/work-orders.ts';
import type { Mirrored, OutboxCall } from '#desktop/engine/platform/ports.ts';
import { applies, isOpen } from './applies.ts';

/** A work order as this device shows it. */
export interface LocalEntry {
  /** The server's number, or `tmp:…`. */
  entryid: string;
  guideid: string;
  /**
   * Events of the server and of the waiting calls. Steps without a number get a negative one; `stepIds` has their ids.
   */
  facts: EntryFacts;
  stepIds: ReadonlyMap<number, string>;
  /** Field revisions whose values the server does not have. */
  unsaved: ReadonlySet<number>;
  /** File names of values whose files wait for upload, by field revision. */
  fileNames: ReadonlyMap<number, string>;
  pending: number;
  /** Whether another person's move made the waiting calls impossible. */
  frozen: boolean;
}

/** A work order with its calls (oldest first) on top of the mirror's record; null when there is no such order. */
export function overlayEntry(
  entryid: string,
  mirrored: Mirrored<'workLog'> | null,
  calls: readonly OutboxCall[],
): LocalEntry | null {
  const frozen = calls.some((call) => call.state === 'conflict');
  const shownBase = frozen
    ? calls.map((call) => entryContextOf(call)?.base).find((base) => base !== undefined)
    : undefined;
  const stepIds = new Map<number, string>();
  const unsaved = new Set<number>();
  const fileNames = new Map<number, string>();
  let facts = shownBase ?? mirrored?.facts ?? null;
  let guideid = facts === null ? '' : String(facts.guideid);
  for (const call of calls) {
    const context = entryContextOf(call);
    if (context === undefined || !(applies(call, mirrored?.seq ?? null) || (frozen && isOpen(call))))
      continue;
    facts = afterCall(facts, call, context, stepIds);
    guideid = guideid === '' ? context.guideid : guideid;
    for (const { data, fileName } of isOpen(call) ? waitingValues(context) : []) {
      unsaved.add(data.field_revisionid);
      if (fileName !== null) fileNames.set(data.field_revisionid, fileName);
    }
  }
  if (facts === null) return null;
  const pending = calls.filter(isOpen).length;
  return { entryid, guideid, facts, stepIds, unsaved, fileNames, pending, frozen };
}

function afterCall(
  facts: EntryFacts | null,
  call: OutboxCall,
  context: EntryContext,
  stepIds: Map<number, string>,
): EntryFacts | null {
  const moment = momentOf(call.body, stepIds);
  if (call.kind === 'entry-create') return facts ?? started(call, context, moment);
  if (facts === null) return null;
  if (call.kind === 'entry-revision') return decided(facts, call, context, moment);
  const type: EntryEventType = context.move ?? 'data';
  if (
    facts.events.some(
      (event) => event.type === type && event.session === moment.session && event.mono === moment.mono,
    )
  ) {
    return facts;
  }
  const values = waitingValues(context).map(({ data }) => data);
  const data = values.length === 0 ? undefined : values;
  return appendEvent(
    facts,
    {
      type,
      userid: call.userid,
      moment,
      data,
      gaps: context.gaps,
      note: context.note,
      stationid: call.recorded?.station,
    },
    timeOf(moment, call),
  );
}

function started(call: OutboxCall, context: EntryContext, moment: Moment): EntryFacts {
  const facts: EntryFacts = {
    entryid: 0,
    guideid: Number(context.guideid) || 0,
    workorderid: context.workorderid,
    guide_revisionid: context.revision?.guide_revisionid ?? 0,
    max_form_revisionid: context.revision?.form_revisionid ?? 0,
    handoffid: null,
    ...(context.serials === undefined ? {} : { serials: [...context.serials] }),
    ...(context.release === undefined ? {} : { release: context.release }),
    events: [],
    images: [],
  };
  const { userid, recorded } = call;
  const start = { type: 'start', userid, moment, stationid: recorded?.station } as const;
  const entry = appendEvent(facts, start, timeOf(moment, call));
  const { revision } = context;
  const at = entry.events[0]?.at ?? call.at;
  return revision === undefined
    ? entry
    : { ...entry, revisions: [{ decision: 'start', ...revision, userid, at }] };
}

/** The order after a decision about its revision, unless the record of the server has it already. */
function decided(facts: EntryFacts, call: OutboxCall, context: EntryContext, moment: Moment): EntryFacts {
  const { decision, revision } = context;
  if (decision === undefined || revision === undefined) return facts;
  const { revisions = [] } = facts;
  const last = revisions.at(-1);
  if (last?.decision === decision && isSameRevision(last, revision)) return facts;
  const at = eventTime(facts, moment, timeOf(moment, call));
  return {
    ...facts,
    ...(decision === 'switch' ? { guide_revisionid: revision.guide_revisionid } : {}),
    revisions: [...revisions, { decision, ...revision, userid: call.userid, at }],
  };
}

/** Estimated server time when the call was made, ms since 1970. */
function timeOf(moment: Moment, call: OutboxCall): number {
  return (moment.at ?? call.at) + (moment.offset ?? 0);
}

/** The moment in a call's body. A temporary stepid becomes a negative number. */
function momentOf(body: unknown, stepIds: Map<number, string>): Moment {
  const fields = new Map<string, unknown>(Object.entries(body ?? {}));
  const number = (name: string): number | undefined => {
    const value = fields.get(name);
    return typeof value === 'number' ? value : undefined;
  };
  const session = fields.get('session');
  return {
    at: number('at'),
    mono: number('mono'),
    offset: number('offset'),
    session: typeof session === 'string' ? session : undefined,
    stepid: stepNumber(fields.get('stepid'), stepIds),
  };
}

function stepNumber(stepid: unknown, stepIds: Map<number, string>): number | undefined {
  if (typeof stepid === 'number') return stepid;
  if (typeof stepid !== 'string') return undefined;
  const known = [...stepIds].find(([, text]) => text === stepid);
  if (known !== undefined) return known[0];
  const number = -1 - stepIds.size;
  stepIds.set(number, stepid);
  return number;
}
