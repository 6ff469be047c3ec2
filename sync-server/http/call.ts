import { createHash } from 'node:crypto';

import { z } from 'zod';

import type { CallInput, Endpoint } from '#shared/api/endpoint.ts';
import { Problem, type FieldError } from '#shared/api/problem.ts';
import { can } from '#server/access/can.ts';
import { rememberTextPictures } from '#server/media/text-pictures.ts';
import { Changes } from '#server/storage/feed.ts';
import type { Tx } from '#server/storage/tables.ts';
import { announceChanges } from '#server/webhooks/announce.ts';

import type { Context, RecordKind, Services, Viewer } from './context.ts';
import type { Gated } from './handle.ts';
import { pageOf, type Page } from './paging.ts';

/** A request as the core sees it: HTTP taken off, nothing validated yet. */
export interface Incoming {
  method: string;
  /** Path and query as sent, for the request hash. */
  target: string;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  key: string | null;
  viewer: Viewer;
  baseUrl: string;
  address: string;
  headers: Record<string, string | undefined>;
}

/** What a call answers. */
export interface Outcome {
  status: number;
  body: unknown;
  replayed: boolean;
  /** Of a list: which page it is, of how many records. */
  page?: Page;
}

type AnyGated = Gated<Endpoint>;

/** A 422 names at most so many fields: a body of a hundred thousand wrong elements is not answered with as many. */
const mostErrors = 100;

/** Represents a record for a replay, under the caller's present permission; throws 404 when it is gone. */
export type Represent = (kind: RecordKind, id: string, ctx: Context) => Promise<unknown>;

/**
 * Performs one call of the contract: gate, validation, effect, idempotency, feed.
 * Refusals come in the order 401, 404, 403, 422, 409 (design: order of refusals); 400 was decided by the parser.
 */
export async function performCall(
  endpoint: Endpoint,
  handler: Gated<never>,
  incoming: Incoming,
  services: Services,
  represent: Represent,
): Promise<Outcome> {
  const access = endpoint.access ?? 'user';
  const { viewer } = incoming;
  const isOpen = access === 'public' && can(viewer, 'site.read', services.site);
  if (viewer.userid === 0 && !isOpen && !isEntrance(endpoint)) {
    throw new Problem('unauthorized', 'Authentication required');
  }
  if (access === 'admin' && !can(viewer, 'site.administer', services.site))
    throw new Problem('forbidden', 'Insufficient privileges', { requiredPrivileges: ['Admin'] });
  const gated = handler as unknown as AnyGated;
  const params = parseParams(endpoint, incoming.params);
  const status = endpoint.status ?? 200;
  if (endpoint.method === 'GET') return performRead(endpoint, gated, params, incoming, services);
  const run = async (ctx: Context): Promise<unknown> => {
    const input = await admit(endpoint, gated, params, incoming, ctx);
    return gated.run(input as CallInput<Endpoint>, ctx);
  };
  if (endpoint.transaction === 'handler')
    return performWithOwnTransactions(incoming, services, represent, status, run);
  return writeTransaction(incoming, services, represent, status, run);
}

async function performRead(
  endpoint: Endpoint,
  gated: AnyGated,
  params: unknown,
  incoming: Incoming,
  services: Services,
): Promise<Outcome> {
  const status = endpoint.status ?? 200;
  let total: number | undefined;
  const ctx: Context = {
    ...contextOf(incoming, services, new Changes()),
    total: (count) => (total = count),
  };
  const input = await admit(endpoint, gated, params, incoming, ctx);
  const body = await gated.run(input as CallInput<Endpoint>, ctx);
  const page = total === undefined ? undefined : pageOf(input.query, total);
  return { status, body, replayed: false, ...(page === undefined ? {} : { page }) };
}

/**
 * What stands open even on a private site: signing in, registering, setting a new password, and what apps must know of
 * the site before they can ask for either.
 */
function isEntrance(endpoint: Endpoint): boolean {
  return entrances.has(`${endpoint.method} ${endpoint.path}`);
}

const entrances = new Set([
  'POST /user/token',
  'POST /users',
  'POST /users/reset_password',
  'POST /users/reset_password/confirm',
  'GET /sites/info',
  'GET /info',
  'GET /sites',
]);

