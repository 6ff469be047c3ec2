import { resolve } from 'node:path';

import { forbidden, invalid } from '#shared/api/problem.ts';
import { setup, type BackupSource, type FoundBackups } from '#shared/api/setup.ts';
import type { Context } from '#server/core/context.ts';
import { loadSite, reloadSite, saveSite } from '#server/core/site.ts';
import { handle } from '#server/http/handle.ts';
import { BadSetting } from '#server/platform/config.ts';

import { noCipher, readCipher } from '../backup/cipher.ts';
import { DamagedBackup, Repository } from '../backup/repository.ts';
import { FolderTarget } from '../backup/target.ts';
import { rememberAddress } from '../tokens/known-devices.ts';
import { askerOf } from '../tokens/passwords.ts';
import { createAccount, deriveUniqueUsername } from '../users/store.ts';
import { needsSetup } from './setup.ts';

/** Number of backups to choose from. */
const mostListed = 20;

export const setupHandlers = handle(setup, {
  read: async (_, { db, services }) => ({
    needed: await needsSetup(db),
    restoring: services.setup.isRestoring,
  }),
  begin: async ({ body: { code, title, email, username, password } }, ctx) => {
    await mustMaySetUp(ctx, code);
    const passwordHash = await ctx.services.passwords.hash(password, askerOf(ctx));
    const made = await ctx.write(async (write) => {
      if (!(await needsSetup(write.db))) throw alreadySetUp();
      if (ctx.services.setup.isRestoring) throw forbidden('A backup is being restored');
      await saveSite(write, { ...(await loadSite(write.db)), name: title, title });
      const userid = await createAccount(write, {
        email,
        username,
        unique_username: await deriveUniqueUsername(write.db, username),
        passwordHash,
        passwordIsOwn: true,
        privileges: ['User', 'Admin'],
      });
      await rememberAddress(write, userid, write.address);
      return { userid };
    });
    await reloadSite(ctx.services);
    return made;
  },
  listBackups: async ({ body }, ctx) => {
    await mustMaySetUp(ctx, body.code);
    return listBackups(await openBackups(ctx, body), ctx);
  },
  restore: async ({ body }, ctx) => {
    await mustMaySetUp(ctx, body.code);
    const { repository, folder, key } = await openBackups(ctx, body);
    if (!(await repository.names()).includes(body.backup))
      throw invalid('backup', `There is no backup ${body.backup} in ${folder}`);
    // Somebody may have set it up meanwhile.
    await mustMaySetUp(ctx, body.code);
    const { setup: first } = ctx.services;
    if (first.host === null) throw forbidden('This server cannot restart itself. Use "benchbook restore"');
    // Nothing is awaited from here to the end.
    if (first.isRestoring) throw forbidden('A restore is running already');
    first.isRestoring = true;
    first.host.restore({ folder, key, backup: body.backup });
    return { needed: true, restoring: true };
  },
});

async function mustMaySetUp({ db, services }: Context, code: string): Promise<void> {
  if (!(await needsSetup(db))) throw alreadySetUp();
  if (!services.setup.accepts(code))
    throw forbidden('The code is wrong. The server prints it when it starts');
}

function alreadySetUp(): Error {
  return forbidden('This server has been set up already. Sign in instead');
}

interface Backups {
  repository: Repository;
  folder: string;
  key: string | undefined;
}

async function openBackups({ services }: Context, asked: BackupSource): Promise<Backups> {
  const { host } = services.setup;
  const given = asked.folder ?? host?.folder;
  if (given === undefined) throw invalid('folder', 'Enter the folder of the backups on the server');
  const folder = resolve(given);
  const isScheduled = host?.folder !== undefined && folder === resolve(host.folder);
  const key = asked.key ?? (isScheduled ? host.key : undefined);
  try {
    const target = await FolderTarget.open(folder, { make: false });
    const cipher = key === undefined ? noCipher : await readCipher(resolve(key));
    return { repository: await Repository.open(target, cipher, { make: false }), folder, key };
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    throw invalid('folder', error.message);
  }
}

async function listBackups({ repository, folder }: Backups, { services }: Context): Promise<FoundBackups> {
  const backups: FoundBackups['backups'] = [];
  const names = (await repository.names()).toReversed();
  for (const name of names.slice(0, mostListed))
    try {
      const { madeAt, site, files, database } = await repository.manifest(name);
      const size = files.reduce((sum, file) => sum + file.size, database.size);
      backups.push({ name, made_date: Math.floor(madeAt / 1000), site, size });
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
    }
  return {
    folder,
    backups,
    older: Math.max(0, names.length - mostListed),
    encrypted: repository.cipher.isEncrypted,
    failure: services.setup.host?.failure ?? null,
  };
}
