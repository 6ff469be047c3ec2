import { isRead, isRemembered, type Endpoint } from '#shared/api/endpoint.ts';
import { Problem } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import { administersSite, mayReadSite } from '#server/core/roles.ts';
import type { AuditObject, Origin } from '#server/storage/audit/origin.ts';
import { performWrite, type Work } from '#server/core/write.ts';
import { Changes } from '#server/storage/feed.ts';
import { noteRecording } from '#server/core/stations.ts';

import { admit, enterGate, parseParams, type Precondition } from './admit.ts';
import { viewerInside } from '../core/sessions.ts';
import type { CheckReplay } from './check-answers.ts';
import { respondingWithRecord, type Context } from '../core/context.ts';
import type { Services } from '../core/services.ts';
import { senderOf, type Viewer } from '../core/viewer.ts';
import type { AnyGated, AnyInput, Mounted } from './handle.ts';
import { findKnown, rememberEffect, type Effect } from './idempotency.ts';
import { pageOf, type Page } from './paging.ts';

/** A request without its HTTP framing; nothing is validated yet. */
export interface Incoming {
  method: string;
  /** Path and query as sent, for the request hash. */
  target: string;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  /** The upload that replaces the body, and the SHA-256 of its bytes. */
  upload: NamedUpload | null;
  key: string | null;
  /** Fields of the body that are not part of the request hash (`proofs` of the endpoint). Default: none. */
  proofs?: readonly string[] | undefined;
  /** Whether the body has values that could be guessed (`guessable` of the endpoint). */
  guessable?: boolean | undefined;
  viewer: Viewer;
  baseUrl: string;
  address: string;
  requestId: string;
  headers: Record<string, string | undefined>;
  /** Check of `If-Match` for a record without revisions. */
  precondition?: Precondition | undefined;
}

/** A file that was sent before the call that uses it. */
export interface NamedUpload {
  id: string;
  /** In lower-case hexadecimal. */
  sha256: string;
}

/** The result of a call. */
export interface Outcome {
  status: number;
  body: unknown;
  replayed: boolean;
  /** For lists: the page, and the total number of records. */
  page?: Page;
}

/**
 * Loads the body of a replay, with the caller's current permissions.
 * @throws Problem 404 if the record no longer exists
 */
export type LoadForReplay = (kind: string, id: string, ctx: Context) => Promise<unknown>;

/**
 * Loads with the replays of these resources.
 * @throws Error if two of them have a replay of the same kind, of which one would answer calls of the other
 */
export function loadingForReplay(resources: readonly Pick<Mounted, 'replays'>[]): LoadForReplay {
  const all = resources.flatMap((one) => Object.entries(one.replays));
  const replays = new Map(all);
  const twice = all.find(([kind, replay]) => replays.get(kind) !== replay);
  if (twice !== undefined) throw new Error(`There are two replays of the kind ${twice[0]}`);
  return async (kind, id, ctx) => must(replays.get(kind), `the replay of ${kind}`)(ctx, id);
}

/**
 * Performs one call of the contract: gate, validation, effect, idempotency, feed. Refusals come in the order 401, 404,
 * 403, 422, 409. The parser has already refused with 400, and `enteringFirst` with 401.
 */