async function performWithOwnTransactions(
  incoming: Incoming,
  services: Services,
  represent: Represent,
  status: number,
  run: (ctx: Context) => Promise<unknown>,
): Promise<Outcome> {
  const ctx: Context = {
    ...contextOf(incoming, services, new Changes()),
    db: services.storage.reader,
    write: async (work) => {
      const outcome = await writeTransaction(incoming, services, represent, status, work);
      if (outcome.replayed) throw new Replayed(outcome);
      return outcome.body as never;
    },
  };
  const before = await findReplay(incoming, { ...ctx }, represent);
  if (before !== undefined) return before;
  try {
    return { status, body: await run(ctx), replayed: false };
  } catch (error) {
    if (error instanceof Replayed) return error.outcome;
    throw error;
  }
}

/** Leaves a handler whose effect turned out to be there already. */
class Replayed extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('The call was performed before');
    this.outcome = outcome;
  }
}

async function writeTransaction(
  incoming: Incoming,
  services: Services,
  represent: Represent,
  status: number,
  run: (ctx: Context) => Promise<unknown>,
): Promise<Outcome> {
  const changes = new Changes();
  const outcome = await services.storage.write(async (tx: Tx): Promise<Outcome> => {
    let effect: { kind: RecordKind; id: string } | null = null;
    const temporaryIds = new Map<string, string>();
    const ctx: Context = {
      ...contextOf(incoming, services, changes),
      db: tx,
      answersWith: (kind, id) => (effect = { kind, id: String(id) }),
      created: (key, id) => temporaryIds.set(key, String(id)),
    };
    const replay = await findReplay(incoming, ctx, represent);
    if (replay !== undefined) return replay;
    const body = await run(ctx);
    await rememberEffect(tx, incoming, services, status, effect, temporaryIds);
    await rememberTextPictures(tx, incoming.viewer, changes);
    await announceChanges(tx, services, changes, incoming.viewer.userid);
    await changes.flush(tx, { key: incoming.key, userid: incoming.viewer.userid || null }, () =>
      nonce(services),
    );
    return { status, body, replayed: false };
  });
  if (!outcome.replayed) services.bus.committed();
  return outcome;
}

function nonce(services: Services): string {
  return Buffer.from(services.randomBytes(6)).toString('hex');
}

function contextOf(incoming: Incoming, services: Services, changes: Changes): Context {
  return {
    services,
    db: services.storage.reader,
    viewer: incoming.viewer,
    baseUrl: incoming.baseUrl,
    address: incoming.address,
    headers: incoming.headers,
    seconds: Math.floor(services.now() / 1000),
    key: incoming.key,
    changes,
    answersWith: () => undefined,
    created: () => undefined,
    total: () => undefined,
    write: () => {
      throw new Error('Only endpoints with transaction "handler" open their own transactions');
    },
  };
}

/** 404, 403 by the gate; then 422 for query, revision and body together. */
async function admit(endpoint: Endpoint, gated: AnyGated, params: unknown, incoming: Incoming, ctx: Context) {
  await gated.allow({ params, query: incoming.query } as never, ctx);
  const errors: FieldError[] = [];
  const query = check(endpoint.query, incoming.query, errors);
  const { revisionid, rest } = takeRevision(endpoint, incoming, errors);
  const body =
    endpoint.consumes === 'bytes'
      ? checkBytes(rest, ctx.services.site.uploadMegabytes, errors)
      : check(endpoint.body, rest ?? (endpoint.body ? {} : undefined), errors);
  if (errors.length > 0)
    throw new Problem('invalid', 'Validation failed', { errors: errors.slice(0, mostErrors) });
  return { params, query, body, revisionid };
}

function parseParams(endpoint: Endpoint, params: Record<string, string>): unknown {
  if (endpoint.params === undefined) return undefined;
  const parsed = endpoint.params.safeParse(params);
  if (!parsed.success) throw new Problem('not-found', 'Not found: the id in the path names nothing');
  return parsed.data;
}

function checkBytes(body: unknown, mostMegabytes: number, errors: FieldError[]): unknown {
  if (!(body instanceof Uint8Array) || body.length === 0)
    errors.push({ field: 'body', message: 'Send the bytes of the file as the body' });
  else if (body.length > mostMegabytes * 1024 * 1024)
    errors.push({ field: 'body', message: `A file may have ${mostMegabytes} MB on this site` });
  return body;
}

