import { afterAll, afterEach, beforeEach, expect } from 'vitest';

import { BrokenAnswers, watchBrokenAnswers } from './broken-answers.ts';

/**
 * Runs before every test file. A server whose answer breaks its contract fails the test that asked for it, whatever that
 * test checks. Answers outside of tests (`beforeAll`, a job that ends late) fail the file, and answers after its end the
 * process.
 */
const answers = new BrokenAnswers();

watchBrokenAnswers((flaw) => answers.note(flaw, expect.getState().currentTestName ?? 'none'));

beforeEach(() => answers.beginTest());
afterEach(() => answers.endTest());
afterAll(() => {
  watchBrokenAnswers(undefined);
  answers.endFile();
});
