import { copyFile, open, rename, rm, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Option, type Command } from 'commander';

import type { NewArchive, NewImport } from '#shared/api/omanual.ts';
import { invalid, notFound, Problem } from '#shared/api/problem.ts';
import { writeArchive } from '#shared/omanual/write.ts';
import { nobody, viewerOf } from '#server/http/auth.ts';
import { BadSetting } from '#server/config.ts';
import type { Context, Services } from '#server/http/context.ts';
import { hashOf } from '#server/jobs/archive-import/fetch.ts';
import { contextForJob, readingContext } from '#server/jobs/context.ts';
import { jobKinds } from '#server/jobs/kinds.ts';
import { JobRunner } from '#server/jobs/runner.ts';
import { archiveContent, type Shown } from '#server/resources/omanual/content.ts';
import { createImport, insertUploaded, representArchiveImport } from '#server/resources/omanual/imports.ts';
import { drawMarkers } from '#server/resources/omanual/marked.ts';
import { chosen } from '#server/resources/omanual/selection.ts';

import { barOf } from './bar.ts';
import type { Answer, Runner, Terminal } from './terminal.ts';

interface ExportOptions {
  guide?: string[];
  category?: string;
  tag?: string;
  site?: boolean;
  links?: boolean;
  public?: boolean;
  base?: string;
  json?: boolean;
}

interface ImportOptions {
  as: string;
  existing: NewImport['existing'];
  author: NewImport['author'];
  visibility: NewImport['visibility'];
  dryRun?: boolean;
  json?: boolean;
}

/** How often a bar is moved, ms. */
const lookMs = 200;

/** `benchbook export` and `benchbook import`. */
export function addArchiveCommands(program: Command, runner: Runner): void {
  program
    .command('export')
    .description('Write guides into an oManual archive; private ones too, unless --public')
    .argument('<file>', 'the archive to write')
    .option('--guide <guideid...>', 'these guides')
    .option('--category <title>', 'a category with those below it')
    .option('--tag <tag>', 'guides with a tag')
    .option('--site', 'everything')
    .option('--links', 'name the addresses of pictures and files instead of taking them along')
    .option('--public', 'only what everybody may see')
    .option('--base <url>', 'address of the site in the archive (default: the setting address)')
    .action(
      runner.act((services, file: string, options: ExportOptions) =>
        exportArchive(services, runner.terminal, file, options),
      ),
    );
  program
    .command('import')
    .description('Import an oManual archive from a file or an address')
    .argument('<source>', 'file or URL')
    .requiredOption('--as <e-mail>', 'who imports: an author of the site')
    .addOption(choice('--existing <rule>', 'what is here already', ['skip', 'new', 'revision']))
    .addOption(choice('--author <whose>', 'whose the guides become', ['importer', 'name']))
    .addOption(choice('--visibility <who>', 'who sees the guides', ['archived', 'private', 'public']))
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

async function exportArchive(
  services: Services,
  terminal: Terminal,
  file: string,
  options: ExportOptions,
): Promise<Answer> {
  const base = options.base ?? services.site.address ?? 'http://localhost';
  const viewer = options.public === true ? nobody : viewerOf(0, '', ['Admin'], []);
  const ctx: Context = { ...(await readingContext(services, null, base.replace(/\/$/, ''))), viewer };
  const selection = await chosen(ctx, wantedOf(options));
  const shown: Shown = { guides: new Set(), mentioned: new Set() };
  using bar = barOf(terminal, options.json === true);
  const total = selection.guideids.length;
  const content = await archiveContent(ctx, selection, shown, async (done) =>
    bar.show({ done, total, phase: 'Writing guides' }),
  );
  const path = resolve(file);
  const report = await writtenTo(path, (sink) =>
    writeArchive(content, sink, { media: options.links === true ? 'links' : 'inside', marked: drawMarkers }),
  );
  return {
    data: { file: path, ...report },
    lines: [
      `${report.guides} guides and ${report.media} files are in ${path} (${report.bytes} bytes).`,
      ...report.findings.map((one) => `${one.kind}: ${one.message} ${one.member} ${one.place}`.trimEnd()),
    ],
  };
}

function wantedOf(options: ExportOptions): Omit<NewArchive, 'media'> {
  const guideids = options.guide?.map(Number);
  if (guideids?.some((id) => !Number.isSafeInteger(id) || id <= 0) === true)
    throw invalid('guide', 'name guides by their numbers');
  const { category, tag } = options;
  const ways = [
    ...(guideids === undefined ? [] : [{ guideids }]),
    ...(category === undefined ? [] : [{ category }]),
    ...(tag === undefined ? [] : [{ tag }]),
    ...(options.site === true ? [{ site: true as const }] : []),
  ];
  const [way] = ways;
  if (way === undefined || ways.length > 1)
    throw new BadSetting('Name one of --guide, --category, --tag and --site.');
  return way;
}

/** Writes beside the file and then in its place: what was there stays until the new one is whole. */
async function writtenTo<T>(
  path: string,
  make: (sink: { write(bytes: Uint8Array<ArrayBuffer>): Promise<void> }) => Promise<T>,
): Promise<T> {
  const partial = `${path}.part`;
  const handle = await open(partial, 'w').catch((cause: unknown) => {
    throw new BadSetting(`${path} cannot be written.`, { cause });
  });
  try {
    const made = await make({ write: (bytes) => handle.writeFile(bytes) });
    await handle.sync();
    await handle.close();
    await rename(partial, path);
    return made;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

async function importArchive(
  services: Services,
  terminal: Terminal,
  source: string,
  options: ImportOptions,
): Promise<Answer> {
  using lock = services.archives.lockForCommand();
  if (lock === null) throw new BadSetting('Another command imports now; wait for its end.');
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
      ...(report?.findings ?? []).map((one) =>
        `${one.kind}: ${one.message} ${one.member} ${one.place}`.trimEnd(),
      ),
    ],
  };
}

async function importNow(services: Services, userid: number, importid: number) {
  return representArchiveImport(await readingContext(services, userid, ''), importid);
}

async function beginImport(ctx: Context, source: string, options: ImportOptions): Promise<number> {
  const { existing, author, visibility } = options;
  const rules = { existing, author, visibility, dry_run: options.dryRun === true };
  if (/^https?:\/\//i.test(source))
    return (await createImport(ctx, { ...rules, url: source }, 'cli')).importid;
  const path = resolve(source);
  const { size } = await stat(path).catch((cause: unknown) => {
    throw new BadSetting(`${path} cannot be read.`, { cause });
  });
  return insertUploaded(ctx, rules, { filename: basename(path), size }, async (importid) => {
    await copyFile(path, ctx.services.archives.uploadPath(importid));
    return hashOf(ctx.services, importid);
  });
}

async function personOf(services: Services, email: string): Promise<number> {
  const row = await services.storage.reader
    .selectFrom('users')
    .select('userid')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) throw notFound(`A person with the address ${email}`);
  return row.userid;
}
