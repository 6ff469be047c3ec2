import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { connect, each, Problem } from '#shared/api/connect.ts';
import { surface } from '#shared/api/surface.ts';
import { resources } from '#server/features/index.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld, type BenchGrinderWorld } from '#test/support/world.ts';

let server: TestServer;
let world: BenchGrinderWorld;

beforeAll(async () => {
  server = await startServer();
  world = await benchGrinderWorld(server);
});
afterAll(async () => server[Symbol.asyncDispose]());

const credentials = { email: 'ana@example.com', password: 'a long password' };

/** A network that answers the first calls as given, without delay. */
function unsteady(first: (Response | 'lost' | 'answer lost')[]) {
  const waits: number[] = [];
  const keys: (string | undefined)[] = [];
  const send: typeof fetch = async (input, init) => {
    keys.push(new Headers(init?.headers).get('Idempotency-Key') ?? undefined);
    const next = first.shift();
    if (next === 'lost') throw new TypeError('fetch failed');
    if (next instanceof Response) return next;
    const answer = await fetch(input, init);
    if (next === 'answer lost') throw new TypeError('fetch failed');
    return answer;
  };
  return { waits, keys, options: { fetch: send, wait: async (ms: number) => void waits.push(ms) } };
}

function busy(status: 429 | 503, retryAfter?: string): Response {
  return new Response('{"message":"busy"}', {
    status,
    headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
  });
}

describe('the typed client', () => {
  test('CLIENT-1 knows every call that the server serves', () => {
    const known = new Set(Object.values(surface).flatMap((table) => Object.values(table)));
    const served = resources.flatMap(({ table }) => Object.values(table));
    expect(served.filter((one) => !known.has(one)).map((one) => `${one.method} ${one.path}`)).toEqual([]);
  });

  test('CLIENT-10 takes an origin as a text, and says what to pass instead of anything else', async () => {
    const { results } = await connect(`${server.url}/`).search.search({ params: { query: 'belt' } });
    expect(results.length).toBeGreaterThan(0);
    for (const wrong of ['127.0.0.1:4020', 'guides.example.org', `${server.url}/api/2.0`, '', 'ftp://x'])
      for (const options of [wrong, { url: wrong }])
        expect(() => connect(options)).toThrow(/needs the origin of the server, such as/);
  });

  test('CLIENT-2 stores the token after signing in, reports it, and forgets it', async () => {
    const tokens: (string | undefined)[] = [];
    const api = connect({ url: `${server.url}/`, onToken: (token) => tokens.push(token) });
    await expect(api.users.own()).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(api.signIn({ ...credentials, password: 'wrong' })).rejects.toBeInstanceOf(Problem);
    await api.signIn(credentials);
    expect((await api.users.own()).username).toBe('Ana');
    const again = connect({ url: server.url, token: api.token });
    expect((await again.users.own()).username).toBe('Ana');
    await api.signOut();
    expect(tokens).toEqual([expect.any(String), undefined]);
    await expect(again.users.own()).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(again.token).toBeUndefined();
  });

  test('CLIENT-3 retries 429 and 503 after Retry-After, and gives up in the end', async () => {
    const network = unsteady([busy(429, '7'), busy(503), busy(503, '1')]);
    const api = connect({ url: server.url, ...network.options });
    expect((await api.guides.list()).length).toBeGreaterThan(0);
    expect(network.waits).toEqual([7000, 1000, 1000]);
    const down = unsteady([busy(503), busy(503), busy(503)]);
    const given = connect({ url: server.url, retries: 2, ...down.options }).guides.list();
    await expect(given).rejects.toMatchObject({ kind: 'unavailable' });
    expect(down.waits).toEqual([500, 1000]);
  });

  test('CLIENT-4 repeats a write whose response was lost under the same key, so that it happens once', async () => {
    const network = unsteady(['answer lost', 'lost']);
    const api = connect({ url: server.url, token: world.ana.token, ...network.options });
    const body = { category: 'Bench Grinder', type: 'repair', title: 'Made once' } as const;
    await api.guides.create({ body });
    expect(new Set(network.keys).size).toBe(1);
    expect(network.keys).toHaveLength(3);
    const own = await api.users.ownGuides({ query: { limit: 200 } });
    expect(own.filter((guide) => guide.title === 'Made once')).toHaveLength(1);
  });

  test('CLIENT-5 does not repeat anonymous writes, for which the server stores no key', async () => {
    const network = unsteady(['lost']);
    const api = connect({ url: server.url, ...network.options });
    await expect(api.signIn(credentials)).rejects.toBeInstanceOf(TypeError);
    expect(network.waits).toEqual([]);
  });

  test('CLIENT-6 returns a conflict as a result with the current record', async () => {
    const api = connect({ url: server.url, token: world.ana.token });
    const params = { guideid: world.belt.guideid };
    const seen = await api.guides.read({ params });
    const saved = await api.guides.patch({
      params,
      revisionid: seen.revisionid,
      body: { summary: 'First' },
    });
    expect(saved).toMatchObject({ conflict: false, value: { summary: 'First' } });
    const late = await api.guides.patch({ params, revisionid: seen.revisionid, body: { summary: 'Late' } });
    expect(late).toMatchObject({ conflict: true, current: { summary: 'First' } });
    const tagged = await api.guides.addTag({ params, body: { tag: 'belts' } });
    expect(tagged.summary).toBe('First');
    const stale = await api.guides.addTag({ params, revisionid: seen.revisionid, body: { tag: 'grinder' } });
    expect(stale).toMatchObject({ conflict: true, current: { revisionid: tagged.revisionid } });
  });

  test('CLIENT-7 iterates over lists page by page, wrapped ones too', async () => {
    const api = connect({ url: server.url, token: world.mira.token });
    for (const workorderid of ['A', 'B', 'C'])
      await api.workLog.create({ body: { guideid: world.belt.guideid, workorderid } });
    const orders: string[] = [];
    for await (const entry of each(api.workLog.list, { query: { limit: 2 } })) orders.push(entry.workorderid);
    expect(orders).toEqual(['A', 'B', 'C']);
    const names: string[] = [];
    for await (const person of each(api.users.list, { query: { limit: 2, offset: 1 } }))
      names.push(person.username);
    expect(names).toEqual(['Ben', 'Maria', 'Otto', 'Mira']);
    await expect(each(() => Promise.resolve({ no: 'list' }), {}).next()).rejects.toBeInstanceOf(TypeError);
  });

  test('CLIENT-8 stops when it is aborted', async () => {
    const network = unsteady([busy(503), busy(503)]);
    const api = connect({ url: server.url, ...network.options });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(api.guides.list({}, { signal })).rejects.toThrow('enough');
  });

  test('CLIENT-9 accepts query switches as booleans', async () => {
    const api = connect({ url: server.url });
    await api.signIn(credentials);
    const badges = (includeUnearned: boolean) => api.users.ownBadges({ query: { includeUnearned } });
    const [earned, all] = [await badges(false), await badges(true)];
    expect(earned.every((one) => one.earned)).toBe(true);
    expect(all.some((one) => !one.earned)).toBe(true);
  });
});
