import { z } from 'zod';

import { tolerantProtocol } from '#shared/sync/protocol.ts';
import { type BatchCall, collectionNames, type SyncedCollection, temporaryId } from '#shared/sync/wire.ts';

import { guideSaveOf, type GuideSave } from './kinds/guides.ts';
import type { NewCall, OutboxCall } from '../platform/ports.ts';
import { mirrorKinds } from '../storage/mirror-kinds.ts';
import { fieldsNamed, filesNamed } from './named-by-number.ts';
import { needsOf } from '../sync/temporary-ids.ts';
import { callKindSpecs, offlineEndpoints } from './kinds/index.ts';

/** Records that calls created: `guides/61`, as the server named it, to the temporary id of the call that created it. */
export type Made = ReadonlyMap<string, string>;

/** The start of the paths of records by the path at which calls create them: `/guides/` for `POST /guides`. */
const createdAt = Map.groupBy(
  offlineEndpoints.filter(({ path }) => !path.includes('{')),
  ({ offline }) => callKindSpecs[offline].creates,
);

/** Paths with numbers, and the collection that each number belongs to. */
const pathPlaces: readonly [SyncedCollection | 'steps', RegExp][] = [
  ...collectionNames.flatMap((kind): [SyncedCollection, RegExp][] => {
    const starts = [
      ...(createdAt.get(kind) ?? []).map(({ path }) => `${path}/`),
      ...(mirrorKinds[kind]?.inPaths ?? []),
    ];
    return starts.length === 0 ? [] : [[kind, numberAfter(starts)]];
  }),
  ['steps', numberAfter(['/comments/step/', '/step_forms/'])],
];

/** Matches a path that begins with one of `starts` and a number; the groups are the start and the number. */
function numberAfter(starts: readonly string[]): RegExp {
  return new RegExp(`^(${starts.join('|')})(\\d+)(?=/|$)`);
}

/** Fields of bodies and contexts that name a record by its number. */
const fieldPlaces: ReadonlyMap<string, SyncedCollection | 'steps'> = new Map<
  string,
  SyncedCollection | 'steps'
>([
  ...collectionNames.flatMap((kind) =>
    (mirrorKinds[kind]?.inFields ?? []).map((name): [string, SyncedCollection] => [name, kind]),
  ),
  ['stepid', 'steps'],
]);

/** Whether a call can replace a newer text unnoticed, because it has no revision (OUTBOX-35). */
export function mayOverwrite({ kind }: OutboxCall): boolean {
  return callKindSpecs[kind].overwrites === true;
}

/** The records that the server created for these calls. */
export function madeBy(calls: readonly OutboxCall[]): Map<string, string> {
  const made = new Map<string, string>();
  for (const call of calls) {
    const own = temporaryId(call.id);
    for (const [temporary, real] of Object.entries(call.created)) {
      const collection = temporary === own ? callKindSpecs[call.kind].creates : 'steps';
      if (collection !== undefined) made.set(`${collection}/${real}`, temporary);
    }
  }
  return made;
}

/**
 * The calls that a restored server is offered again, in their old order and with their old keys (OUTBOX-14). Numbers that
 * the server gave to what these calls created become temporary ids again, since it may give the numbers to other records
 * now. For a key that it still knows, the server inserts the right number, so the call has no second effect.
 */
export function offersOf(sent: readonly OutboxCall[]): OutboxCall[] {
  const made = madeBy(sent);
  return sent.map((call) => toOffer(withTemporaryIds(call, made)));
}

/** A done call as one that waits again. */
export function toOffer(call: OutboxCall): OutboxCall {
  const save = guideSaveOf(call);
  return {
    ...call,
    // The draft of a save is gone as soon as the server has it (OUTBOX-30).
    context: save === undefined ? call.context : ({ ...save, offered: true } satisfies GuideSave),
    state: 'queued',
    created: {},
    doneSeq: null,
    doneAt: null,
  };
}

/** The call with temporary ids in place of numbers in `all`; the same call if it names none of them. */
export function withTemporaryIds(call: OutboxCall, all: Made): OutboxCall {
  const made = withoutOtherStep(call, all);
  const path = withTemporaryPath(call.path, made);
  const body = withTemporaryFields(call.body, made);
  const context = withTemporaryFields(call.context, made);
  const target = { ...call.target, id: withTemporaryTarget(call.target, made) };
  const isSame =
    path === call.path && body === call.body && context === call.context && target.id === call.target.id;
  if (isSame) return call;
  const isMade = call.record !== undefined && made.has(`${call.record.c}/${call.record.id}`);
  const record = isMade ? undefined : call.record;
  const step = call.step !== undefined && made.has(`steps/${call.step.id}`) ? undefined : call.step;
  const lane = withTemporaryLane(call, target.id);
  const next: OutboxCall = { ...call, lane, path, body, context, target, record, step };
  return { ...next, needs: needsOf(next) };
}

/** `made` without a step that has the number of the call's step and is another step. */
function withoutOtherStep({ step }: OutboxCall, made: Made): Made {
  const number = `steps/${step?.id}`;
  const temporary = made.get(number);
  if (step === undefined || temporary === undefined || temporary === temporaryId(step.key)) return made;
  return new Map([...made].filter(([one]) => one !== number));
}

