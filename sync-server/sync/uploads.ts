import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';

import { invalid, notFound, Problem } from '#shared/api/problem.ts';
import { sync } from '#shared/api/sync.ts';
import { tusType, tusVersion, uploadId, type UploadState } from '#shared/sync/uploads.ts';
import { viewerOfRequest } from '#server/http/request-viewer.ts';
import type { Services } from '#server/core/services.ts';
import { bodyLimits } from '#server/http/mount.ts';
import { syncPrefix } from './routes.ts';

/** Path of the uploads. */
const path = `${syncPrefix}/uploads`;

/**
 * Mounts the tus protocol 1.0.0 with its extensions creation, termination and expiration. Creation and GET repeat the
 * state of the upload in their bodies, for clients behind proxies that strip headers. `media/uploads/store.ts` has
 * further rules.
 *
 * - UPLOAD-3 The documented call accepts the file with the same checks as one in its body. A 422 has a code for the
 *   state of the upload: `upload-not-found`, `upload-incomplete`, or `upload-damaged` if its bytes do not match the
 *   SHA-256; a damaged one is removed. An upload is removed once its call has taken effect.
 * - UPLOAD-4 For idempotency, the SHA-256 represents the bytes: a call is the same whether its file is the body or an
 *   upload, and its replay needs neither.
 * - UPLOAD-8 Ids consist of letters, digits, `-` and `_`; nothing else that a client sends becomes part of a path. A
 *   wrong offset is 409 with the state of the upload, bytes beyond the end are 422, files larger than the site accepts
 *   413, another version of tus 412.
 * - UPLOAD-9 Other clients of tus work, from browsers of other origins too.
 */
export async function mountUploads(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    // Bodies are written to disk as they arrive.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({ 'Tus-Resumable': tusVersion, 'Cache-Control': 'no-store' });
      await mustBeSignedIn(request, services);
    });
    mountCalls(scope, services);
  });
}

function mountCalls(scope: FastifyInstance, services: Services): void {
  const { uploads } = services;
  const most = (): number => services.site.upload_megabytes * 1024 * 1024;

  scope.post(path, { config: { documented: sync.beginUpload } }, async (request, reply) => {
    mustSpeakTus(request, reply);
    const { userid } = await mustBeSignedIn(request, services);
    const size = wholeNumber(request, 'upload-length');
    if (size === 0) throw invalid('Upload-Length', 'Upload-Length must be at least 1');
    if (size > most())
      throw new Problem('too-large', `A file may have ${services.site.upload_megabytes} MB on this site`);
    const state = await uploads.begin(userid, keyOf(request) ?? newId(services), size);
    return reply
      .status(201)
      .headers({ Location: `${path}/${state.upload}`, ...stateHeaders(state) })
      .send(state);
  });

  scope.get(
    `${path}/:upload`,
    { exposeHeadRoute: false, config: { documented: sync.readUpload } },
    async (request, reply) => {
      const { userid } = await mustBeSignedIn(request, services);
      const state = await uploads.read(userid, idOf(request));
      return reply.headers(stateHeaders(state)).send(state);
    },
  );

  scope.head(`${path}/:upload`, async (request, reply) => {
    const { userid } = await mustBeSignedIn(request, services);
    return reply.headers(stateHeaders(await uploads.read(userid, idOf(request)))).send();
  });

  const adding = { bodyLimit: bodyLimits.file, config: { documented: sync.addToUpload } };
  scope.patch(`${path}/:upload`, adding, async (request, reply) => {
    mustSpeakTus(request, reply);
    const { userid } = await mustBeSignedIn(request, services);
    if (request.headers['content-type'] !== tusType)
      throw invalid('Content-Type', `Content-Type must be ${tusType}`);
    const offset = wholeNumber(request, 'upload-offset');
    const source = request.body as Readable;
    try {
      return await reply
        .headers(stateHeaders(await uploads.append(userid, idOf(request), offset, source)))
        .status(204)
        .send();
    } catch (error) {
      if (!request.raw.destroyed || error instanceof Problem) throw error;
      // The connection is lost. The received bytes are stored, and no response can be sent.
      return reply.hijack();
    }
  });

  scope.delete(`${path}/:upload`, { config: { documented: sync.removeUpload } }, async (request, reply) => {
    mustSpeakTus(request, reply);
    const { userid } = await mustBeSignedIn(request, services);
    await uploads.read(userid, idOf(request));
    await uploads.remove(userid, idOf(request));
    return reply.status(204).send();
  });
}

async function mustBeSignedIn(request: FastifyRequest, services: Services): Promise<{ userid: number }> {
  const viewer = await viewerOfRequest(request, services);
  if (viewer.userid === 0) throw new Problem('unauthorized', 'Authentication required');
  return viewer;
}

/** Refuses another version of tus. A missing header is accepted, because proxies strip it. */
function mustSpeakTus({ headers }: FastifyRequest, reply: FastifyReply): void {
  const version = headers['tus-resumable'] ?? tusVersion;
  if (version === tusVersion) return;
  reply.header('Tus-Version', tusVersion);
  throw new Problem('precondition-failed', `This server speaks tus ${tusVersion}`);
}

function wholeNumber({ headers }: FastifyRequest, name: 'upload-length' | 'upload-offset'): number {
  const text = headers[name];
  const value = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const words = name === 'upload-length' ? 'Upload-Length' : 'Upload-Offset';
  if (value === undefined) throw invalid(words, `${words} must be a whole number of bytes`);
  return value;
}

/** The id that the client chose, in `Upload-Metadata: key <base64>`. */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const pair = String(headers['upload-metadata'] ?? '')
    .split(',')
    .map((part) => part.trim().split(' '))
    .find(([name]) => name === 'key');
  if (pair === undefined) return undefined;
  const key = uploadId.safeParse(Buffer.from(pair[1] ?? '', 'base64').toString('utf8'));
  if (key.success) return key.data;
  throw invalid('Upload-Metadata', 'The key of an upload must be 8 to 64 letters, digits, - or _');
}

function newId({ randomBytes }: Services): string {
  return Buffer.from(randomBytes(18)).toString('base64url');
}

/** The id in the path. @throws Problem 404 if it is not a valid id */
function idOf({ params }: FastifyRequest): string {
  const id = uploadId.safeParse((params as { upload: string }).upload);
  if (!id.success) throw notFound('Upload');
  return id.data;
}

/** The tus headers with the state of an upload. */
function stateHeaders({ offset, size, expires_date }: UploadState): Record<string, string> {
  return {
    'Upload-Offset': String(offset),
    'Upload-Length': String(size),
    'Upload-Expires': new Date(expires_date * 1000).toUTCString(),
  };
}
