import { afterAll, afterEach, beforeEach, expect } from 'vitest';

import { watchBrokenAnswers } from './broken-answers.ts';

/**
 * Runs before every test file. A server whose answer breaks its contract fails the test that asked for it, whatever that
 * test checks. Answers outside of tests (`beforeAll`, a job that ends late) fail the file.
 */
const flaws: string[] = [];
const outsideOfTests: string[] = [];

watchBrokenAnswers((flaw) => {
  flaws.push(`${flaw}\nLast test: ${expect.getState().currentTestName ?? 'none'}`);
});

function failFor(found: readonly string[]): void {
  if (found.length > 0) throw new Error(found.join('\n\n'));
}

beforeEach(() => {
  outsideOfTests.push(...flaws.splice(0));
});
afterEach(() => failFor(flaws.splice(0)));
afterAll(() => failFor([...outsideOfTests.splice(0), ...flaws.splice(0)]));
