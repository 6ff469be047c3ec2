import { media } from '#shared/api/media.ts';
import type { Context, Remembered } from '#server/core/context.ts';
import type { ImageWithMetadata } from '#shared/model/image.ts';
import { handle } from '#server/http/handle.ts';
import { cleanName, recogniseDocument, recogniseVideo } from '#server/media/file-types.ts';
import { prepareImage, turnImage } from '#server/media/images.ts';
import { measuresOf } from '#server/media/video-measures.ts';
import { withoutPlace } from '#server/media/video-place.ts';
import { callerOf } from '#server/platform/caller.ts';

import { listEmbeds } from './embeds.ts';
import {
  addDocument,
  addVideo,
  listDocuments,
  listVideos,
  readDocument,
  readVideo,
  representDocument,
  representVideo,
} from './files.ts';
import { mustArrange, mustUpload } from './policy.ts';
import {
  addImage,
  copyImage,
  listImages,
  mustOwnImage,
  readImage,
  readOwnBytes,
  readTurned,
  removeImages,
  representImage,
} from './store.ts';

/** The answer to a call that created a file. */
async function made<T>(ctx: Context, kind: string, id: number, file: Promise<T>): Promise<Remembered<T>> {
  if (ctx.key !== null) ctx.created(ctx.key, id);
  return ctx.respondWithRecord(kind, id, file);
}

/** The job of a rotation: the turned image has its number. */
function rotationOf(imageid: number, image: ImageWithMetadata) {
  return { jobID: String(imageid), status: 'complete' as const, image };
}

export const mediaHandlers = handle(
  media,
  {
    listImages: ({ query }, ctx) => listImages(ctx, query),
    addImage: {
      allow: (_, ctx) => mustUpload(ctx),
      run: async ({ query, body }, ctx) => {
        const { bytes, ...image } = await prepareImage(
          callerOf(ctx),
          Buffer.from(body.buffer, body.byteOffset, body.length),
          query.cropToRatio,
        );
        const stored = await ctx.services.blobs.put(bytes);
        const filename = cleanName(query.file);
        return ctx.write(async (tx) => {
          const imageid = await addImage(tx, {
            ...image,
            ...stored,
            filename,
            exif: { FileName: filename, ...image.exif },
          });
          return made(tx, 'image', imageid, representImage(tx, imageid));
        });
      },
    },
    removeImages: {
      allow: (_, ctx) => mustArrange(ctx),
      run: ({ params }, ctx) => removeImages(ctx, params.imageids),
    },
    removeImagesByQuery: {
      allow: (_, ctx) => mustArrange(ctx),
      run: ({ query }, ctx) => removeImages(ctx, query.imageids),
    },
    copyImage: {
      allow: (_, ctx) => mustArrange(ctx),
      run: async ({ params }, ctx) => {
        const imageid = await copyImage(ctx, params.image);
        return made(ctx, 'image', imageid, representImage(ctx, imageid));
      },
    },
    rotateImage: {
      allow: async ({ params }, ctx) => {
        await mustOwnImage(ctx, params.image);
        mustArrange(ctx);
      },
      run: async ({ params, body }, ctx) => {
        const { bytes, format, filename } = await readOwnBytes(ctx, params.image);
        const turned = await turnImage(callerOf(ctx), bytes, format, body.degrees);
        const stored = await ctx.services.blobs.put(turned.bytes);
        return ctx.write(async (tx) => {
          const imageid = await addImage(tx, { ...turned, ...stored, filename, srcid: params.image });
          const rotation = rotationOf(imageid, await representImage(tx, imageid));
          return tx.respondWithRecord('rotation', imageid, rotation);
        });
      },
    },
    readRotation: async ({ params }, ctx) =>
      rotationOf(params.jobID, await readTurned(ctx, params.jobID, params.image)),
    readRotationJob: async ({ params }, ctx) => rotationOf(params.jobID, await readTurned(ctx, params.jobID)),
    listVideos: ({ query }, ctx) => listVideos(ctx, query),
    addVideo: {
      allow: (_, ctx) => mustUpload(ctx),
      run: async ({ query, body }, ctx) => {
        const bytes = withoutPlace(body);
        const file = recogniseVideo(bytes, query.file);
        const stored = await ctx.services.blobs.put(bytes);
        return ctx.write(async (tx) => {
          const videoid = await addVideo(tx, { ...file, ...stored, ...measuresOf(bytes) });
          return made(tx, 'video', videoid, representVideo(tx, videoid));
        });
      },
    },
    listEmbeds: ({ query }, ctx) => listEmbeds(ctx, query),
    listDocuments: ({ query }, ctx) => listDocuments(ctx, query),
    addDocument: {
      allow: (_, ctx) => mustUpload(ctx),
      run: async ({ query, body }, ctx) => {
        const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
        const { filename } = await recogniseDocument(bytes, query.file);
        const stored = await ctx.services.blobs.put(bytes);
        return ctx.write(async (tx) => {
          const documentid = await addDocument(tx, { filename, ...stored });
          return made(tx, 'document', documentid, representDocument(tx, documentid));
        });
      },
    },
    readImage: ({ params }, ctx) => readImage(ctx, params.image),
    readVideo: ({ params }, ctx) => readVideo(ctx, params.videoid),
    readDocument: ({ params }, ctx) => readDocument(ctx, params.documentid),
  },
  {
    image: (ctx, id) => representImage(ctx, Number(id)),
    rotation: async (ctx, id) => rotationOf(Number(id), await representImage(ctx, Number(id))),
    document: (ctx, id) => representDocument(ctx, Number(id)),
    video: (ctx, id) => representVideo(ctx, Number(id)),
  },
);
