import { z } from 'zod';

import { newsPost, story } from '#shared/model/post.ts';

import { del, get, idText, offset, order, patch, post } from './endpoint.ts';

/** Pages of stories and posts have at most 50 records (as on live servers). */
const pages = {
  offset,
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .transform((value) => Math.min(value, 50)),
};

const storyFilter = z.object({
  ...pages,
  order,
  guideid: z.coerce.number().int().optional().meta({ description: 'Only stories about this guide' }),
  product: z.string().optional().meta({ description: 'Only stories about this category' }),
});
export type StoryFilter = z.output<typeof storyFilter>;

const longText = z.string().trim().max(20_000);
const fields = {
  title: z.string().trim().min(1).max(200),
  image: z.int().positive().nullable().optional(),
};
const langid = z.string().min(2).max(10).optional();

/** Body of POST /posts. `image` must be in the caller's media manager. */
export const newPost = z
  .strictObject({ ...fields, text: longText.min(1), langid })
  .meta({ examples: [{ title: 'A new belt', text: 'The belts of line B are replaced on Friday.' }] });
export type NewPost = z.output<typeof newPost>;

const storyFields = {
  ...fields,
  intro: longText.optional(),
  body: longText.min(1),
  conclusion: longText.optional(),
  category: z.string().min(1).nullable().optional(),
  guideid: z.int().positive().nullable().optional(),
};
/** Body of POST /stories. `category`: an existing category. `guideid`: a guide that the caller may see. */
export const newStory = z.strictObject({ ...storyFields, langid }).meta({
  examples: [{ title: 'It runs again', body: 'The belt was worn. A new one took ten minutes.' }],
});
export type NewStory = z.output<typeof newStory>;
/** Body of PATCH /stories/{storyid}: only the fields in the body change. */
export const storyEdit = z.strictObject({
  ...storyFields,
  title: fields.title.optional(),
  body: storyFields.body.optional(),
});
export type StoryEdit = z.output<typeof storyEdit>;

const storyId = z.strictObject({ storyid: idText });
const postId = z.strictObject({ postid: idText });

export const posts = {
  listStories: get('/stories', {
    summary: 'List stories, oldest first',
    access: 'public',
    query: storyFilter,
    result: z.array(story),
    extension: true,
  }),
  readStory: get('/stories/{storyid}', {
    summary: 'Read a story',
    access: 'public',
    params: storyId,
    result: story,
    extension: true,
  }),
  createStory: post('/stories', {
    summary: 'Tell a story; at most one in a minute',
    status: 201,
    body: newStory,
    result: story,
    refuses: [400, 403],
    extension: true,
  }),
  patchStory: patch('/stories/{storyid}', {
    summary: 'Edit a story',
    params: storyId,
    body: storyEdit,
    result: story,
    tagged: story,
    extension: true,
  }),
  removeStory: del('/stories/{storyid}', {
    summary: 'Delete a story with its comments',
    status: 204,
    params: storyId,
    tagged: story,
    extension: true,
  }),
  listPosts: get('/posts', {
    summary: 'List posts, newest first',
    access: 'public',
    query: z.object({ ...pages, order: order.default('DESC') }),
    result: z.array(newsPost),
    extension: true,
  }),
  readPost: get('/posts/{postid}', {
    summary: 'Read a post',
    access: 'public',
    params: postId,
    result: newsPost,
    extension: true,
  }),
  createPost: post('/posts', {
    summary: 'Write a post',
    status: 201,
    body: newPost,
    result: newsPost,
    refuses: [400, 403],
    extension: true,
  }),
  removePost: del('/posts/{postid}', {
    summary: 'Delete a post with its comments',
    status: 204,
    params: postId,
    tagged: newsPost,
    extension: true,
  }),
};
