import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';

import { invalid, notFound, Problem } from '#shared/api/problem.ts';
import { sync } from '#shared/api/sync.ts';
import { tusType, tusVersion, uploadId, type UploadState } from '#shared/sync/uploads.ts';
import { viewerOfRequest } from '#server/http/auth.ts';
import type { Services } from '#server/core/services.ts';
import { bodyLimits } from '#server/http/mount.ts';
import { syncPrefix } from './routes.ts';

/** Path of the uploads; one of them is found below it. */
const path = `${syncPrefix}/uploads`;

/**
 * The tus protocol 1.0.0 with its extensions creation, termination and expiration (rules: README.md). What tus says in
 * headers, creation and GET say in their bodies too, for clients behind proxies that strip headers.
 */
export async function mountUploads(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    // Bodies are written to disk as they arrive.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({ 'Tus-Resumable': tusVersion, 'Cache-Control': 'no-store' });
      await mustBeSomebody(request, services);
    });
    mountCalls(scope, services);
  });
}

function mountCalls(scope: FastifyInstance, services: Services): void {
  const { uploads } = services;
  const most = (): number => services.site.upload_megabytes * 1024 * 1024;

  scope.post(path, { config: { documented: sync.beginUpload } }, async (request, reply) => {
    mustSpeakTus(request, reply);
    const { userid } = await mustBeSomebody(request, services);
    const size = wholeNumber(request, 'upload-length');
    if (size === 0) throw invalid('Upload-Length', 'Upload-Length must be at least 1');
    if (size > most())
      throw new Problem('too-large', `A file may have ${services.site.upload_megabytes} MB on this site`);
    const state = await uploads.begin(userid, keyOf(request) ?? newId(services), size);
    return reply
      .status(201)
      .headers({ Location: `${path}/${state.upload}`, ...told(state) })
      .send(state);
  });

  scope.get(
    `${path}/:upload`,
    { exposeHeadRoute: false, config: { documented: sync.readUpload } },
    async (request, reply) => {
      const { userid } = await mustBeSomebody(request, services);
      const state = await uploads.read(userid, idOf(request));
      return reply.headers(told(state)).send(state);
    },
  );

  scope.head(`${path}/:upload`, async (request, reply) => {
    const { userid } = await mustBeSomebody(request, services);
    return reply.headers(told(await uploads.read(userid, idOf(request)))).send();
  });

  const adding = { bodyLimit: bodyLimits.file, config: { documented: sync.addToUpload } };
  scope.patch(`${path}/:upload`, adding, async (request, reply) => {
    mustSpeakTus(request, reply);
    const { userid } = await mustBeSomebody(request, services);
    if (request.headers['content-type'] !== tusType)
      throw invalid('Content-Type', `Content-Type must be ${tusType}`);
    const offset = wholeNumber(request, 'upload-offset');
    const source = request.body as Readable;
    try {
      return await reply
        .headers(told(await uploads.append(userid, idOf(request), offset, source)))
        .status(204)
        .send();
    } catch (error) {
      if (!request.raw.destroyed || error instanceof Problem) throw error;
      // The connection is gone, and what came over it is kept: nobody is left to be answered.
      return reply.hijack();
    }
  });

  scope.delete(`${path}/:upload`, { config: { documented: sync.removeUpload } }, async (request, reply) => {
    mustSpeakTus(request, reply);
    const { userid } = await mustBeSomebody(request, services);
    await uploads.read(userid, idOf(request));
    await uploads.remove(userid, idOf(request));
    return reply.status(204).send();
  });
}

async function mustBeSomebody(request: FastifyRequest, services: Services): Promise<{ userid: number }> {
  const viewer = await viewerOfRequest(request, services);
  if (viewer.userid === 0) throw new Problem('unauthorized', 'Authentication required');
  return viewer;
}

/** A client that names a version names ours; one whose header a proxy stripped is taken along. */
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

/** An id that can be none names no upload. */
function idOf({ params }: FastifyRequest): string {
  const id = uploadId.safeParse((params as { upload: string }).upload);
  if (!id.success) throw notFound('Upload');
  return id.data;
}

/** The headers of tus that say how far an upload is. */
function told({ offset, size, expires_date }: UploadState): Record<string, string> {
  return {
    'Upload-Offset': String(offset),
    'Upload-Length': String(size),
    'Upload-Expires': new Date(expires_date * 1000).toUTCString(),
  };
}
