import { expect, test, vi } from 'vitest';

import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import type { BatchResult } from '#shared/sync/wire.ts';
import { fillDisk } from '#test/support/database-settings.ts';
import { pdfFile } from '#test/support/media-files.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { ana, server, shape } from './world.ts';

/** What callers are told while the disk is full. */
export function testFullDisk(): void {
  test('INPUT-7 a full disk is reported as such, and the server continues', async () => {
    const makeRoom = await fillDisk(server.services.storage);
    const body = { category: 'Bench Grinder', type: 'repair', conclusion: 'long '.repeat(100_000) };
    const full = await ana.call('POST', '/guides', body);
    await makeRoom();
    expect(full).toMatchObject({
      status: 503,
      body: { message: "The server's disk is full; nothing was stored" },
    });
    expect((await ana.call('POST', '/guides', body)).status).toBe(201);
  });

  test('INPUT-7 a batch reports a full disk call by call, and takes effect once when there is room', async () => {
    const guide = await makeGuide(ana);
    const calls = [1, 2].map((index) => ({
      id: `full-disk-call-${index}`,
      lane: `lane-${index}`,
      method: 'POST',
      path: '/guides',
      body: {
        category: 'Bench Grinder',
        type: 'repair',
        title: `Full disk ${index}`,
        conclusion: 'long '.repeat(100_000),
      },
    }));
    const send = async (): Promise<number[]> => {
      const answer = await fetch(`${server.url}/sync/1/batch`, {
        method: 'POST',
        headers: { Authorization: `api ${ana.token}` },
        body: JSON.stringify({ protocol: unannouncedProtocol, calls }),
      });
      const lines = (await answer.text()).trim().split('\n').slice(1);
      return lines.map((line) => (JSON.parse(line) as BatchResult).status);
    };
    const makeRoom = await fillDisk(server.services.storage);
    const full = await send();
    const read = await ana.call('GET', `/guides/${guide.guideid}`);
    const pulled = await fetch(`${server.url}/sync/1/pull?since=0.0`, {
      headers: { Authorization: `api ${ana.token}` },
    });
    await makeRoom();
    expect(full).toEqual([503, 503]);
    expect([read.status, pulled.status]).toEqual([200, 200]);
    expect(await send()).toEqual([201, 201]);
    expect(await send()).toEqual([201, 201]);
    const titles = (await ana.client.users.ownGuides({ query: {} })).map(({ title }) => title);
    expect(titles.filter((title) => title.startsWith('Full disk'))).toHaveLength(2);
  });

  test.each(['ENOSPC', 'EDQUOT'])(
    'INPUT-7 a file for which the disk has no room (%s) is refused as such',
    async (code) => {
      const full = Object.assign(new Error(code), { code });
      const putting = vi.spyOn(server.services.blobs, 'put').mockRejectedValue(full);
      const receiving = vi.spyOn(server.services.blobs, 'receive').mockRejectedValue(full);
      const upload = () =>
        fetch(`${server.url}/api/2.0/user/media/documents?file=plan.pdf`, {
          method: 'POST',
          headers: { Authorization: `api ${ana.token}`, 'Content-Type': 'application/pdf' },
          body: pdfFile(),
        });
      const refused = await upload();
      putting.mockRestore();
      receiving.mockRestore();
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject({ ...shape, code: 'disk-full' });
      expect((await upload()).ok).toBe(true);
    },
  );
}
