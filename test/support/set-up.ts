import fc from 'fast-check';

/**
 * Runs before every test file. Properties use the same values in every run, so that no run fails by chance; `npm test
 * -- --seed N` changes them.
 */
fc.configureGlobal({ seed: Number(process.env['BENCHBOOK_TEST_SEED'] ?? 1) });
