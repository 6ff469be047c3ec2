import type { z } from 'zod';

import { issueWords } from '#shared/api/issue-words.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { invalid, Problem, type FieldError, conflict } from '#shared/api/problem.ts';
import { IncomingFile } from '#server/media/incoming.ts';
import { must } from '#shared/must.ts';

import type { Incoming } from './call.ts';
import type { Context } from '../core/context.ts';
import { senderOf } from '../core/viewer.ts';
import type { AnyGated, AnyInput } from './handle.ts';
import { prettyJson } from './body.ts';
import { etagOf, namesTag, revisionOf } from './etag.ts';
import { serializerOf } from './serialize.ts';

/**
 * Maximum number of fields that a 422 names.
 *
 * - INPUT-6 The refusal of a body with a large number of wrong elements names only some of them.
 */
export const mostErrors = 100;

/**
 * Checks a call: 404 and 403 by its gate, then 422 for query, revision and body together. Returns the parsed input.
 *
 * - REFUSAL-1 A 422 names each invalid field of the query.
 * - HTTP-15 Unknown query parameters are ignored.
 */
export async function admit(
  endpoint: Endpoint,
  gated: AnyGated,
  params: unknown,
  incoming: Incoming,
  ctx: Context,
): Promise<AnyInput> {
  await enterGate(gated, params, incoming, ctx);
  const errors: FieldError[] = [];
  const query = check(endpoint.query, incoming.query, errors);
  const { revisionid, rest } = takeRevision(endpoint, incoming, errors);
  const body =
    endpoint.consumes === 'bytes'
      ? checkBytes(await fileOf(endpoint, incoming, ctx), ctx.services.site.upload_megabytes, errors)
      : check(endpoint.body, rest ?? (endpoint.body ? {} : undefined), errors);
  if (errors.length > 0)
    throw new Problem('invalid', 'Validation failed', { errors: errors.slice(0, mostErrors) });
  return { params, query, body, revisionid };
}

/** Only the gate: 404 and 403. */
export async function enterGate(
  gated: AnyGated,
  params: unknown,
  { query, body }: Incoming,
  ctx: Context,
): Promise<void> {
  await gated.allow({ params, query, asked: isFields(body) ? body : {} }, ctx);
}

function isFields(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && !(body instanceof IncomingFile);
}

/**
 * The parsed parameters of the path.
 *
 * - HTTP-6 A value that cannot be an id is 404.
 */
export function parseParams(endpoint: Endpoint, params: Record<string, string>): unknown {
  if (endpoint.params === undefined) return undefined;
  const parsed = endpoint.params.safeParse(params);
  if (!parsed.success) throw new Problem('not-found', 'Not found: the id in the path names nothing');
  return parsed.data;
}

/** The file in the body, or its bytes, or the bytes of the upload that the query names instead. */
async function fileOf(
  { onDisk }: Endpoint,
  { body, upload, viewer }: Incoming,
  { services }: Context,
): Promise<unknown> {
  if (onDisk === true) return body;
  const size = body instanceof IncomingFile ? body.size : 0;
  if (upload === null) return body instanceof IncomingFile ? body.read(0, size) : body;
  if (size > 0) throw invalid('body', 'Send the file as the body or name an upload, not both');
  return services.uploads.bytes(senderOf(viewer), upload.id, upload.sha256);
}

function checkBytes(body: unknown, mostMegabytes: number, errors: FieldError[]): unknown {
  const size = body instanceof IncomingFile ? body.size : body instanceof Uint8Array ? body.length : 0;
  if (size === 0) errors.push({ field: 'body', message: 'Send the bytes of the file as the body' });
  else if (size > mostMegabytes * 1024 * 1024)
    errors.push({ field: 'body', message: `A file may have ${mostMegabytes} MB on this site` });
  return body;
}

function check(schema: z.ZodType | undefined, value: unknown, errors: FieldError[]): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value, { error: issueWords });
  if (parsed.success) return parsed.data;
  // A single issue can list a hundred thousand keys.
  for (const issue of parsed.error.issues.slice(0, mostErrors))
    for (const error of fieldErrors(issue)) errors.push(error);
  return undefined;
}

