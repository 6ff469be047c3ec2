import { resolve } from 'node:path';

import type { Command } from 'commander';

import { publishFolder } from '#server/features/desktop-updates/folder.ts';

import type { Runner } from './terminal.ts';

const notes = `
FOLDER has update.json and the packages that it names, as "sign-update.ts" writes them. Desktop apps look once a day, and
install only what the publisher has signed.`;

/** `benchbook updates add`. */
export function addUpdateCommands(program: Command, runner: Runner): void {
  program
    .command('updates')
    .description('Updates of the desktop app')
    .command('add')
    .description('Publish an update for the desktop apps that use this server')
    .argument('<folder>', 'folder of the signed update')
    .addHelpText('after', notes)
    .action(
      runner.act(async ({ dataDir }, folder: string) => {
        const { version, expiresAt, artefacts } = await publishFolder(dataDir, resolve(folder));
        const files = artefacts.map(({ file }) => file);
        return {
          data: { version, expires_at: expiresAt, files },
          lines: [
            `Version ${version} is published: ${files.join(', ')}.`,
            `Apps install it until ${expiresAt}.`,
          ],
        };
      }),
    );
}
