import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { imported } from '#test/support/archive-calls.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { beginImport } from '#test/support/training-world.ts';
import { guideDocument, stepDocument } from '#test/shared/formats/omanual/opened.ts';

/** Answers of name servers: for an internal machine and a platform service, and no other name. */
const known: Record<string, string> = { 'inside.example': '10.0.0.7', 'agent.example': '168.63.129.16' };
const hosts = [...Object.keys(known), 'unknown.example', 'metadata.google.internal'];

const logged: string[] = [];
let server: TestServer;
let ana: TestPerson;
beforeAll(async () => {
  server = await startServer({
    log: memoryLog(logged),
    resolve: async (host) => {
      if (known[host] === undefined) throw new Error('ENOTFOUND');
      return [known[host]];
    },
  });
  ana = await server.person('Ana', ['User', 'Author']);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => void logged.splice(0));

/** The ways of submitting addresses, each returning the responses about all hosts. */
const ways: [way: string, ask: (urls: string[]) => Promise<unknown[]>][] = [
  [
    'an archive',
    (urls) =>
      Promise.all(urls.map(async (url) => refusal(await ana.call('POST', '/omanual/imports', { url })))),
  ],
  [
    'a training package',
    (urls) =>
      Promise.all(
        urls.map(async (url) => {
          const { importid } = await beginImport(ana);
          const path = `/external_training_modules/imports/${importid}/start/byUrl`;
          return refusal(await ana.call('POST', path, { url }));
        }),
      ),
  ],
  [
    'a picture of an archive',
    async (urls) => {
      const images = urls.map((url, index) => `<image orderby="${index + 1}">${url}</image>`).join('');
      const media = `<media type="image">${images}</media>`;
      const document = guideDocument(stepDocument('<line bullet="black" level="0">Look</line>', media));
      const done = await imported(server, ana, Buffer.from(document), { filename: 'lamp.xml' });
      const { findings } = must(done.report, 'the report');
      return findings.flatMap(({ code, message }) => (code === 'media-not-fetched' ? [message] : []));
    },
  ],
];

function refusal({ status, body }: { status: number; body: { errors?: unknown } }): unknown {
  return [status, body.errors];
}

test.each(ways)('OUTBOUND-10 naming %s reveals no host name of the internal network', async (_, ask) => {
  const told = await ask(hosts.map((host) => `http://${host}/a.png`));
  expect(told).toHaveLength(hosts.length);
  const alike = told.map((one, index) => JSON.stringify(one).replaceAll(hosts[index] ?? '', 'the host'));
  expect(alike[0]).toContain('the host is not a public address, or cannot be found');
  expect(alike).toEqual(alike.map(() => alike[0]));
  const log = logged.join('\n');
  expect(log).toContain('inside.example is in a private network');
  expect(log).toContain('unknown.example cannot be found');
  expect(log).toContain('agent.example is a service of a cloud platform');
});
