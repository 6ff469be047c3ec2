import fc from 'fast-check';

/**
 * Runs before every test file. Properties are tried on the same values in every run, so that no run fails by chance; other
 * values come with `npm test -- --seed N`.
 */
fc.configureGlobal({ seed: Number(process.env['BENCHBOOK_TEST_SEED'] ?? 1) });
