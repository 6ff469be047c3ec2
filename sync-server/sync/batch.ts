import type { FastifyInstance, FastifyRequest } from 'fastify';

import {
  collectionNames,
  previousRevision,
  temporaryId,
  type BatchCall,
  type BatchRequest,
  type BatchResult,
  type SyncedCollection,
} from '#shared/sync/wire.ts';
import { temporaryIdsIn, withRealIds } from '#shared/sync/temporary-ids.ts';
import { type ProblemCode, problemFields } from '#shared/api/problem.ts';
import { stepKeyOf } from '#shared/rules/guide-content.ts';
import { recordedHeaders } from '#shared/rules/stations.ts';
import type { Services } from '#server/core/services.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { apiPrefix } from '#server/http/mount.ts';
import { fileGuid } from '#server/features/media/store.ts';
import { findField } from '#server/features/step-forms/store.ts';
import { chunks } from '#server/storage/chunks.ts';
import { findDocument } from '#server/storage/feed.ts';

import { textWithRows, type FeedLine } from './feed-line.ts';
import { currentRow, currentCheckpoint, rowsOfKey } from './feed-reader.ts';
import { headOf } from './negotiation.ts';

/** Headers of the response to a single call that devices read. */
const passedHeaders = ['retry-after', 'idempotency-replayed', 'x-request-id'];

/** The result of one call, with its rows as text. */
type Result = Omit<BatchResult, 'rows'> & { rows: FeedLine[] };

interface Lane {
  /** The id of the refused call; later calls of the lane are not run. */
  refused?: string;
  /** The revision that the last call of the lane produced. */
  revisionid?: number;
}

/**
 * Runs the calls of a batch in order, through the ordinary routes of the API. After a refusal the rest of its lane is
 * returned without being run (status 0); other lanes continue. Yields an NDJSON line for each call when it is done.
 *
 * - INPUT-13 The calls of a batch cannot reach anything but the documented API, and a bad call does not affect the
 *   others.
 * - INPUT-14 A batch may name more temporary ids than fit into one SQL statement.
 */
export async function* runBatch(
  app: FastifyInstance,
  services: Services,
  viewer: Viewer,
  batch: BatchRequest,
  outer: FastifyRequest,
  protocol: number,
): AsyncGenerator<string> {
  yield `${JSON.stringify(await headOf(services, outer, protocol))}\n`;
  const lanes = new Map<string, Lane>();
  for (const call of batch.calls) {
    const lane = lanes.get(call.lane) ?? {};
    lanes.set(call.lane, lane);
    const result =
      lane.refused === undefined
        ? await runOrFail(app, services, viewer, call, lane, outer)
        : unrun(call, lane.refused);
    if (result.status < 200 || result.status >= 300) lane.refused ??= call.id;
    const { rows, ...rest } = result;
    const place = await currentCheckpoint(services, protocol);
    yield `${textWithRows({ ...rest, ...place }, rows, protocol)}\n`;
  }
}

/** Runs a call. An unexpected error becomes the result of this call only, so that the other results are still sent. */
async function runOrFail(...args: Parameters<typeof runCall>): Promise<Result> {
  const [, services, , call] = args;
  try {
    return await runCall(...args);
  } catch (error) {
    services.log.error({ err: error }, 'call of a batch failed');
    return refused(call, 500, 'The server failed; the call may be sent again', 'server-error');
  }
}

function refused(
  call: BatchCall,
  status: number,
  message: string,
  code: ProblemCode,
  field?: string,
): Result {
  const errors = field === undefined ? {} : { errors: [{ field, message }] };
  const body = { ...problemFields(message, code), ...errors };
  return { id: call.id, status, headers: {}, body, rows: [], created: {}, replayed: false };
}

function unrun(call: BatchCall, after: string): Result {
  return { id: call.id, status: 0, headers: {}, after, rows: [], created: {}, replayed: false };
}

