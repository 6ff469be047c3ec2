import { createHash } from 'node:crypto';

import { newDisk, serverAddress } from '../support/device.ts';
import { FakeServer } from '../support/fake-server.ts';
import { startArchiveDevice, workshop } from './world.ts';

/** A server that offers one archive, cuts its responses, and records requests. */
export class ArchiveServer {
  readonly asked: { path: string; range: string | null; ifRange: string | null }[] = [];
  readonly sync = new FakeServer();
  /** Bytes after which a response breaks off; null: it is complete. */
  cutAt: number | null = null;
  /** The response arrives in pieces of this size; Infinity: in one piece. */
  pieces = Number.POSITIVE_INFINITY;
  /** After the cut nothing arrives, without an error. */
  isStuck = false;
  /** The header that identifies a version of the file. */
  version: 'etag' | 'last-modified' = 'etag';
  /** The served bytes; by default the offered ones. */
  served: Uint8Array<ArrayBuffer>;
  /** The response of an intermediary; null: the server responds. */
  portal: (() => Response) | null = null;
  offered: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.offered = bytes;
    this.served = bytes;
  }

  get hash(): string {
    return createHash('sha256').update(this.offered).digest('hex');
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(new Request(input).url);
    if (url.pathname.endsWith('/user/token'))
      return Response.json({ userid: 1, username: 'Ada', privileges: [], authToken: 'token' });
    if (url.pathname === '/api/2.0/omanual') return Response.json([this.#offer()]);
    if (url.pathname.endsWith('.omanual') && this.portal !== null) {
      this.asked.push({ path: url.pathname, range: new Headers(init?.headers).get('range'), ifRange: null });
      return this.portal();
    }
    if (url.pathname.endsWith('.omanual')) return this.#file(url, new Headers(init?.headers));
    return this.sync.fetch(input, init);
  };

  #offer(): object {
    const { hash, offered } = this;
    const url = `${serverAddress}/api/2.0/omanual/shop.omanual?hash=${hash}`;
    return {
      name: 'shop',
      title: 'Workshop',
      category: 'Workshop',
      state: 'ready',
      progress: null,
      error: null,
      size: offered.length,
      date: 1_767_230_000,
      guides: 2,
      hash,
      url,
    };
  }

  #file(url: URL, headers: Headers): Response {
    const [range, ifRange] = [headers.get('range'), headers.get('if-range')];
    this.asked.push({ path: url.pathname + url.search, range, ifRange });
    const validators = {
      etag: `"${createHash('sha256').update(this.served).digest('hex')}"`,
      'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
    };
    const validator = validators[this.version];
    const from = range === null || ifRange !== validator ? 0 : Number(/bytes=(\d+)-/.exec(range)?.[1]);
    const rest = this.served.subarray(from);
    const cut = this.cutAt;
    const part = rest.subarray(0, cut ?? rest.length);
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (at < part.length) controller.enqueue(part.slice(at, (at += Math.min(this.pieces, part.length))));
        else if (cut === null) controller.close();
        else if (this.isStuck) return new Promise(() => undefined);
        else controller.error(new TypeError('cut'));
        return undefined;
      },
    });
    const size = this.served.length;
    return new Response(body, {
      status: from === 0 ? 200 : 206,
      headers: {
        [this.version]: validator,
        date: 'Sun, 01 Feb 2026 00:00:00 GMT',
        'content-length': String(rest.length),
        ...(from > 0 && { 'content-range': `bytes ${from}-${size - 1}/${size}` }),
      },
    });
  }
}

export async function signedIn(server: ArchiveServer, disk = newDisk()) {
  for (const { guideid, ...facts } of workshop)
    server.sync.put('guides', String(guideid), { guideid, ...facts });
  const device = await startArchiveDevice(disk, server.fetch);
  await device.actions.signIn(serverAddress, 'ada@bench.test', 'secret');
  await device.shows((offered) => offered !== null, 'serverArchives');
  return { device, disk };
}
