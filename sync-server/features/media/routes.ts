import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Selectable } from 'kysely';

import { notFound, Problem } from '#shared/api/problem.ts';
import { imageSizes, type ImageSize } from '#shared/model/image.ts';
import { can } from '#server/features/can.ts';
import { nobody } from '#server/core/viewer.ts';
import { viewerOfRequest } from '#server/http/request-viewer.ts';
import type { Services } from '#server/core/services.ts';
import { mayReadFile } from './policy.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Tables } from '#server/storage/tables.ts';
import { callerOf } from '#server/platform/caller.ts';

import { drawing, neutralPictures, type Draw } from '#server/demo-content/drawings.ts';
import { drawnHash, drawnPicture, imageTypes, resizeImage, type ImageFormat } from '#server/media/images.ts';
import { documentType } from '#server/media/file-types.ts';
import { sendBytes, sendFile, type SentFile } from '#server/http/send-file.ts';
import { SmallFiles } from '#server/http/small-files.ts';

/** The guid of the default avatar on live servers (API facts 1.1). */
const defaultAvatar = 'default_avatar_placeholder_guid';

type Named = { Params: { name: string } };
type Guided = { Params: { guid: string } };
type Wild = { Params: { '*': string } };

/** Serves pictures, documents and videos. `draw` creates the drawings for pictures without bytes. */
export function mountMedia(app: FastifyInstance, services: Services, draw: Draw): void {
  const images = new ImageRoutes(services, draw);
  app.get<Named>('/igi/:name', (request, reply) => images.send(request, reply, request.params.name));
  app.get<Wild>('/static/images/*', (request, reply) =>
    images.sendStatic(request, reply, request.params['*']),
  );
  app.get<Guided>('/Document/:guid', (request, reply) => sendDocument(services, request, reply));
  app.get<Guided>('/Document/:guid/:filename', (request, reply) => sendDocument(services, request, reply));
  app.get<Guided>('/igo/:guid', (request, reply) => sendVideo(services, request, reply));
}

type ImageRow = Selectable<Tables['images']>;

const imageRow = prepared<{ guid: string }, ImageRow>((db, value) =>
  db.selectFrom('images').selectAll().where('guid', '=', value('guid')),
);

class ImageRoutes {
  readonly #services: Services;
  readonly #draw: Draw;
  readonly #small = new SmallFiles();
  constructor(services: Services, draw: Draw) {
    this.#services = services;
    this.#draw = draw;
  }

  /** Serves `{guid}`, `{guid}.full`, `{guid}.{size}` or `{guid}.full.{size}`. The unguessable guid grants access. */
  send(request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply | Promise<FastifyReply> {
    const [guid = '', ...endings] = name.split('.');
    const size = sizeOf(endings);
    if (guid === defaultAvatar) return this.#sendNeutral(request, reply, 'avatar', size);
    return this.#sendRead(request, reply, guid, size);
  }

  async #sendRead(
    request: FastifyRequest,
    reply: FastifyReply,
    guid: string,
    size: ImageSize | null,
  ): Promise<FastifyReply> {
    const [row] = await imageRow(this.#services.storage.reader, { guid });
    if (row === undefined) throw notFound('Image');
    return this.#sendImage(request, reply, row, size);
  }

  #sendImage(
    request: FastifyRequest,
    reply: FastifyReply,
    row: ImageRow,
    size: ImageSize | null,
  ): FastifyReply | Promise<FastifyReply> {
    const { sha256 } = row;
    if (sha256 === null) return this.#sendDrawing(request, reply, row, size);
    const format = row.format as ImageFormat;
    const file = { type: imageTypes[format], etag: `${sha256}-${size ?? 'full'}`, isPublic: true };
    if (size === null) return sendBlob(this.#services, request, reply, sha256, file);
    const bytes = this.#small.get(file.etag);
    return bytes === undefined
      ? this.#sendSized(request, reply, { sha256, format, size }, file)
      : sendBytes(request, reply, bytes, file);
  }

  /** Serves `avatars/….{size}` and `…noimage.jpg`, the pictures of people and guides without one. */
  async sendStatic(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    const ending = path.split('.').at(-1) ?? '';
    const size = isSize(ending) ? ending : null;
    if (path.startsWith('avatars/')) return this.#sendNeutral(request, reply, 'avatar', size);
    if (/noimage/i.test(path)) return this.#sendNeutral(request, reply, 'image', size);
    throw notFound('Image');
  }

  async #sendSized(
    request: FastifyRequest,
    reply: FastifyReply,
    { sha256, format, size }: { sha256: string; format: ImageFormat; size: ImageSize },
    file: SentFile,
  ): Promise<FastifyReply> {
    const { blobs } = this.#services;
    const make = (): Promise<Uint8Array> =>
      resizeImage(callerAt(request), () => blobs.read(sha256), format, size);
    const source = await this.#small.read(file.etag, await blobs.derived(sha256, size, make));
    return Buffer.isBuffer(source)
      ? sendBytes(request, reply, source, file)
      : sendFile(request, reply, source, file);
  }

