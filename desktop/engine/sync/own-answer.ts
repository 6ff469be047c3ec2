import { z } from 'zod';

import type { Endpoint } from '#shared/api/endpoint.ts';
import { Problem } from '#shared/api/problem.ts';
import { tolerant } from '#shared/sync/tolerant.ts';

import { excerptOf, jsonIn, recognises, refusalIn } from './recognise.ts';
import type { Said } from '../api/sync-records.ts';

/** The server could not be reached, or the answer broke off. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/**
 * Something between this device and the server answered in its place (a captive portal, a proxy), or the answer is
 * only a part of one. Nothing follows from it: the request is tried again later.
 */
export class ForeignAnswer extends Unreachable {
  override name = 'ForeignAnswer';
  readonly said: Said;

  constructor(said: Said) {
    super(
      'Something between this device and the server answers in its place. Your work is kept and will be sent once the server can be reached again.',
    );
    this.said = said;
  }
}

/** The error for an answer that is not the server's. `path`: what was asked for. */
export function foreignAnswer(response: Response, path: string, text: string): ForeignAnswer {
  return new ForeignAnswer({
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    excerpt: response.type === 'opaqueredirect' ? 'A redirect' : excerptOf(text),
    path: path.replace(/\?.*$/s, ''),
  });
}

/**
 * The same answer, once a refusal in it was recognised as the server's: problem bodies, and the record of a 409. What
 * is a success is for the caller to recognise, by its shape or its hash; 304 and 416 have no body.
 * @throws ForeignAnswer
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
 * The record in a success, of the shape that the contract promises.
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

/** Whether the body of a success is what the contract promises of an endpoint. */
export function isPromised({ result, status }: Endpoint, body: unknown): boolean {
  if (result !== undefined) return recognises(result, body);
  return status === 204 ? body === undefined : true;
}
