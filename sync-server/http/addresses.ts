import type { FastifyInstance } from 'fastify';

/**
 * The screen of the app for an address of the site. `name` and `id`: the second and third part of the path, still
 * escaped.
 */
type ScreenOf = (name: string, id: string) => string;

const guide: ScreenOf = (name, id) => `/guides/${number(id) ?? number(name) ?? '0'}`;
const category: ScreenOf = (title) => `/library/${title.replaceAll('+', '%20')}`;
const page =
  (namespace: 'CATEGORY' | 'ITEM' | 'INFO' | 'WIKI'): ScreenOf =>
  (title) =>
    `/pages/named/${namespace}/${title}`;

/**
 * By the first part of the path, which `shared/rules/urls.ts` and clients use: the screen of the list, and of one
 * record.
 */
const screens: Record<string, { all: string; one: ScreenOf }> = {
  Guide: { all: '/', one: guide },
  Teardown: { all: '/', one: guide },
  c: { all: '/', one: category },
  Device: { all: '/', one: page('CATEGORY') },
  User: { all: '/people', one: (userid) => `/people/${number(userid) ?? '0'}` },
  Team: { all: '/people', one: (teamid) => `/teams/${number(teamid) ?? '0'}` },
  Item: { all: '/pages?kind=ITEM', one: page('ITEM') },
  Info: { all: '/pages?kind=INFO', one: page('INFO') },
  Wiki: { all: '/pages?kind=WIKI', one: page('WIKI') },
};

/**
 * Redirects the addresses in records (`/Guide/Belt/61`, `/User/7/Ana`) to the screens of the app. Records are not
 * looked up. Browsers keep the fragment that names a step (`#s90004`).
 *
 * - ADDRESS-1 The address that a record states as its own redirects to its screen, if the server serves the app.
 * - ADDRESS-2 So do addresses that clients build themselves: `/Guide`, `/Device/…`, `/User/7`.
 * - ADDRESS-3 A hidden and a missing record redirect to the same screen. No address redirects to another site.
 * - ADDRESS-5 The picture of every flag exists (`features/media/icons.ts`).
 */
export function mountAddresses(app: FastifyInstance): void {
  for (const [kind, { all, one }] of Object.entries(screens)) {
    app.get(`/${kind}`, (_, reply) => reply.redirect(all));
    app.get(`/${kind}/*`, (request, reply) => {
      // The address as sent: an escaped slash is part of a title.
      const [path = ''] = request.originalUrl.split('?');
      const [, , name = '', id = ''] = path.split('/');
      return reply.redirect(name === '' ? all : one(name, id));
    });
  }
}

function number(text: string): string | undefined {
  return /^\d+/.exec(text)?.[0];
}