async function runCall(
  app: FastifyInstance,
  services: Services,
  viewer: Viewer,
  call: BatchCall,
  lane: Lane,
  outer: FastifyRequest,
): Promise<Result> {
  const real = await realIds(services, viewer, call);
  if (real.missing !== undefined) {
    const message = `Nothing has made ${real.missing} yet`;
    return { ...refused(call, 422, message, 'temporary-id-unknown', 'needs'), after: real.missing };
  }
  if (
    (await isOther(services, real.call)) ||
    (await namesOtherStep(services, real.call)) ||
    (await isOtherStep(services, call)) ||
    (await namesOtherField(services, call))
  )
    return refused(call, 404, otherRecord, 'other-record');
  if (await namesOtherFile(services, call)) return refused(call, 404, otherFile, 'other-record');
  if (!staysInside(real.call.path)) return refused(call, 404, 'Endpoint not found', 'endpoint-not-found');
  const query = new URLSearchParams(real.call.query);
  if (query.get('revisionid') === previousRevision && lane.revisionid !== undefined)
    query.set('revisionid', String(lane.revisionid));
  const search = query.toString();
  const response = await app.inject({
    method: call.method,
    url: `${apiPrefix}${real.call.path}${search === '' ? '' : `?${search}`}`,
    headers: {
      authorization: outer.headers.authorization ?? '',
      host: outer.host,
      'idempotency-key': call.id,
      'content-type': 'application/json',
      ...recordedHeadersOf(call),
    },
    remoteAddress: outer.ip,
    ...(real.call.body === undefined ? {} : { payload: JSON.stringify(real.call.body) }),
  });
  const body: unknown = response.body === '' ? undefined : JSON.parse(response.body);
  const ok = response.statusCode >= 200 && response.statusCode < 300;
  if (ok && typeof body === 'object' && body !== null && 'revisionid' in body)
    lane.revisionid = Number(body.revisionid);
  return {
    id: call.id,
    status: response.statusCode,
    headers: passedHeadersOf(response.headers),
    ...(body === undefined || ok ? {} : { body }),
    rows: await rowsAfter(services, viewer, real.call, response.statusCode, body),
    created: ok ? await createdBy(services, viewer, call) : {},
    replayed: response.headers['idempotency-replayed'] === 'true',
  };
}

/** The headers by which a station names the person of a call. */
function recordedHeadersOf({ recorded_for, recorded_at }: BatchCall): Record<string, string> {
  return {
    ...(recorded_for === undefined ? {} : { [recordedHeaders.for]: recorded_for }),
    ...(recorded_at === undefined ? {} : { [recordedHeaders.at]: recorded_at }),
  };
}

const otherRecord =
  'What this was written for is no longer on the server; its number belongs to something else now.';

/** Whether the number of the call's record belongs to another record now (FEED-17). */
async function isOther(services: Services, { record }: BatchCall): Promise<boolean> {
  if (record === undefined) return false;
  const found = await services.storage.reader
    .selectFrom('documents')
    .select('uid')
    .where('collection', '=', record.c)
    .where('id', '=', record.id)
    .executeTakeFirst();
  return found !== undefined && found.uid !== '' && found.uid !== record.uid;
}

/** Calls of older apps do not name their step, so it is checked against the guide of the call (FEED-17). */
const stepPath = /^\/(?:comments\/step|step_forms)\/(\d+)(?=\/|$)/;

/** Whether a call for a guide names a step whose number belongs to another guide now (FEED-17). */
async function namesOtherStep(services: Services, { record, path }: BatchCall): Promise<boolean> {
  const stepid = stepPath.exec(path)?.[1];
  if (stepid === undefined || record?.c !== 'guides') return false;
  const step = await services.storage.reader
    .selectFrom('steps')
    .select('guideid')
    .where('stepid', '=', Number(stepid))
    .executeTakeFirst();
  return step !== undefined && String(step.guideid) !== record.id;
}

/** Whether the number of the call's step belongs to another step now, even one of the same guide (FEED-17). */
async function isOtherStep({ storage }: Services, { step }: BatchCall): Promise<boolean> {
  if (step === undefined) return false;
  const found = await storage.reader
    .selectFrom('steps')
    .select('guideid')
    .where('stepid', '=', step.id)
    .executeTakeFirst();
  const guide = found && (await findDocument(storage.reader, 'guides', found.guideid));
  const now = guide?.steps.find(({ stepid }) => stepid === step.id);
  return now !== undefined && stepKeyOf(now) !== step.key;
}

/** Whether the number of a field in the body belongs to another field now (FEED-17). */
async function namesOtherField({ storage }: Services, { fields = [] }: BatchCall): Promise<boolean> {
  for (const { id, guid } of fields) {
    const found = await findField(storage.reader, id);
    if (found !== undefined && found.field.field_guid !== guid) return true;
  }
  return false;
}

const otherFile =
  'A picture or document that this names is no longer on the server; its number belongs to another file now. Add the file again.';

