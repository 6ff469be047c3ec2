import { describe, expect, test } from 'vitest';

import { del, get, idText, patch, post, put, type Endpoint } from '#shared/api/endpoint.ts';
import type { Evidence } from '#test/support/api-evidence.ts';
import { z } from 'zod';

import { Evidences, isComplete, judge } from './judge.ts';

const params = z.strictObject({ thingid: idText });
const endpoints = {
  'POST /things': post('/things', { summary: 'Make' }),
  'GET /things/{thingid}': get('/things/{thingid}', { summary: 'Read', params }),
  'GET /things': get('/things', { summary: 'List' }),
  'PATCH /things/{thingid}': patch('/things/{thingid}', { summary: 'Change', params }),
  'DELETE /things/{thingid}': del('/things/{thingid}', { summary: 'Delete', params }),
  'PUT /things/{thingid}/shared': put('/things/{thingid}/shared', { summary: 'Share', params }),
  'GET /user/flags': get('/user/flags', { summary: 'Flags' }),
  'POST /user/token': post('/user/token', { summary: 'Sign in', access: 'public' }),
  'POST /users/reset_password': post('/users/reset_password', {
    summary: 'Ask for a link',
    access: 'public',
  }),
  'POST /users/reset_password/confirm': post('/users/reset_password/confirm', {
    summary: 'Set a password',
    access: 'public',
  }),
  'DELETE /user/token': del('/user/token', { summary: 'Sign out' }),
} satisfies Record<string, Endpoint>;
type Route = keyof typeof endpoints;

type Told = Partial<
  Pick<Evidence, 'caller' | 'grants' | 'sent' | 'said' | 'answered' | 'records' | 'digest' | 'test'>
>;

/** An answer of a server about the thing of this id. */
function answer(route: Route, status: number, told: Told = {}, thingid = 1): Evidence {
  const [method = '', path = ''] = route.split(' ');
  const named = path.includes('{') ? [`thingid=${thingid}`] : [];
  return {
    server: 'one',
    file: 'things.test.ts',
    test: 'a test',
    method,
    reads: method === 'GET',
    route: path.replace('{thingid}', '{}'),
    path: path.replace('{thingid}', String(thingid)),
    query: '',
    status,
    caller: 'ana',
    grants: null,
    named,
    said: [],
    answered: [],
    records: {},
    digest: '',
    ...told,
    sent: [...named, ...(told.sent ?? [])],
  };
}

/** What an answer holds of a thing. */
function thing(fields: string[], thingid = 1): Told {
  const texts = fields.map((one) => one.slice(one.indexOf('=') + 1)).filter((one) => one.length > 3);
  const id = `thingid=${thingid}`;
  return { answered: [id, ...texts], records: { [id]: [id, ...fields] }, digest: fields.join() };
}

function readBack(route: Route, ...evidence: Evidence[]): string | null {
  return judge(route, endpoints[route], new Evidences(evidence)).readBack;
}

const made = answer('POST /things', 201, { said: ['title=Belt'], sent: ['Belt'], ...thing(['title=Belt']) });
const read = (fields: string[], told: Told = {}): Evidence =>
  answer('GET /things/{thingid}', 200, { ...thing(fields), ...told });

