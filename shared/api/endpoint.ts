import { z } from 'zod';

/** HTTP verbs of the surface. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Collections that carry a `revisionid` which an edit must name (spec, "Versioning" 3). */
export type Revisioned = 'guide' | 'step' | 'wiki' | 'form';

/** Which outbox lane an offline call joins: calls on one record run in order. */
export type OfflineLane =
  | 'guide'
  | 'step'
  | 'form'
  | 'entry'
  | 'comment'
  | 'wiki'
  | 'viewer'
  | 'person'
  | 'media'
  | 'quiz';

/** Media types of answers that are no JSON; a ZIP is sent as a file. */
export type OtherForm =
  | 'application/xml'
  | 'text/html'
  | 'application/zip'
  | 'application/x-ndjson'
  | 'text/event-stream';

/** What a handler answers in another form than JSON. */
export interface OtherAnswer {
  readonly form: OtherForm;
  readonly otherAnswer: true;
}

interface EndpointOptions {
  /** One line, sentence case, for the OpenAPI document. */
  summary: string;
  /** Who may call at all; finer rules are the resource's policy. Default `user`. */
  access?: 'public' | 'user' | 'admin';
  /** Status of success. Default 200; 204 has no body. */
  status?: 200 | 201 | 202 | 204;
  params?: z.ZodType;
  query?: z.ZodType;
  /** The call must name the current revision in `?revisionid=`; 422 when missing, 409 when stale. */
  revisioned?: Revisioned;
  /** The call may name the current revision; 409 when it names another. What it changes is no part of the revision. */
  checks?: 'guide' | 'wiki';
  body?: z.ZodType;
  /** Fields of the body that prove the caller's identity; they do not count for the Idempotency-Key (IDEMPOTENCY-15). */
  proofs?: readonly string[];
  /** What the body is: JSON (default) or the raw bytes of a file. */
  consumes?: 'json' | 'bytes';
  /** The file may be one that was sent to `/sync/1/uploads`, named by `upload` and `sha256` in the query (extension). */
  takesUploads?: true;
  /** Media types of the files that are taken, for the document: what a file is, its bytes show. */
  files?: readonly string[];
  result?: z.ZodType;
  /** Other forms than JSON that the answer may have; which one, the query says. */
  produces?: readonly OtherForm[];
  /** The answer is a file that may be asked for in parts: 206, and 416 beyond its end. */
  ranges?: true;
  /** The outbox may carry this call. */
  offline?: OfflineLane;
  /** The record that the body of a 409 holds, where it is not the one that `revisioned` names. */
  conflict?: z.ZodType;
  /**
   * What a GET at the same address answers, of a record without revisions: `If-Match` may carry its ETag; another one
   * than the current is 409, with the record as it is now.
   */
  tagged?: z.ZodType;
  /** Which of these refusals can occur, where they are not what follows from the rest (`statusesOf`). */
  refuses?: readonly (400 | 403 | 404 | 410 | 412 | 413 | 426)[];
  /**
   * Of a GET: its answer follows from the database, the site's settings, the caller and the address alone
   * (`until-written`), or also from the clock in seconds (`one-second`), so that the server may answer again without
   * making it again.
   */
  lasts?: 'until-written' | 'one-second';
  /** Of a POST: it only reads. There is no effect that could happen twice, so that no key remembers the call. */
  reads?: true;
  /** Ours, beyond the specification. */
  extension?: true;
  /** What the path counts from, where that is not `/api/2.0`. */
  root?: '/omanual' | '/sync';
  /** The specification says not to use it any more. */
  deprecated?: true;
  /**
   * `handler`: the handler opens its own transactions, because it awaits more than the database
   * (hashing, image decoding, an upload). Default: the whole call is one transaction.
   */
  transaction?: 'handler';
}

/** What paths of the contract count from, unless an endpoint says otherwise. */
export const apiPrefix = '/api/2.0';

/** The path of an endpoint as a URL has it. */
export function rootedPath({ path, root }: Pick<Endpoint, 'path' | 'root'>): string {
  return (root ?? apiPrefix) + path;
}

/** One declared endpoint: `path` is relative to `{base_url}/api/2.0` and spelled as in the spec. */
export type Endpoint<M extends Method = Method, O extends EndpointOptions = EndpointOptions> = {
  method: M;
  path: string;
} & O;

/** A resource: names of calls → endpoints. */
export type EndpointTable = Record<string, Endpoint>;

type ResultOf<E> = E extends { result: infer R extends z.ZodType } ? z.input<R> : void;
type OtherOf<E> = E extends { produces: readonly OtherForm[] } ? OtherAnswer : never;

/** What a handler receives: every part already parsed; absent parts are undefined. */
export interface CallInput<E> {
  params: E extends { params: infer P extends z.ZodType } ? z.output<P> : undefined;
  query: E extends { query: infer Q extends z.ZodType } ? z.output<Q> : undefined;
  body: E extends { consumes: 'bytes' }
    ? Uint8Array
    : E extends { body: infer B extends z.ZodType }
      ? z.output<B>
      : undefined;
  /** The revision named by the caller; a number on every `revisioned` endpoint, maybe one where it is checked. */
  revisionid: E extends { revisioned: Revisioned }
    ? number
    : E extends { checks: Revisioned }
      ? number | undefined
      : undefined;
}

