import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { collectDefaultMetrics, Counter, Gauge, Histogram, register, Registry } from 'prom-client';

import { Problem } from '#shared/api/problem.ts';
import { isSameSecret } from '#server/platform/same-secret.ts';

/** Seconds: from a cached answer to an annoying wait. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A gauge that is read for each request of `/metrics`. */
export interface GaugeSource {
  name: string;
  help: string;
  labels?: readonly string[];
  read: () => Promise<readonly { labels?: Record<string, string>; value: number }[]>;
}

/**
 * Serves `/metrics` in the format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).
 *
 * - METRICS-1 Labels are methods, route patterns, statuses and kinds. They contain no address, name or id, so their number
 *   is limited.
 * - METRICS-2 Requests from this machine need no token, unless a proxy forwarded them. Others need
 *   `Authorization: Bearer TOKEN`, and get 404 without it.
 * - METRICS-3 A gauge without a value, such as the age of a backup that does not exist, is absent. One that cannot be read
 *   is absent and logged.
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
 * Metrics of the process: memory, processor time, event loop, garbage collection. Measured from the first request of
 * `/metrics`, and shared by all servers of a process.
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
  // `onResponse` is not called if the client disconnects.
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
      // A gauge without labels starts at 0, which looks like a value.
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
  if (given !== undefined && token !== undefined) return isSameSecret(given, token);
  return isFromThisMachine(request);
}

/** Headers of forwarded requests: a proxy on this machine forwards requests of other machines. */
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
