import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

/** The used part of a report by vitest with `--reporter=json`. */
const report = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ title: z.string(), status: z.string() })) }),
  ),
});

/** Results of the tests of a run by title; several tests may have the same title. */
export type Ended = ReadonlyMap<string, readonly string[]>;

/** The clauses of the list, each with the titles of its tests; `%s` stands for a parameter of the test. */
export function readClaims(list: string): Map<string, string[]> {
  const [, sections = ''] = list.split('## Tests');
  const claims = new Map<string, string[]>();
  let clause = '';
  for (const line of sections.split('\n')) {
    const [, named] = /^(11\.\d+\S*)$/.exec(line) ?? [];
    const [, title] = /^- (.+)$/.exec(line) ?? [];
    if (named !== undefined) claims.set((clause = named), []);
    if (title !== undefined) claims.get(clause)?.push(title);
  }
  return claims;
}

/** Merges reports of vitest into results by title. */
export function readReports(texts: readonly string[]): Ended {
  const ended = texts.flatMap((text) =>
    report.parse(JSON.parse(text)).testResults.flatMap(({ assertionResults }) => assertionResults),
  );
  return new Map(
    [...Map.groupBy(ended, ({ title }) => title)].map(([title, all]) => [
      title,
      all.map((one) => one.status),
    ]),
  );
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Titles without a passing run: no test with this title ran, or one of them did not pass. */
export function notShown(claims: ReadonlyMap<string, readonly string[]>, ended: Ended): string[] {
  return [...claims.values()].flat().filter((title) => {
    const pattern = new RegExp(`^${title.split('%s').map(escaped).join('.+')}$`);
    const found = [...ended].flatMap(([name, statuses]) => (pattern.test(name) ? statuses : []));
    return found.length === 0 || found.some((status) => status !== 'passed');
  });
}

/** The claims of part-11.md. */
export function part11(): Map<string, string[]> {
  const file = fileURLToPath(new URL('../../sync-server/features/audit/part-11.md', import.meta.url));
  return readClaims(readFileSync(file, 'utf8'));
}
