import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

import { expect, test } from 'vitest';

import { startPostgres } from '#test/support/postgres.ts';
import { startServer } from '#test/support/server.ts';
import { sync } from '#test/support/sync-calls.ts';

import { StreamingDevice } from '../feed-access/stream.ts';
import { at } from './world.ts';

/** A network between a node and its database, which can lose connections without a notice to either side. */
class SilentNetwork implements AsyncDisposable {
  readonly #open = new Set<Socket>();
  readonly #server;
  url = '';

  private constructor(target: URL) {
    this.#server = createServer((near) => {
      const far = createConnection(Number(target.port), target.hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#open.add(from);
        from.on('data', (bytes) => void (this.#open.has(from) && to.write(bytes)));
        from.on('error', () => to.destroy());
        from.on('close', () => this.#open.has(from) && to.destroy());
      }
    });
  }

  static async before(databaseUrl: string, settings: string): Promise<SilentNetwork> {
    const url = new URL(databaseUrl);
    const network = new SilentNetwork(new URL(databaseUrl));
    network.#server.listen(0, '127.0.0.1');
    await once(network.#server, 'listening');
    url.port = String((network.#server.address() as AddressInfo).port);
    url.search = settings;
    network.url = url.href;
    return network;
  }

  /** From now on, nothing passes through the connections that are open; new ones work. Returns how many these are. */
  lose(): number {
    const { size } = this.#open;
    this.#open.clear();
    return size / 2;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

test('POSTGRES-21 a node goes on after its connections to the database were lost without a notice', async () => {
  await using postgres = await startPostgres();
  await using network = await SilentNetwork.before(postgres.url, 'query_timeout=1500');
  await using other = await startServer({ database: postgres.url });
  await other.category('Radio');
  const ana = await other.person('Ana');
  const { guideid } = await ana.client.guides.create({
    body: { category: 'Radio', type: 'repair', title: 'Radio', public: true },
  });
  const { checkpoint } = await sync(other, ana, 'bootstrap?collections=people');
  await using node = await startServer({ database: network.url });
  await using device = await StreamingDevice.open(node, ana, checkpoint);
  for (let round = 0; round < 2; round += 1) {
    expect((await at(node, ana)('GET', `/guides/${guideid}`)).status).toBe(200);
    expect(network.lose()).toBeGreaterThan(1);
    const statuses = new Set<number>();
    const untilAnswered = async (method: 'GET' | 'POST', path: string, body?: object): Promise<void> => {
      for (;;) {
        const { status } = await at(node, ana)(method, path, body);
        statuses.add(status);
        if (status < 300) return;
      }
    };
    await Promise.all([
      untilAnswered('GET', `/guides/${guideid}`),
      untilAnswered('POST', `/comments/guide/${guideid}`, { text: `written in round ${round}` }),
    ]);
    expect([...statuses].filter((status) => status >= 300 && status !== 503)).toEqual([]);
    const heard = `from the other node in round ${round}`;
    const sent = await at(other, ana)('POST', `/comments/guide/${guideid}`, { text: heard });
    expect(sent.status).toBe(201);
    await device.until(() => JSON.stringify(device.events).includes(heard));
  }
  expect(device.hasEnded).toBe(false);
});