describe('COVERAGE-2 a write is read back', () => {
  test('COVERAGE-2.1 by an id that it made, and not by one that was there before', () => {
    const makes = (thingid: number): Evidence => answer('POST /things', 201, thing([], thingid));
    expect(readBack('POST /things', makes(1), read([]))).toBe('GET /things/{}');
    expect(readBack('POST /things', makes(2), read([]))).toBeNull();
    expect(readBack('POST /things', read([]), makes(1), read([]))).toBeNull();
    expect(readBack('POST /things', read([]), makes(1))).toBeNull();
    const elsewhere = { ...read([]), server: 'two' };
    expect(readBack('POST /things', makes(1), elsewhere)).toBeNull();
    expect(readBack('POST /things', makes(1), { ...read([]), status: 404 })).toBeNull();
  });

  test('COVERAGE-2.2 by what it said of a record, and not by the id of the record alone', () => {
    const edit = answer('PATCH /things/{thingid}', 200, {
      said: ['size=40'],
      ...thing(['size=40', 'kind=a']),
    });
    expect(readBack('PATCH /things/{thingid}', made, edit, read(['size=40']))).toBe('GET /things/{}');
    expect(readBack('PATCH /things/{thingid}', made, edit, read(['title=Belt']))).toBeNull();
    const other = answer('GET /things/{thingid}', 200, thing(['size=40'], 2), 2);
    expect(readBack('PATCH /things/{thingid}', made, edit, other)).toBeNull();
  });

  test('COVERAGE-2.2 by what it said of its record, and not of whose it is', () => {
    const edit = answer('PATCH /things/{thingid}', 200, { said: ['size=40'], answered: ['userid=7'] });
    const list = answer('GET /things', 200, { records: { 'userid=7': ['size=40'] } });
    expect(readBack('PATCH /things/{thingid}', edit, list)).toBeNull();
  });

  test('COVERAGE-2.3 by a state or a revision that changed, and not by one that was so before', () => {
    const share = answer('PUT /things/{thingid}/shared', 200, thing(['shared=true', 'revisionid=8']));
    const later = read(['shared=true']);
    expect(readBack('PUT /things/{thingid}/shared', read(['shared=false']), share, later)).toBe(
      'GET /things/{}',
    );
    expect(readBack('PUT /things/{thingid}/shared', later, share, later)).toBeNull();
    expect(readBack('PUT /things/{thingid}/shared', share, later)).toBeNull();
    const revised = [read(['revisionid=7']), share, read(['revisionid=8'])];
    expect(readBack('PUT /things/{thingid}/shared', ...revised)).toBe('GET /things/{}');
  });

  test('COVERAGE-2.4 by standing where it did not stand before', () => {
    const share = answer('PUT /things/{thingid}/shared', 204);
    const empty = answer('GET /things', 200);
    const full = answer('GET /things', 200, { answered: ['thingid=1'] });
    expect(readBack('PUT /things/{thingid}/shared', empty, share, full)).toBe('GET /things');
    expect(readBack('PUT /things/{thingid}/shared', share, full)).toBeNull();
    expect(readBack('PUT /things/{thingid}/shared', { ...empty, caller: 'ben' }, share, full)).toBeNull();
  });

  test('COVERAGE-2.5 by another answer to the same question, if nothing else was written between', () => {
    const share = answer('PUT /things/{thingid}/shared', 204);
    const [before, after] = [read(['size=1']), read(['size=2'])];
    expect(readBack('PUT /things/{thingid}/shared', before, share, after)).toBe('GET /things/{}');
    expect(readBack('PUT /things/{thingid}/shared', before, share, { ...before })).toBeNull();
    const between = answer('PATCH /things/{thingid}', 200);
    expect(readBack('PUT /things/{thingid}/shared', before, share, between, after)).toBeNull();
  });

  test('COVERAGE-2.6 a deletion by 404, and not by a 200 of the same record', () => {
    const gone = answer('DELETE /things/{thingid}', 204);
    const missing = answer('GET /things/{thingid}', 404);
    expect(readBack('DELETE /things/{thingid}', made, gone, missing)).toBe('GET /things/{}');
    expect(readBack('DELETE /things/{thingid}', made, gone, read(['title=Belt']))).toBeNull();
    expect(
      readBack('DELETE /things/{thingid}', made, gone, answer('GET /things/{thingid}', 404, {}, 2)),
    ).toBeNull();
    // Ben never saw it.
    expect(readBack('DELETE /things/{thingid}', made, gone, { ...missing, caller: 'ben' })).toBeNull();
  });

  test('COVERAGE-2.7 a deletion by a list that held it and holds it no more', () => {
    const gone = answer('DELETE /things/{thingid}', 204);
    const empty = answer('GET /things', 200);
    const full = answer('GET /things', 200, { answered: ['thingid=1'], digest: 'full' });
    expect(readBack('DELETE /things/{thingid}', full, gone, empty)).toBe('GET /things');
    expect(readBack('DELETE /things/{thingid}', gone, empty)).toBeNull();
    expect(readBack('DELETE /things/{thingid}', full, gone, full)).toBeNull();
  });

  test('COVERAGE-2.8 a token by what it opens, and its end by 401', () => {
    const signIn = answer('POST /user/token', 201, { grants: 'token' });
    const opened = answer('GET /things', 200, { caller: 'token' });
    expect(readBack('POST /user/token', signIn, opened)).toBe('GET /things');
    expect(readBack('POST /user/token', signIn, answer('GET /things', 200))).toBeNull();
    const signOut = answer('DELETE /user/token', 204);
    expect(readBack('DELETE /user/token', signOut, answer('GET /things', 401))).toBe('GET /things');
    expect(readBack('DELETE /user/token', signOut, answer('GET /things', 401, { caller: 'ben' }))).toBeNull();
  });

  test('COVERAGE-2.9 a mail by who sets a password with its link and signs in with its address', () => {
    const asked = answer('POST /users/reset_password', 204, { said: ['email=ana@test'] });
    const set = answer('POST /users/reset_password/confirm', 204);
    const signIn = (email: string): Evidence => answer('POST /user/token', 201, { said: [`email=${email}`] });
    const verdict = (...later: Evidence[]): string | null =>
      readBack('POST /users/reset_password', set, asked, ...later);
    expect(verdict({ ...set }, signIn('ana@test'))).toBe('POST /user/token');
    expect(verdict({ ...set }, signIn('ben@test'))).toBeNull();
    expect(verdict({ ...set, status: 422 }, signIn('ana@test'))).toBeNull();
    expect(verdict(signIn('ana@test'))).toBeNull();
  });
});

