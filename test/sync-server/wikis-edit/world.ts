import { expect } from 'vitest';

import type { Wiki } from '#shared/model/wiki-record.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

export let server: TestServer;
export let ana: TestPerson;
export let maria: TestPerson;
export let otto: TestPerson;
export let mira: TestPerson;
let counter = 0;

export async function startWorld(): Promise<void> {
  server = await startServer({ site: { languages: ['en', 'de', 'ja'] } });
  ana = await server.person('Ana');
  maria = await server.person('Maria', ['User']);
  otto = await server.person('Otto', ['User', 'Author', 'Moderator']);
  mira = await server.person('Mira', ['User', 'Author', 'Moderator', 'Admin']);
}
export async function endWorld(): Promise<void> {
  await server[Symbol.asyncDispose]();
}

export interface Answer<T = Wiki> {
  status: number;
  body: T;
}

export async function create(body: object, by = ana, query = ''): Promise<Answer> {
  return by.call('POST', `/wikis${query}`, { namespace: 'WIKI', contents: 'Text', ...body });
}

/** A new wiki with a unique name. */
export async function made(body: object = {}, by = ana): Promise<Wiki> {
  counter += 1;
  const { status, body: wiki } = await create({ title: `Page ${counter}`, ...body }, by);
  expect([status, wiki]).toMatchObject([201, {}]);
  return wiki;
}

export function path({ namespace, title }: Pick<Wiki, 'namespace' | 'title'>, rest = ''): string {
  return `/wikis/${namespace}/${encodeURIComponent(title)}${rest}`;
}

export async function edit(
  wiki: Wiki,
  body: object,
  by = ana,
  revisionid = wiki.revisionid,
): Promise<Answer> {
  return by.call('PATCH', path(wiki, `?revisionid=${revisionid}`), body);
}

export async function read(wiki: Pick<Wiki, 'namespace' | 'title'>, query = ''): Promise<Answer> {
  return mira.call('GET', path(wiki, query));
}

export function fieldsOf({ body }: { body: unknown }): string[] {
  return ((body as { errors?: { field: string }[] }).errors ?? []).map((error) => error.field);
}
