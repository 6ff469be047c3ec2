import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

import type { FeedHead } from '#shared/sync/wire.ts';

/** What a load of a device transferred. `bytes`: of the bodies, compressed. */
export interface Loaded {
  bytes: number;
  ms: number;
}

/** Loads as a fresh device does, without storing anything. */
export async function loadDevice(url: string, token: string): Promise<Loaded> {
  using agent = ownAgent();
  const start = performance.now();
  const bytes = await readAll(url, token, agent);
  return { bytes, ms: performance.now() - start };
}

/** Reads a whole body as it is sent. */
export async function readWhole(
  url: string,
  headers: Record<string, string> = {},
): Promise<Loaded & { body: Buffer }> {
  using agent = ownAgent();
  const start = performance.now();
  const response = await get(url, headers, agent);
  const body = await buffer(response);
  return { bytes: body.length, ms: performance.now() - start, body };
}

/** Reads the stream of the initial load and the packs that it names; returns their bytes as they are sent. */
async function readAll(url: string, token: string, agent: Agent): Promise<number> {
  const headers = { Authorization: `api ${token}`, 'Accept-Encoding': 'gzip' };
  const response = await get(`${url}/sync/1/bootstrap?protocol=6-6&packs=1`, headers, agent);
  let bytes = 0;
  response.on('data', ({ length }: Buffer) => (bytes += length));
  const lines = await text(
    response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response,
  );
  const { packs = [] } = JSON.parse(lines.slice(0, lines.indexOf('\n'))) as FeedHead;
  const hashes = packs.flatMap(({ hash, titles }) => [hash, ...(titles === undefined ? [] : [titles.hash])]);
  const sizes = hashes.map(async (hash) => {
    const pack = await get(`${url}/sync/1/packs/${hash}?protocol=6-6`, headers, agent);
    return (await buffer(pack)).length;
  });
  return bytes + (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Like a device: one connection of its own, and at most six at a time. */
function ownAgent(): Agent & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets: 6 });
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() });
}

async function get(url: string, headers: Record<string, string>, agent: Agent): Promise<IncomingMessage> {
  const sent = request(url, { headers, agent });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
  return response;
}