describe('COVERAGE-3 a read is read back', () => {
  test('COVERAGE-3 by what was written before it, and not by any write of the same caller', () => {
    expect(readBack('GET /things/{thingid}', made, read(['title=Belt']))).toBe('POST /things');
    expect(readBack('GET /things/{thingid}', read(['title=Belt']), made)).toBeNull();
    expect(
      readBack('GET /user/flags', made, answer('GET /user/flags', 200, { answered: ['Finished'] })),
    ).toBeNull();
    const flags = ['a', 'b'].map((digest) => answer('GET /user/flags', 200, { digest }));
    const [before, after] = flags;
    if (before === undefined || after === undefined) throw new Error('two answers');
    expect(readBack('GET /user/flags', before, made, after)).toBe('POST /things');
  });

  test('COVERAGE-5 but not in the table of rights, whose records are made beside the API', () => {
    const beside = [made, read(['title=Belt'])].map((one) => ({ ...one, file: 'table.test.ts' }));
    expect(readBack('GET /things/{thingid}', ...beside)).toBeNull();
  });
});

describe('COVERAGE-4 refusals', () => {
  const shownOf = (...evidence: Evidence[]): number[] =>
    judge('PATCH /things/{thingid}', endpoints['PATCH /things/{thingid}'], new Evidences(evidence))
      .refusals.filter((one) => one.shown)
      .map((one) => one.status);

  test('COVERAGE-4 each that the document lists is asked for, 400 too', () => {
    const { refusals } = judge(
      'PATCH /things/{thingid}',
      endpoints['PATCH /things/{thingid}'],
      new Evidences([]),
    );
    expect(refusals.map((one) => one.status)).toEqual([400, 401, 403, 404, 422]);
  });

  test('COVERAGE-4 is shown by a test of that route, and of no other', () => {
    expect(shownOf(answer('PATCH /things/{thingid}', 404))).toEqual([404]);
    expect(shownOf(answer('DELETE /things/{thingid}', 404))).toEqual([]);
    expect(shownOf(answer('PATCH /things/{thingid}', 404, { test: null }))).toEqual([]);
  });

  test('COVERAGE-1 a route without endpoint, and one without a refusal, are not complete', () => {
    const nothing = new Evidences([]);
    expect(isComplete(judge('GET /nothing', undefined, nothing))).toBe(false);
    const read401 = answer('GET /things', 401);
    const listed = answer('GET /things', 200, thing(['title=Belt']));
    const verdict = (...evidence: Evidence[]): boolean =>
      isComplete(judge('GET /things', endpoints['GET /things'], new Evidences(evidence)));
    expect(verdict(made, listed)).toBe(false);
    expect(verdict(made, listed, read401)).toBe(true);
  });
});
