import { resolve } from 'node:path';

import type { Command } from 'commander';

import type { NewArchive } from '#shared/api/omanual.ts';
import { invalid } from '#shared/api/problem.ts';
import { writeArchive } from '#shared/formats/omanual/write.ts';
import { isReachable } from '#shared/rules/urls.ts';
import { BadSetting } from '#server/platform/config.ts';
import { nobody, viewerOf } from '#server/core/viewer.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import { readingContext } from '#server/core/job.ts';
import { archiveContent, nothingShown } from '#server/features/omanual/content.ts';
import { drawMarkers } from '#server/features/omanual/draw-markers.ts';
import { writeChosenPage } from '#server/features/omanual/pages.ts';
import { chosen } from '#server/features/omanual/selection.ts';

import { replaceFile } from './files.ts';
import { barOf } from './bar.ts';
import type { Answer, Terminal } from './answers.ts';
import { reportLine, type Runner } from './terminal.ts';

interface ExportOptions {
  guide?: string[];
  category?: string;
  tag?: string;
  site?: boolean;
  html?: boolean;
  links?: boolean;
  public?: boolean;
  base?: string;
  json?: boolean;
}

/**
 * `benchbook export`.
 *
 * - CLI-10 `export` writes guides into an archive, and `import` imports them in the name of a person; terminals show
 *   the progress. An import that is killed is continued by the next import, or the next start of the server.
 * - CLI-12 `export FILE --html` writes one HTML page (`shared/formats/print`) instead: of a guide, of a category with
 *   its subcategories, or of several guides after a list. If the site has no address that other devices can reach, the
 *   page has no QR code, and the command says so. An existing FILE stays until the new page is complete.
 */
export function addExportCommand(program: Command, runner: Runner): void {
  program
    .command('export')
    .description('Write guides into an oManual archive or a web page; private ones too, unless --public')
    .argument('<file>', 'the archive, or with --html the page, to write')
    .option('--guide <guideid...>', 'these guides')
    .option('--category <title>', 'a category with those below it')
    .option('--tag <tag>', 'guides with a tag')
    .option('--site', 'everything')
    .option('--html', 'write one HTML page with the pictures inside, to be read anywhere and printed')
    .option('--links', 'name the addresses of pictures and files instead of taking them along')
    .option('--public', 'only what everybody may see')
    .option('--base <url>', 'address of the site in the file (default: the setting address)')
    .action(
      runner.act((services, file: string, options: ExportOptions) =>
        (options.html === true ? exportPage : exportArchive)(services, runner.terminal, file, options),
      ),
    );
}

async function exportArchive(
  services: Services,
  terminal: Terminal,
  file: string,
  options: ExportOptions,
): Promise<Answer> {
  const ctx = await contextOf(services, options);
  const selection = await chosen(ctx, wantedOf(options));
  const shown = nothingShown();
  using bar = barOf(terminal, options.json === true);
  const total = selection.guideids.length;
  const content = await archiveContent(ctx, selection, shown, async (done) =>
    bar.show({ done, total, phase: 'Writing guides' }),
  );
  const path = resolve(file);
  const report = await replaceFile(path, (sink) =>
    writeArchive(content, sink, { media: options.links === true ? 'links' : 'inside', marked: drawMarkers }),
  );
  return {
    data: { file: path, ...report },
    lines: [
      `${report.guides} guides and ${report.media} files are in ${path} (${report.bytes} bytes).`,
      ...report.findings.map(reportLine),
      ...(isReachable(ctx.baseUrl) ? [] : [noSite]),
    ],
  };
}

async function exportPage(
  services: Services,
  terminal: Terminal,
  file: string,
  options: ExportOptions,
): Promise<Answer> {
  if (options.links === true) throw new BadSetting('A page has its pictures inside; leave out --links.');
  const ctx = await contextOf(services, options);
  const wanted = wantedOf(options);
  using bar = barOf(terminal, options.json === true);
  const path = resolve(file);
  const report = await replaceFile(path, (sink) =>
    writeChosenPage(ctx, wanted, sink, (done, total) => bar.show({ done, total, phase: 'Writing guides' })),
  );
  const { guides, pictures, missing, bytes } = report;
  return {
    data: { file: path, ...report },
    lines: [
      `${guides} guides with ${pictures} pictures are in ${path} (${bytes} bytes).`,
      ...(missing === 0 ? [] : [`${missing} pictures were not at hand; the page says so in their place.`]),
      ...(isReachable(ctx.baseUrl) ? [] : [noCode]),
    ],
  };
}

const noSite =
  'Links from the archive to other guides of the site lead nowhere, since the site has no address that other devices can reach. Give one with --base, or for good: benchbook site set address https://guides.example.org';

const noCode =
  'The page has no QR code, since the site has no address that other devices can reach. Give one with --base, or for good: benchbook site set address https://guides.example.org';

/** The context for reading: as an administrator, or with `--public` as an anonymous reader. */
async function contextOf(services: Services, options: ExportOptions): Promise<Context> {
  const base = options.base ?? services.site.address ?? 'http://localhost';
  const viewer =
    options.public === true ? nobody : viewerOf(0, '', ['Admin'], { teams: [], leads: [], people: [] });
  return { ...(await readingContext(services, null, base.replace(/\/$/, ''))), viewer };
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
