import { createHash, timingSafeEqual } from 'node:crypto';

import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { collectDefaultMetrics, Counter, Gauge, Histogram, register, Registry } from 'prom-client';

import { Problem } from '#shared/api/problem.ts';

/** Seconds, from what a cached answer takes to what makes people wait. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A value that is read when the metrics are asked for. */
export interface GaugeSource {
  name: string;
  help: string;
  labels?: readonly string[];
  read: () => Promise<readonly { labels?: Record<string, string>; value: number }[]>;
}

/**
 * Serves `/metrics` in the format of Prometheus to programs on this machine, and to those with the token.
 *
 * - METRICS-1 Labels are methods, route patterns and statuses: no address, name or id of anything is in them, so their
 *   number is bounded.
 * - METRICS-2 A request from this machine needs no token, unless a proxy passed it on; any other needs
 *   `Authorization: Bearer TOKEN`. Everyone else gets 404, as if there were no metrics.
 * - METRICS-3 A gauge that cannot be read is left out and logged, and the others are answered.
 */
export function installMetrics(
  app: FastifyInstance,
  sources: readonly GaugeSource[],
  token: string | undefined,
): void {
  const registry = new Registry();
  measureRequests(app, registry);
  for (const source of sources) addGauge(app, registry, source);
  app.addHook('onClose', async () => registry.clear());
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, token))
      throw new Problem('not-found', 'Endpoint not found', { code: 'endpoint-not-found' });
    reply.type(registry.contentType).header('Cache-Control', 'no-store');
    return `${await registry.metrics()}\n${await processMetrics().metrics()}`;
  });
}

/**
 * Metrics of the process: memory, processor time, event loop, garbage collection. Measuring begins when they are asked for
 * first, and is shared by all servers of a process.
 */
function processMetrics(): Registry {
  if (register.getMetricsAsArray().length === 0) collectDefaultMetrics({ eventLoopMonitoringPrecision: 100 });
  return register;
}

function measureRequests(app: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const requests = new Counter({
    name: 'benchbook_http_requests_total',
    help: 'Requests that were answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'benchbook_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer; streams last as long as they are open',
    labelNames: ['method', 'route'],
    buckets,
    registers,
  });
  const open = new Gauge({
    name: 'benchbook_http_requests_open',
    help: 'Requests that are being answered, streams included',
    registers,
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    open.inc();
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    open.dec();
    const about = { method: request.method, route: request.routeOptions.url ?? 'none' };
    requests.inc({ ...about, status: String(reply.raw.statusCode) });
    durations.observe(about, reply.elapsedTime / 1000);
    done();
  });
  // A caller that leaves early gets no answer.
  app.addHook('onRequestAbort', (_request, done) => {
    open.dec();
    done();
  });
}

function addGauge(
  app: FastifyInstance,
  registry: Registry,
  { name, help, labels = [], read }: GaugeSource,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [],
    async collect() {
      this.reset();
      // A gauge without labels begins with 0, which would pass for a value.
      if (labels.length === 0) this.remove();
      try {
        for (const { labels: some = {}, value } of await read()) this.set(some, value);
      } catch (error) {
        app.log.warn({ err: error, gauge: name }, 'a metric could not be read');
      }
    },
  });
  registry.registerMetric(gauge);
}

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  const [, given] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (given !== undefined && token !== undefined) return isSame(given, token);
  return isFromThisMachine(request);
}

function isSame(given: string, wanted: string): boolean {
  const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hashed(given), hashed(wanted));
}

/** Proxies on this machine pass on requests of others, and say so in one of these headers. */
const forwarded = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
];

function isFromThisMachine(request: FastifyRequest): boolean {
  const { remoteAddress } = request.socket;
  if (remoteAddress === undefined || forwarded.some((name) => request.headers[name] !== undefined))
    return false;
  return ipaddr.process(remoteAddress).range() === 'loopback';
}
