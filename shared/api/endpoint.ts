import { z } from 'zod';

/** HTTP methods of the API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Media types of answers other than JSON; ZIP and gzip are sent as files. */
export type OtherForm =
  | 'application/xml'
  | 'text/html'
  | 'application/zip'
  | 'application/gzip'
  | 'application/x-ndjson'
  | 'text/event-stream';

/** An answer of a handler in another form than JSON. */
export interface OtherAnswer {
  readonly form: OtherForm;
  readonly otherAnswer: true;
}

/** A tag of the OpenAPI document: the group of calls in which an endpoint is listed. */
export interface Tag {
  name: string;
  description: string;
}

interface EndpointOptions {
  /** One line in sentence case, for the OpenAPI document. */
  summary: string;
  /** Further sentences for the OpenAPI document. */
  details?: string;
  /** Who may call the endpoint at all; each feature has finer rules in its policy. Default `user`. */
  access?: 'public' | 'user' | 'admin';
  /** Status of success. Default 200; 204 has no body. */
  status?: 200 | 201 | 202 | 204;
  params?: z.ZodType;
  query?: z.ZodType;
  /**
   * The record with revisions (spec, "Versioning" 3) that the call changes. The call must name the current revision in
   * `?revisionid=`; 422 when missing, 409 with the current record when stale.
   */
  revisioned?: z.ZodType;
  /**
   * The call may name the current revision; 409 when it names another. What the call changes is not part of the
   * revision.
   */
  checks?: z.ZodType;
  body?: z.ZodType;
  /**
   * Fields of the body that prove the caller's identity. They are not part of what the Idempotency-Key identifies
   * (IDEMPOTENCY-15).
   */
  proofs?: readonly string[];
  /** The form of the body: JSON (default), or the raw bytes of a file. */
  consumes?: 'json' | 'bytes';
  /** With `bytes`: the handler receives the file on the disk (`FileOnDisk`), so that it is never in memory as a whole. */
  onDisk?: true;
  /**
   * The file may have been sent to `/sync/1/uploads` before; the query then names it by `upload` and `sha256`
   * (extension).
   */
  takesUploads?: true;
  /** Media types of accepted files, for the OpenAPI document. The type of a file is recognised by its content. */
  files?: readonly string[];
  result?: z.ZodType;
  /** Forms of the answer other than JSON; the query selects one. */
  produces?: readonly OtherForm[];
  /** The answer is a file that can be requested in parts: 206, and 416 beyond its end. */
  ranges?: true;
  /** The call may wait on a device: the kind under which the outbox stores it (`OfflineKind`), so it never changes. */
  offline?: string;
  /** The record in the body of a 409, if it is not the one of `revisioned`. */
  conflict?: z.ZodType;
  /**
   * For a record without revisions: the answer of GET at the same address, whose ETag a write may send as `If-Match`.
   * 409 with the current record when the ETag is not the current one.
   */
  tagged?: z.ZodType;
  /** The path of that GET, if it is at another address. */
  taggedAt?: string;
  /** What a 409 means and contains, for the document, if it is not only that the record has changed. */
  conflictWords?: string;
  /** The statuses of this list that can occur, if they differ from what `statusesOf` derives. */
  refuses?: readonly (400 | 403 | 404 | 410 | 412 | 413 | 426)[];
  /**
   * Of a GET: how long the server may reuse an answer for the same caller and address. `until-written`: until the
   * database or a setting changes. `one-second`: the answer also depends on the clock in seconds.
   */
  lasts?: 'until-written' | 'one-second';
  /** Of a POST: it only reads, so it needs no Idempotency-Key. */
  reads?: true;
  /**
   * Of a write: the answer is a secret that nothing on the way may store, neither caches (`no-store`) nor the server
   * under the Idempotency-Key. A repeated call is performed again, with all its checks (IDEMPOTENCY-16).
   */
  unstored?: true;
  /**
   * The body has values that could be guessed, such as a PIN. Its request hash is made with the key of the server, as
   * that of a body with a `password` is (IDEMPOTENCY-15).
   */
  guessable?: true;
  /**
   * A station may make the call in the name of a person, whom the header `X-Recorded-For` names, and only so (extension).
   * 403 `not-of-station` or `station-needs-lead` when it may not act for that person.
   */
  recorded?: true;
  /** Not in the specification. */
  extension?: true;
  /** Default: the tag of its path in `resourceTags` (`openapi/words.ts`). */
  tag?: Tag;
  /** The prefix of the path, if that is not `/api/2.0`. */
  root?: '/omanual' | '/sync';
  /** Deprecated by the specification. */
  deprecated?: true;
  /**
   * `handler`: the handler opens its own transactions, because it awaits more than the database
   * (hashing, image decoding, an upload). Default: the whole call is one transaction.
   */
  transaction?: 'handler';
}

/** The prefix of all paths, unless an endpoint names another. */
export const apiPrefix = '/api/2.0';

/** The full path of an endpoint, with its prefix. */
export function rootedPath({ path, root }: Pick<Endpoint, 'path' | 'root'>): string {
  return (root ?? apiPrefix) + path;
}

/** One declared endpoint: `path` is relative to `{base_url}/api/2.0` and spelled as in the spec. */
export type Endpoint<M extends Method = Method, O extends EndpointOptions = EndpointOptions> = {
  method: M;
  path: string;
} & O;

/** A resource: its endpoints by the names of calls. */
export type EndpointTable = Record<string, Endpoint>;