export async function performCall(
  endpoint: Endpoint,
  gated: AnyGated,
  asked: Incoming,
  services: Services,
  loadForReplay: LoadForReplay,
  checkReplay?: CheckReplay,
): Promise<Outcome> {
  const { proofs, guessable } = endpoint;
  const incoming = { ...asked, proofs, guessable, key: isRemembered(endpoint) ? asked.key : null };
  mustEnter(endpoint, incoming.viewer, services);
  const params = parseParams(endpoint, incoming.params);
  const status = endpoint.status ?? 200;
  if (isRead(endpoint)) return performRead(endpoint, gated, params, incoming, services);
  const call = { endpoint, incoming, services, loadForReplay, checkReplay, status };
  const enter = (ctx: Context): Promise<AnyInput> => admit(endpoint, gated, params, incoming, ctx);
  if (endpoint.transaction !== 'handler')
    return writeTransaction(call, async (ctx) => {
      const input = await enter(ctx);
      await incoming.precondition?.(incoming, ctx);
      return gated.run(input, ctx);
    });
  const run = async (ctx: Context): Promise<unknown> => gated.run(await enter(ctx), ctx);
  const outcome = await performWithOwnTransactions(call, run, async (ctx) => {
    await enterGate(gated, params, incoming, ctx);
    await incoming.precondition?.(incoming, ctx);
  });
  // The file is stored now. Until here the call could be repeated with the same upload.
  if (incoming.upload !== null) await services.uploads.remove(senderOf(incoming.viewer), incoming.upload.id);
  return outcome;
}

/** A call that writes. */
interface WriteCall {
  endpoint: Endpoint;
  incoming: Incoming;
  services: Services;
  loadForReplay: LoadForReplay;
  checkReplay: CheckReplay | undefined;
  status: number;
}

/** Throws 401 or 403 if the endpoint's `access` excludes the viewer. */
export function mustEnter(endpoint: Endpoint, viewer: Viewer, { site }: Services): void {
  const access = endpoint.access ?? 'user';
  const isOpen = access === 'public' && mayReadSite(viewer, site);
  if (viewer.userid === 0 && !isOpen && !isEntrance(endpoint)) {
    throw new Problem('unauthorized', 'Authentication required');
  }
  if (access === 'admin' && !administersSite(viewer))
    throw new Problem('forbidden', 'Insufficient privileges', { requiredPrivileges: ['Admin'] });
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
  const body = await gated.run(input, ctx);
  const page = pageOf(input.query, body, total);
  return { status, body, replayed: false, ...(page === undefined ? {} : { page }) };
}

/**
 * Endpoints that are public even on a private site: signing in, registering, setting a new password, setting up an empty
 * server, enrolling a station, and what apps need to know about the site before that.
 */
function isEntrance(endpoint: Endpoint): boolean {
  return entrances.has(`${endpoint.method} ${endpoint.path}`);
}

const entrances = new Set([
  'POST /user/token',
  'POST /users',
  'POST /users/reset_password',
  'POST /users/reset_password/confirm',
  'GET /sign_on/metadata',
  'POST /sign_on/assertions',
  'POST /user/token/sign_on',
  'POST /user/token/sign_on/redeem',
  'GET /sites/info',
  'GET /info',
  'GET /sites',
  'GET /setup',
  'POST /setup',
  'POST /stations/enroll',
  'POST /setup/backups',
  'POST /setup/restore',
]);

/**
 * Performs a call that opens its transactions itself with `ctx.write`. `gate` runs again inside each transaction,
 * because the permissions at the time of the write count.
 *
 * - IDEMPOTENCY-14 A call with its own transactions (uploads, imports, settings) opens one for its effect and records
 *   its key there. Its response comes from that transaction.
 */
async function performWithOwnTransactions(
  call: WriteCall,
  run: (ctx: Context) => Promise<unknown>,
  gate: (ctx: Context) => Promise<void>,
): Promise<Outcome> {
  const { incoming, services, loadForReplay, status } = call;
  const ctx: Context = {
    ...contextOf(incoming, services, new Changes()),
    db: services.storage.reader,
    write: async <T>(work: (write: Context) => Promise<T>): Promise<T> => {
      const done: { value?: { of: T } } = {};
      const outcome = await writeTransaction(call, async (write) => {
        await gate(write);
        const value = await work(write);
        done.value = { of: value };
        return value;
      });
      if (outcome.replayed) throw new Replayed(outcome);
      return must(done.value, 'the result of the work').of;
    },
  };
  const before = await findReplay(incoming, ctx, loadForReplay);
  if (before !== undefined) return before;
  try {
    return { status, body: await run(ctx), replayed: false };
  } catch (error) {
    if (error instanceof Replayed) return error.outcome;
    throw error;
  }
}

