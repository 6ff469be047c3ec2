import { z } from 'zod';

import { imageObject } from './image.ts';
import { userSummary } from './user.ts';

const fields = {
  langid: z.string(),
  title: z.string(),
  text_raw: z.string(),
  text_rendered: z.string(),
  image: imageObject.nullable(),
  author: userSummary.nullable(),
  url: z.string(),
  date: z.int(),
  modified_date: z.int(),
};

/** A person's account of a repair (spec: one of the contexts of comments). `category`: what was repaired, null for none. */
export const story = z
  .strictObject({ storyid: z.int(), category: z.string().nullable(), ...fields })
  .meta({ id: 'Story' });
export type Story = z.infer<typeof story>;

/** News of the site (spec: one of the contexts of comments). */
export const newsPost = z.strictObject({ postid: z.int(), ...fields }).meta({ id: 'Post' });
export type NewsPost = z.infer<typeof newsPost>;
