import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { constants, createGzip, gzipSync } from 'node:zlib';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { issueWords } from '#shared/api/issue-words.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { notFound, Problem } from '#shared/api/problem.ts';
import { sync } from '#shared/api/sync.ts';
import {
  answersRequest,
  batchLimits,
  batchRequest,
  type BatchRequest,
  bootstrapQuery,
  collectionNames,
  eventsQuery,
  type FeedTail,
  packPath,
  pullQuery,
  recordsRequest,
  type SyncedCollection,
} from '#shared/sync/wire.ts';
import { tolerantProtocol, unannouncedProtocol } from '#shared/sync/protocol.ts';
import { tolerant } from '#shared/sync/tolerant.ts';
import { mostErrors } from '#server/http/admit.ts';
import { viewerOfRequest } from '#server/http/request-viewer.ts';
import type { Services } from '#server/core/services.ts';
import { DiskFile } from '#server/media/stored-file.ts';
import { authenticate, haveRightsHeld } from '#server/core/sessions.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { Limits } from '#server/http/limits.ts';
import { sendBytes, sendFile, type SentFile } from '#server/http/send-file.ts';
import { SmallFiles } from '#server/http/small-files.ts';
import { visibleAudiences } from '#server/storage/feed.ts';

import { answersOf } from './answers.ts';
import { digestLines, recordLines } from './digest.ts';
import { runBatch } from './batch.ts';
import { bootstrapLines } from './bootstrap.ts';
import { streamEvents } from './events.ts';
import { FanOut } from './fan-out.ts';
import { collectionsFor, lineText } from './feed-line.ts';
import { newestCheckpoint, checkpointTextOf, readFeed } from './feed-reader.ts';
import { meetDevice, mustKnowCheckpoint } from './history.ts';
import { headOf, protocolOf } from './negotiation.ts';
import { mayFetch } from './packs/live-packs.ts';
import { packFolder } from './packs/pack-keeper.ts';
import { Streams } from './streams.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Documentation of a route that is not mounted from the contract. */
    documented?: Endpoint;
    /** Whether the response is an event stream. */
    isStream?: boolean;
  }
}

/** The prefix of the sync endpoints. */
export const syncPrefix = '/sync/1';
/** Shorter responses are not compressed, bytes. */
const compressFrom = 1024;
const ndjson = 'application/x-ndjson; charset=utf-8';

/**
 * Reads with the rights of the caller, and again if they changed meanwhile.
 *
 * - PULL-1 A pull tells nothing that its person may no longer see, also if another node took the rights and wrote while it
 *   was answered.
 *
 * @throws Problem 401
 */
async function withCurrentRights<T>(
  request: FastifyRequest,
  services: Services,
  read: (viewer: Viewer) => Promise<T>,
): Promise<T> {
  const { authorization } = request.headers;
  for (;;) {
    const version = services.storage.version();
    const viewer = await authenticate(authorization, services, version);
    const result = await read(viewer);
    if (await haveRightsHeld(authorization, services, { viewer, version })) return result;
  }
}

