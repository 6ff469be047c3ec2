import { createServer, type AddressInfo, type Server } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Outbound, RefusedAddress } from '#server/platform/outbound.ts';

let canary: Server;
let port = 0;
let connects = 0;

beforeAll(async () => {
  canary = createServer((socket) => {
    connects += 1;
    socket.destroy();
  });
  // All addresses of the machine, both families.
  await new Promise<void>((resolve) => canary.listen(0, resolve));
  port = (canary.address() as AddressInfo).port;
});
afterAll(() => new Promise<void>((resolve) => canary.close(() => resolve())));

/** Notations of this machine, its network, and places that only this machine should reach. */
const hosts = [
  '127.0.0.1',
  '127.0.0.2',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '0.0.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.0x1',
  '127.0x1',
  '127.0.0.1.',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  '①②⑦.0.0.1',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '169.254.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '100.64.0.1',
  '100.127.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[::ffff:169.254.169.254]',
];
const whole = [
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1/',
  'data:,x',
  'unix:/x',
  '//x',
  '',
];

test('OUTBOUND-7 no notation of a private address leads to a connection', async () => {
  const inside: Record<string, string> = { localhost: '127.0.0.1', 'a.localhost': '::1' };
  const outbound = new Outbound(
    () => [],
    async (host) => {
      const found = inside[host.replace(/\.$/, '')];
      return found === undefined ? [] : [found];
    },
  );
  const addresses = [
    ...hosts.map((host) => `http://${host}:${port}/`),
    `http://user@127.0.0.1:${port}/`,
    `http://example.com@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}#@example.com/`,
    ...whole,
  ];
  expect(addresses.length).toBeGreaterThanOrEqual(60);
  for (const address of addresses) {
    const call = outbound.call(address, { timeoutMs: 500, mostBytes: 100, redirects: 3 });
    await expect(call, address).rejects.toThrow(RefusedAddress);
  }
  expect(connects).toBe(0);
});