type ResultOf<E> = E extends { result: infer R extends z.ZodType } ? z.input<R> : void;
type OtherOf<E> = E extends { produces: readonly OtherForm[] } ? OtherAnswer : never;

/** A received file in a temporary place, from which it is removed after the call unless it was moved. */
export interface FileOnDisk {
  readonly size: number;
  /** The SHA-256 of its bytes, in lower-case hexadecimal. */
  sha256(): Promise<string>;
  /** The whole file in pieces. Each is valid until the next one. */
  pieces(): AsyncIterable<Uint8Array>;
  /** Moves it, synced to the disk; only the folder of `path` must still be synced. */
  moveTo(path: string): Promise<void>;
}

/** The input of a handler: every part parsed; absent parts are undefined. */
export interface CallInput<E> {
  params: E extends { params: infer P extends z.ZodType } ? z.output<P> : undefined;
  query: E extends { query: infer Q extends z.ZodType } ? z.output<Q> : undefined;
  body: E extends { consumes: 'bytes' }
    ? E extends { onDisk: true }
      ? FileOnDisk
      : Uint8Array
    : E extends { body: infer B extends z.ZodType }
      ? z.output<B>
      : undefined;
  /** The revision that the caller names: a number on every `revisioned` endpoint, optional where it is checked. */
  revisionid: E extends { revisioned: z.ZodType }
    ? number
    : E extends { checks: z.ZodType }
      ? number | undefined
      : undefined;
}

/** The arguments of a client's call: each part before it is parsed. */
export type CallArguments<E> = (E extends { params: infer P extends z.ZodType }
  ? { params: z.input<P> }
  : unknown) &
  (E extends { query: infer Q extends z.ZodType } ? { query?: z.input<Q> } : unknown) &
  (E extends { consumes: 'bytes' }
    ? { body: Uint8Array<ArrayBuffer> | Blob }
    : E extends { body: infer B extends z.ZodType }
      ? { body: z.input<B> }
      : unknown) &
  (E extends { revisioned: z.ZodType }
    ? { revisionid: number }
    : E extends { checks: z.ZodType }
      ? { revisionid?: number }
      : unknown);

/** The type of the answer of a successful call. The client does not validate it. */
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
 * Whether the server stores the effect of a call under its Idempotency-Key. Reads have no effect, keys belong to a
 * user, which public calls do not have, and calls that are marked `unstored` are performed again.
 */
export function isRemembered(endpoint: Pick<Endpoint, 'method' | 'reads' | 'access' | 'unstored'>): boolean {
  return !isRead(endpoint) && endpoint.access !== 'public' && endpoint.unstored !== true;
}

/** `isRemembered` on the level of types. */
export type IsRemembered<E> = E extends
  | { method: 'GET' }
  | { reads: true }
  | { access: 'public' }
  | { unstored: true }
  ? false
  : true;

/** Whether the answer is sent while it is produced, so that its length and ETag are not known beforehand. */
export function isStream({ produces }: Endpoint): boolean {
  return produces?.some((form) => form === 'application/x-ndjson' || form === 'text/event-stream') === true;
}

/** A path without the names of its parameters: `/guides/{guideid}` → `/guides/{}`. */
export function pathShape(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

/** Whether a query can be invalid at all: one of switches and free texts cannot. */
export function refusesTexts(query: z.ZodType | undefined): boolean {
  if (!(query instanceof z.ZodObject)) return false;
  const odd = Object.fromEntries(Object.keys(query.shape).map((name) => [name, '\0']));
  return !query.safeParse(odd).success;
}

/**
 * Every status that a call of the endpoint can answer, in ascending order. By default, 400 follows from a JSON body,
 * 404 from an id in the path, and 403 from a write to what the path names; `refuses` replaces these three. 405 is not
 * included: it belongs to methods that a path does not have.
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
  // A write may have an invalid Idempotency-Key, and the query of a stream may name an unknown collection.
  const mayBeInvalid = writes || refusesTexts(query) || isStream(endpoint);
  return [
    ...new Set([...(endpoint.refuses ?? byRule), ...(endpoint.recorded === true ? [403] : [])]),
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

/** A positive integer id in a path or query. Any other value gives 404, like an id that does not exist. */
export const idText = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** A query switch: `?x`, `?x=1` and `?x=True` are on; `false`, `False`, `0` and absence are off. */
export const querySwitch = z
  .union([z.string(), z.boolean()])
  .optional()
  .transform((value) => value !== undefined && !['false', '0'].includes(String(value).toLowerCase()))
  .meta({ description: 'true or false' });

/**
 * A switch that is on whenever present, even as `=false`, because existing clients rely on it. The typed client leaves
 * out a switch that is off.
 */
export const presenceSwitch = z
  .union([z.string(), z.literal(true)])
  .optional()
  .transform((value) => value !== undefined);

/** `limit`: at least 1, clamped to 200, default 20 (spec, "Limits"). */
export const limit = z.coerce
  .number()
  .int()
  .min(1)
  .default(20)
  .transform((value) => Math.min(value, 200));

/** `offset`: at least 0, default 0. */
export const offset = z.coerce.number().int().min(0).default(0);

/** Sort direction by id. */
export const order = z.enum(['ASC', 'DESC']).default('ASC');

/** The two paging parameters of every list. */
export const paging = z.object({ limit, offset });

/** UNIX seconds. */
export const unixSeconds = z.int();
