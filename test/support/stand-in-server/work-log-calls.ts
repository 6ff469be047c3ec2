import type { Answer } from '#desktop/engine/outbox/answers.ts';
import {
  finishBody,
  newEntry,
  stepData,
  suspendBody,
  type FinishBody,
  type StepData,
  type SuspendBody,
} from '#shared/api/work-log.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { RevisionDecision } from '#shared/model/revision.ts';
import type { FormField, StepForm } from '#shared/model/step-form.ts';
import { type EntryFacts, type Moment, type WorkDataValue, moment } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { workValueOf } from '#shared/rules/field-value.ts';
import { type EntryMove, appendEvent, moveRefusal } from '#shared/rules/work-log.ts';
import { workedRevisionOf } from '#shared/rules/work-revision.ts';

import { type Call, conflict, done, refused } from './call-results.ts';
import type { Records } from './records.ts';

/** Starts an entry (`id` is ''), or adds an event to one. `part`: the move in the path. */
export function changeEntry(records: Records, call: Call, id: string, part: string, userid: number): Answer {
  if (id === '') return startEntry(records, call, userid);
  if (!records.has('workLog', id)) return refused(404, 'Entry not found');
  const facts = records.read<EntryFacts>('workLog', id);
  const schema =
    part === 'stepData'
      ? stepData
      : part === 'finish'
        ? finishBody
        : part === 'suspend'
          ? suspendBody
          : moment;
  const parsed = schema.safeParse(call.body);
  if (!parsed.success) return refused(422, parsed.error.message);
  const type = (part === 'stepData' ? 'data' : part) as EntryMove;
  const refusal = moveRefusal(facts, type, userid);
  if (refusal === 'conflict') return conflict(records, 'workLog', id);
  if (refusal === 'invalid') return refused(422, `The entry cannot ${part}`);
  const { fields, gaps, note, ...when } = parsed.data as Moment &
    Partial<StepData & FinishBody & SuspendBody>;
  const data =
    fields === undefined
      ? undefined
      : Object.entries(fields).map(([revision, value]) => valueOf(records, facts, revision, value));
  const missing = gaps?.map(({ field_revisionid, reason }) => {
    const { field_guid, label, stepid } = valueOf(records, facts, String(field_revisionid), '');
    return { field_revisionid, field_guid, label, stepid, reason };
  });
  const stationid = stationOf(call);
  const event = { type, userid, moment: when, data, gaps: missing, note, stationid };
  const next = appendEvent(facts, event, records.now);
  return done([records.put('workLog', id, next, call.id)]);
}

function startEntry(records: Records, call: Call, userid: number): Answer {
  const parsed = newEntry.safeParse(call.body);
  if (!parsed.success) return refused(422, parsed.error.message);
  const { guideid, workorderid, guide_revisionid, join_code: _code, ...when } = parsed.data;
  const entryid = records.nextId();
  const empty: EntryFacts = {
    entryid,
    key: call.id,
    guideid: must(guideid, 'guideid'),
    workorderid: must(workorderid, 'workorderid'),
    guide_revisionid: guide_revisionid ?? 1,
    max_form_revisionid: 1,
    handoffid: null,
    events: [],
    images: [],
  };
  const start = { type: 'start', userid, moment: when, stationid: stationOf(call) } as const;
  const started = appendEvent(empty, start, records.now);
  const facts = { ...started, revisions: [startedBy(records, call, started)] };
  return done([records.put('workLog', String(entryid), facts, call.id)], { [`tmp:${call.id}`]: entryid });
}

/** The station at which a call was recorded: 9 is the only one. */
function stationOf({ recorded_for }: Call): number | undefined {
  return recorded_for === undefined ? undefined : 9;
}

/** The revision that the call says the worker saw, or the present one. */
function startedBy(records: Records, call: Call, { guideid, events }: EntryFacts): RevisionDecision {
  const { userid, at } = must(events[0], 'the start');
  const guide = records.has('guides', String(guideid))
    ? records.read<GuideFacts>('guides', String(guideid))
    : null;
  const form = Number(call.query?.['form_revisionid'] ?? 0);
  const seen = newEntry.parse(call.body).guide_revisionid ?? guide?.guide_revisionid ?? 1;
  const revision =
    guide === null || guide.guide_revisionid !== seen
      ? { guide_revisionid: seen, form_revisionid: form }
      : workedRevisionOf(guide, form, records.now);
  const unsaved = call.query?.['unsaved'] === undefined ? {} : { unsaved: true as const };
  return { decision: 'start', ...revision, ...unsaved, userid, at };
}

function valueOf(records: Records, { guideid }: EntryFacts, revision: string, value: unknown): WorkDataValue {
  const form = must(
    records
      .all<StepForm>('stepForms')
      .find((one) => one.guideid === guideid && one.fields.some(isRevision(revision))),
    'form',
  );
  return workValueOf(must(form.fields.find(isRevision(revision)), 'field'), form.stepid, String(value));
}

function isRevision(revision: string): (field: FormField) => boolean {
  return (field) => String(field.field_revisionid) === revision;
}
