import { expect, test } from 'vitest';

import { Passwords } from '#server/features/tokens/passwords.ts';
import { addressBlock } from '#server/platform/caller.ts';
import { ok, openShop, password } from '#test/support/approvals.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

/** Slow enough that hundreds of them queue up. */
const slowPasswords = (): Passwords => new Passwords({ memoryCost: 8 * 1024, timeCost: 1 });

async function signIn(server: TestServer, remoteAddress: string, email: string) {
  const { statusCode, headers } = await server.app.inject({
    method: 'POST',
    url: '/api/2.0/user/token',
    remoteAddress,
    payload: { email, password },
  });
  return { status: statusCode, retryAfter: headers['retry-after'] };
}

/** Concurrent sign-ins with unknown addresses; `tried` counts those whose password was checked. */
function flood(server: TestServer, count: number, from: (n: number) => string) {
  const seen = { tried: 0, refused: 0 };
  const over = Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const { status, retryAfter } = await signIn(server, from(n), `nobody${n}@example.com`);
      expect([401, 503]).toContain(status);
      if (status === 401) seen.tried += 1;
      else {
        seen.refused += 1;
        expect(Number(retryAfter)).toBeGreaterThan(0);
      }
    }),
  );
  return { seen, over };
}

test('BUDGET-4 three hundred sign-ins from one address do not delay sign-ins from another, or signatures', async () => {
  await using shop = await openShop({ passwords: slowPasswords() });
  const { server, ana, tom } = shop;
  const guide = await shop.guide();
  await ok(ana.call('PUT', `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`));
  const { approval_requestid } = await shop.request(guide.guideid);
  const { seen, over } = flood(server, 300, () => '203.0.113.5');
  const honest = (async () => {
    expect(await signIn(server, '198.51.100.7', 'lea@example.com')).toMatchObject({ status: 201 });
    return seen.tried;
  })();
  const signing = (async () => {
    expect((await shop.sign(tom, approval_requestid, 'review')).status).toBe(200);
    return seen.tried;
  })();
  const triedBefore = await Promise.all([honest, signing]);
  await over;
  // Fifty may wait, and a few are checked meanwhile.
  expect(seen.tried).toBeGreaterThanOrEqual(50);
  expect(seen.refused).toBeGreaterThan(200);
  for (const tried of triedBefore) expect(tried).toBeLessThan(40);
});

test('BUDGET-4 a block of IPv6 addresses is one caller, and many callers leave room for one more', async () => {
  expect(addressBlock('2001:db8:1:2:ffff::1')).toBe(addressBlock('2001:db8:1:2::99'));
  expect(addressBlock('2001:db8:1:3::1')).not.toBe(addressBlock('2001:db8:1:2::1'));
  expect(addressBlock('::ffff:203.0.113.5')).toBe('203.0.113.5');
  await using server = await startServer({ passwords: slowPasswords() });
  await server.person('Ana');
  const block = flood(server, 80, (n) => `2001:db8:1:2::${n + 1}`);
  await block.over;
  expect(block.seen.refused).toBeGreaterThan(10);
  // Ten addresses take all the places, twenty each.
  const { seen, over } = flood(server, 260, (n) => `203.0.113.${n % 10}`);
  const tried = await (async () => {
    expect(await signIn(server, '198.51.100.7', 'ana@example.com')).toMatchObject({ status: 201 });
    return seen.tried;
  })();
  await over;
  expect(seen.refused).toBeGreaterThan(20);
  expect(tried).toBeLessThan(seen.tried);
});
