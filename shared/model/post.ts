import { z } from 'zod';

import { imageObject } from './image.ts';
import { userSummary } from './user.ts';

const fields = {
  langid: z.string(),
  image: imageObject.nullable(),
  author: userSummary.nullable(),
  date: z.int(),
  modified_date: z.int(),
};

/**
 * A person's report of a repair (spec: one of the contexts of comments), in the field names of live servers: how it
 * began, what was done, and the result. `category` (ours): what was repaired. `guideid`: the guide used; null for
 * viewers who may not see it.
 */
export const story = z
  .strictObject({
    storyid: z.int(),
    status: z.literal('open'),
    view_url: z.string(),
    title_raw: z.string(),
    title_rendered: z.string(),
    intro_raw: z.string(),
    intro_rendered: z.string(),
    body_raw: z.string(),
    body_rendered: z.string(),
    conclusion_raw: z.string(),
    conclusion_rendered: z.string(),
    category: z.string().nullable(),
    guideid: z.int().nullable(),
    ...fields,
  })
  .meta({ id: 'Story' });
export type Story = z.infer<typeof story>;

/** News of the site (spec: one of the contexts of comments). */
export const newsPost = z
  .strictObject({
    postid: z.int(),
    title: z.string(),
    text_raw: z.string(),
    text_rendered: z.string(),
    url: z.string(),
    ...fields,
  })
  .meta({ id: 'Post' });
export type NewsPost = z.infer<typeof newsPost>;