function withTemporaryPath(path: string, made: Made): string {
  for (const [collection, place] of pathPlaces) {
    const next = path.replace(place, (whole, before: string, id: string) => {
      const temporary = made.get(`${collection}/${id}`);
      return temporary === undefined ? whole : before + temporary;
    });
    if (next !== path) return next;
  }
  return path;
}

/** The lane contains the id of the record. With the old number it would be the lane of the record that has it now. */
function withTemporaryLane({ lane, target }: OutboxCall, id: string): string {
  return id !== target.id && lane.endsWith(`:${target.id}`)
    ? lane.slice(0, -target.id.length) + id.replace(/^tmp:/, '')
    : lane;
}

function withTemporaryTarget({ collection, id }: OutboxCall['target'], made: Made): string {
  const whole = made.get(`${collection}/${id}`);
  if (whole !== undefined) return whole;
  // The form of a step has the number of the step.
  if (collection === 'stepForms') return made.get(`steps/${id}`) ?? id;
  const guideid = /^(?:favorite|completion|guideTags):(\d+)$/.exec(id)?.[1];
  const guide = guideid === undefined ? undefined : made.get(`guides/${guideid}`);
  return guide === undefined ? id : id.replace(/\d+$/, guide);
}

/** `value` with temporary ids in its fields; the same value if nothing changes. */
function withTemporaryFields(value: unknown, made: Made): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const changed = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    const collection = fieldPlaces.get(name);
    if (collection !== undefined) {
      const temporary = made.get(`${collection}/${String(field)}`);
      return temporary === undefined ? [] : [[name, temporary]];
    }
    if (name !== 'prerequisites' || !Array.isArray(field)) return [];
    const ids = field.map((id: unknown) => made.get(`guides/${String(id)}`) ?? id);
    return ids.some((id, index) => id !== field[index]) ? [[name, ids]] : [];
  });
  const { context: on, contextid } = value as { context?: unknown; contextid?: unknown };
  if (typeof contextid === 'string' && (on === 'guide' || on === 'step')) {
    const temporary = made.get(`${on}s/${contextid}`);
    if (temporary !== undefined) changed.push(['contextid', temporary]);
  }
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}

/** The record that a call is for, by its number; null if it names none, or one that was not sent yet. */
export function recordNamed({
  path,
  body,
  context,
  target,
}: NewCall): { c: SyncedCollection; id: string } | null {
  for (const [c, place] of pathPlaces) {
    const id = place.exec(path)?.[2];
    if (id === undefined) continue;
    if (c !== 'steps') return { c, id };
    // Calls of an earlier app do not name their step: the guide is used instead.
    const guideid = guideidIn(context);
    return guideid === null ? null : { c: 'guides', id: guideid };
  }
  const guideid = guideidIn(body);
  if (guideid !== null) return { c: 'guides', id: guideid };
  const entryid = namingEntry.safeParse(body).data?.entryid;
  if (entryid !== undefined) return { c: 'workLog', id: entryid };
  const wikiid = target.collection === 'wikis' ? target.id : /^wikiTags:(.+)$/.exec(target.id)?.[1];
  return wikiid !== undefined && /^\d+$/.test(wikiid) ? { c: 'wikis', id: wikiid } : null;
}

const namingEntry = z.object({ entryid: z.int().transform(String) });
const namingStep = z.object({ stepid: z.int().transform(String) });

/** The step that a call is on, and its guide, by number; null if it names none, or one that was not sent yet. */
export function stepNamed({ path, body, context }: NewCall): { id: string; guideid: string } | null {
  const [, place] = pathPlaces.find(([c]) => c === 'steps') ?? [];
  const id = place?.exec(path)?.[2] ?? namingStep.safeParse(body).data?.stepid;
  const guideid = guideidIn(context);
  return id === undefined || guideid === null ? null : { id, guideid };
}

const namingGuide = z.object({ guideid: z.union([z.int().transform(String), z.string().regex(/^\d+$/)]) });

/** The guide that a body or context names by its number. */
function guideidIn(value: unknown): string | null {
  return namingGuide.safeParse(value).data?.guideid ?? null;
}

/** The call as it is sent in a batch. Pages are named by their titles, so their `uid` is not sent. */
export function wireCall(call: OutboxCall, protocol: number): BatchCall {
  const { id, lane, method, path, query, body, record, step, recorded } = call;
  const isTolerant = protocol >= tolerantProtocol;
  const files = isTolerant ? filesNamed(call) : [];
  const fields = isTolerant ? fieldsNamed(call) : [];
  const isCompared = record !== undefined && record.c !== 'wikis' && isTolerant;
  return {
    id,
    lane,
    method,
    path,
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    ...(isCompared ? { record } : {}),
    ...(files.length === 0 ? {} : { files }),
    ...(step === undefined || !isTolerant ? {} : { step }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(recorded === undefined ? {} : { recorded_for: recorded.for, recorded_at: recorded.at }),
  };
}
