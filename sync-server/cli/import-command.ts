import { copyFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Option, type Command } from 'commander';

import type { NewImport } from '#shared/api/omanual.ts';
import { notFound, Problem } from '#shared/api/problem.ts';
import { BadSetting } from '#server/platform/config.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import { hashOf } from '#server/features/omanual/arriving-files.ts';
import { contextForJob, readingContext } from '#server/core/job.ts';
import { jobKinds } from '#server/features/job-kinds.ts';
import { JobRunner } from '#server/jobs/runner.ts';
import { createImport, insertUploaded, representArchiveImport } from '#server/features/omanual/imports.ts';

import { barOf } from './bar.ts';
import { refusedFile } from './files.ts';
import { otherCommand, type Answer, type Terminal } from './answers.ts';
import { reportLine, type Runner } from './terminal.ts';

interface ImportOptions {
  as: string;
  existing: NewImport['existing'];
  author: NewImport['author'];
  visibility: NewImport['visibility'];
  links: NewImport['links'];
  dryRun?: boolean;
  json?: boolean;
}

/** Interval of updates of the progress bar, ms. */
const lookMs = 200;

/** `benchbook import`. */
export function addImportCommand(program: Command, runner: Runner): void {
  program
    .command('import')
    .description('Import an oManual archive from a file or an address')
    .argument('<source>', 'file or URL')
    .requiredOption('--as <e-mail>', 'who imports: an author of the site')
    .addOption(choice('--existing <rule>', 'what is here already', ['skip', 'new', 'revision']))
    .addOption(choice('--author <whose>', 'whose the guides become', ['importer', 'name']))
    .addOption(choice('--visibility <who>', 'who sees the guides', ['archived', 'private', 'public']))
    .addOption(choice('--links <rule>', 'pictures and documents that are only linked', ['fetch', 'leave']))
    .option('--dry-run', 'only report what would be done')
    .action(
      runner.act((services, source: string, options: ImportOptions) =>
        importArchive(services, runner.terminal, source, options),
      ),
    );
}

function choice(flags: string, words: string, choices: [string, ...string[]]): Option {
  return new Option(flags, words).choices(choices).default(choices[0]);
}

async function importArchive(
  services: Services,
  terminal: Terminal,
  source: string,
  options: ImportOptions,
): Promise<Answer> {
  using lock = services.archives.lockForCommand();
  if (lock === null) throw new BadSetting(otherCommand);
  const userid = await personOf(services, options.as);
  const importid = await contextForJob(services, userid, (ctx) => beginImport(ctx, source, options));
  const jobs = new JobRunner(services, jobKinds, 'cli');
  using bar = barOf(terminal, options.json === true);
  await jobs.start();
  const done = new AbortController();
  const work = jobs.idle().finally(() => done.abort());
  while (!done.signal.aborted) {
    await delay(lookMs, undefined, { signal: done.signal }).catch(() => undefined);
    bar.show((await importNow(services, userid, importid)).progress);
  }
  await work;
  await jobs.stop();
  const record = await importNow(services, userid, importid);
  if (record.error !== null) {
    const errors = (record.error.errors ?? []).map(({ field, message }) => ({ field, message }));
    throw new Problem('invalid', record.error.message, { errors });
  }
  const { report } = record;
  const would = options.dryRun === true ? 'would be ' : '';
  return {
    data: record,
    lines: [
      `Import ${importid}: ${report?.created} ${would}created, ${report?.changed} ${would}changed, ${report?.skipped} ${would}skipped.`,
      ...(report?.findings ?? []).map(reportLine),
    ],
  };
}

async function importNow(services: Services, userid: number, importid: number) {
  return representArchiveImport(await readingContext(services, userid, ''), importid);
}

async function beginImport(ctx: Context, source: string, options: ImportOptions): Promise<number> {
  const { existing, author, visibility, links } = options;
  const rules = { existing, author, visibility, links, dry_run: options.dryRun === true };
  if (/^https?:\/\//i.test(source))
    return (await createImport(ctx, { ...rules, url: source }, 'cli')).importid;
  const path = resolve(source);
  const found = await stat(path).catch(refusedFile(path, 'read'));
  if (!found.isFile()) throw new BadSetting(`${path} is no file.`);
  const { size } = found;
  return insertUploaded(ctx, rules, { filename: basename(path), size }, async (importid) => {
    const copy = ctx.services.archives.uploadPath(importid);
    await copyFile(path, copy).catch(refusedFile(path, 'copied'));
    return { sha256: await hashOf(copy), size: (await stat(copy)).size };
  });
}

async function personOf(services: Services, email: string): Promise<number> {
  const row = await services.storage.reader
    .selectFrom('users')
    .select('userid')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) throw notFound('User', `A person with the address ${email}`);
  return row.userid;
}
