import { type Observable, combineLatest, firstValueFrom, map } from 'rxjs';

import { deviationPictureLimit as mostPictures, deviationTextLimit } from '#shared/api/deviations.ts';
import { notFound } from '#shared/api/problem.ts';
import type { Deviation, DeviationFacts, Disposition } from '#shared/model/deviations.ts';
import type { EntryFacts, WorkDataValue } from '#shared/model/work-log.ts';
import { type Lead, decidesDeviations } from '#shared/rules/deviations.ts';
import { isDeviating } from '#shared/rules/field-value.ts';
import { foldEntry } from '#shared/rules/work-log.ts';

import type { DeviationDecisionView, DeviationView, Measured } from '../api/deviation-records.ts';
import {
  bodyId,
  impossible,
  laneOf,
  newTemporaryId,
  type ActionContext,
} from '../features/action-context.ts';
import { keepFile } from '../features/keep-file.ts';
import { toLive } from '../features/live.ts';
import { readEntry } from '../features/read-entry.ts';
import { leadOf } from '../features/records/lead.ts';
import { applies, callsOf, isOpen } from '../features/records/overlay/applies.ts';
import { overlayEntry } from '../features/records/overlay/entry.ts';
import type { Sources } from '../features/records/sources.ts';
import { brokenOf, stationNamed } from '../features/records/work-order-view.ts';
import type { Services } from '../features/services.ts';
import { deviationContextOf, type DeviationContext } from '../outbox/kinds/deviations.ts';
import type { Mirrored, OutboxCall } from '../platform/ports.ts';

/** Live reads of deviations, from what is on this device. */
export function deviationViews({ sources }: Services) {
  return {
    /** The deviations that this person sees: open ones first, then latest first. */
    deviations: () => toLive(deviations(sources)),
  };
}

/** What is shown of deviations besides their facts. */
interface Around {
  lead: Lead;
  names: ReadonlyMap<number, string>;
  titles: ReadonlyMap<string, string>;
  /** The facts of an order, with waiting calls; undefined if it is not on this device. */
  factsOf: (entryid: string) => EntryFacts | undefined;
}

/** The deviations that this person sees: open ones first, then latest first. */
export function deviations(sources: Sources): Observable<DeviationView[]> {
  const { mirror } = sources.core;
  const { calls, me, people, names, rows } = sources;
  return combineLatest([
    mirror.all('deviations'),
    mirror.all('workLog'),
    calls,
    me,
    people,
    names,
    rows,
  ]).pipe(
    map(([records, entries, waiting, { userid, privileges }, { teams }, people, guides]) => {
      const byId = new Map(entries.map((entry) => [entry.id, entry]));
      const around: Around = {
        lead: leadOf({ userid, privileges }, teams),
        names: people,
        titles: new Map(guides.map(({ id, title }) => [id, title])),
        factsOf: (entryid) => {
          const own = callsOf(waiting, 'workLog', entryid, sources.resolve);
          return overlayEntry(entryid, byId.get(entryid) ?? null, own)?.facts;
        },
      };
      return localDeviations(records, waiting, sources)
        .map((one) => viewOf(one, around, sources))
        .toSorted((a, b) => Number(a.decision !== null) - Number(b.decision !== null) || b.at - a.at);
    }),
  );
}

async function myself({ me, people }: Sources): Promise<Lead> {
  const [own, { teams }] = await firstValueFrom(combineLatest([me, people]));
  return leadOf(own, teams);
}

/** A deviation as this device knows it. `waiting`: a decision that the server does not have. */
interface LocalDeviation {
  id: string;
  facts: Omit<DeviationFacts, 'deviationid' | 'entryid' | 'guideid' | 'images' | 'stepid'>;
  entryid: string;
  guideid: string;
  stepid: string;
  images: readonly string[];
  isPending: boolean;
  waiting: OutboxCall | null;
}

/** The mirror's deviations with waiting decisions on top, and those that exist in calls only. */
function localDeviations(
  records: readonly Mirrored<'deviations'>[],
  calls: readonly OutboxCall[],
  { resolve }: Sources,
): LocalDeviation[] {
  const seqs = new Map(records.map(({ id, seq }) => [id, seq]));
  const known = new Map<string, LocalDeviation>(records.map((record) => [record.id, ofMirror(record)]));
  for (const call of calls) {
    const about = deviationContextOf(call);
    const id = resolve(call.target.id);
    if (about === undefined || !applies(call, seqs.get(id) ?? null)) continue;
    if (call.kind === 'deviation-report' && !known.has(id)) known.set(id, ofReport(id, call, about, resolve));
    const decided = known.get(id);
    if (call.kind === 'deviation-decide' && decided !== undefined && isOpen(call)) decided.waiting = call;
  }
  return [...known.values()];
}

