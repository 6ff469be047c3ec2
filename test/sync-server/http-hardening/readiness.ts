import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readinessOf } from '#server/readiness.ts';
import { startServer } from '#test/support/server.ts';

import { server, shape } from './world.ts';

/** Whether the server says that it can work. */
export function testReadiness(): void {
  test('INPUT-26 readiness reports a full disk or an unwritable data folder, and recovers', async () => {
    let at = 0;
    let failure: string | null = null;
    let looks = 0;
    const { storage, damage, space } = server.services;
    const mustBeReady = readinessOf({ storage, damage, space, now: () => at }, server.dataDir, async () => {
      looks += 1;
      if (failure !== null) throw Object.assign(new Error(failure), { code: failure });
    });
    await mustBeReady();
    failure = 'ENOSPC';
    await mustBeReady();
    expect(looks).toBe(1);
    at = 5000;
    await expect(mustBeReady()).rejects.toMatchObject({ status: 503, code: 'disk-full' });
    failure = 'EROFS';
    at = 10_000;
    await expect(mustBeReady()).rejects.toMatchObject({ status: 503, code: 'disk-not-writable' });
    failure = null;
    at = 15_000;
    await mustBeReady();
  });

  test('INPUT-26 /readyz writes to the real data folder', async () => {
    let at = Date.now();
    const own = await startServer({ now: () => at });
    try {
      const ask = async () => {
        const response = await fetch(`${own.url}/readyz`);
        return { status: response.status, body: (await response.json()) as unknown };
      };
      expect(await ask()).toEqual({ status: 200, body: { status: 'ready' } });
      expect(readdirSync(own.dataDir)).not.toContain('readiness.probe');
      mkdirSync(join(own.dataDir, 'readiness.probe'));
      at += 5000;
      expect(await ask()).toMatchObject({ status: 503, body: { ...shape, code: 'disk-not-writable' } });
      rmdirSync(join(own.dataDir, 'readiness.probe'));
      at += 5000;
      expect((await ask()).status).toBe(200);
    } finally {
      await own[Symbol.asyncDispose]();
    }
  });
}
