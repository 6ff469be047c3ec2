import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** What a load of a device transferred. `bytes`: of the bodies, compressed. */
export interface Loaded {
  bytes: number;
  ms: number;
}

/** Loads as a fresh device does, without storing anything. */
export async function loadDevice(url: string, token: string): Promise<Loaded> {
  using agent = ownAgent();
  const start = performance.now();
  const bytes = await readStream(url, token, agent);
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

/** Reads the stream of the first load; returns its compressed bytes. */
async function readStream(url: string, token: string, agent: Agent): Promise<number> {
  const response = await get(
    `${url}/sync/1/bootstrap?protocol=6-6`,
    { Authorization: `api ${token}`, 'Accept-Encoding': 'gzip' },
    agent,
  );
  let bytes = 0;
  response.on('data', ({ length }: Buffer) => (bytes += length));
  await once(response, 'end');
  return bytes;
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
