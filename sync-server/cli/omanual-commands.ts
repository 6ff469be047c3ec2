import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Option, type Command } from 'commander';

import '#server/platform/native-sums.ts';
import { BadSetting } from '#server/platform/config.ts';
import { ArchiveRefused, type Archive } from '#shared/formats/omanual/archive.ts';
import { checkArchive, checkLineText, type CheckLine } from '#shared/formats/omanual/check.ts';
import type { WriteOptions } from '#shared/formats/omanual/content.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import { visibleText } from '#shared/formats/omanual/names.ts';
import { packageFiles, type PackageFiles } from '#shared/formats/omanual/package-files.ts';
import { requireClaimed } from '#shared/formats/omanual/read-media.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';

import { withFile, refusedFile } from './files.ts';
import { convertFile, findingText, formats, type ConvertFormat } from './omanual-convert.ts';
import { FoundFaults, table, type Answer, type Terminal } from './answers.ts';

/** The function that draws markers into pictures. Without it, markers stay data of the archive. */
type Drawing = Pick<WriteOptions, 'marked'>;

/**
 * `benchbook omanual check|convert|unpack|show`.
 *
 * - CLI-9 `omanual check|convert|unpack|show` works on files only, without a data folder. `check` prints one line per
 *   finding and ends with 1 if a file has an error; it continues after a file that cannot be read. `unpack` ends with
 *   1, after its work, if a file is not what its name claims. Nothing is overwritten, and incomplete output is
 *   removed. `convert` reads and writes archives and pages in Markdown and HTML, and names what is lost.
 */
export function addOmanualCommands(program: Command, terminal: Terminal, drawing: Drawing): void {
  const omanual = program.command('omanual').description('Archives of guides (oManual, IEEE 1874)');
  omanual
    .command('check')
    .description('Check archives and documents; ends with 1 when one has an error')
    .argument('<files...>')
    .option('--strict', 'count warnings as errors')
    .action(printing(terminal, (files: string[], options: { strict?: boolean }) => check(files, options)));
  omanual
    .command('convert')
    .description('Write an archive or page (Markdown, HTML) as an archive of version 1.0, or as a page')
    .argument('<file>', 'an archive, or a page with its pictures beside it')
    .argument('[target]', 'the file to write; it must not exist (default: beside FILE)')
    .addOption(
      new Option('--to <format>', 'what to write (default: by the ending of the target)').choices([
        ...formats,
      ]),
    )
    .action(
      printing(terminal, (file: string, target: string | undefined, options: { to?: ConvertFormat }) =>
        convertFile(file, target, options.to, drawing),
      ),
    );
  omanual
    .command('unpack')
    .description('Unpack an archive into a new folder')
    .argument('<file>')
    .argument('<folder>')
    .action(printing(terminal, unpack));
  omanual
    .command('show')
    .description('Show what is in an archive, and what had to be interpreted')
    .argument('<file>')
    .action(printing(terminal, show));
}

/** Makes the action of a command: runs `work`, prints the result, and ends with 1 if faults were found. */
function printing<A extends unknown[]>(
  terminal: Terminal,
  work: (...args: A) => Promise<Answer & { hasFaults?: boolean }>,
) {
  return async (...args: unknown[]): Promise<void> => {
    keepHeapSmall();
    const command = args.at(-1) as Command;
    const { data, lines, hasFaults = false } = await work(...(args.slice(0, -1) as A));
    if (command.optsWithGlobals()['json'] === true) terminal.out(JSON.stringify(data, null, 2));
    else for (const line of lines) terminal.out(visibleText(line));
    if (hasFaults) throw new FoundFaults();
  };
}

async function check(
  files: string[],
  { strict = false }: { strict?: boolean },
): Promise<Answer & { hasFaults: boolean }> {
  const checked = [];
  for (const file of files) {
    checked.push({ file, lines: await linesOf(file) });
  }
  const all = checked.flatMap(({ lines }) => lines);
  return {
    data: checked,
    lines: checked.flatMap(({ file, lines }) => lines.map((line) => `${file}: ${checkLineText(line)}`)),
    hasFaults: all.some(({ rank }) => strict || rank === 'error'),
  };
}