/** Thrown to leave a handler whose effect was already performed under the same key. */
class Replayed extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('The call was performed before');
    this.outcome = outcome;
  }
}

async function writeTransaction(
  { endpoint, incoming: asked, services, loadForReplay, checkReplay, status }: WriteCall,
  run: (ctx: Context) => Promise<unknown>,
): Promise<Outcome> {
  return performWrite(
    services,
    originOf(endpoint, asked),
    async (tx, note, changes): Promise<Work<Outcome>> => {
      const viewer = await viewerInside(tx, asked.viewer, Math.floor(services.now() / 1000));
      mustEnter(endpoint, viewer, services);
      const incoming = { ...asked, viewer };
      let effect: Effect | null = null;
      const temporaryIds = new Map<string, string>();
      const ctx: Context = {
        ...contextOf(incoming, services, changes),
        db: tx,
        note,
        respondWithRecord: respondingWithRecord((kind, id) => (effect = { kind, id })),
        created: (key, id) => temporaryIds.set(key, String(id)),
      };
      const replay = await findReplay(incoming, ctx, loadForReplay);
      if (replay !== undefined) return { value: replay, by: null };
      const body = await run(ctx);
      note.object ??= objectOf(effect, incoming.params);
      await noteRecording(tx, note, viewer, `${endpoint.method} ${endpoint.path}`, services.now());
      const done = { status, effect, temporaryIds, seconds: ctx.seconds };
      await rememberEffect(tx, incoming, done, services.identity);
      return {
        value: { status, body, replayed: false },
        by: { key: incoming.key, sender: senderOf(viewer), userid: viewer.userid, writer: viewer },
        last: async () => {
          if (checkReplay !== undefined && isRemembered(endpoint))
            await checkReplay(endpoint, body, () => answerOf(effect, ctx, loadForReplay));
        },
      };
    },
  );
}

/** Caller and action for the audit log. */
function originOf({ method, path }: Endpoint, { viewer, address }: Incoming): Origin {
  const { userid, username, impersonator } = viewer;
  return {
    userid: userid || null,
    name: userid === 0 ? 'Anonymous' : username,
    impersonator,
    action: `${method} ${path}`,
    address,
  };
}

/** The record of a call for the audit log: the record of its response, else the last one in its path. */
function objectOf(effect: Effect | null, params: Record<string, string>): AuditObject | undefined {
  if (effect !== null) return { kind: effect.kind, id: effect.id };
  const [name, id] = Object.entries(params).at(-1) ?? [];
  return name === undefined || id === undefined ? undefined : { kind: name.replace(/id$/, ''), id };
}

function contextOf(incoming: Incoming, services: Services, changes: Changes): Context {
  return {
    services,
    db: services.storage.reader,
    viewer: incoming.viewer,
    baseUrl: incoming.baseUrl,
    address: incoming.address,
    requestId: incoming.requestId,
    headers: incoming.headers,
    seconds: Math.floor(services.now() / 1000),
    key: incoming.key,
    changes,
    note: {},
    respondWithRecord: respondingWithRecord(() => undefined),
    created: () => undefined,
    total: () => undefined,
    write: () => {
      throw new Error('Only endpoints with transaction "handler" open their own transactions');
    },
  };
}

/** The response to a call that was already performed, with the caller's current permissions. */
async function findReplay(
  incoming: Incoming,
  ctx: Context,
  loadForReplay: LoadForReplay,
): Promise<Outcome | undefined> {
  const known = await findKnown(ctx.db, incoming, ctx.services.identity);
  if (known === undefined) return undefined;
  const { status, effect } = known;
  return { status, body: await answerOf(effect, ctx, loadForReplay), replayed: true };
}

async function answerOf(effect: Effect | null, ctx: Context, loadForReplay: LoadForReplay): Promise<unknown> {
  return effect === null ? undefined : loadForReplay(effect.kind, effect.id, ctx);
}
