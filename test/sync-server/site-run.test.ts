import { afterAll, beforeAll, expect, test } from 'vitest';

import { changeSite } from '#server/core/site.ts';
import { BackupSchedule } from '#server/features/backup/schedule.ts';
import type { ServerStatus, SiteJob } from '#shared/model/site.ts';
import { mailedBy, startMailServer } from '#test/support/mail-server.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { written } from '#test/support/written.ts';

let mail: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;
let mira: TestPerson;

beforeAll(async () => {
  mail = await startMailServer();
  server = await startServer();
  mira = await server.person('Mira', ['Admin']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mail.close();
});

test('MAIL-1 a test mail reaches the administrator, or says in the words of the mail server why not', async () => {
  expect(await mira.call('POST', '/site/test_mail')).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('No mail server is set up') },
  });
  await changeSite(server.services, mailedBy(mail));
  expect((await mira.call('POST', '/site/test_mail')).status).toBe(204);
  expect(mail.mails).toMatchObject([{ to: ['mira@example.com'] }]);
  // IDEMPOTENCY-16: a repeated call is performed again.
  for (const headers of [{ 'Idempotency-Key': 'test-mail' }, { 'Idempotency-Key': 'test-mail' }])
    expect((await mira.call('POST', '/site/test_mail', undefined, headers)).status).toBe(204);
  expect(mail.mails).toHaveLength(3);
  const { smtp } = mailedBy(mail);
  await changeSite(server.services, { smtp: { ...smtp, password: 'wrong' } });
  const refused = await mira.call('POST', '/site/test_mail');
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body)).toMatch(/did not take it: .*Refused/);
  expect(JSON.stringify(refused.body)).not.toContain('mira@example.com');
});

test('SITE-20 jobs of all people are listed, newest first, with the reason of a failure', async () => {
  const queue = (kind: string, userid: number | null, error: string | null) =>
    written(server.services, (tx) =>
      tx
        .insertInto('jobs')
        .values({
          kind,
          userid,
          subject: '',
          state: error === null ? 'cancelled' : 'failed',
          runner: 'server',
          starts: 1,
          cancelling: 0,
          input: '{}',
          impersonator: null,
          request_id: null,
          error: error === null ? null : JSON.stringify({ message: error }),
          created_date: 1_780_000_000,
          finished_date: 1_780_000_060,
        })
        .execute(),
    );
  await queue('archive', mira.userid, 'The disk is full');
  await queue('import', null, null);
  const { status, body } = await mira.call('GET', '/site/jobs?limit=10');
  expect(status).toBe(200);
  const jobs = body as SiteJob[];
  expect(jobs.map(({ kind, username, state, error }) => [kind, username, state, error])).toEqual([
    ['import', null, 'cancelled', null],
    ['archive', 'Mira', 'failed', 'The disk is full'],
  ]);
});

test('SITE-21 a backup is made now where there is a folder for backups, one at a time', async () => {
  expect((await mira.call('POST', '/site/backup')).status).toBe(422);
  const ran: string[] = [];
  let finish = (): void => undefined;
  const schedule = new BackupSchedule(server.services, {
    dataDir: server.services.dataDir,
    run: async ([command = '']) => {
      ran.push(command);
      await new Promise<void>((resolve) => (finish = resolve));
      return { code: 0, text: '' };
    },
    setTimer: () => () => undefined,
  });
  server.services.backups.schedule = schedule;
  const running = async (): Promise<boolean> =>
    ((await mira.call('GET', '/site/status')).body as ServerStatus).backup.running;
  expect(await running()).toBe(false);
  expect((await mira.call('POST', '/site/backup')).status).toBe(204);
  await expect.poll(() => ran).toEqual(['backup']);
  expect(await running()).toBe(true);
  expect((await mira.call('POST', '/site/backup')).status).toBe(422);
  finish();
  await expect.poll(running).toBe(false);
  server.services.backups.schedule = null;
  await schedule[Symbol.asyncDispose]();
});
