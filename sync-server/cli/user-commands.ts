import type { Command } from 'commander';
import { z } from 'zod';

import { invalid, notFound } from '#shared/api/problem.ts';
import { newPassword, registration } from '#shared/api/users.ts';
import { privilege, privileges } from '#shared/model/user.ts';
import type { Services } from '#server/core/services.ts';
import { contextForJob } from '#server/core/job.ts';
import { readablePassword } from '#server/platform/random.ts';
import { makeResetToken, resetLink } from '#server/features/tokens/password-reset.ts';
import { editProfile } from '#server/features/users/edit.ts';
import { createAccount, deriveUniqueUsername } from '#server/features/users/store.ts';
import type { Db } from '#server/storage/tables.ts';

import { problemOf } from './site-commands.ts';
import { table, type Answer } from './answers.ts';
import { dateText, readSecret, type Runner } from './terminal.ts';

interface NewUser {
  email: string;
  name: string;
  username?: string;
  admin?: boolean;
  privileges?: string;
  passwordStdin?: boolean;
}

const whoHelp = 'userid, e-mail address or unique username';

/**
 * `benchbook user list|create|password|reset-link|disable|enable`.
 *
 * - CLI-4 Accounts are created, closed and reopened. A generated password is shown once. Setting a password ends every
 *   session, and the password cannot sign approvals until the owner has chosen another. `user reset-link` creates a
 *   link with which the owner can do so, once, within an hour.
 */
export function addUserCommands(program: Command, runner: Runner): void {
  const user = program.command('user').description('People: list, create, set passwords, close accounts');
  user.command('list').description('List all accounts').action(runner.act(listUsers));
  user
    .command('create')
    .description('Create an account; without --password-stdin a password is made and shown once')
    .requiredOption('--email <address>', 'e-mail address to sign in with')
    .requiredOption('--name <name>', 'name that others see')
    .option('--username <name>', 'unique username; made from the name when absent')
    .option('--admin', 'may do everything')
    .option('--privileges <list>', `what else they may be: ${privileges.slice(1).join(', ')}`)
    .option('--password-stdin', 'read the password from standard input')
    .action(runner.act((services, options: NewUser) => createUser(services, runner, options)));
  user
    .command('password')
    .description(
      'Set a new password (generated and shown once, or read from input) and end every session of the account. It cannot sign approvals until its owner chooses a password',
    )
    .argument('<who>', whoHelp)
    .option('--password-stdin', 'read the password from standard input')
    .action(
      runner.act((services, who: string, options: { passwordStdin?: boolean }) =>
        setPassword(services, runner, who, options),
      ),
    );
  user
    .command('reset-link')
    .description(
      'Create a link with which the owner of an account can choose a new password once, within an hour',
    )
    .argument('<who>', whoHelp)
    .option('--origin <address>', 'address of the app (default: the address of the site)')
    .action(
      runner.act((services, who: string, options: { origin?: string }) =>
        makeResetLink(services, who, options),
      ),
    );
  user
    .command('disable')
    .description('Close an account: it cannot sign in any more, its sessions end, and its work stays')
    .argument('<who>', whoHelp)
    .action(runner.act((services, who: string) => setEnabled(services, who, false)));
  user
    .command('enable')
    .description('Open a closed account again')
    .argument('<who>', whoHelp)
    .action(runner.act((services, who: string) => setEnabled(services, who, true)));
}

async function listUsers(services: Services): Promise<Answer> {
  const rows = await services.storage.reader
    .selectFrom('users')
    .select(['userid', 'username', 'unique_username', 'email', 'privileges', 'enabled', 'join_date'])
    .orderBy('userid')
    .execute();
  const people = rows.map((row) => ({
    ...row,
    privileges: JSON.parse(row.privileges) as string[],
    enabled: row.enabled === 1,
  }));
  const heading = ['ID', 'NAME', 'USERNAME', 'E-MAIL', 'PRIVILEGES', 'SINCE', 'STATE'];
  const lines = table([
    heading,
    ...people.map((one) => [
      String(one.userid),
      one.username,
      one.unique_username ?? '',
      one.email ?? '',
      one.privileges.join(','),
      dateText(one.join_date),
      one.enabled ? 'open' : 'closed',
    ]),
  ]);
  return { data: people, lines: people.length === 0 ? ['There are no accounts yet.'] : lines };
}

