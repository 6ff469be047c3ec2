import { posts } from '#shared/api/posts.ts';
import type { NewsPost, Story } from '#shared/model/post.ts';
import { must } from '#shared/must.ts';
import type { Context } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { mustShow } from '../guides/showable.ts';
import { mustChangePost, mustSeePost, mustWritePost } from './policy.ts';
import { postRecords, storyRecords } from './record.ts';
import { createNews, createStory, editStory, listPosts, listStories, removePost } from './store.ts';

/** A story as this viewer may see it; throws 404 if they may not. */
export async function representStory(ctx: Context, storyid: number): Promise<Story> {
  return must((await storyRecords(ctx, [await mustSeePost(ctx, 'story', storyid)]))[0], 'the story');
}

/** A post as this viewer may see it; throws 404 if they may not. */
export async function representPost(ctx: Context, postid: number): Promise<NewsPost> {
  return must((await postRecords(ctx, [await mustSeePost(ctx, 'post', postid)]))[0], 'the post');
}

/** Stories and posts, the documents of comments in the contexts `story` and `post`. */
export const postHandlers = handle(
  posts,
  {
    listStories: async ({ query }, ctx) => storyRecords(ctx, await listStories(ctx, query)),
    readStory: ({ params }, ctx) => representStory(ctx, params.storyid),
    createStory: {
      allow: (_, ctx) => mustWritePost(ctx, 'story'),
      run: async ({ body }, ctx) => {
        await mustShow(ctx, { intro: body.intro, body: body.body, conclusion: body.conclusion });
        const postid = await createStory(ctx, body);
        return ctx.respondWithRecord('story', postid, representStory(ctx, postid));
      },
    },
    patchStory: {
      allow: ({ params }, ctx) => mustChangePost(ctx, 'post.edit', 'story', params.storyid),
      run: async ({ params, body }, ctx) => {
        await mustShow(ctx, { intro: body.intro, body: body.body, conclusion: body.conclusion });
        await editStory(ctx, await mustSeePost(ctx, 'story', params.storyid), body);
        return ctx.respondWithRecord('story', params.storyid, representStory(ctx, params.storyid));
      },
    },
    removeStory: {
      allow: ({ params }, ctx) => mustChangePost(ctx, 'post.remove', 'story', params.storyid),
      run: ({ params }, ctx) => removePost(ctx, 'story', params.storyid),
    },
    listPosts: async ({ query }, ctx) => postRecords(ctx, await listPosts(ctx, 'post', query)),
    readPost: ({ params }, ctx) => representPost(ctx, params.postid),
    createPost: {
      allow: (_, ctx) => mustWritePost(ctx, 'post'),
      run: async ({ body }, ctx) => {
        await mustShow(ctx, { text: body.text });
        const postid = await createNews(ctx, body);
        return ctx.respondWithRecord('post', postid, representPost(ctx, postid));
      },
    },
    removePost: {
      allow: ({ params }, ctx) => mustChangePost(ctx, 'post.remove', 'post', params.postid),
      run: ({ params }, ctx) => removePost(ctx, 'post', params.postid),
    },
  },
  {
    story: (ctx, id) => representStory(ctx, Number(id)),
    post: (ctx, id) => representPost(ctx, Number(id)),
  },
);
