import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { runCommand } from '#test/support/command-line.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { back, contentOf, move, onDatabase, onSqlite, places, query, there, type Places } from './sites.ts';

/** A site that moved to PostgreSQL. Returns its last guide. */
async function withMovedSite(at: Places): Promise<number> {
  let guideid: number;
  {
    await using server = await onSqlite(at);
    await server.category('Bench Grinder');
    ({ guideid } = await makeGuide(await server.person('Ana')));
  }
  expect(await move(...there(at))).toMatchObject({ code: 0 });
  return guideid;
}

async function verified(data: string): Promise<void> {
  const { code, out, err } = await runCommand(['audit', 'verify', '--data', data]);
  expect({ code, out, err }).toMatchObject({ code: 0 });
}

test('MOVE-8 a move is undone while nothing was changed at the new place, and the site goes on with the next numbers', async () => {
  await using at = await places();
  {
    await using _server = await onSqlite(at);
  }
  const before = await withMovedSite(at);
  {
    // Looking around changes nothing.
    await using server = await onDatabase(at);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  }
  const undone = await move('--undo', ...there(at));
  expect(undone).toMatchObject({ code: 0, err: '' });
  expect(undone.out).toContain(`the site is at ${at.data} again`);
  await verified(at.data);
  await expect(onDatabase(at)).rejects.toThrow(/^This copy of the site was given up .* the site is at /);
  {
    await using server = await onSqlite(at);
    expect((await makeGuide(await server.person('Ben'))).guideid).toBeGreaterThan(before);
  }
  await verified(at.data);
  expect((await move('--undo', ...there(at))).err).toMatch(/has not moved/);
  // Nothing was lost there, so the site may move there again.
  expect(await move(...there(at))).toMatchObject({ code: 0, err: '' });
});

test('MOVE-8 changes at the new place are lost only where that is allowed, and their numbers are not given out again', async () => {
  await using at = await places();
  await withMovedSite(at);
  let lost: number;
  {
    await using server = await onDatabase(at);
    const ben = await server.person('Ben');
    lost = (await makeGuide(ben)).guideid;
  }
  const before = await contentOf(at.data);
  const refused = await move('--undo', ...there(at));
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(
    /^The site was changed in postgres:.* since it moved: \d+ entries .* add --lose-changes/,
  );
  expect(await contentOf(at.data)).toEqual(before);
  const undone = await move('--undo', '--lose-changes', ...there(at));
  expect(undone).toMatchObject({ code: 0, err: '' });
  expect(undone.out).toContain('is lost here. Devices offer again');
  await using server = await onSqlite(at);
  const guide = await makeGuide(await server.person('Eva'));
  expect(guide.guideid).toBeGreaterThan(1_000_000);
  expect(lost).toBeLessThan(1_000_000);
  // The given-up copy has what was lost, so it is not filled again.
  await server[Symbol.asyncDispose]();
  expect((await move(...there(at))).err).toMatch(/^There is a Benchbook site in/);
});

test('MOVE-8 a move whose new place cannot be reached is undone only where losing changes is allowed', async () => {
  await using at = await places();
  await withMovedSite(at);
  const gone = ['--to', 'postgres://benchbook@127.0.0.1:1/x', '--data', at.data];
  const refused = await move('--undo', ...gone);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/cannot be opened to see whether the site was changed there: .*ECONNREFUSED/);
  // Another database is not taken for the new place.
  await using other = await places();
  expect((await move('--undo', ...there({ url: other.url, data: at.data }))).err).toMatch(
    /is not where this site moved: it moved to postgres:/,
  );
  const bare = await move('--undo', '--lose-changes', ...there({ url: other.url, data: at.data }));
  expect(bare).toMatchObject({ code: 0 });
  await verified(at.data);
  expect(await move(...there({ url: other.url, data: at.data }))).toMatchObject({ code: 0 });
  expect(await move('--undo', '--lose-changes', ...gone)).toMatchObject({ code: 0 });
  await verified(at.data);
});

test('MOVE-8 a move from PostgreSQL is undone too', async () => {
  await using at = await places();
  await withMovedSite(at);
  const other = { ...at, data: join(at.root, 'other') };
  cpSync(at.data, other.data, { recursive: true });
  expect(await move(...back(other))).toMatchObject({ code: 0, err: '' });
  const undone = await move('--undo', ...back(other));
  expect(undone).toMatchObject({ code: 0, err: '' });
  await expect(onSqlite(other)).rejects.toThrow(/^This copy of the site was given up/);
  await using server = await onDatabase(at);
  await makeGuide(await server.person('Ben'));
});

test('MOVE-9 the new place is sealed first: an undoing that was killed then goes on', async () => {
  await using at = await places();
  await withMovedSite(at);
  const copy = join(at.root, 'copy');
  cpSync(at.data, copy, { recursive: true });
  expect(await move('--undo', ...there(at))).toMatchObject({ code: 0 });
  // As it was when the process was killed between the two.
  const killed = { ...at, data: copy };
  const [mark] = await query<{ value: string }>(at.url, "SELECT value FROM meta WHERE name = 'sealed'");
  expect(JSON.parse(mark?.value ?? '')).toMatchObject({ kind: 'given-up' });
  await expect(onSqlite(killed)).rejects.toThrow(/^This site moved/);
  expect(await move('--undo', ...there(killed))).toMatchObject({ code: 0, err: '' });
  await using server = await onSqlite(killed);
  await makeGuide(await server.person('Ben'));
});
