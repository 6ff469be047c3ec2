import { isDeepStrictEqual } from 'node:util';

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Endpoint } from '#shared/api/endpoint.ts';

/**
 * Tells `report` of every successful answer that breaks its own contract: what a handler returns must satisfy the
 * endpoint's `result`, without fields that the serializer would drop. For tests: it costs a parse per answer.
 */
export function checkAnswers(app: FastifyInstance, report: (flaw: string) => void): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint?.result === undefined || reply.statusCode !== (endpoint.status ?? 200)) return payload;
    const { error } = endpoint.result.safeParse(payload);
    if (error !== undefined)
      report(`${endpoint.method} ${endpoint.path} breaks its contract:\n${z.prettifyError(error)}`);
    return payload;
  });
}

/** Looks at a write that is done, and at what its replay would answer. */
export type CheckReplay = (
  endpoint: Endpoint,
  body: unknown,
  replay: () => Promise<unknown>,
) => Promise<void>;

/** Tells `report` of every write whose replay would not answer what the call answered. For tests. */
export function checkReplays(report: (flaw: string) => void): CheckReplay {
  return async (endpoint, body, replay) => {
    const flaw = await replay().then(
      (again) =>
        isDeepStrictEqual(plain(again), plain(body)) ? undefined : String(JSON.stringify(plain(again))),
      (error: unknown) => String(error),
    );
    if (flaw !== undefined)
      report(
        `${endpoint.method} ${endpoint.path} answered ${JSON.stringify(plain(body))}; a replay gives ${flaw}`,
      );
  };
}

/** As JSON has it, without what is told once; a page that holds itself is rendered whole only when it is stored. */
function plain(body: unknown): unknown {
  return body === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(body, (name, value: unknown) => (untold.has(name) ? undefined : withoutCounts(value))),
      );
}

/** A work order that has not ended without what it counts: that moves between an answer and its replay. */
function withoutCounts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('endtime' in value) || value.endtime !== null)
    return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !counted.has(name)));
}

const counted = new Set(['duration', 'active_duration', 'pause_duration', 'step_durations']);

const untold = new Set(['authToken', 'secret', 'token', 'contents_rendered']);
