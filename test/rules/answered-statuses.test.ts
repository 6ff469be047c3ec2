import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

import { get, idText, post } from '#shared/api/endpoint.ts';
import { contract, missingAnswers, readStatuses } from '#test/support/answered-statuses.ts';
import { startServer } from '#test/support/server.ts';

test('COVERAGE-1 every endpoint needs a success, and an operation of the specification also its refusals', () => {
  const things = [
    get('/things/{thingid}', { summary: 'Read', params: z.strictObject({ thingid: idText }) }),
    post('/things', { summary: 'Make', extension: true }),
  ];
  expect(missingAnswers(things, new Set())).toEqual([
    'GET /things/{} success',
    'GET /things/{} 401',
    'GET /things/{} 404',
    'POST /things success',
  ]);
  const answered = ['GET /things/{} 401', 'GET /things/{} 404', 'POST /things 422'];
  expect(missingAnswers(things, new Set(answered))).toEqual([
    'GET /things/{} success',
    'POST /things success',
  ]);
});

test('COVERAGE-1 a run notes which endpoint answered which status', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'benchbook-statuses-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await using server = await startServer({ statusFolder: folder });
  await server.app.inject({ url: '/api/2.0/guides/987654' });
  await server.app.inject({ url: '/api/2.0/tags' });
  await server.app.inject({ url: '/api/2.0/nothing' });
  expect(contract().length).toBeGreaterThan(200);
  await expect
    .poll(() => [...readStatuses(folder)].toSorted())
    .toEqual(['', 'GET /guides/{} 404', 'GET /tags success']);
});