function check(schema: z.ZodType | undefined, value: unknown, errors: FieldError[]): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  errors.push(...parsed.error.issues.flatMap(fieldErrors));
  return undefined;
}

/** `errors[]` entries of one zod issue: unknown keys are one entry each. */
function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: `Unknown field ${key}` }));
  }
  const index = issue.path.find((part) => typeof part === 'number');
  const error: FieldError = { field: path.join('.') || 'body', message: issue.message };
  return [index === undefined ? error : { ...error, index }];
}

/** Takes `revisionid` from the query, `If-Match`, or (older clients) the body of a revisioned call. */
function takeRevision(
  endpoint: Endpoint,
  incoming: Incoming,
  errors: FieldError[],
): { revisionid: number | undefined; rest: unknown } {
  if (endpoint.revisioned === undefined) return { revisionid: undefined, rest: incoming.body };
  let rest = incoming.body;
  let text: unknown = incoming.query['revisionid'] ?? revisionInTag(incoming.headers['if-match']);
  if (typeof rest === 'object' && rest !== null && 'revisionid' in rest) {
    const { revisionid: inBody, ...others } = rest as Record<string, unknown>;
    text ??= inBody;
    rest = endpoint.body === undefined && Object.keys(others).length === 0 ? undefined : others;
  }
  const revisionid = typeof text === 'number' || typeof text === 'string' ? Number(text) : Number.NaN;
  if (text === undefined)
    errors.push({ field: 'revisionid', message: 'Name the current revisionid as a query parameter' });
  else if (!Number.isSafeInteger(revisionid) || text === '')
    errors.push({ field: 'revisionid', message: 'revisionid must be an integer' });
  return { revisionid, rest };
}

/** `"5123"`, or the ETag of an answer, which begins with the revision (`W/"5123-…"`). */
function revisionInTag(header: string | undefined): string | undefined {
  return header === undefined
    ? undefined
    : (/^(?:W\/)?"?(\d+)(?:-[\w-]{22})?"?$/.exec(header)?.[1] ?? header);
}

function requestHash(incoming: Incoming): string {
  const hash = createHash('sha256');
  hash.update(incoming.method).update('\0').update(incoming.target).update('\0');
  hash.update(incoming.body instanceof Uint8Array ? incoming.body : JSON.stringify(incoming.body ?? null));
  return hash.digest('hex');
}

async function findReplay(
  incoming: Incoming,
  ctx: Context,
  represent: Represent,
): Promise<Outcome | undefined> {
  if (incoming.key === null || incoming.viewer.userid === 0) return undefined;
  const known = await ctx.db
    .selectFrom('idempotency')
    .select(['request_hash', 'status', 'kind', 'id'])
    .where('userid', '=', incoming.viewer.userid)
    .where('key', '=', incoming.key)
    .executeTakeFirst();
  if (known === undefined) return undefined;
  if (known.request_hash !== requestHash(incoming)) {
    throw new Problem('invalid', 'This Idempotency-Key was used for another request', {
      errors: [{ field: 'Idempotency-Key', message: 'Use a new key for a new request' }],
    });
  }
  const body =
    known.kind === null || known.kind === 'nothing'
      ? undefined
      : await represent(known.kind as RecordKind, known.id ?? '', ctx);
  return { status: known.status, body, replayed: true };
}

async function rememberEffect(
  tx: Tx,
  incoming: Incoming,
  services: Services,
  status: number,
  effect: { kind: RecordKind; id: string } | null,
  temporaryIds: Map<string, string>,
): Promise<void> {
  const { userid } = incoming.viewer;
  if (incoming.key === null || userid === 0) return;
  await tx
    .insertInto('idempotency')
    .values({
      userid,
      key: incoming.key,
      request_hash: requestHash(incoming),
      status,
      kind: effect?.kind ?? null,
      id: effect?.id ?? null,
      created_date: Math.floor(services.now() / 1000),
    })
    .execute();
  for (const [key, id] of temporaryIds) {
    await tx
      .insertInto('temporary_ids')
      .values({ userid, key, id })
      .onConflict((conflict) => conflict.columns(['userid', 'key']).doUpdateSet({ id }))
      .execute();
  }
}
