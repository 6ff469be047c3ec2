import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';

import { checkClient, type Verdict } from './conformance/check.ts';
import { scenarios } from './conformance/scenarios.ts';

const client = join(import.meta.dirname, 'python/client.py');
// The project itself needs no Python; without it these tests are reported as skipped.
const hasPython = spawnSync('python3', ['--version']).status === 0;

async function failuresOf(program: string, only: string): Promise<string[]> {
  const failed: Verdict[] = [];
  await checkClient(['python3', program], only, (verdict) => {
    if (verdict.failure !== null) failed.push(verdict);
  });
  return failed.map(({ name, failure }) => `${name}: ${failure}`);
}

/** A scenario of each kind; the long run plays all. */
const slice = [
  'a load or pull that is cut is continued',
  'a call whose response is lost takes effect once',
  'a conflict is kept, and stops only its lane',
  'a portal with 200 changes nothing',
  'a restored server gets back what it forgot',
];

/** Faults in the client, and the scenario that finds each. */
const faults: { what: string; from: string; to: string; scenario: string }[] = [
  {
    what: 'takes a response to another request',
    from: `head.get("request") != request`,
    to: 'False',
    scenario: 'a response to another request changes nothing',
  },
  {
    what: 'sends a call under a new key each time',
    from: 'return [json.loads(chosen[n]) for n in sorted(chosen)]',
    to: 'return [{**json.loads(chosen[n]), "id": uuid7()} for n in sorted(chosen)]',
    scenario: 'a call whose response is lost takes effect once',
  },
  {
    what: 'keeps removed records',
    from: 'if row["c"] not in COLLECTIONS or not (removed or isinstance(doc, dict)):',
    to: 'if row["c"] not in COLLECTIONS or not isinstance(doc, dict):',
    scenario: 'records follow the rights of their reader',
  },
  {
    what: 'lets an older row replace a newer one',
    from: ' WHERE excluded.load > load OR excluded.seq >= seq',
    to: '',
    scenario: 'an older row does not replace a newer one',
  },
  {
    what: 'does not offer lost calls again',
    from: `self.set("restored", "answers")`,
    to: `self.set("restored", None)`,
    scenario: 'a restored server gets back what it forgot',
  },
  {
    what: 'signs out on the 401 of a proxy',
    from: 'code = body.get("code") if body else None',
    to: 'code = body.get("code") if body else None\n        if response.status == 401: raise Stop("signed-out", "")',
    scenario: 'a proxy with 401 changes nothing',
  },
  {
    what: 'drops refused calls',
    from: '            state = "refused"\n        elif status != 0:',
    to: '            state = "done"\n        elif status != 0:',
    scenario: 'a refused call is kept, and stops only its lane',
  },
];

describe.skipIf(!hasPython)('a client in Python that was written from the page alone (needs python3)', () => {
  test.each(isLongRun ? Object.keys(scenarios) : slice)(
    'PROTOCOL-12 passes: %s',
    async (scenario) => {
      expect(await failuresOf(client, scenario)).toEqual([]);
    },
    120_000,
  );

  test.each(isLongRun ? faults : faults.slice(0, 1))(
    'PROTOCOL-12 the check notices a client that $what',
    async ({ from, to, scenario }) => {
      const source = readFileSync(client, 'utf8');
      expect(source.split(from)).toHaveLength(2);
      const folder = mkdtempSync(join(tmpdir(), 'benchbook-faulty-client-'));
      try {
        const faulty = join(folder, 'client.py');
        writeFileSync(faulty, source.replace(from, to));
        expect(await failuresOf(faulty, scenario)).toHaveLength(1);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    120_000,
  );
});
