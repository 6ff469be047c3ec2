import { z } from 'zod';

import { newsPost, story } from '#shared/model/post.ts';

import { del, get, idText, offset, order, post } from './endpoint.ts';

/** Lists of stories and posts are newest first and show at most 50 (API facts 0.4). */
const pages = z.object({
  order: order.default('DESC'),
  offset,
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .transform((value) => Math.min(value, 50)),
});

const text = {
  title: z.string().trim().min(1).max(200),
  text: z.string().trim().min(1).max(20_000),
  image: z.int().positive().nullable().optional(),
  langid: z.string().min(2).max(10).optional(),
};

/** Body of POST /posts. `image` must be in the caller's media manager. */
export const newPost = z.strictObject(text);
/** Body of POST /stories. `category` names an existing one. */
export const newStory = z.strictObject({ ...text, category: z.string().min(1).nullable().optional() });
export type NewStory = z.output<typeof newStory>;

const storyId = z.strictObject({ storyid: idText });
const postId = z.strictObject({ postid: idText });

export const posts = {
  listStories: get('/stories', {
    summary: 'List stories, newest first',
    access: 'public',
    query: pages,
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
    query: pages,
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
