import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { openApiDocument } from '#shared/api/openapi/document.ts';
import { contextForJob } from '#server/core/job.ts';
import { issueToken } from '#server/features/tokens/store.ts';
import { resources } from '#server/features/index.ts';
import { movieFile, pdfFile } from '#test/support/media-files.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { benchGrinderWorld } from '#test/support/world.ts';

const run = promisify(execFile);

let server: TestServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder('samples');
  server = await startServer();
  await benchGrinderWorld(server);
  const photo = sharp({ create: { width: 80, height: 60, channels: 3, background: '#888' } });
  const files = {
    'photo.jpg': await photo.jpeg().toBuffer(),
    'video.mp4': movieFile('isom'),
    'document.pdf': pdfFile(),
    'file.bin': Buffer.alloc(100),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder.path, name), bytes);
  // The samples stay as they are; the settings of curl add the status.
  await writeFile(join(folder.path, '.curlrc'), 'silent\nmax-time = 20\nwrite-out = "\\n%{http_code}"\n');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const operation = z.looseObject({
  'x-codeSamples': z.tuple([z.strictObject({ lang: z.string(), label: z.string(), source: z.string() })]),
});
const { paths } = z
  .looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) })
  .parse(openApiDocument(resources.map(({ table }) => table)));
const samples = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => ({
    name: `${method.toUpperCase()} ${path}`,
    source: one['x-codeSamples'][0].source,
  })),
);

/** Runs a sample in a shell; returns the status and the body of the answer. */
async function perform(source: string, token: string): Promise<{ status: number; body: string }> {
  const { stdout } = await run('sh', ['-c', source], {
    cwd: folder.path,
    env: {
      ...process.env,
      HOME: folder.path,
      CURL_HOME: folder.path,
      BENCHBOOK_URL: server.url,
      BENCHBOOK_TOKEN: token,
    },
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: unknown) => error as { stdout: string });
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
}

test('OPENAPI-13 every operation has a sample, which names the scheme of the token', () => {
  for (const { name, source } of samples) {
    expect([name, source]).toEqual([
      name,
      expect.stringMatching(/^curl "\$BENCHBOOK_URL\/(?:api|sync|omanual)/),
    ]);
    if (source.includes('Authorization'))
      expect(source).toContain('-H "Authorization: api $BENCHBOOK_TOKEN"');
  }
});

/** Samples that succeed on every server that has the category "Bench Grinder". */
const succeeding = [
  'POST /guides',
  'POST /teams',
  'POST /wikis',
  'POST /posts',
  'POST /user/media/images',
  'GET /guides',
];

/** A sample cannot know what the server has: its records, accounts, codes and settings. */
const unknown = new Set([401, 403, 404, 409, 410, 422]);

test('OPENAPI-13 every sample runs as it stands', async () => {
  const flaws: string[] = [];
  const { userid } = await server.person('Sam', ['User', 'Author', 'Moderator', 'Admin']);
  for (const { name, source } of samples) {
    // Some samples end the session that they use.
    const token = await contextForJob(server.services, null, (ctx) => issueToken(ctx, userid, 'samples'));
    const { status, body } = await perform(source, token);
    const isDone = status >= 200 && status < 300;
    const isUnderstood = unknown.has(status) && !/"Validation failed"|Authentication required/.test(body);
    if (!isDone && (!isUnderstood || succeeding.includes(name)))
      flaws.push(`${name} ${status} ${body.slice(0, 300)}`);
  }
  expect(flaws).toEqual([]);
});
