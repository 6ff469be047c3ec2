import { request } from 'node:http';

import type { Ground } from './server.ts';

/** Durations of calls of each kind, ms. */
export type Times = Record<'read' | 'write' | 'signIn', number[]>;

/** The work of an honest user, one call after the other, until `isOver`; from its own address. */
export async function workHonestly(ground: Ground, isOver: () => boolean): Promise<Times> {
  const times: Times = { read: [], write: [], signIn: [] };
  const { guideid, email, password } = ground;
  for (let round = 0; !isOver() || times.signIn.length === 0; round += 1) {
    times.read.push(await timed(ground, 'GET', `/guides/${guideid}`));
    if (round % 3 === 0) times.write.push(await timed(ground, 'PUT', `/user/favorites/guides/${guideid}`));
    if (round % 30 === 0) times.signIn.push(await timed(ground, 'POST', '/user/token', { email, password }));
  }
  return times;
}

async function timed(ground: Ground, method: string, path: string, body?: object): Promise<number> {
  const begun = performance.now();
  const status = await send(ground, method, path, body);
  if (status >= 300) throw new Error(`${method} ${path} answered an honest client with ${status}`);
  return performance.now() - begun;
}

function send({ url, honest }: Ground, method: string, path: string, body?: object): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const payload = body === undefined ? '' : JSON.stringify(body);
  const sent = request(
    `${url}/api/2.0${path}`,
    {
      method,
      // Another address of this machine, if the system has more than one.
      ...(process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {}),
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(payload),
        'Cache-Control': 'no-cache',
        ...(body === undefined ? { Authorization: `api ${honest}` } : {}),
      },
    },
    (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0)).once('error', reject);
    },
  );
  sent.once('error', reject);
  sent.end(payload);
  return promise;
}
