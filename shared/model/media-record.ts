import { z } from 'zod';

import { embedFacts } from './guide.ts';
import { video } from './guide-record.ts';

/**
 * A document of the media manager in the API (as on live servers). The server does not read documents, so it has no
 * preview and no summary of them.
 *
 * - LIVE-3 A document leaves out what the server does not know and live servers send as text or number: its group, the
 *   addresses of previews and of an editor, and its number of pages.
 */
export const documentRecord = z
  .strictObject({
    documentid: z.int(),
    guid: z.string(),
    filename: z.string(),
    title: z.string(),
    size: z.int(),
    document_type: z.string(),
    document_extension: z.string(),
    thumbnailid: z.null(),
    imageid: z.null(),
    view_url: z.string(),
    download_url: z.string(),
    date: z.int(),
    summary: z.null(),
    type: z.literal('Document'),
  })
  .meta({ id: 'Document' });
export type DocumentRecord = z.infer<typeof documentRecord>;

/** A video of the media manager, with the same fields as the video of a step. Duration and size are 0 while unknown. */
export const videoRecord = video;
export type VideoRecord = z.infer<typeof video>;

/**
 * An embedded page of the media manager: the fields of one in a step and those that the manager adds (as on live
 * servers; no previews are made). `date`: when the guide that embeds it was created.
 */
export const embedRecord = embedFacts
  .extend({
    type: z.literal('GuideEmbedObject'),
    imageid: z.null(),
    mini: z.null(),
    thumbnail: z.null(),
    standard: z.null(),
    medium: z.null(),
    view_url: z.string(),
    filename: z.string(),
    provider: z.string(),
    date: z.int(),
  })
  .meta({ id: 'Embed' });
export type EmbedRecord = z.infer<typeof embedRecord>;
