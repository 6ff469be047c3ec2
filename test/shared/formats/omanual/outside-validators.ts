/**
 * `npm run check:omanual`: validates written documents, of the demo's guides and of generated ones, with xmllint and
 * jing. On Debian: `apt-get install libxml2-utils jing`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import fc from 'fast-check';

import { contentOf as demoContent, demoGuides } from '#test/bench/omanual/content.ts';

import { anyCategories, anyGuides } from './arbitrary-guides.ts';
import { archiveBytes, contentOf, documentsOf, guidesToWrite } from './archives.ts';

const generatedArchives = 60;
const seed = 1874;
/** Documents per call of a program. */
const together = 200;

const schemas = fileURLToPath(new URL('../../../fixtures/omanual/schema-1.0/', import.meta.url));

const validators = [
  {
    program: 'xmllint',
    options: (schema: string) => ['--nonet', '--noout', '--schema', schema],
    asks: '--version',
  },
  { program: 'jing', options: (schema: string) => ['-i', schema], asks: '' },
];

interface Written {
  kind: 'guide' | 'category';
  path: string;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Writes all documents into `folder`, numbered, because names of members repeat. */
async function writeDocuments(folder: string): Promise<Written[]> {
  const archives = [(await archiveBytes(demoContent(await demoGuides()))).bytes];
  const generated = fc.sample(fc.tuple(anyGuides, anyCategories), { numRuns: generatedArchives, seed });
  for (const [guides, categories] of generated)
    archives.push((await archiveBytes(contentOf(guidesToWrite(guides), { categories }))).bytes);
  return archives.flatMap(documentsOf).map(({ name, xml }, index) => {
    const kind = name.endsWith('category.xml') ? 'category' : 'guide';
    const path = join(folder, `${kind}-${index}.xml`);
    writeFileSync(path, xml);
    return { kind, path };
  });
}

function isInstalled({ program, asks }: (typeof validators)[number]): boolean {
  return spawnSync(program, asks === '' ? [] : [asks]).error === undefined;
}

/** The complaints of a program about the documents; '' if all are valid. */
function complaints({ program, options }: (typeof validators)[number], written: readonly Written[]): string {
  let said = '';
  for (const kind of ['guide', 'category'] as const) {
    const paths = written.filter((one) => one.kind === kind).map(({ path }) => path);
    for (let at = 0; at < paths.length; at += together) {
      const args = [...options(join(schemas, `omanual_${kind}.xsd`)), ...paths.slice(at, at + together)];
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 << 20 });
      if (status !== 0) said += stdout + stderr;
    }
  }
  return said;
}

/** 0: all valid in both; 1: something is not; 2: a program is missing, so nothing was checked. */
async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'benchbook-omanual-'));
  let code = 0;
  try {
    const written = await writeDocuments(folder);
    for (const validator of validators) {
      const { program } = validator;
      if (!isInstalled(validator)) {
        say(`NOT CHECKED: ${program} is not installed (Debian: apt-get install libxml2-utils jing)`);
        code = Math.max(code, 2);
        continue;
      }
      const said = complaints(validator, written);
      say(said === '' ? `${program}: ${written.length} documents are valid` : `${program}: INVALID\n${said}`);
      if (said !== '') code = 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return code;
}

process.exitCode = await main();
