import { z } from 'zod';

import { imageRef } from './image.ts';

/** A file in a person's media manager (feed collection `media`, ids `image:{id}`, `document:{id}`, `video:{id}`). */
export const mediaItemFacts = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('image'),
    image: imageRef,
    userid: z.int(),
    filename: z.string(),
    size: z.int(),
    sha256: z.string(),
    key: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal('document'),
    documentid: z.int(),
    guid: z.string(),
    userid: z.int(),
    filename: z.string(),
    size: z.int(),
    sha256: z.string(),
    key: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal('video'),
    videoid: z.int(),
    guid: z.string(),
    userid: z.int(),
    filename: z.string(),
    size: z.int(),
    sha256: z.string(),
    key: z.string().optional(),
  }),
]);
export type MediaItemFacts = z.infer<typeof mediaItemFacts>;