function ofMirror({ id, facts }: Mirrored<'deviations'>): LocalDeviation {
  const { entryid, guideid, stepid, images } = facts;
  return {
    id,
    facts,
    entryid: String(entryid),
    guideid: String(guideid),
    stepid: String(stepid),
    images: images.map(({ guid }) => guid),
    isPending: false,
    waiting: null,
  };
}

function ofReport(
  id: string,
  { userid, at, recorded }: OutboxCall,
  { entryid, workorderid, guideid, stepid, title, note, value, images }: DeviationContext,
  resolve: Sources['resolve'],
): LocalDeviation {
  const date = Math.floor(at / 1000);
  const measured = value === undefined ? {} : { value };
  const where = recorded === undefined ? {} : { stationid: recorded.station };
  return {
    id,
    facts: { revisionid: 0, workorderid, userid, date, title, note, ...measured, ...where, decisions: [] },
    entryid: resolve(entryid),
    guideid: resolve(guideid),
    stepid: resolve(stepid),
    images,
    isPending: true,
    waiting: null,
  };
}

/** A deviation that the server sent, as screens show it where nobody decides. `guideTitle`: of its order. */
export function deviationOfServer(
  { images, ...facts }: Deviation,
  guideTitle: string,
  { userid, names, sources }: { userid: number; names: ReadonlyMap<number, string>; sources: Sources },
): DeviationView {
  const [entryid, guideid] = [String(facts.entryid), String(facts.guideid)];
  const local: LocalDeviation = {
    id: String(facts.deviationid),
    facts,
    entryid,
    guideid,
    stepid: String(facts.stepid),
    images: images.map(({ guid }) => guid),
    isPending: false,
    waiting: null,
  };
  const around: Around = {
    lead: { userid, isAdmin: false, leads: [] },
    names,
    titles: new Map([[guideid, guideTitle]]),
    factsOf: () => undefined,
  };
  return viewOf(local, around, sources);
}

function viewOf(local: LocalDeviation, around: Around, { core, resolve }: Sources): DeviationView {
  const { facts, guideid, entryid, waiting } = local;
  const nameOf = (userid: number): string => around.names.get(userid) ?? '';
  const toDevice = (seconds: number): number => seconds * 1000 - core.clock.offset();
  const decisions = facts.decisions
    .map(({ disposition, reason, userid, date }): DeviationDecisionView => {
      return { disposition, reason, username: nameOf(userid), at: toDevice(date), pending: false };
    })
    .toReversed();
  const own = waiting === null ? [] : waitingDecision(waiting, nameOf);
  const [decision = null, ...earlier] = [...own, ...decisions];
  const order = around.factsOf(entryid);
  return {
    deviationid: local.id,
    entryid,
    workorderid: facts.workorderid,
    guideid,
    guideTitle: around.titles.get(resolve(guideid)) ?? '',
    stepid: local.stepid,
    title: facts.title,
    note: facts.note,
    username: nameOf(facts.userid),
    mine: facts.userid === around.lead.userid,
    at: toDevice(facts.date),
    measured: facts.value === undefined ? null : measuredOf(facts.value),
    images: local.images,
    decision,
    earlier,
    decides: !local.isPending && order !== undefined && decidesDeviations(around.lead, order),
    pending: local.isPending,
    ...stationNamed(facts.stationid, { nameOf }),
  };
}

function waitingDecision(call: OutboxCall, nameOf: (userid: number) => string): DeviationDecisionView[] {
  const decision = deviationContextOf(call)?.decision;
  if (decision === undefined) return [];
  return [{ ...decision, username: nameOf(call.userid), at: call.at, pending: true }];
}

function measuredOf(value: WorkDataValue): Measured {
  return {
    field_guid: value.field_guid,
    value: value.value,
    broken: brokenOf(value),
    limits: value.limits ?? null,
    unit: value.unit ?? '',
    reason: value.reason ?? '',
  };
}

