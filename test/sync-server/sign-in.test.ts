import { expect, test } from 'vitest';

import { Passwords } from '#server/features/tokens/passwords.ts';
import { waitSeconds } from '#server/features/tokens/policy.ts';
import { quickPasswords, startServer, type TestServer } from '#test/support/server.ts';

interface Answer {
  status: number;
  message: string;
  retryAfter: number;
}

async function signIn(server: TestServer, email: string, password: string): Promise<Answer> {
  const response = await fetch(`${server.url}/api/2.0/user/token`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
  });
  const body = (await response.json()) as { message?: string };
  return {
    status: response.status,
    message: body.message ?? '',
    retryAfter: Number(response.headers.get('retry-after')),
  };
}

/** Counts hashes and comparisons. */
class CountingPasswords extends Passwords {
  verified: (string | null)[] = [];

  override verify(stored: string | null, password: string): Promise<boolean> {
    this.verified.push(stored);
    return super.verify(stored, password);
  }
}

test('SECURITY-10 passwords are hashed with argon2id (64 MiB, three passes, one lane), and a cheaper hash is replaced at the next sign-in', async () => {
  const passwords = new Passwords();
  const hash = await passwords.hash('a long password');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  expect(await passwords.hash('a long password')).not.toBe(hash);
  expect(passwords.needsRehash(hash)).toBe(false);
  const lower = await quickPasswords().hash('a long password');
  expect(passwords.needsRehash(lower)).toBe(true);

  let server = await startServer();
  const { dataDir } = server;
  await server.person('Ana');
  const storedHash = async (): Promise<string> =>
    (
      await server.services.storage.reader
        .selectFrom('users')
        .select('password_hash')
        .executeTakeFirstOrThrow()
    ).password_hash ?? '';
  const before = await storedHash();
  await server.app.close();
  server = await startServer({ dataDir, passwords });
  expect((await signIn(server, 'ana@example.com', 'a long password')).status).toBe(201);
  expect(before).toContain('m=8,');
  expect(await storedHash()).toContain('m=65536,t=3,');
  expect((await signIn(server, 'ana@example.com', 'a long password')).status).toBe(201);
  await server.app.close();
});

test('SECURITY-11 an unknown account, a wrong password and a disabled account get the same response after the same work', async () => {
  const passwords = new CountingPasswords({ memoryCost: 8, timeCost: 1 });
  await using server = await startServer({ passwords });
  await server.person('Ana');
  const closed = await server.person('Closed');
  const admin = await server.person('Mira', ['User', 'Admin']);
  await admin.client.users.patch({ params: { userid: closed.userid }, body: { enabled: false } });
  const answers = [
    await signIn(server, 'nobody@example.com', 'a long password'),
    await signIn(server, 'ana@example.com', 'wrong'),
    await signIn(server, 'closed@example.com', 'a long password'),
  ];
  for (const answer of answers)
    expect(answer).toEqual({ status: 401, message: 'Invalid login', retryAfter: 0 });
  expect(passwords.verified.map((stored) => stored === null)).toEqual([true, false, false]);
});

test('SECURITY-11 without a stored hash the comparison costs a hash too', async () => {
  const passwords = new Passwords({ memoryCost: 32 * 1024, timeCost: 3 });
  const stored = await passwords.hash('right');
  await passwords.verify(null, 'the first one makes the decoy');
  // The minimum processor time of several attempts, which other programs on the machine do not affect.
  const least = async (subject: string | null): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const begun = process.cpuUsage();
      expect(await passwords.verify(subject, 'wrong')).toBe(false);
      const { user, system } = process.cpuUsage(begun);
      times.push(user + system);
    }
    return Math.min(...times);
  };
  // Without the decoy hash the ratio would be near zero.
  expect((await least(null)) / (await least(stored))).toBeGreaterThan(0.2);
});

test('SECURITY-11 after ten failures from one address an account waits, longer each time up to a quarter of an hour, and is then free', async () => {
  let now = Date.now();
  await using server = await startServer({ now: () => now });
  await server.person('Ana');
  for (let count = 0; count < 10; count += 1)
    expect((await signIn(server, 'ana@example.com', 'wrong')).status).toBe(401);
  expect(await signIn(server, 'ana@example.com', 'a long password')).toMatchObject({
    status: 429,
    retryAfter: 1,
  });
  expect((await signIn(server, 'ANA@example.com ', 'a long password')).status).toBe(429);
  now += 2000;
  expect((await signIn(server, 'ana@example.com', 'wrong')).status).toBe(401);
  expect((await signIn(server, 'ana@example.com', 'wrong')).retryAfter).toBe(2);
  now += 16 * 60 * 1000;
  expect((await signIn(server, 'ana@example.com', 'a long password')).status).toBe(201);
  expect(Array.from({ length: 22 }, (_, failures) => waitSeconds(failures))).toEqual([
    ...Array.from({ length: 10 }, () => 0),
    1,
    2,
    4,
    8,
    16,
    32,
    64,
    128,
    256,
    512,
    900,
    900,
  ]);
});

test('SECURITY-11 an unknown account is throttled like a known one', async () => {
  const now = Date.now();
  await using server = await startServer({ now: () => now });
  for (let count = 0; count < 10; count += 1)
    expect((await signIn(server, 'nobody@example.com', 'wrong')).status).toBe(401);
  expect((await signIn(server, 'nobody@example.com', 'wrong')).status).toBe(429);
});

test('SECURITY-11 thirty simultaneous attempts are ten attempts', async () => {
  const now = Date.now();
  await using server = await startServer({ now: () => now });
  await server.person('Ana');
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => signIn(server, 'ana@example.com', 'wrong')),
  );
  expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(20);
});

test('SECURITY-11 addresses that were typed are not stored in clear text', async () => {
  await using server = await startServer();
  await signIn(server, 'my password in the wrong field', 'x');
  const rows = await server.services.storage.reader.selectFrom('login_attempts').selectAll().execute();
  expect(rows).toHaveLength(3);
  expect(JSON.stringify(rows)).not.toContain('wrong field');
});

test('SECURITY-10 twenty people who sign in at the same time do not block the others', async () => {
  await using server = await startServer({ passwords: new Passwords() });
  await Promise.all(Array.from({ length: 20 }, (_, index) => server.person(`Person${index}`)));
  let signedIn = 0;
  const signingIn = Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const { status } = await signIn(server, `person${index}@example.com`, 'a long password');
      signedIn += 1;
      return status;
    }),
  );
  const healthy = await fetch(`${server.url}/healthz`);
  // If passwords were hashed in the main thread, all of them would come first.
  expect([healthy.status, signedIn < 10]).toEqual([200, true]);
  expect(await signingIn).toEqual(Array.from({ length: 20 }, () => 201));
});
