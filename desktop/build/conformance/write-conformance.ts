import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ConformanceCase } from './case.ts';
import { packageCases } from './packages.ts';
import { textCases } from './texts.ts';

/** All cases in the order of the list. */
export const conformanceCases: readonly ConformanceCase[] = [...packageCases, ...textCases];

/** The name of a case's file in the suite. */
export function fileOf({ name, content }: ConformanceCase): string {
  const isPackage = typeof content !== 'string' && content[0] === 0x50 && content[1] === 0x4b;
  return `files/${name}.${isPackage ? 'omanual' : 'xml'}`;
}

/**
 * Writes the conformance suite into a new folder: the files, `cases.json` with the verdict of each, and the README.
 *
 * - CONFORM-1 The suite is made from sources in this folder. The same sources give the same bytes, and no file is larger
 *   than 20 KB.
 * - CONFORM-2 Each code of a check has a case, and so has each refusal that a small file can cause.
 * - CONFORM-3 The checker in the package gives the verdicts and codes of the suite in the package.
 */
export function writeConformance(folder: string): void {
  mkdirSync(join(folder, 'files'), { recursive: true });
  const cases = conformanceCases.map((one) => {
    writeFileSync(join(folder, fileOf(one)), one.content);
    const { verdict, codes, rules, about } = one;
    return { file: fileOf(one), verdict, codes, rules, about };
  });
  writeFileSync(join(folder, 'cases.json'), `${JSON.stringify({ version: 1, cases }, null, 2)}\n`);
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
  writeFileSync(join(folder, 'README.md'), readme.replaceAll('../../../shared/', '../'));
}
