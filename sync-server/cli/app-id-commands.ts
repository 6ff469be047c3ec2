import type { Command } from 'commander';

import { notFound } from '#shared/api/problem.ts';
import { contextForJob } from '#server/core/job.ts';
import { issueAppId, listAppIds, revokeAppId } from '#server/features/site/app-ids.ts';

import { table } from './answers.ts';
import { dateText, type Runner } from './terminal.ts';

/**
 * `benchbook appid issue|list|revoke`.
 *
 * - CLI-5 App ids are issued, listed and revoked.
 */
export function addAppIdCommands(program: Command, runner: Runner): void {
  const appid = program
    .command('appid')
    .description(
      'Ids of apps: on a site where anyone can register, apps need one to register and to sign in',
    );
  appid
    .command('issue')
    .description('Issue an app id')
    .argument('<name>', 'whose it is, such as "Tablet app"')
    .action(
      runner.act(async (services, name: string) => {
        const issued = await contextForJob(services, null, (ctx) => issueAppId(ctx, name));
        return { data: issued, lines: [`${issued.name}: ${issued.appid}`] };
      }),
    );
  appid
    .command('list')
    .description('List the app ids that were issued')
    .action(
      runner.act(async (services) => {
        const issued = await listAppIds(services.storage.reader);
        const rows = issued.map(({ appid: id, name, created_date, revoked_date }) => [
          id,
          dateText(created_date),
          revoked_date === null ? 'in use' : `revoked ${dateText(revoked_date)}`,
          name,
        ]);
        return {
          data: issued,
          lines: rows.length === 0 ? ['No app id was issued yet.'] : table(rows),
        };
      }),
    );
  appid
    .command('revoke')
    .description('Revoke an app id: apps can no longer register or sign in with it')
    .argument('<appid>')
    .action(
      runner.act(async (services, id: string) => {
        const found = await contextForJob(services, null, (ctx) => revokeAppId(ctx, id));
        if (!found) throw notFound('App id', `App id ${id}`);
        return { data: { appid: id }, lines: [`${id} is revoked.`] };
      }),
    );
}