/** What a person says about a deviation. */
export interface DeviationReport {
  /** The field with the value; absent: something else, which `title` names. */
  field_revisionid?: number;
  title?: string;
  note: string;
  /** At which step; absent: where the order is. */
  stepid?: string;
  pictures: readonly File[];
}

/** Reports and decisions. Each promise resolves when the change is journalled; the outbox sends it. */
export function deviationActions(context: ActionContext) {
  return {
    /** Reports a deviation in a work order. Returns the temporary deviationid. */
    reportDeviation: (entryid: string, report: DeviationReport) => reportIn(context, entryid, report),
    /** Decides what happens to the part. Throws `Problem` when this person may not, as far as this device knows. */
    decideDeviation: (deviationid: string, disposition: Disposition, reason: string) =>
      decide(context, deviationid, disposition, reason),
  };
}

async function reportIn(context: ActionContext, entryid: string, report: DeviationReport): Promise<string> {
  const { clock, outbox } = context.sources.core;
  const entry = await readEntry(context, entryid);
  const { work_data, active_stepid } = foldEntry(entry.facts);
  const value = work_data.find(({ field_revisionid }) => field_revisionid === report.field_revisionid);
  if (report.field_revisionid !== undefined && (value === undefined || !isDeviating(value)))
    throw impossible('This value is not out of limits any more');
  const title = report.title?.trim() ?? value?.label ?? '';
  if (title === '') throw impossible('Say what is wrong');
  mustBeShort(report.note);
  if (report.pictures.length > mostPictures) throw impossible(`Add at most ${mostPictures} photos`);
  const images: string[] = [];
  for (const picture of report.pictures) images.push(await keepFile(context, picture, picture.name, 'image'));
  const { key, id } = newTemporaryId(context);
  const note = report.note.trim();
  const stepid = context.resolve(report.stepid ?? String(value?.stepid ?? active_stepid ?? 0));
  const about: DeviationContext = {
    entryid: entry.entryid,
    workorderid: entry.facts.workorderid,
    guideid: entry.guideid,
    stepid,
    title,
    note,
    ...(value === undefined ? {} : { value }),
    images,
  };
  await outbox.add([
    {
      id: key,
      kind: 'deviation-report',
      lane: laneOf(context, 'entry', 'workLog', entry.entryid),
      method: 'POST',
      path: '/deviations',
      body: {
        ...clock.moment(),
        entryid: bodyId(entry.entryid),
        ...(value === undefined ? { title } : { field_revisionid: value.field_revisionid }),
        ...(stepid === '0' ? {} : { stepid: bodyId(stepid) }),
        ...(note === '' ? {} : { note }),
        ...(images.length === 0 ? {} : { images }),
      },
      target: { collection: 'deviations', id },
      subject: about.workorderid,
      context: about,
    },
  ]);
  return id;
}

/** Throws when a text is longer than the server takes, so that it stays in its form. */
function mustBeShort(words: string): void {
  if (words.trim().length > deviationTextLimit)
    throw impossible(`Write at most ${deviationTextLimit} characters`);
}

async function decide(
  context: ActionContext,
  deviationid: string,
  disposition: Disposition,
  reason: string,
): Promise<void> {
  const words = reason.trim();
  if (words === '') throw impossible('Say why');
  mustBeShort(words);
  const id = context.resolve(deviationid);
  const { mirror, outbox } = context.sources.core;
  const record = id.startsWith('tmp:') ? null : await mirror.get('deviations', id);
  if (record === null) throw notFound('Deviation');
  const { facts } = record;
  const order = await readEntry(context, String(facts.entryid));
  if (!decidesDeviations(await myself(context.sources), order.facts))
    throw impossible('Only a lead of the team decides, and not about work of their own');
  const about: DeviationContext = {
    entryid: String(facts.entryid),
    workorderid: facts.workorderid,
    guideid: String(facts.guideid),
    stepid: String(facts.stepid),
    // The words of others stay in the mirror, which loses them with the access.
    title: '',
    note: '',
    images: [],
    decision: { disposition, reason: words },
  };
  await outbox.add([
    {
      kind: 'deviation-decide',
      lane: `deviation:${id}`,
      method: 'POST',
      path: `/deviations/${id}/disposition`,
      query: { revisionid: String(facts.revisionid) },
      body: { disposition, reason: words },
      target: { collection: 'deviations', id },
      subject: facts.workorderid,
      context: about,
    },
  ]);
}