/** Whether the number of a file in the body belongs to another file now (FEED-17). */
async function namesOtherFile(services: Services, { files = [] }: BatchCall): Promise<boolean> {
  for (const { kind, id, guid } of files) {
    const found = await fileGuid(services.storage.reader, kind, id);
    if (found !== undefined && found !== guid) return true;
  }
  return false;
}

/** Whether a path stays inside the documented API, unlike `/../../sync/1/batch`. */
function staysInside(path: string): boolean {
  const url = URL.parse(`${apiPrefix}${path}`, 'http://localhost');
  return url !== null && url.pathname.startsWith(`${apiPrefix}/`) && url.search === '' && url.hash === '';
}

function passedHeadersOf(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    passedHeaders.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

async function rowsAfter(
  services: Services,
  viewer: Viewer,
  { id: key, path }: BatchCall,
  status: number,
  body: unknown,
): Promise<FeedLine[]> {
  const db = services.storage.reader;
  if (status >= 200 && status < 300) return rowsOfKey(db, viewer, key);
  const record = status === 409 ? recordInConflict(path, body) : undefined;
  return record === undefined ? [] : [await currentRow(db, viewer, record.c, record.id)];
}

/**
 * The record in the body of a 409. A record may also name others, such as the guide that it belongs to, so the
 * collection of the path comes first.
 */
export function recordInConflict(
  path: string,
  body: unknown,
): { c: SyncedCollection; id: string } | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const facts = new Map<string, unknown>(Object.entries(body));
  const named = collectionNames.filter((name) => facts.has(idField(name)));
  const ofPath = named.find((name) => path.startsWith(`/${pathOf[name] ?? name}/`));
  if (ofPath === undefined && facts.has('entryid')) return { c: 'workLog', id: String(facts.get('entryid')) };
  if (ofPath === undefined && facts.has('form_revisionid') && facts.has('stepid'))
    return { c: 'stepForms', id: String(facts.get('stepid')) };
  const c = ofPath ?? named[0];
  return c === undefined ? undefined : { c, id: String(facts.get(idField(c))) };
}

/** Where the records of a collection are, if not under its name. */
const pathOf: { readonly [C in SyncedCollection]?: string } = { plannedOrders: 'work_orders' };

/**
 * The field with the id of a record, named after its collection: `guideid` for `guides`, `planned_orderid` for
 * `plannedOrders`.
 */
function idField(collection: SyncedCollection): string {
  const words = collection.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `${words.replace(/s$/, '')}id`;
}

async function createdBy(
  services: Services,
  viewer: Viewer,
  call: BatchCall,
): Promise<Record<string, number | string>> {
  const rows = await temporaryIds(services, viewer, [call.id, ...keysIn(call.body)]);
  return Object.fromEntries(rows.map((row) => [temporaryId(row.key), realIdOf(row.id)]));
}

/** An id in the form of responses: a number if it consists of digits. */
export function realIdOf(id: string): number | string {
  return /^\d+$/.test(id) ? Number(id) : id;
}

/** The real ids of temporary ids of the viewer, by key. */
export async function temporaryIds(
  services: Services,
  viewer: Viewer,
  keys: string[],
): Promise<{ key: string; id: string }[]> {
  const rows: { key: string; id: string }[] = [];
  for (const some of chunks(keys)) {
    const found = await services.storage.reader
      .selectFrom('temporary_ids')
      .select(['key', 'id'])
      .where('userid', '=', viewer.userid)
      .where('key', 'in', some)
      .execute();
    rows.push(...found);
  }
  return rows;
}

/** The `key` of every step in the body of a guide. */
function keysIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || !('steps' in body) || !Array.isArray(body.steps))
    return [];
  return body.steps.flatMap((step: unknown) =>
    typeof step === 'object' && step !== null && 'key' in step && typeof step.key === 'string'
      ? [step.key]
      : [],
  );
}

/** Replaces temporary ids by real ones. `missing`: a temporary id for which no real id exists yet. */
async function realIds(
  services: Services,
  viewer: Viewer,
  call: BatchCall,
): Promise<{ call: BatchCall; missing?: string }> {
  const named = [...temporaryIdsIn(call)];
  if (named.length === 0) return { call };
  const rows = await temporaryIds(
    services,
    viewer,
    named.map((one) => one.slice(temporaryId('').length)),
  );
  const ids = new Map(rows.map((row) => [temporaryId(row.key), row.id]));
  const missing = named.find((one) => !ids.has(one));
  return missing === undefined ? { call: withRealIds(call, (one) => ids.get(one)) } : { call, missing };
}