/**
 * The findings of a file. A file that cannot be read, or on which the check itself fails, is a finding, so that the
 * other files are still checked.
 */
async function linesOf(file: string): Promise<CheckLine[]> {
  try {
    return await withFile(file, (source) => checkArchive(source, basename(file)));
  } catch (error) {
    const fault = { rank: 'error', member: '', place: '' } as const;
    if (error instanceof BadSetting) return [{ ...fault, code: 'unreadable', message: error.message }];
    const reason = error instanceof Error ? error.message : String(error);
    return [{ ...fault, code: 'not-checked', message: `The check itself failed (${reason}).` }];
  }
}

/** Unpacks an archive. Returns warnings for files that are not what their names claim. */
async function unpack(file: string, folder: string): Promise<Answer & { hasFaults: boolean }> {
  const root = resolve(folder);
  const { names, warnings } = await withFile(file, async (source) => {
    const files = await packageFiles(source, readLimits);
    await mkdir(root).catch(refusedFile(folder, 'written'));
    try {
      for (const name of files.names) await unpackOne(root, name, files.pieces(name));
      return { names: files.names, warnings: await falseClaims(files) };
    } catch (error) {
      await rm(root, { recursive: true });
      throw error;
    }
  });
  return {
    data: { folder: root, files: names, warnings },
    lines: [...warnings, `${names.length} files are in ${root}.`],
    hasFaults: warnings.length > 0,
  };
}

async function falseClaims(files: PackageFiles): Promise<string[]> {
  const claims = [];
  for (const name of files.names) {
    try {
      requireClaimed(name, await files.head(name, headBytes), null);
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      claims.push(`warning ${error.code} in ${name}: ${error.message}`);
    }
  }
  return claims;
}

/** Number of bytes by which the type of a file is recognised. */
const headBytes = 64;

async function unpackOne(root: string, name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const path = join(root, ...name.split('/'));
  if (!path.startsWith(root + sep)) throw new BadSetting(`${name} would lie outside of the folder.`);
  await mkdir(dirname(path), { recursive: true }).catch(refusedFile(path, 'written'));
  await writeFile(path, pieces, { flag: 'wx' }).catch(refusedFile(path, 'written'));
}

async function show(file: string): Promise<Answer> {
  return withFile(file, async (source) => {
    const archive = await openArchive(source, basename(file));
    const guides = [];
    for (const { member, foreignId, title } of archive.entries) {
      const { facts, media, author } = await archive.guide(member);
      const size = media.reduce((sum, one) => sum + one.size, 0);
      guides.push({
        member,
        id: foreignId,
        title,
        type: facts.type,
        steps: facts.steps.length,
        author,
        files: media.length,
        size,
      });
    }
    const { version, producer, base, findings } = archive;
    const categories = archive.categories.map(({ facts }) => facts.title);
    return {
      data: { version, producer, base, categories, guides, findings },
      lines: [...headLines(archive), ...guideLines(guides), ...findings.map(findingText)],
    };
  });
}

function headLines({ version, producer, base, categories }: Archive): string[] {
  return [
    `Version ${version}, made by ${producer}${base === '' ? '' : ` on ${base}`}`,
    ...categories.map(
      ({ facts }) => `Category ${facts.title}${facts.parent === null ? '' : ` in ${facts.parent}`}`,
    ),
  ];
}

interface ShownGuide {
  id: number | null;
  title: string;
  type: string;
  steps: number;
  files: number;
  size: number;
  member: string;
}

function guideLines(guides: readonly ShownGuide[]): string[] {
  const rows = guides.map(({ id, title, type, steps, files, size, member }) => [
    `Guide ${id ?? '?'}`,
    title,
    type,
    `${steps} steps`,
    `${files} files, ${size} bytes`,
    member,
  ]);
  return rows.length === 0 ? [] : table(rows);
}

/**
 * Makes V8 collect garbage early instead of growing the heap, because data passes through in pieces. It takes a little
 * more time, and halves the memory (CLI-14).
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
}
