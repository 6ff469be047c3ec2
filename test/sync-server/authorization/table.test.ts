import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { isRead, pathParameters, rootedPath, type Endpoint } from '#shared/api/endpoint.ts';
import { surface } from '#shared/api/surface.ts';
import { must } from '#shared/must.ts';
import { headOf } from '#server/storage/audit/recorder.ts';

import { endpoints } from '../routes.ts';
import type { Cell, Ownership, Row } from './row.ts';
import { authorization, tellsOfPrivateGuides } from './table.ts';
import { World } from './world.ts';
import { roles } from './roles.ts';

let world: World;

beforeAll(async () => {
  world = await World.make();
});
afterAll(async () => world[Symbol.asyncDispose]());

interface Ruled {
  name: string;
  endpoint: Endpoint;
  rows: Row[];
}

const ruled: Ruled[] = Object.entries(surface).flatMap(([resource, table]) =>
  Object.entries(table as Record<string, Endpoint>).map(([name, endpoint]) => {
    const rows = (authorization as Record<string, Record<string, Row | Row[]>>)[resource]?.[name];
    return { name: `${resource}.${name}`, endpoint, rows: [must(rows, `the row of ${name}`)].flat() };
  }),
);

/** The index of a user's status, which approvers share unless a row says otherwise. */
const userAt = roles.indexOf('user');

/** A revision that no record has. */
const staleRevision = 999_999_999;

function urlOf(endpoint: Endpoint, row: Row, ids: Cell['ids']): string {
  let path = endpoint.path;
  for (const name of pathParameters(path)) {
    const value = must(ids[name], `${name} for ${endpoint.path}`);
    path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
  }
  const revision = endpoint.revisioned === undefined ? [] : [`revisionid=${staleRevision}`];
  const query = [...revision, ...(row.query === undefined ? [] : [row.query])].join('&');
  return `${rootedPath({ ...endpoint, path })}${query === '' ? '' : `?${query}`}`;
}

function bodyOf(endpoint: Endpoint, row: Row, cell: Cell): string | undefined {
  if (endpoint.consumes === 'bytes') return '';
  if (endpoint.body === undefined) return undefined;
  const { body = { nothing: 1 } } = row;
  return JSON.stringify(typeof body === 'function' ? (body as (cell: Cell) => unknown)(cell) : body);
}

function isList({ method, query, result }: Endpoint): boolean {
  const isPaged = query instanceof z.ZodObject && 'limit' in query.shape;
  return method === 'GET' && (isPaged || result instanceof z.ZodArray);
}

/** The difference between the response to a cell and the table; null if there is none. */
async function flawOf(endpoint: Endpoint, row: Row, cell: Cell, expected: number): Promise<string | null> {
  const fresh = expected < 300 ? await row.fresh?.(cell) : undefined;
  const ids = { ...cell.ids, ...row.ids?.(cell), ...fresh?.ids };
  const token = fresh?.token ?? world.people.get(cell.role)?.token;
  const payload = bodyOf(endpoint, row, cell);
  const before = await headOf(world.server.services.storage.reader);
  const response = await world.server.app.inject({
    method: endpoint.method,
    url: urlOf(endpoint, row, ids),
    // Modules are served only at known public addresses.
    authority: new URL(world.server.url).host,
    headers: token === undefined ? {} : { authorization: `api ${token}` },
    ...(payload === undefined ? {} : { payload }),
  });
  if (response.statusCode < 300 && !isRead(endpoint)) await noteAudited(endpoint, before.seq);
  if (response.statusCode === 200 && isList(endpoint) && response.headers['x-total-count'] === undefined)
    return `${cell.ownership} as ${cell.role}: a list without X-Total-Count`;
  return response.statusCode === expected
    ? null
    : `${cell.ownership} as ${cell.role}: ${response.statusCode} instead of ${expected} ${response.body.slice(0, 200)}`;
}

/** Successful writes, and whether the audit log recorded them at least once. */
const audited = new Map<string, boolean>();

async function noteAudited({ method, path }: Endpoint, after: number): Promise<void> {
  const action = `${method} ${path}`;
  const row = await world.server.services.storage.reader
    .selectFrom('audit_log')
    .select('seq')
    .where('seq', '>', after)
    .where('action', '=', action)
    .executeTakeFirst();
  audited.set(action, audited.get(action) === true || row !== undefined);
}

function cellsOf(row: Row): { ownership: Ownership; role: Cell['role']; status: string }[] {
  return Object.entries(row.expect).flatMap(([ownership, statuses]) =>
    roles.map((role, index) => {
      const all = statuses.split(' ');
      return { ownership: ownership as Ownership, role, status: must(all[index] ?? all[userAt], 'a status') };
    }),
  );
}

test('ACCESS-1 every endpoint that the server mounts has a row', () => {
  const known = new Set(ruled.map(({ endpoint }) => endpoint));
  expect(endpoints.filter(([, endpoint]) => !known.has(endpoint)).map(([route]) => route)).toEqual([]);
});

test('ACCESS-1 every row has a status for every role', () => {
  for (const { name, rows } of ruled)
    for (const row of rows)
      for (const [ownership, statuses] of Object.entries(row.expect))
        expect(statuses, `${name} ${ownership}`).toMatch(/^(?:-|\d{3})(?: (?:-|\d{3})){6,7}$/);
});

test('ACCESS-1 only listed endpoints reveal that a private guide exists', () => {
  const telling = ruled.filter(({ endpoint, rows }) =>
    rows.some(({ expect: { lost, private: hidden } }) => {
      const isOfGuide = /\{(?:guideid|stepid|entryid|commentid|contextid|form_revisionid)\}/.test(
        endpoint.path,
      );
      return isOfGuide && [lost, hidden].some((statuses) => statuses?.includes('403'));
    }),
  );
  expect(telling.map(({ name }) => name)).toEqual(tellsOfPrivateGuides);
  const words = readFileSync(new URL('../../../sync-server/features/README.md', import.meta.url), 'utf8');
  const told = words.split('## Calls that reveal private guides')[1] ?? '';
  expect([...told.matchAll(/^- `([\w.]+)`/gm)].map(([, name]) => name)).toEqual(tellsOfPrivateGuides);
});

// The cells depend on each other: they act in one world, in the order of the table.
describe('the authorization table', { shuffle: false }, () => {
  test.each(ruled)('ACCESS-1 $name answers each role as the table says', async ({ endpoint, rows }) => {
    const flaws: string[] = [];
    for (const row of rows) {
      for (const { ownership, role, status } of cellsOf(row)) {
        if (status === '-') continue;
        const cell: Cell = { world, role, ownership, ids: world.ids(role, ownership) };
        const flaw = await flawOf(endpoint, row, cell, Number(status));
        if (flaw !== null) flaws.push(flaw);
      }
    }
    expect(flaws).toEqual([]);
  });

  test('AUDIT-1 every successful write above is in the audit log, except those that changed nothing', () => {
    const untold = [...audited].filter(([, isTold]) => !isTold).map(([action]) => action);
    expect(audited.size).toBeGreaterThanOrEqual(60);
    // The media manager is empty, no quiz is named, and the answers of a quiz did not change.
    expect(untold.toSorted()).toEqual([
      'DELETE /user/media/images',
      'DELETE /user/media/images/{imageids}',
      'POST /quizzes/delete',
      'POST /quizzes/sessions/cancel',
      'POST /quizzes/sessions/save',
    ]);
  });
});
