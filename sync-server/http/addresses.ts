import type { FastifyInstance } from 'fastify';

/** Where the app shows what an address of the site names: the parts of the address after the first, still escaped. */
type Place = (name: string, id: string) => string;

const guide: Place = (name, id) => `/guides/${number(id) ?? number(name) ?? '0'}`;
const category: Place = (title) => `/library/${title.replaceAll('+', '%20')}`;
const page =
  (namespace: 'CATEGORY' | 'ITEM' | 'INFO' | 'WIKI'): Place =>
  (title) =>
    `/pages/named/${namespace}/${title}`;

/** Kinds of addresses as `shared/rules/urls.ts` makes them and clients ask for them: the list, and one of it. */
const places: Record<string, { all: string; one: Place }> = {
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
 * Leads the addresses that records name themselves by (`/Guide/Belt/61`, `/User/7/Ana`) to the screens of the app. It
 * asks nothing about the record, so that what is missing and what is hidden lead to the same screen; a browser keeps
 * the step (`#s90004`) by itself.
 */
export function mountAddresses(app: FastifyInstance): void {
  for (const [kind, { all, one }] of Object.entries(places)) {
    app.get(`/${kind}`, (_, reply) => reply.redirect(all));
    app.get(`/${kind}/*`, (request, reply) => {
      // As it was asked: an escaped slash belongs to a title.
      const [path = ''] = request.originalUrl.split('?');
      const [, , name = '', id = ''] = path.split('/');
      return reply.redirect(name === '' ? all : one(name, id));
    });
  }
}

function number(text: string): string | undefined {
  return /^\d+/.exec(text)?.[0];
}
