import {
  rootedPath,
  type CallArguments,
  type CallResult,
  type Endpoint,
  type EndpointTable,
} from './endpoint.ts';
import { isProblemCode, Problem, type FieldError, type ProblemKind, problemStatus } from './problem.ts';

export interface ClientOptions {
  /** Origin of the server, without `/api/2.0`. */
  baseUrl: string;
  token?: string;
  appId?: string;
  fetch?: typeof fetch;
  /** Reads an answer; throws a `Problem` for a refusal. Default `readAnswer`. */
  read?: (endpoint: Endpoint, response: Response) => Promise<unknown>;
}

export interface CallOptions {
  /** The Idempotency-Key: a write repeated with the same key takes effect once. */
  idempotencyKey?: string;
  /** The ETag of a read (`tagged`): a write to a record that has changed since is refused with 409. */
  ifMatch?: string;
  signal?: AbortSignal;
}

/** Functions for every endpoint of the tables: `client.guides.patch({ params, revisionid, body })`. */
export type Client<T extends Record<string, EndpointTable>> = {
  [R in keyof T]: {
    [K in keyof T[R]]: (args: CallArguments<T[R][K]>, options?: CallOptions) => Promise<CallResult<T[R][K]>>;
  };
};

export interface LooseArguments {
  params?: Record<string, unknown>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  revisionid?: number;
}

/** The HTTP request of one call. */
export interface OneCall {
  url: string;
  init: RequestInit;
}

/**
 * A typed client for the tables. Refusals are thrown as `Problem`; `details.current` of a 409 is the current record.
 */
export function createClient<T extends Record<string, EndpointTable>>(
  tables: T,
  options: ClientOptions,
): Client<T> {
  const send = options.fetch ?? fetch;
  const read = options.read ?? ((_, response) => readAnswer(response));
  return mapCalls(tables, (endpoint) => async (args: LooseArguments = {}, call: CallOptions = {}) => {
    const { url, init } = requestOf(endpoint, args, options, call);
    return read(endpoint, await send(url, init));
  }) as Client<T>;
}

/** An object of the same shape as the tables, with the result of `make` in place of each endpoint. */
export function mapCalls(
  tables: Record<string, EndpointTable>,
  make: (endpoint: Endpoint) => unknown,
): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(tables).map(([resource, table]) => [
      resource,
      Object.fromEntries(Object.entries(table).map(([name, endpoint]) => [name, make(endpoint)])),
    ]),
  );
}

/** Builds the HTTP request of a call. */
export function requestOf(
  endpoint: Endpoint,
  args: LooseArguments,
  options: Omit<ClientOptions, 'fetch'>,
  call: CallOptions,
): OneCall {
  const isBytes = endpoint.consumes === 'bytes';
  const body = isBytes ? (args.body as BodyInit) : JSON.stringify(args.body);
  return {
    url: urlOf(options.baseUrl, rootedPath(endpoint), args),
    init: {
      method: endpoint.method,
      headers: headersOf(
        options,
        call,
        isBytes ? 'application/octet-stream' : 'application/json',
        args.body !== undefined,
      ),
      ...(args.body === undefined ? {} : { body }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    },
  };
}

function urlOf(baseUrl: string, path: string, args: LooseArguments): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(args.params?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  if (args.revisionid !== undefined) query.set('revisionid', String(args.revisionid));
  const text = query.toString();
  return `${baseUrl}${filled}${text === '' ? '' : `?${text}`}`;
}

function headersOf(
  options: ClientOptions,
  call: CallOptions,
  contentType: string,
  hasBody: boolean,
): Record<string, string> {
  return {
    ...(hasBody ? { 'Content-Type': contentType } : {}),
    ...(options.token === undefined ? {} : { Authorization: `api ${options.token}` }),
    ...(options.appId === undefined ? {} : { 'X-App-Id': options.appId }),
    ...(call.idempotencyKey === undefined ? {} : { 'Idempotency-Key': call.idempotencyKey }),
    ...(call.ifMatch === undefined ? {} : { 'If-Match': call.ifMatch }),
  };
}

/** Reads the body of an answer; throws a `Problem` for a refusal. */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return body;
  throw problemFrom(response, body);
}

function problemFrom(response: Response, body: unknown): Problem {
  const kind = (Object.entries(problemStatus).find(([, status]) => status === response.status)?.[0] ??
    'unavailable') as ProblemKind;
  const record = (typeof body === 'object' && body !== null ? body : {}) as {
    message?: string;
    code?: unknown;
    errors?: FieldError[];
  };
  const retryAfter = Number(response.headers.get('retry-after'));
  return new Problem(kind, record.message ?? `The server answered ${response.status}`, {
    ...(response.status === 409 ? { current: body } : {}),
    ...(isProblemCode(record.code) ? { code: record.code } : {}),
    ...(record.errors === undefined ? {} : { errors: record.errors }),
    ...(retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {}),
  });
}