  async #sendDrawing(
    request: FastifyRequest,
    reply: FastifyReply,
    row: ImageRow,
    size: ImageSize | null,
  ): Promise<FastifyReply> {
    if (row.drawing === null) throw notFound('Image');
    const what = drawing.parse(JSON.parse(row.drawing));
    return this.#sendSvg(request, reply, row.drawing, () => this.#draw(what), size, {
      width: row.width,
      height: row.height,
    });
  }

  async #sendNeutral(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: keyof typeof neutralPictures,
    size: ImageSize | null,
  ): Promise<FastifyReply> {
    const svg = neutralPictures[kind];
    return this.#sendSvg(request, reply, svg, async () => svg, size, { width: 800, height: 800 });
  }

  async #sendSvg(
    request: FastifyRequest,
    reply: FastifyReply,
    identity: string,
    svg: () => Promise<string>,
    size: ImageSize | null,
    full: { width: number; height: number },
  ): Promise<FastifyReply> {
    const name = size ?? 'full';
    const box = size === null ? full : imageSizes[size];
    const picture = await drawnPicture(callerAt(request), this.#services.blobs, identity, svg, box, name);
    const etag = `${drawnHash(identity)}-${name}`;
    return sendFile(request, reply, picture, { type: imageTypes.jpeg, etag, isPublic: true });
  }
}

async function sendBlob(
  { blobs }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  sha256: string,
  file: SentFile,
): Promise<FastifyReply> {
  return sendFile(request, reply, await blobs.open(sha256), file);
}

/** Pictures are requested without a token, so the caller is unknown. */
function callerAt({ ip }: FastifyRequest): string {
  return callerOf({ viewer: nobody, address: ip });
}

function isSize(text: string): text is ImageSize {
  return Object.hasOwn(imageSizes, text);
}

/** The size that a file name asks for; null for the full picture. */
function sizeOf(endings: string[]): ImageSize | null {
  const [size, ...more] = endings[0] === 'full' ? endings.slice(1) : endings;
  if (size === undefined) return null;
  if (more.length > 0 || !isSize(size)) throw notFound('Image');
  return size;
}

async function sendDocument(
  services: Services,
  request: FastifyRequest<Guided>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const row = await services.storage.reader
    .selectFrom('document_files')
    .selectAll()
    .where('guid', '=', request.params.guid)
    .executeTakeFirst();
  if (row === undefined || row.sha256 === null) throw notFound('Document');
  await mustRead(services, request, {
    kind: 'Document',
    id: row.documentid,
    guid: row.guid,
    userid: row.userid,
  });
  const type = documentType(row.filename);
  const shown = type === 'application/pdf' || type.startsWith('text/') ? 'inline' : 'attachment';
  return sendBlob(services, request, reply, row.sha256, {
    type,
    etag: row.sha256,
    isPublic: false,
    disposition: `${shown}; filename*=UTF-8''${encodeURIComponent(row.filename).replaceAll("'", '%27')}`,
  });
}

async function sendVideo(
  services: Services,
  request: FastifyRequest<Guided>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const row = await services.storage.reader
    .selectFrom('video_files')
    .selectAll()
    .where('guid', '=', request.params.guid)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Video');
  await mustRead(services, request, { kind: 'Video', id: row.videoid, guid: row.guid, userid: row.userid });
  return sendBlob(services, request, reply, row.sha256, {
    type: row.mime,
    etag: row.sha256,
    isPublic: false,
  });
}

/**
 * Throws 401 for anonymous callers on a private site, and 404 for viewers who see no record that refers to the file.
 */
async function mustRead(
  services: Services,
  request: FastifyRequest,
  file: Parameters<typeof mayReadFile>[2],
): Promise<void> {
  const viewer = await viewerOfRequest(request, services);
  if (!can(viewer, 'site.read', services.site)) throw new Problem('unauthorized', 'Authentication required');
  if (!(await mayReadFile(services.storage.reader, viewer, file))) throw notFound(file.kind);
}
