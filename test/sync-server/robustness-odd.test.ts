import { afterAll, beforeAll, describe } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';
import { OddServer, testOddRequests } from '#test/support/odd-server.ts';

import { endpoints } from './routes.ts';

let odd: OddServer;

beforeAll(async () => {
  odd = await OddServer.start();
});
afterAll(async () => odd[Symbol.asyncDispose]());

describe('SECURITY-18 odd requests are refused in the documented shapes, and nothing fails', () => {
  // The other half is in robustness.test.ts, so that two processors share them.
  const numbered = endpoints.map(([route, endpoint], number) => ({ route, endpoint, number }));
  testOddRequests(
    () => odd,
    numbered.filter(({ number }) => number % 2 === 1),
    isLongRun ? 200 : 20,
  );
});