async function createUser(services: Services, runner: Runner, options: NewUser): Promise<Answer> {
  const password = await passwordFor(services, runner, options);
  const named = options.privileges?.split(',').map((name) => name.trim()) ?? [];
  const wanted = z
    .array(privilege)
    .safeParse(['User', ...named, ...(options.admin === true ? ['Admin'] : [])]);
  if (!wanted.success) throw invalid('privileges', `choose from ${privileges.slice(1).join(', ')}`);
  const account = registration.safeParse({
    email: options.email,
    username: options.name,
    ...(options.username === undefined ? {} : { unique_username: options.username }),
    password: password.text,
  });
  if (!account.success) throw problemOf(account.error);
  const { email, username, unique_username } = account.data;
  const passwordHash = await services.passwords.hash(password.text);
  const userid = await contextForJob(services, null, async (ctx) =>
    createAccount(ctx, {
      username,
      unique_username: unique_username ?? (await deriveUniqueUsername(ctx.db, username)),
      email,
      passwordHash,
      privileges: [...new Set(wanted.data)],
      accessBy: 0,
    }),
  );
  return {
    data: { userid, email, ...password.shown },
    lines: [
      `${username} has the account ${userid} and signs in as ${email}. They must choose their own password before they can sign approvals.`,
      ...password.lines,
    ],
  };
}

async function setPassword(
  services: Services,
  runner: Runner,
  who: string,
  options: { passwordStdin?: boolean },
): Promise<Answer> {
  const userid = await mustFindUser(services.storage.reader, who);
  const password = await passwordFor(services, runner, options);
  const passwordHash = await services.passwords.hash(password.text);
  const tell = await contextForJob(services, null, (ctx) => editProfile(ctx, userid, { passwordHash }));
  tell();
  await services.mailer.idle();
  return {
    data: { userid, ...password.shown },
    lines: [
      `Account ${userid} has a new password, and all its sessions have ended. It cannot sign approvals until its owner chooses a password.`,
      ...password.lines,
    ],
  };
}

async function makeResetLink(
  services: Services,
  who: string,
  { origin }: { origin?: string },
): Promise<Answer> {
  const { address } = services.site;
  const base = origin === undefined ? address : URL.parse(origin)?.origin;
  if (base == null || base === 'null')
    throw invalid(
      'origin',
      'give the address of the app with --origin https://guides.example.org, or set the address of the site',
    );
  const userid = await mustFindUser(services.storage.reader, who);
  const token = await contextForJob(services, null, async (ctx) => {
    ctx.note.object = { kind: 'user', id: String(userid) };
    return makeResetToken(ctx, userid);
  });
  const link = resetLink(base, token);
  return {
    data: { userid, link },
    lines: ['Give this link only to the owner of the account. It works once, within an hour:', link],
  };
}

async function setEnabled(services: Services, who: string, enabled: boolean): Promise<Answer> {
  const userid = await mustFindUser(services.storage.reader, who);
  await contextForJob(services, null, (ctx) => editProfile(ctx, userid, { enabled }));
  return {
    data: { userid, enabled },
    lines: [
      enabled ? `Account ${userid} is open again.` : `Account ${userid} is closed; its sessions have ended.`,
    ],
  };
}

/** The password from standard input, or a generated one, which is shown. */
async function passwordFor(
  services: Services,
  runner: Runner,
  { passwordStdin }: { passwordStdin?: boolean },
): Promise<{ text: string; shown: { password?: string }; lines: string[] }> {
  if (passwordStdin !== true) {
    const made = readablePassword(services.randomBytes);
    return { text: made, shown: { password: made }, lines: [`Password, shown this once: ${made}`] };
  }
  const given = newPassword.safeParse(await readSecret(runner.terminal));
  if (!given.success) throw invalid('password', given.error.issues[0]?.message ?? 'cannot be used');
  return { text: given.data, shown: {}, lines: [] };
}

async function mustFindUser(db: Db, who: string): Promise<number> {
  const name = who.toLowerCase();
  const row = await db
    .selectFrom('users')
    .select('userid')
    .where((eb) =>
      eb.or([
        eb('email', '=', name),
        eb('unique_username', '=', name),
        ...(/^\d{1,15}$/.test(who) ? [eb('userid', '=', Number(who))] : []),
      ]),
    )
    .orderBy((eb) => eb.case().when('email', '=', name).then(0).else(1).end())
    .executeTakeFirst();
  if (row === undefined) throw notFound('User', `Account ${who}`);
  return row.userid;
}