/** What a client passes: the wire side of each part. */
export type CallArguments<E> = (E extends { params: infer P extends z.ZodType }
  ? { params: z.input<P> }
  : unknown) &
  (E extends { query: infer Q extends z.ZodType } ? { query?: z.input<Q> } : unknown) &
  (E extends { consumes: 'bytes' }
    ? { body: Uint8Array<ArrayBuffer> | Blob }
    : E extends { body: infer B extends z.ZodType }
      ? { body: z.input<B> }
      : unknown) &
  (E extends { revisioned: Revisioned }
    ? { revisionid: number }
    : E extends { checks: Revisioned }
      ? { revisionid?: number }
      : unknown);

/** The parsed answer of a successful call. */
export type CallResult<E> = E extends { result: infer R extends z.ZodType } ? z.output<R> : undefined;

/** A handler's answer before it is serialized. */
export type HandlerResult<E> =
  | OtherOf<E>
  | (E extends { produces: readonly OtherForm[]; result?: never } ? never : ResultOf<E>);

function endpoint<M extends Method>(method: M) {
  return function declare<const O extends EndpointOptions>(
    path: string,
    options: O,
  ): { method: M; path: string } & O {
    return { method, path, ...options };
  };
}

/** Declares a GET endpoint. */
export const get = endpoint('GET');
/** Declares a POST endpoint. */
export const post = endpoint('POST');
/** Declares a PUT endpoint. */
export const put = endpoint('PUT');
/** Declares a PATCH endpoint. */
export const patch = endpoint('PATCH');
/** Declares a DELETE endpoint. */
export const del = endpoint('DELETE');

/** Whether a call has no effect. */
export function isRead({ method, reads }: Pick<Endpoint, 'method' | 'reads'>): boolean {
  return method === 'GET' || reads === true;
}

/**
 * Whether the server remembers what a call did, under its Idempotency-Key: reads have no effect, and what is open to
 * everybody has no person to whom the key could belong.
 */
export function isRemembered(endpoint: Pick<Endpoint, 'method' | 'reads' | 'access'>): boolean {
  return !isRead(endpoint) && endpoint.access !== 'public';
}

/** The same of types. */
export type IsRemembered<E> = E extends { method: 'GET' } | { reads: true } | { access: 'public' }
  ? false
  : true;

/** Whether the answer is sent while it is made, so that nothing can be said of it beforehand. */
export function isStream({ produces }: Endpoint): boolean {
  return produces?.some((form) => form === 'application/x-ndjson' || form === 'text/event-stream') === true;
}

/** A path without the names of its parameters: `/guides/{guideid}` → `/guides/{}`. */
export function pathShape(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

/** Whether a query can be wrong at all: one of switches and free texts cannot. */
export function refusesTexts(query: z.ZodType | undefined): boolean {
  if (!(query instanceof z.ZodObject)) return false;
  const odd = Object.fromEntries(Object.keys(query.shape).map((name) => [name, '\0']));
  return !query.safeParse(odd).success;
}

/**
 * Every status that a call of the endpoint can answer, in ascending order. 400 follows from a body that is no file, 404 from an
 * id in the path, 403 from a write to what a path names; `refuses` says otherwise. 405 belongs to verbs that a path does not have.
 */
export function statusesOf(endpoint: Endpoint): number[] {
  const { method, path, access, query, revisioned, checks, conflict, tagged } = endpoint;
  const writes = method !== 'GET';
  const isNamed = pathParameters(path).length > 0;
  const byRule = [
    ...(writes && endpoint.consumes !== 'bytes' ? [400] : []),
    ...(access === 'admin' || (writes && isNamed && access !== 'public') ? [403] : []),
    ...(isNamed ? [404] : []),
  ];
  // A write may carry an Idempotency-Key that is none; collections of a stream, names of none.
  const mayBeInvalid = writes || refusesTexts(query) || isStream(endpoint);
  return [
    ...(endpoint.refuses ?? byRule),
    endpoint.status ?? 200,
    ...(writes || isStream(endpoint) ? [] : [304]),
    ...(endpoint.ranges === true ? [206, 416] : []),
    401,
    ...((revisioned ?? checks ?? conflict ?? tagged) === undefined ? [] : [409]),
    ...(mayBeInvalid ? [422] : []),
    429,
    500,
    503,
  ].toSorted((a, b) => a - b);
}

/** `/guides/{guideid}` → `['guideid']`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

/** A positive integer id in a path or query. Anything else names nothing that exists. */
export const idText = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** A query switch: `?x`, `?x=1`, `?x=True` are on; `false`, `False`, `0` and absence are off. */
export const querySwitch = z
  .union([z.string(), z.boolean()])
  .optional()
  .transform((value) => value !== undefined && !['false', '0'].includes(String(value).toLowerCase()))
  .meta({ description: 'true or false' });

/**
 * A switch that counts as on when merely present, even as `=false` (what existing clients rely on); the typed client
 * leaves out what is to be off.
 */
export const presenceSwitch = z
  .union([z.string(), z.literal(true)])
  .optional()
  .transform((value) => value !== undefined);

/** `limit`: 1 or more, clamped to 200, default 20 (spec, "Limits"). */
export const limit = z.coerce
  .number()
  .int()
  .min(1)
  .default(20)
  .transform((value) => Math.min(value, 200));

/** `offset`: 0 or more, default 0. */
export const offset = z.coerce.number().int().min(0).default(0);

/** Sort direction by id. */
export const order = z.enum(['ASC', 'DESC']).default('ASC');

/** The two paging parameters of every list. */
export const paging = z.object({ limit, offset });

/** UNIX seconds. */
export const unixSeconds = z.int();
