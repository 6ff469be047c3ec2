import { request, type IncomingMessage } from 'node:http';

import { expect, test } from 'vitest';

import { protocolRange } from '#shared/sync/protocol.ts';
import { batchLimits, type BatchResult } from '#shared/sync/wire.ts';
import { defaultLimits } from '#server/http/limits.ts';
import { contextForJob } from '#server/core/job.ts';
import { issueToken } from '#server/features/tokens/store.ts';
import { newestCheckpoint, checkpointTextOf } from '#server/sync/feed-reader.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

/** People with 25 devices each, and calls waiting on one device: the documented numbers in the long run. */
const people = isLongRun ? 40 : 4;
const devicesOfPerson = 25;
const queue = isLongRun ? 50_000 : 600;
/** For the size of the long run, ms. */
const patience = 3600_000;
/** All requests fall into one minute, however long they take: the strictest case for limits. */
const now = (): number => 1_800_000_000_000;
const protocol = protocolRange.newest;

async function tokensOf(server: TestServer): Promise<string[]> {
  const tokens: string[] = [];
  for (let at = 0; at < people; at += 1) {
    const { userid } = await server.person(`Person${at}`);
    for (let device = 0; device < devicesOfPerson; device += 1)
      tokens.push(
        await contextForJob(server.services, null, (ctx) => issueToken(ctx, userid, `Device ${device}`)),
      );
  }
  return tokens;
}

/** Opens an event stream and keeps it open. */
function openStream(url: string, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false, headers: { Authorization: `api ${token}` } }, resolve)
      .on('error', reject)
      .end();
  });
}

/** Number of responses by status. */
function tally(statuses: number[]): Record<number, number> {
  const groups = Map.groupBy(statuses, (status) => status);
  return Object.fromEntries([...groups].map(([status, all]) => [status, all.length]));
}

test(`LOAD-10 ${people * devicesOfPerson} devices behind one address, each with its stream open, pull at the same time and get no 429`, async () => {
  await using server = await startServer({ now, checked: false });
  const tokens = await tokensOf(server);
  const since = encodeURIComponent(
    await checkpointTextOf(server.services, await newestCheckpoint(server.services.storage.reader)),
  );
  const streams = await Promise.all(
    tokens.map((token) =>
      openStream(`${server.url}/sync/1/events?since=${since}&protocol=${protocol}`, token),
    ),
  );
  try {
    expect(tally(streams.map(({ statusCode }) => statusCode ?? 0))).toEqual({ 200: tokens.length });
    const pulls = await Promise.all(
      tokens.map(async (token) => {
        const answer = await fetch(`${server.url}/sync/1/pull?since=0.0&protocol=${protocol}`, {
          headers: { Authorization: `api ${token}` },
        });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    expect(tally(pulls)).toEqual({ 200: tokens.length });
    expect(streams.filter(({ closed }) => closed)).toEqual([]);
  } finally {
    for (const stream of streams) stream.destroy();
  }
});

test(
  `LOAD-10 a queue of ${queue} calls that one device sends batch after batch gets no 429`,
  { timeout: patience },
  async () => {
    await using server = await startServer({ now, checked: false });
    const ana = await server.person('Ana');
    const statuses: number[] = [];
    for (let first = 0; first < queue; first += batchLimits.calls) {
      const calls = Array.from({ length: batchLimits.calls }, (_, n) => ({
        id: `waiting-call-${first + n}`,
        lane: 'person',
        method: 'PATCH',
        path: `/users/${ana.userid}`,
        body: { summary: `Number ${first + n}` },
      }));
      const answer = await fetch(`${server.url}/sync/1/batch?protocol=${protocol}`, {
        method: 'POST',
        headers: { Authorization: `api ${ana.token}` },
        body: JSON.stringify({ protocol, calls }),
      });
      expect(answer.status).toBe(200);
      const lines = (await answer.text()).trim().split('\n').slice(1);
      for (const line of lines) statuses.push((JSON.parse(line) as BatchResult).status);
    }
    expect(tally(statuses)).toEqual({ 200: queue });
    const last = await ana.call('GET', '/user');
    expect(last).toMatchObject({ status: 200, body: { summary: `Number ${queue - 1}` } });
    // Every call was counted, in the same minute.
    const asked = queue + queue / batchLimits.calls + 1;
    expect(Number(last.headers.get('ratelimit-remaining'))).toBe(defaultLimits.devicePerMinute - asked);
  },
);
