import { z } from 'zod';

import { imageWithMetadata } from '#shared/model/image.ts';
import { documentRecord, embedRecord, videoRecord } from '#shared/model/media-record.ts';

import { del, get, idText, limit, offset, order, post } from './endpoint.ts';

export const imageRatios = ['ONE_ONE', 'FOUR_THREE', 'VARIABLE'] as const;

/** Filters of GET /user/media/images (not in the spec; as on live servers). */
export const imageFilter = z.object({
  order,
  offset,
  limit,
  ratio: z.enum(['ALL', ...imageRatios]).default('ALL'),
  minWidth: z.coerce.number().int().min(0).default(0),
  minHeight: z.coerce.number().int().min(0).default(0),
});
export type ImageFilter = z.output<typeof imageFilter>;

const paged = z.object({ order, offset, limit });

/** Types of files that can be uploaded (spec, "POST /user/media/images"; our choice for videos and documents). */
const imageFiles = ['image/jpeg', 'image/gif', 'image/png', 'image/bmp', 'image/tiff'] as const;
const videoFiles = ['video/mp4', 'video/quicktime', 'video/webm', 'video/ogg'] as const;
const documentFiles = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/zip',
  'text/plain',
  'text/csv',
] as const;
const file = z.string().trim().min(1).max(255);
const fileName = z.object({ file: file.default('upload') });

/** A comma-separated list of ids; anything else in it is ignored (the spec ignores ids that are not in the manager). */
const idList = z.string().transform((text) => text.split(',').map(Number).filter(Number.isSafeInteger));

/**
 * A rotated image (as on live servers).
 *
 * - LIVE-4 The id of a job is a text, and its state `processing`, `complete` or `failed`. This server rotates at once,
 *   so its jobs are complete. They are polled below the image or at `/user/media/images/rotate/{jobID}`.
 */
const rotation = z.strictObject({
  jobID: z.string(),
  status: z.enum(['complete', 'processing', 'failed']),
  image: imageWithMetadata,
});

/** The number or the guid of a file. */
const fileId = z.union([idText, z.string().regex(/^\w{1,64}$/)]);

/**
 * The body of an upload is the file itself; `file` is its name (spec: body is an image file; as on live servers). The
 * type of a file is recognised by its content, not by its name.
 */
export const media = {
  listImages: get('/user/media/images', {
    summary: 'List the images in the media manager',
    query: imageFilter,
    result: z.array(imageWithMetadata),
  }),
  addImage: post('/user/media/images', {
    summary: 'Upload an image',
    query: z.object({ file: file.default('image'), cropToRatio: z.enum(imageRatios).default('VARIABLE') }),
    consumes: 'bytes',
    takesUploads: true,
    files: imageFiles,
    result: imageWithMetadata,
    offline: 'upload-image',
    recorded: true,
    transaction: 'handler',
  }),
  removeImages: del('/user/media/images/{imageids}', {
    refuses: [400, 403],
    summary: 'Delete images from the media manager',
    status: 204,
    params: z.strictObject({ imageids: idList }),
  }),
  removeImagesByQuery: del('/user/media/images', {
    summary: 'Delete images from the media manager (as existing apps call it)',
    status: 204,
    query: z.object({ imageids: idList }),
    refuses: [400, 403],
    extension: true,
  }),
  copyImage: post('/user/media/images/{image}', {
    refuses: [400, 403, 404],
    summary: 'Copy an image into the media manager',
    params: z.strictObject({ image: fileId }),
    result: imageWithMetadata,
  }),
  rotateImage: post('/user/media/images/{image}/rotate', {
    summary: 'Turn an image of the media manager; the turned one is a new image',
    status: 202,
    params: z.strictObject({ image: idText }),
    body: z.strictObject({ degrees: z.union([z.literal(90), z.literal(180), z.literal(270)]) }),
    result: rotation,
    extension: true,
    transaction: 'handler',
  }),
  readRotation: get('/user/media/images/{image}/rotate/{jobID}', {
    summary: 'Ask how far the turning of an image is',
    params: z.strictObject({ image: idText, jobID: idText }),
    result: rotation,
    extension: true,
  }),
  readRotationJob: get('/user/media/images/rotate/{jobID}', {
    summary: 'Ask how far the turning of an image is, by its job alone',
    params: z.strictObject({ jobID: idText }),
    result: rotation,
    extension: true,
  }),
  listVideos: get('/user/media/videos', {
    summary: 'List the videos in the media manager',
    query: paged,
    result: z.array(videoRecord),
  }),
  addVideo: post('/user/media/videos', {
    summary: 'Upload a video',
    query: fileName,
    consumes: 'bytes',
    takesUploads: true,
    files: videoFiles,
    result: videoRecord,
    offline: 'upload-video',
    recorded: true,
    extension: true,
    transaction: 'handler',
  }),
  listEmbeds: get('/user/media/embeds', {
    summary: "List the pages that the caller's guides embed",
    query: paged,
    result: z.array(embedRecord),
    extension: true,
  }),
  listDocuments: get('/user/media/documents', {
    summary: 'List the documents in the media manager',
    query: paged,
    result: z.array(documentRecord),
    extension: true,
  }),
  addDocument: post('/user/media/documents', {
    summary: 'Upload a document',
    query: fileName,
    consumes: 'bytes',
    takesUploads: true,
    files: documentFiles,
    result: documentRecord,
    offline: 'upload-document',
    recorded: true,
    extension: true,
    transaction: 'handler',
  }),
  readImage: get('/media/images/{image}', {
    summary:
      'Read the details of an image: for those who know its guid, own it, or see a record that shows it',
    access: 'public',
    params: z.strictObject({ image: fileId }),
    result: imageWithMetadata,
    extension: true,
  }),
  readVideo: get('/media/videos/{videoid}', {
    summary: 'Read about a video that the caller owns or sees used',
    access: 'public',
    params: z.strictObject({ videoid: fileId }),
    result: videoRecord,
    extension: true,
  }),
  readDocument: get('/media/documents/{documentid}', {
    summary: 'Read about a document that the caller owns or sees used',
    access: 'public',
    params: z.strictObject({ documentid: fileId }),
    result: documentRecord,
    extension: true,
  }),
};
