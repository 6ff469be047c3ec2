import { createClient, readAnswer, type Client } from '#shared/api/client.ts';
import type { Endpoint, EndpointTable } from '#shared/api/endpoint.ts';
import { Problem } from '#shared/api/problem.ts';
import { withoutNul } from '#shared/rules/without-nul.ts';

import type { Core } from '../account/core.ts';
import { foreignAnswer, isPromised, withOwnRefusal } from '../sync/own-answer.ts';
import { ForeignAnswer } from '../sync/connection-errors.ts';
import { patientFetch } from '../sync/patient-fetch.ts';
import type { Environment } from '../platform/ports.ts';
import { jsonIn } from '../sync/recognise.ts';
import { unreachableMessage } from '../account/sign-in-request.ts';

const notNowWords = 'This needs the server, which cannot be reached now';

/** A client of the session's server, with the token. Calls throw `Problem` unavailable when it cannot be reached. */
export function serverClient<T extends Record<string, EndpointTable>>(
  core: Pick<Core, 'request'>,
  tables: T,
): Client<T> {
  return createClient(tables, { baseUrl: '', fetch: serverFetch(core), read: readOwn });
}

/** A client of any server, without a token. Calls throw `Problem` unavailable when it cannot be reached. */
export function directClient<T extends Record<string, EndpointTable>>(
  environment: Pick<Environment, 'fetch' | 'setTimer'>,
  baseUrl: string,
  tables: T,
): Client<T> {
  const patient = patientFetch(environment.fetch, environment);
  const ask: typeof globalThis.fetch = async (input, init) => {
    try {
      const response = await patient(input, { ...storable(init), redirect: 'manual' });
      return await withOwnRefusal(response, new URL(addressOf(input)).pathname);
    } catch (cause) {
      if (cause instanceof ForeignAnswer) throw cause;
      throw new Problem('unavailable', unreachableMessage(baseUrl), { cause });
    }
  };
  return createClient(tables, {
    baseUrl,
    fetch: ask,
    read: (endpoint, response) => readOwn(endpoint, response, unreachableMessage(baseUrl)),
  });
}

/** `fetch` to the session's server, with the token. Throws `Problem` unavailable when it cannot be reached. */
export function serverFetch({ request }: Pick<Core, 'request'>): typeof globalThis.fetch {
  return (path, init) =>
    request(addressOf(path), storable(init)).catch((error: unknown) => {
      if (error instanceof Problem) throw error;
      const words = error instanceof ForeignAnswer ? error.message : notNowWords;
      throw new Problem('unavailable', words, { cause: error });
    });
}

/** The body of a response. Throws its `Problem`, or unavailable when a success does not match the endpoint's schema. */
export async function readOwn(
  endpoint: Endpoint,
  response: Response,
  brokenWords = notNowWords,
): Promise<unknown> {
  if (!response.ok) return readAnswer(response);
  const text = await response.text().catch((cause: unknown) => {
    throw new Problem('unavailable', brokenWords, { cause });
  });
  const body = text === '' ? undefined : jsonIn(text);
  const isWhole = text === '' || body !== undefined;
  if (isWhole && isPromised(endpoint, body)) return body;
  const foreign = foreignAnswer(response, endpoint.path, text);
  throw new Problem('unavailable', foreign.message, { cause: foreign });
}

/** The request without NUL characters in its JSON, which the server cannot store. */
function storable(init: RequestInit | undefined): RequestInit | undefined {
  if (typeof init?.body !== 'string' || !init.body.includes(String.raw`\u0000`)) return init;
  return { ...init, body: JSON.stringify(withoutNul(jsonIn(init.body))) };
}

function addressOf(input: RequestInfo | URL): string {
  if (typeof input === 'string') return input;
  return input instanceof URL ? input.href : input.url;
}