/** The `errors[]` entries of one zod issue: one for each unknown key, else one. */
function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, mostErrors)
      .map((key) => ({ field: [...path, key].join('.'), message: `Unknown field ${key}` }));
  }
  const index = issue.path.find((part) => typeof part === 'number');
  const error: FieldError = { field: path.join('.') || 'body', message: issue.message };
  return [index === undefined ? error : { ...error, index }];
}

/**
 * Takes `revisionid` from the query, `If-Match`, or (older clients) the body of a revisioned call. `rest`: the body
 * without it. If query and header name different revisions, one of them is stale: the result is 0, which no record
 * has, and the call is refused with 409.
 *
 * - LIST-5 `If-Match` replaces `revisionid`: it carries the number, or the ETag of a GET. If both are sent, a stale
 *   one is 409. A list of tags matches if one of them is current. `*` names no revision.
 */
function takeRevision(
  endpoint: Endpoint,
  incoming: Incoming,
  errors: FieldError[],
): { revisionid: number | undefined; rest: unknown } {
  if ((endpoint.revisioned ?? endpoint.checks) === undefined)
    return { revisionid: undefined, rest: incoming.body };
  let rest = incoming.body;
  const tags = tagsOf(incoming.headers['if-match']);
  let text: unknown = incoming.query['revisionid'] ?? (tags.length === 1 ? tags[0] : undefined);
  if (isFields(rest) && 'revisionid' in rest) {
    const { revisionid: inBody, ...others } = rest;
    text ??= inBody;
    rest = endpoint.body === undefined && Object.keys(others).length === 0 ? undefined : others;
  }
  if (text === undefined && tags.length === 0 && endpoint.checks !== undefined)
    return { revisionid: undefined, rest };
  const revisionid = typeof text === 'number' || typeof text === 'string' ? Number(text) : Number.NaN;
  if (text === undefined)
    errors.push({ field: 'revisionid', message: 'Name the current revisionid as a query parameter' });
  else if (!Number.isSafeInteger(revisionid) || text === '')
    errors.push({ field: 'revisionid', message: 'revisionid must be an integer' });
  const isMatched = tags.length === 0 || tags.some((tag) => Number(tag) === revisionid);
  return { revisionid: isMatched ? revisionid : 0, rest };
}

/**
 * The revisions in `If-Match` (RFC 9110 13.1.1): `"5123"`, or the ETag of a response, which begins with the revision
 * (`W/"5123-…"`). `*` adds none: the handler checks anyway that the record exists.
 */
function tagsOf(header = '*'): string[] {
  return header
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '*' && tag !== '')
    .map((tag) => /^(?:W\/)?"?(\d+)(?:-[\w-]{22})?"?$/.exec(tag)?.[1] ?? tag);
}

/** Throws 409 with the record if `If-Match` does not match its current state. */
export type Precondition = (incoming: Incoming, ctx: Context) => Promise<void>;

/**
 * The precondition of a write to a record without revisions: a GET at the same address still returns the body that the
 * ETag was made from (RFC 9110 13.1.1; the tags are weak and compared as such). `read`: that GET.
 *
 * - LIST-11 `If-Match` carries the ETag of a GET at the same address. If it does not match, the answer is 409 with the
 *   current record, and nothing is written. `*` matches any state.
 */
export function preconditionOf(read: { endpoint: Endpoint; handler: AnyGated }): Precondition {
  const { endpoint, handler } = read;
  const serialize = serializerOf(must(endpoint.result, 'the record'));
  return async (incoming, ctx) => {
    const header = incoming.headers['if-match'];
    if (header === undefined) return;
    const asked = { ...incoming, method: 'GET', body: undefined };
    const params = parseParams(endpoint, incoming.params);
    const body = await handler.run(await admit(endpoint, handler, params, asked, ctx), ctx);
    const text = serialize(body);
    const tags = [text, prettyJson(text)].map((payload) => etagOf(payload, revisionOf(body)));
    if (!tags.some((etag) => namesTag(header, etag))) throw conflict(JSON.parse(text));
  };
}
