import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

/** What a run of vitest reports with `--reporter=json`, as far as it is read here. */
const report = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ title: z.string(), status: z.string() })) }),
  ),
});

/** How the tests of a run ended, by title; several tests may have the same. */
export type Ended = ReadonlyMap<string, readonly string[]>;

/** The clauses of the list, each with the titles of the tests that show it; `%s` stands for what a table of tests puts in. */
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

/** How the tests of reports of vitest ended. */
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

/** The titles that a run did not show: no test of this title ran, or one of them did not pass. */
export function notShown(claims: ReadonlyMap<string, readonly string[]>, ended: Ended): string[] {
  return [...claims.values()].flat().filter((title) => {
    const pattern = new RegExp(`^${title.split('%s').map(escaped).join('.+')}$`);
    const found = [...ended].flatMap(([name, statuses]) => (pattern.test(name) ? statuses : []));
    return found.length === 0 || found.some((status) => status !== 'passed');
  });
}

/** The list of 21 CFR Part 11. */
export function part11(): Map<string, string[]> {
  const file = fileURLToPath(new URL('../../sync-server/features/audit/part-11.md', import.meta.url));
  return readClaims(readFileSync(file, 'utf8'));
}
