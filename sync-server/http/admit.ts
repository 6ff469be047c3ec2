import type { z } from 'zod';

import { issueWords } from '#shared/api/issue-words.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { invalid, Problem, type FieldError } from '#shared/api/problem.ts';
import { IncomingFile } from '#server/media/incoming.ts';

import type { Incoming } from './call.ts';
import type { Context } from '../core/context.ts';
import type { AnyGated, AnyInput } from './handle.ts';

/** A 422 names at most so many fields: a body of a hundred thousand wrong elements is not answered with as many. */
export const mostErrors = 100;

/** 404, 403 by the gate; then 422 for query, revision and body together. */
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
      ? checkBytes(await fileOf(incoming, ctx), ctx.services.site.upload_megabytes, errors)
      : check(endpoint.body, rest ?? (endpoint.body ? {} : undefined), errors);
  if (errors.length > 0)
    throw new Problem('invalid', 'Validation failed', { errors: errors.slice(0, mostErrors) });
  return { params, query, body, revisionid };
}

/** 404 and 403 alone. */
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

/** The ids of the path; 404 when they can name nothing. */
export function parseParams(endpoint: Endpoint, params: Record<string, string>): unknown {
  if (endpoint.params === undefined) return undefined;
  const parsed = endpoint.params.safeParse(params);
  if (!parsed.success) throw new Problem('not-found', 'Not found: the id in the path names nothing');
  return parsed.data;
}

/** The bytes of the body, or of the upload that stands for it. */
async function fileOf({ body, upload, viewer }: Incoming, { services }: Context): Promise<unknown> {
  const size = body instanceof IncomingFile ? body.size : 0;
  if (upload === null) return body instanceof IncomingFile ? body.read(0, size) : body;
  if (size > 0) throw invalid('body', 'Send the file as the body or name an upload, not both');
  return services.uploads.bytes(viewer.userid, upload.id, upload.sha256);
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
  const parsed = schema.safeParse(value, { error: issueWords });
  if (parsed.success) return parsed.data;
  // One issue may name a hundred thousand keys.
  for (const issue of parsed.error.issues.slice(0, mostErrors))
    for (const error of fieldErrors(issue)) errors.push(error);
  return undefined;
}

/** `errors[]` entries of one zod issue: unknown keys are one entry each. */
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
 * Takes `revisionid` from the query, `If-Match`, or (older clients) the body of a revisioned call. Where query and header
 * name different ones, one of them is stale, whatever the current one is: 0, which no record ever has, makes the 409.
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
 * The revisions that `If-Match` names (RFC 9110 13.1.1): of `"5123"`, or of the ETag of an answer, which begins with the
 * revision (`W/"5123-…"`). `*` names none: that the record is there is asked for anyway.
 */
function tagsOf(header = '*'): string[] {
  return header
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '*' && tag !== '')
    .map((tag) => /^(?:W\/)?"?(\d+)(?:-[\w-]{22})?"?$/.exec(tag)?.[1] ?? tag);
}
