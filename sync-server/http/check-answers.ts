import { isDeepStrictEqual } from 'node:util';

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Endpoint } from '#shared/api/endpoint.ts';
import { isDatabaseError } from '#server/storage/postgres/failures.ts';

import { JsonText } from './json-text.ts';

/**
 * Calls `report` for every successful response that violates its contract: what a handler returns must satisfy the
 * endpoint's `result`, without fields that the serializer would drop. For tests, because it parses every response.
 *
 * - INPUT-18 A test run fails if a response violates its contract.
 */
export function checkAnswers(app: FastifyInstance, report: (flaw: string) => void): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint?.result === undefined || reply.statusCode !== (endpoint.status ?? 200)) return payload;
    const { error } = endpoint.result.safeParse(payload instanceof JsonText ? payload.value : payload);
    if (error !== undefined)
      report(`${endpoint.method} ${endpoint.path} breaks its contract:\n${z.prettifyError(error)}`);
    return payload;
  });
}

/** Compares the response of a write with the response of its replay. */
export type CheckReplay = (
  endpoint: Endpoint,
  body: unknown,
  replay: () => Promise<unknown>,
) => Promise<void>;

/** Calls `report` for every write whose replay would return another body than the call. For tests. */
export function checkReplays(report: (flaw: string) => void): CheckReplay {
  return async (endpoint, body, replay) => {
    const flaw = await replay().then(
      (again) =>
        isDeepStrictEqual(plain(again), plain(body)) ? undefined : String(JSON.stringify(plain(again))),
      (error: unknown) => {
        // A statement of the call failed, and so will the call.
        if (isDatabaseError(error)) throw error;
        return String(error);
      },
    );
    if (flaw !== undefined)
      report(
        `${endpoint.method} ${endpoint.path} answered ${JSON.stringify(plain(body))}; a replay gives ${flaw}`,
      );
  };
}

/**
 * A body as JSON, without fields that a replay leaves out. A page that includes itself is rendered completely only
 * after it is stored.
 */
function plain(body: unknown): unknown {
  return body === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(body, (name, value: unknown) =>
          onlyInFirst.has(name) ? undefined : withoutCounts(value),
        ),
      );
}

/** Removes the durations of an open work order: they change between a response and its replay. */
function withoutCounts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('endtime' in value) || value.endtime !== null)
    return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !counted.has(name)));
}

const counted = new Set(['duration', 'active_duration', 'pause_duration', 'step_durations']);

const onlyInFirst = new Set([
  'authToken',
  'secret',
  'token',
  'enrolment_code',
  'exit_code',
  'contents_rendered',
]);
