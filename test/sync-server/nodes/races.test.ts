import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { RawHttp } from '#test/support/raw-http.ts';
import type { TestPerson } from '#test/support/server.ts';

import { at, threeNodes, type Nodes } from './world.ts';

const races = 1000;

let nodes: Nodes;
let ana: TestPerson;
let clients: RawHttp[];

beforeAll(async () => {
  nodes = await threeNodes();
  await nodes.a.category('Radio');
  ana = await nodes.a.person('Ana');
  clients = nodes.all.map(({ url }) => new RawHttp(url, 1));
});
afterAll(async () => {
  for (const client of clients) client[Symbol.dispose]();
  await nodes[Symbol.asyncDispose]();
});

async function newGuide(): Promise<Guide> {
  const made = await at(nodes.a, ana)('POST', '/guides', {
    category: 'Radio',
    type: 'repair',
    title: 'Radio',
    public: true,
  });
  expect(made.status).toBe(201);
  return made.body as Guide;
}

test('NODES-1 in 1,000 races of three nodes for one record, one wins each, with a revision of its own, and the others get its record', async () => {
  const { guideid, revisionid } = await newGuide();
  const given = new Set([revisionid]);
  let current = revisionid;
  for (let round = 0; round < races; round += 1) {
    const answers = await Promise.all(
      clients.map((client, index) =>
        client.send({
          method: 'PATCH',
          url: `/api/2.0/guides/${guideid}?revisionid=${current}`,
          headers: { authorization: `api ${ana.token}` },
          payload: JSON.stringify({ summary: `${round} of ${index}` }),
        }),
      ),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const records = answers.map(({ body }) => JSON.parse(body) as Guide);
    const winner = must(records[statuses.indexOf(200)], 'a winner');
    expect(given.has(winner.revisionid)).toBe(false);
    expect(records.map((one) => [one.revisionid, one.summary])).toEqual(
      records.map(() => [winner.revisionid, winner.summary]),
    );
    expect(winner.summary).toBe(`${round} of ${statuses.indexOf(200)}`);
    given.add(winner.revisionid);
    current = winner.revisionid;
  }
  const rows = await nodes.b.services.storage.reader
    .selectFrom('guide_revisions')
    .select('guide_revisionid')
    .where('guideid', '=', guideid)
    .execute();
  expect(rows).toHaveLength(races + 1);
});

test('IDEMPOTENCY-5 a call that arrives at three nodes at once under one key takes effect once', async () => {
  for (let round = 0; round < 50; round += 1) {
    const title = `Made ${round}`;
    const key = randomUUID();
    const body = { category: 'Radio', type: 'repair', title, public: true };
    const answers = await Promise.all(
      nodes.all.map((node) => at(node, ana)('POST', '/guides', body, { 'Idempotency-Key': key })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const ids = new Set(answers.map((answer) => (answer.body as Guide).guideid));
    expect(ids.size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replayed).toHaveLength(2);
  }
  const rows = await nodes.a.services.storage.reader.selectFrom('guides').select('guideid').execute();
  expect(rows).toHaveLength(51);
});