/** Mounts pull, bootstrap, digest, records, events, batch and answers. All need a token. */
export function mountSync(app: FastifyInstance, services: Services, limits: Limits): void {
  // The token is checked before the body is read (LOAD-1).
  const onRequest = async (request: FastifyRequest): Promise<void> =>
    void (await mustBeSignedIn(request, services));
  app.get(`${syncPrefix}/pull`, { config: { documented: sync.pull } }, async (request, reply) => {
    const viewer = await mustBeSignedIn(request, services);
    const protocol = protocolOf(request, services);
    const query = parse(pullQuery, request.query);
    const db = services.storage.reader;
    await meetDevice(services, request, viewer);
    const since = await mustKnowCheckpoint(services, query.since);
    const collections = collectionsFor(protocol, collectionSet(query.collections));
    const page = await withCurrentRights(request, services, (reader) =>
      readFeed(db, reader, since, query.limit, collections),
    );
    const head = await headOf(services, request, protocol);
    const tail: FeedTail = { checkpoint: await checkpointTextOf(services, page.checkpoint), more: page.more };
    return sendLines(request, reply, [
      JSON.stringify(head),
      ...page.rows.map((row) => lineText(row, protocol)),
      JSON.stringify(tail),
    ]);
  });

  const bootstrap = { exposeHeadRoute: false, config: { documented: sync.bootstrap } };
  app.get(`${syncPrefix}/bootstrap`, bootstrap, async (request, reply) => {
    const viewer = await mustBeSignedIn(request, services);
    const protocol = protocolOf(request, services);
    const query = parse(bootstrapQuery, request.query);
    await meetDevice(services, request, viewer);
    const collections = collectionsFor(protocol, collectionSet(query.collections));
    const continues = query.since !== undefined && protocol >= tolerantProtocol;
    const load = {
      collections: collections === null ? null : [...collections],
      protocol,
      since: continues ? await mustKnowCheckpoint(services, query.since ?? '') : null,
      after: continues ? query.after : 0,
      packs:
        query.packs === undefined || protocol < tolerantProtocol
          ? null
          : { selection: query.selection ?? '' },
    };
    return stream(request, reply, bootstrapLines(services, request, viewer, load));
  });

  mountPacks(app, services);

  const digest = { exposeHeadRoute: false, config: { documented: sync.digest } };
  app.get(`${syncPrefix}/digest`, digest, async (request, reply) => {
    const viewer = await mustBeSignedIn(request, services);
    const protocol = protocolOf(request, services);
    const lines = digestLines(services, viewer, protocol);
    return stream(request, reply, framed(services, request, protocol, lines));
  });

  const records = { onRequest, config: { documented: sync.records } };
  app.post(`${syncPrefix}/records`, records, async (request, reply) => {
    const viewer = await mustBeSignedIn(request, services);
    const { records } = parse(recordsRequest, request.body);
    const protocol = protocolOf(request, services);
    const lines = recordLines(services, viewer, records, protocol);
    return stream(request, reply, framed(services, request, protocol, lines));
  });

  const streams = new Streams(limits);
  const fanOut = new FanOut(services);
  const events = { exposeHeadRoute: false, config: { documented: sync.events, isStream: true } };
  app.get(`${syncPrefix}/events`, events, async (request, reply) => {
    const viewer = await mustBeSignedIn(request, services);
    const protocol = protocolOf(request, services);
    const query = parse(eventsQuery, request.query);
    await meetDevice(services, request, viewer);
    const since = await mustKnowCheckpoint(services, query.since);
    await streamEvents(request, reply, services, { since, protocol, streams, fanOut });
    return reply;
  });

  const batches = { onRequest, bodyLimit: batchLimits.bytes, config: { documented: sync.batch } };
  app.post(`${syncPrefix}/batch`, batches, async (request, reply) => {
    const viewer = await mustBeSignedIn(request, services);
    const protocol = protocolOf(request, services);
    await meetDevice(services, request, viewer);
    const batch = parse(batchSchemaOf(protocol), request.body);
    const lines = Readable.from(runBatch(app, services, viewer, batch, request, protocol), {
      objectMode: false,
    });
    return reply.header('Cache-Control', 'no-store').type(ndjson).send(lines);
  });

  const answers = { onRequest, config: { documented: sync.answers } };
  app.post(`${syncPrefix}/answers`, answers, async (request, reply) => {
    const viewer = await mustBeSignedIn(request, services);
    const protocol = protocolOf(request, services);
    await meetDevice(services, request, viewer);
    const { keys } = parse(tolerant(answersRequest), request.body);
    const lines = Readable.from(answersOf(services, request, viewer, keys, protocol), { objectMode: false });
    return reply.header('Cache-Control', 'no-store').type(ndjson).send(lines);
  });
}

