import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { isCallable, isNetwork, Outbound, RefusedAddress } from '#server/http/outbound.ts';

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

describe('calls to addresses that people gave', () => {
  it('O1 count public addresses as callable, and no others', () => {
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

  it('O2 reach a private network that the site allows, and only that one', () => {
    expect(isCallable('192.168.10.7', ['192.168.10.0/24'])).toBe(true);
    expect(isCallable('::ffff:192.168.10.7', ['192.168.10.0/24'])).toBe(true);
    expect(isCallable('192.168.11.7', ['192.168.10.0/24', 'fd00::/8'])).toBe(false);
    expect([isNetwork('192.168.10.0/24'), isNetwork('fd00::/8'), isNetwork('192.168.10.7')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('O3 refuse a host when any of its addresses is private, and what is no web address', async () => {
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

  it('O4 go to the address that was checked, whatever a second look-up would say', async () => {
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

  it('O5 do not follow redirects unless asked, and check each hop', async () => {
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

  it('O6 end in time, and when the answer is longer than expected', async () => {
    const endless = await listen((_request, response) => void response.write('x'.repeat(5000)));
    const silent = await listen(() => undefined);
    const outbound = new Outbound(() => loopback);
    await expect(outbound.call(`http://127.0.0.1:${endless}/`, limits)).rejects.toThrow('longer than 1000');
    await expect(outbound.call(`http://127.0.0.1:${silent}/`, { ...limits, timeoutMs: 50 })).rejects.toThrow(
      /aborted|timeout/i,
    );
  });
});
