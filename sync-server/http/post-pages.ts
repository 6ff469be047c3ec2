import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';

import { newsPost, story } from '#shared/model/post.ts';
import { nothing, safe, trusted, type Html } from '#shared/html.ts';

import type { Services } from '#server/core/services.ts';
import { textsFor, type Texts } from '#server/text/texts.ts';

import { apiPrefix } from './mount.ts';

/** The pages may load pictures only. */
const contentSecurityPolicy = [
  "default-src 'none'",
  'img-src *',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const style = trusted(`<style>
  body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.6 Inter, system-ui, sans-serif; color: #1b2430; background: #fff; overflow-wrap: anywhere }
  img { max-width: 100%; height: auto } a { color: #00606a } .facts { color: #566270 }
</style>`);

const postKinds = {
  Story: { path: 'stories', record: story },
  News: { path: 'posts', record: newsPost },
} as const;

/**
 * Serves stories and posts as pages at the addresses in their records (`/Story/7`, `/News/2`), because the app has no
 * screen for them. A browser sends no token, so only public ones are shown; all others are the same 404.
 *
 * - ADDRESS-4 Stories and posts are pages of the server, for everybody who may read them without signing in.
 */
export function mountPostPages(app: FastifyInstance, services: Pick<Services, 'site'>): void {
  for (const [kind, { path, record }] of Object.entries(postKinds)) {
    app.get<{ Params: { id: string } }>(`/${kind}/:id`, async (request, reply) => {
      const url = `${apiPrefix}/${path}/${encodeURIComponent(request.params.id)}`;
      const answer = await app.inject({ url, headers: { host: request.host }, remoteAddress: request.ip });
      const shown =
        answer.statusCode === 200
          ? postPage(record.parse(answer.json()))
          : missingPage(textsFor(request.headers['accept-language'], services.site.langid));
      return reply
        .status(answer.statusCode === 200 ? 200 : 404)
        .header('Content-Security-Policy', contentSecurityPolicy)
        .header('X-Content-Type-Options', 'nosniff')
        .header('Referrer-Policy', 'no-referrer')
        .header('Vary', 'Accept-Language, Origin')
        .type('text/html; charset=utf-8')
        .send(shown.text);
    });
  }
}

function postPage(post: z.output<typeof story> | z.output<typeof newsPost>): Html {
  const { langid, author, date, image } = post;
  const isStory = 'storyid' in post;
  const title = isStory ? post.title_raw : post.title;
  const texts = isStory
    ? [post.intro_rendered, post.body_rendered, post.conclusion_rendered]
    : [post.text_rendered];
  const day = new Date(date * 1000).toISOString().slice(0, 10);
  const by = author === null ? nothing : safe` · <a href="${author.url}">${author.username}</a>`;
  const picture = image === null ? nothing : safe`<p><img src="${image.large ?? image.original}" alt=""></p>`;
  return whole(
    langid,
    title,
    safe`<p class="facts"><time datetime="${day}">${day}</time>${by}</p>${picture}${trusted(texts.join(''))}`,
  );
}

function whole(langid: string, title: string, content: Html): Html {
  return safe`<!doctype html><html lang="${langid}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>${style}</head><body><main><h1>${title}</h1>${content}</main></body></html>`;
}

function missingPage({ locale, pages: { missing } }: Texts): Html {
  return whole(locale, missing.title, safe`<p>${missing.text}</p>`);
}