/** Sends packs (PACK-2). */
function mountPacks(app: FastifyInstance, services: Services): void {
  const folder = packFolder(services.dataDir);
  const files = new SmallFiles();
  app.get(`${syncPrefix}/packs/:hash`, { config: { documented: sync.pack } }, async (request, reply) => {
    const viewer = await mustBeSignedIn(request, services);
    protocolOf(request, services);
    await meetDevice(services, request, viewer);
    const { data } = packPath.safeParse(request.params);
    const { reader } = services.storage;
    const visible = await visibleAudiences(reader, viewer.principals);
    if (data === undefined || !(await mayFetch(reader, visible, data.hash))) throw notFound('Record', 'Pack');
    const { hash } = data;
    const file: SentFile = { type: 'application/gzip', etag: hash, isPublic: false };
    const bytes = files.get(hash) ?? (await files.read(hash, await DiskFile.at(join(folder, hash))));
    return Buffer.isBuffer(bytes)
      ? sendBytes(request, reply, bytes, file)
      : sendFile(request, reply, bytes, file);
  });
}

/** Yields a head, the lines, and a tail with the checkpoint from before the lines were read. */
async function* framed(
  services: Services,
  request: FastifyRequest,
  protocol: number,
  lines: AsyncIterable<string>,
): AsyncGenerator<string> {
  const db = services.storage.reader;
  const tail: FeedTail = {
    checkpoint: await checkpointTextOf(services, await newestCheckpoint(db)),
    more: false,
  };
  yield `${JSON.stringify(await headOf(services, request, protocol))}\n`;
  yield* lines;
  yield `${JSON.stringify(tail)}\n`;
}

async function mustBeSignedIn(request: FastifyRequest, services: Services): Promise<Viewer> {
  const viewer = await viewerOfRequest(request, services);
  if (viewer.userid === 0) throw new Problem('unauthorized', 'Authentication required');
  return viewer;
}

const strictBatch = batchRequest.extend({ protocol: z.literal(unannouncedProtocol) });
const tolerantBatch = tolerant(batchRequest);

/** The schema of a batch. Newer devices may send unknown properties, which are ignored. */
function batchSchemaOf(protocol: number): z.ZodType<BatchRequest> {
  return protocol >= tolerantProtocol ? tolerantBatch : strictBatch;
}

function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value, { error: issueWords });
  if (parsed.success) return parsed.data;
  throw new Problem('invalid', 'Validation failed', {
    errors: parsed.error.issues.slice(0, mostErrors).map((issue) => ({
      field: issue.path.join('.') || 'body',
      // A single message can name every unknown field.
      message: issue.message.slice(0, 500),
    })),
  });
}

function collectionSet(text: string | undefined): Set<SyncedCollection> | null {
  if (text === undefined) return null;
  const names = text.split(',');
  const known = collectionNames.filter((name) => names.includes(name));
  const unknown = names.find((name) => !(known as string[]).includes(name));
  if (unknown !== undefined)
    throw new Problem('invalid', `There is no collection ${unknown}`, {
      errors: [{ field: 'collections', message: `There is no collection ${unknown}` }],
    });
  return new Set(known);
}

function acceptsGzip(request: FastifyRequest): boolean {
  return /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
}

/** Sends lines as they are made, compressed if the client accepts it. */
function stream(request: FastifyRequest, reply: FastifyReply, made: AsyncIterable<string>): FastifyReply {
  const lines = Readable.from(made, { objectMode: false });
  reply.header('Cache-Control', 'no-store').header('Vary', 'Accept-Encoding, Origin').type(ndjson);
  if (!acceptsGzip(request)) return reply.send(lines);
  const gzip = createGzip({ level: 1 });
  pipeline(lines, gzip, (error) => {
    if (error !== undefined && error !== null)
      request.log.warn({ err: error }, 'a stream of lines ended early');
  });
  return reply.header('Content-Encoding', 'gzip').send(gzip);
}

function sendLines(request: FastifyRequest, reply: FastifyReply, lines: string[]): FastifyReply {
  const text = lines.map((line) => `${line}\n`).join('');
  reply.header('Cache-Control', 'no-store').header('Vary', 'Accept-Encoding, Origin').type(ndjson);
  if (text.length < compressFrom || !acceptsGzip(request)) return reply.send(text);
  return reply.header('Content-Encoding', 'gzip').send(gzipSync(text, { level: constants.Z_BEST_SPEED }));
}
