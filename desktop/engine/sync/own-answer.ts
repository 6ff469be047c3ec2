import { z } from 'zod';

import type { Endpoint } from '#shared/api/endpoint.ts';
import { Problem } from '#shared/api/problem.ts';
import { tolerant } from '#shared/sync/tolerant.ts';

import { ForeignAnswer } from './connection-errors.ts';
import { excerptOf, jsonIn, recognises, refusalIn } from './recognise.ts';

/** The error for an answer that is not the server's. `path`: the requested path. */
export function foreignAnswer(response: Response, path: string, text: string): ForeignAnswer {
  return new ForeignAnswer({
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    excerpt: response.type === 'opaqueredirect' ? 'A redirect' : excerptOf(text),
    path: path.replace(/\?.*$/s, ''),
  });
}

/**
 * The same answer, after a refusal in it was recognised as the server's: a problem, or the record of a 409. The caller has
 * to recognise a success, by its schema or hash. 304 and 416 have no body.
 * @throws ForeignAnswer when a refusal is not the server's
 */
export async function withOwnRefusal(response: Response, path: string): Promise<Response> {
  if (response.ok || response.status === 304 || response.status === 416) return response;
  const text = await response.text();
  const body = jsonIn(text);
  const isRecord = response.status === 409 && typeof body === 'object' && body !== null;
  if (!isRecord && refusalIn(body) === null) throw foreignAnswer(response, path, text);
  return new Response(text, { status: response.status, headers: response.headers });
}

/**
 * The record in a success.
 * @throws ForeignAnswer when the body is anything else
 * @throws Problem when it holds a value that only newer apps know
 */
export async function recordIn<T extends z.ZodType>(
  response: Response,
  schema: T,
  path: string,
): Promise<z.output<T>> {
  const text = await response.text();
  const body = jsonIn(text);
  const { data } = z.union([schema, tolerant(schema)]).safeParse(body);
  if (data !== undefined) return data;
  if (!recognises(schema, body)) throw foreignAnswer(response, path, text);
  throw new Problem('unavailable', 'The server is newer than this app. Update the app to see this.');
}

/** Whether the body of a success fits the contract of an endpoint. */
export function isPromised({ result, status }: Endpoint, body: unknown): boolean {
  if (result !== undefined) return recognises(result, body);
  return status === 204 ? body === undefined : true;
}
