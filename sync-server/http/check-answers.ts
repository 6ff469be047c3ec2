import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

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
