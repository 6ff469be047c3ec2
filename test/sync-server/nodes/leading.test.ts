import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { contextForJob } from '#server/core/job.ts';
import { Leader, standingLease } from '#server/core/leading.ts';
import type { Services } from '#server/core/services.ts';
import { sharedCode } from '#server/features/setup/setup.ts';
import { createAccount } from '#server/features/users/store.ts';
import { openServices } from '#server/features/open-services.ts';
import { LeaseLost } from '#server/storage/leases.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';
import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

interface Node {
  services: Services;
  leader: Leader;
  log: string[];
  ofSite: () => Services | undefined;
}

/** Nodes without HTTP, and the leader of each. */
async function nodes(count: number) {
  const database = await makePostgresDatabase();
  const folder = await temporaryFolder('leading');
  const all: Node[] = [];
  for (let number = 0; number < count; number += 1) {
    const services = await openServices({ database: database.url, dataDir: `${folder.path}/${number}` });
    const log: string[] = [];
    let led: Services | undefined;
    const leader = new Leader(services, async (own) => {
      log.push('begin');
      led = own;
      return { quiet: () => undefined, end: async () => void log.push('end') };
    });
    all.push({ services, leader, log, ofSite: () => led });
  }
  return {
    all,
    async [Symbol.asyncDispose]() {
      for (const { leader, services } of all) {
        await leader.end();
        await services.storage[Symbol.asyncDispose]();
      }
      await folder[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

function put(services: Services, id: string): Promise<void> {
  return contextForJob(services, null, async ({ changes }) => {
    changes.put('stepForms', id, { stepid: 1, guideid: 1, form_revisionid: 1, fields: [] }, ['public']);
  });
}

test('LEADER-1 one of three nodes does the work of the site, and another one when it ends', async () => {
  await using world = await nodes(3);
  for (const { leader } of world.all) await leader.start();
  const leading = () => world.all.filter(({ leader }) => leader.isLeading);
  expect(leading()).toHaveLength(1);
  const [first] = leading();
  await first?.leader.end();
  expect(first?.log).toEqual(['begin', 'end']);
  await soon(() => leading().length).toBe(1);
  expect(leading()[0]).not.toBe(first);
  expect(world.all.flatMap(({ log }) => log).filter((line) => line === 'begin')).toHaveLength(2);
});

test('LEADER-2 LEASE-1 LEASE-2 a node whose lease ended and was taken writes nothing more of this work, and ends it', async () => {
  await using world = await nodes(2);
  const [one, other] = world.all;
  if (one === undefined || other === undefined) throw new Error('no nodes');
  await one.leader.start();
  const ofSite = one.ofSite();
  if (ofSite === undefined) throw new Error('nobody leads');
  await put(ofSite, 'before');
  // As if it had not renewed it.
  await sql`UPDATE leases SET ends = clock_timestamp()`.execute(one.services.storage.reader);
  await other.leader.start();
  expect(other.leader.isLeading).toBe(true);
  await expect(put(ofSite, 'after')).rejects.toThrow(LeaseLost);
  await soon(() => one.log).toEqual(['begin', 'end']);
  const rows = await one.services.storage.reader.selectFrom('documents').select('id').execute();
  const ids = rows.map(({ id }) => id);
  expect(ids).toContain('before');
  expect(ids).not.toContain('after');
  // Requests of the first node go on.
  await put(one.services, 'request');
});

test('LEASE-1 of many nodes that take a lease at once, one gets it, and nobody else until it is given back', async () => {
  await using world = await nodes(3);
  const take = async ({ services: { storage } }: { services: Services }) =>
    storage.write({ userid: null, name: 'Test', action: 'test' }, async (tx) =>
      storage.leases?.take('work', tx),
    );
  for (let round = 0; round < 20; round += 1) {
    const leases = await Promise.all([...world.all, ...world.all].map((one) => take(one)));
    const got = leases.filter((lease) => lease != null);
    expect(got).toHaveLength(1);
    for (const one of world.all) expect(await take(one)).toBeNull();
    await got[0]?.release();
  }
});

test('BACKUP-24 of two nodes one has the lease for backups, and the other one when it is given back', async () => {
  await using world = await nodes(2);
  const [one, other] = world.all.map(({ services }) => standingLease(services, 'backups'));
  expect(await one?.isOurs()).toBe(true);
  expect(await other?.isOurs()).toBe(false);
  expect(await one?.isOurs()).toBe(true);
  await one?.release();
  expect(await other?.isOurs()).toBe(true);
  expect(await one?.isOurs()).toBe(false);
});

test('SETUP-4 the nodes of a site without an administrator accept the same code, which is gone afterwards', async () => {
  await using world = await nodes(3);
  const codes = await Promise.all(world.all.map(({ services }) => sharedCode(services)));
  expect(codes[0]).toMatch(/^\S+$/);
  expect(new Set(codes).size).toBe(1);
  const services = world.all[0]?.services;
  if (services === undefined) throw new Error('no node');
  const stored = () =>
    services.storage.reader.selectFrom('meta').select('value').where('name', '=', 'setup_code').execute();
  expect(await stored()).toHaveLength(1);
  const recorded = await services.storage.reader.selectFrom('audit_log').select('changes').execute();
  expect(JSON.stringify(recorded)).not.toContain(codes[0]);
  await contextForJob(services, null, (ctx) =>
    createAccount(ctx, {
      username: 'Ada',
      unique_username: 'ada',
      email: 'ada@example.com',
      passwordHash: null,
      passwordIsOwn: true,
      privileges: ['Admin'],
    }),
  );
  expect(await sharedCode(services)).toBeUndefined();
  expect(await stored()).toEqual([]);
});
