import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { theServer } from '#server/storage/audit/origin.ts';
import { moveSite } from '#server/storage/move/move-site.ts';
import { PostgresSite } from '#server/storage/move/postgres-site.ts';
import type { FillableDatabase, SiteDatabase } from '#server/storage/move/site.ts';
import { SqliteSite } from '#server/storage/move/sqlite-site.ts';
import { randomPool } from '#server/platform/random.ts';
import { makeGuide } from '#test/support/workshop.ts';

import {
  addOddRows,
  back,
  contentOf,
  move,
  onDatabase,
  onSqlite,
  places,
  query,
  there,
  type Places,
} from './sites.ts';

const program = join(import.meta.dirname, '../../../sync-server/cli/benchbook.ts');

async function withSite(at: Places): Promise<void> {
  {
    await using server = await onSqlite(at);
    await server.category('Bench Grinder');
    await makeGuide(await server.person('Ana'));
  }
  addOddRows(at.data);
}

const randomBytes = randomPool();

function ends(at: Places): { sqlite: SqliteSite; postgres: PostgresSite } {
  return {
    sqlite: new SqliteSite(at.data, randomBytes, () => 0),
    postgres: new PostgresSite(at.url, at.url, randomBytes),
  };
}

/** A database that stops working at a point of a move, as if the process had been killed there. */
function killedAt(site: FillableDatabase, point: 'filling' | 'filled' | 'settling'): FillableDatabase {
  const kill = (): never => {
    throw new Error('killed');
  };
  return {
    label: site.label,
    seal: () => site.seal(),
    arriving: () => site.arriving(),
    hold: (work) => site.hold(work),
    fill: async (wanted, work) => {
      const result = await site.fill(wanted, async (filled) => {
        const done = await work(filled);
        return point === 'filling' ? kill() : done;
      });
      return point === 'filled' ? kill() : result;
    },
    settle: () => (point === 'settling' ? Promise.resolve().then(kill) : site.settle()),
  };
}

const moving = (from: SiteDatabase, to: FillableDatabase) =>
  moveSite({ from, to, acting: theServer, now: () => 0, randomBytes });

for (const point of ['filling', 'filled', 'settling'] as const) {
  test(`MOVE-7 MOVE-4 a move to PostgreSQL that ends while ${point} is run again`, async () => {
    await using at = await places();
    await withSite(at);
    const before = await contentOf(at.data);
    const { sqlite, postgres } = ends(at);
    await expect(moving(sqlite, killedAt(postgres, point))).rejects.toThrow('killed');
    expect((await sqlite.seal()) !== null).toBe(point === 'settling');
    if (point === 'filling')
      expect(await query(at.url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
    else
      await expect(onDatabase(at)).rejects.toThrow(
        /^A "benchbook move" from .* to this database was interrupted\. Run the same/,
      );
    if (point !== 'settling') {
      // The source is used meanwhile.
      expect(await contentOf(at.data)).toEqual(before);
      await using server = await onSqlite(at);
      await makeGuide(await server.person('Ben'));
    }
    if (point !== 'filling') {
      const other = join(at.root, 'other');
      {
        await using server = await onSqlite({ data: other });
        await server.person('Eva');
      }
      expect((await move('--to', at.url, '--data', other)).err).toMatch(
        /^A "benchbook move" from .* was interrupted\. Run that again, or name an empty database\.$/,
      );
    }
    const again = await move(...there(at));
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(again.out.includes('is finished now')).toBe(point === 'settling');
    await using server = await onDatabase(at);
    const guides = await server.services.storage.reader.selectFrom('guides').select('guideid').execute();
    expect(guides).toHaveLength(point === 'settling' ? 1 : 2);
  });

  test(`MOVE-7 a move from PostgreSQL that ends while ${point} is run again`, async () => {
    await using at = await places();
    await withSite(at);
    expect(await move(...there(at))).toMatchObject({ code: 0 });
    const { sqlite, postgres } = ends(at);
    await expect(moving(postgres, killedAt(sqlite, point))).rejects.toThrow('killed');
    expect((await postgres.seal()) !== null).toBe(point === 'settling');
    // The folder has what the site left there, still sealed.
    await expect(onSqlite(at)).rejects.toThrow(/^This site moved from/);
    if (point !== 'settling') {
      await using server = await onDatabase(at);
      await makeGuide(await server.person('Ben'));
    }
    expect(await move(...back(at))).toMatchObject({ code: 0, err: '' });
    await using server = await onSqlite(at);
    const guides = await server.services.storage.reader.selectFrom('guides').select('guideid').execute();
    expect(guides).toHaveLength(point === 'settling' ? 1 : 2);
  });
}

test('MOVE-7 a move that is killed at any time leaves a site that starts at one place, and is run again', async () => {
  await using at = await places();
  await withSite(at);
  for (const args of [there(at), back(at)])
    for (const delay of [900, 1500, 2100]) {
      const child = spawn(process.execPath, [program, 'move', ...args], { stdio: 'ignore' });
      await Promise.race([once(child, 'exit'), pause(delay)]);
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      const { sqlite, postgres } = ends(at);
      const [left, arrived] = args.includes('--to') ? [sqlite, postgres] : [postgres, sqlite];
      const isSealed = (await left.seal()) !== null;
      const again = await move(...args);
      // It was done before it could be killed, or is now.
      if (again.code !== 0) expect(again.err).toMatch(/^This site moved from/);
      expect(isSealed || again.code === 0).toBe(true);
      expect(await left.seal()).not.toBe(null);
      expect(await arrived.seal()).toBe(null);
      if (delay < 2100) expect(await move('--undo', ...args)).toMatchObject({ code: 0, err: '' });
    }
  await using server = await onSqlite(at);
  await makeGuide(await server.person('Ben'));
});

test('MOVE-2 rows that arrive as others stop the move', async () => {
  await using at = await places();
  await withSite(at);
  const { sqlite, postgres } = ends(at);
  const falsifying: FillableDatabase = {
    ...killedAt(postgres, 'settling'),
    fill: (wanted, work) =>
      postgres.fill(wanted, async (filled) => {
        const add = filled.add.bind(filled);
        filled.add = (table, rows) =>
          add(
            table,
            table.name === 'favorites'
              ? rows.map(([userid = 0, guideid = 0, date = 0]) => [userid, guideid, Number(date) + 1])
              : rows,
          );
        return work(filled);
      }),
  };
  await expect(moving(sqlite, falsifying)).rejects.toThrow(
    'The rows of the table favorites are not what they were',
  );
  const losing: FillableDatabase = {
    ...falsifying,
    fill: (wanted, work) =>
      postgres.fill(wanted, async (filled) => {
        const add = filled.add.bind(filled);
        filled.add = (table, rows) => add(table, table.name === 'favorites' ? rows.slice(1) : rows);
        return work(filled);
      }),
  };
  await expect(moving(sqlite, losing)).rejects.toThrow(/^The table favorites has \d+ rows, but \d+ arrived$/);
  expect(await sqlite.seal()).toBe(null);
});
