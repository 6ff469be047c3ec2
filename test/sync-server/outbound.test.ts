import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { isCallable, isNetwork, Outbound, RefusedAddress } from '#server/platform/outbound.ts';

const servers: Server[] = [];

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return String((server.address() as AddressInfo).port);
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const limits = { timeoutMs: 2000, mostBytes: 1000 };
const loopback = ['127.0.0.0/8'];

describe('calls to addresses from users', () => {
  it('OUTBOUND-1 public addresses are callable, and no others', () => {
    for (const address of ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '8.8.8.8'])
      expect(isCallable(address, [])).toBe(true);
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      'nonsense',
    ])
      expect(isCallable(address, []), address).toBe(false);
  });

  it('OUTBOUND-2 a private network is reachable if the site allows it', () => {
    expect(isCallable('192.168.10.7', ['192.168.10.0/24'])).toBe(true);
    expect(isCallable('::ffff:192.168.10.7', ['192.168.10.0/24'])).toBe(true);
    expect(isCallable('192.168.11.7', ['192.168.10.0/24', 'fd00::/8'])).toBe(false);
    expect([isNetwork('192.168.10.0/24'), isNetwork('fd00::/8'), isNetwork('192.168.10.7')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('OUTBOUND-8 the metadata service of a cloud platform is never called, in any notation and whatever is allowed', async () => {
    const everything = ['0.0.0.0/0', '::/0'];
    const asIpv6 = (ip: string): string[] => {
      const bytes = ip.split('.').map(Number);
      const hex = (list: number[]): string => list.map((byte) => byte.toString(16).padStart(2, '0')).join('');
      const words = (list: number[]): string => `${hex(list.slice(0, 2))}:${hex(list.slice(2))}`;
      const inverted = bytes.map((byte) => byte ^ 0xff);
      return [
        `::ffff:${ip}`,
        `::ffff:${words(bytes)}`,
        `::${ip}`,
        `::ffff:0:${ip}`,
        `64:ff9b::${ip}`,
        `64:ff9b:1::${ip}`,
        `2002:${words(bytes)}::1`,
        `2001:0:${words(bytes)}::1`,
        `2001:0:4136:e378:8000:63bf:${words(inverted)}`,
        `2606:4700::5efe:${ip}`,
        `2606:4700::200:5efe:${ip}`,
      ];
    };
    const v4 = [
      '168.63.129.16',
      '169.254.169.254',
      '169.254.170.2',
      '169.254.170.23',
      '169.254.0.23',
      '169.254.42.42',
      '100.100.100.200',
      '192.0.0.192',
    ];
    const v6 = [
      'fd00:ec2::254',
      'fd00:ec2:0::23',
      'fd20:ce::254',
      'fd00:42::42',
      'fe80::a9fe:a9fe',
      'fe80::a9fe:a9fe%1',
    ];
    for (const address of [...v4, ...v4.flatMap(asIpv6), ...v6]) {
      expect(isCallable(address, []), address).toBe(false);
      expect(isCallable(address, everything), address).toBe(false);
    }
    // Only checked, never called.
    const outbound = new Outbound(
      () => everything,
      async (host) => (host === 'agent.example' ? ['93.184.215.14', '168.63.129.16'] : ['93.184.215.14']),
    );
    for (const host of [
      '168.63.129.16',
      '168.63.129.16.',
      '2822734096',
      '0xa83f8110',
      '0250.077.0201.020',
      '168.63.33040',
      '[::ffff:168.63.129.16]',
      '[::ffff:a83f:8110]',
      '[64:ff9b::a83f:8110]',
      '[2002:a83f:8110::]',
      'agent.example',
      'metadata.google.internal',
      'METADATA.google.internal.',
      'metadata.goog',
      'metadata',
      'instance-data',
      'metadata.azure.internal',
    ])
      await expect(outbound.check(`http://${host}/`), host).rejects.toThrow(RefusedAddress);
  });

  it('OUTBOUND-9 networks of platforms and tunnels to private addresses count as private', () => {
    for (const address of [
      '161.26.0.10',
      '166.8.0.1',
      '166.11.255.255',
      '2606:4700::5efe:10.0.0.1',
      '2606:4700::200:5efe:127.0.0.1',
      '3fff::1',
      '5f00::1',
      '100::1',
      'fec0::1',
      '2001:20::1',
      '64:ff9b:1::1',
    ])
      expect(isCallable(address, []), address).toBe(false);
    expect(isCallable('161.26.0.10', ['161.26.0.0/16'])).toBe(true);
    for (const address of ['161.25.0.1', '166.12.0.1', '168.63.129.17', '2606:4700::5eff:a00:1'])
      expect(isCallable(address, []), address).toBe(true);
  });

  it('OUTBOUND-3 a host with any private address is refused, and so is anything but a web address', async () => {
    const names: Record<string, string[]> = {
      'inside.example': ['93.184.215.14', '10.0.0.5'],
      'outside.example': ['93.184.215.14'],
    };
    const outbound = new Outbound(
      () => [],
      async (host) => names[host] ?? [],
    );
    await expect(outbound.check('http://outside.example/x')).resolves.toMatchObject({ ip: '93.184.215.14' });
    for (const address of [
      'http://inside.example/',
      'http://unknown.example/',
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'https://user:secret@outside.example/',
      'ftp://outside.example/',
      'file:///etc/passwd',
      'nonsense',
    ])
      await expect(outbound.check(address), address).rejects.toThrow(RefusedAddress);
  });

  it('OUTBOUND-4 the call goes to the checked address, whatever a second DNS lookup says', async () => {
    const port = await listen((request, response) => response.end(`seen as ${request.headers.host}`));
    let looks = 0;
    const outbound = new Outbound(
      () => loopback,
      async () => {
        looks += 1;
        return [looks === 1 ? '127.0.0.1' : '127.0.0.99'];
      },
    );
    const answer = await outbound.call(`http://hooks.example:${port}/in`, limits);
    expect(answer.body.toString()).toBe(`seen as hooks.example:${port}`);
    expect(looks).toBe(1);
  });

  it('OUTBOUND-5 redirects are followed only on request, and each hop is checked', async () => {
    const inner = await listen((_request, response) => response.end('secret'));
    const outer = await listen((_request, response) =>
      response.writeHead(302, { Location: `http://127.0.0.2:${inner}/` }).end(),
    );
    const outbound = new Outbound(() => ['127.0.0.1/32']);
    expect((await outbound.call(`http://127.0.0.1:${outer}/`, limits)).status).toBe(302);
    await expect(outbound.call(`http://127.0.0.1:${outer}/`, { ...limits, redirects: 3 })).rejects.toThrow(
      RefusedAddress,
    );
  });

  it('OUTBOUND-6 a call ends at its time limit and at its size limit', async () => {
    const endless = await listen((_request, response) => void response.write('x'.repeat(5000)));
    const silent = await listen(() => undefined);
    const outbound = new Outbound(() => loopback);
    await expect(outbound.call(`http://127.0.0.1:${endless}/`, limits)).rejects.toThrow('longer than 1000');
    await expect(outbound.call(`http://127.0.0.1:${silent}/`, { ...limits, timeoutMs: 50 })).rejects.toThrow(
      /aborted|timeout/i,
    );
  });
});
