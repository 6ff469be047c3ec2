import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { NewImport } from '#shared/api/omanual.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { imported } from '#test/support/archive-calls.ts';
import { bmpFile, pdfFile } from '#test/support/media-files.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { allGuides, factsOf } from '#test/support/stored-guides.ts';
import { guideDocument } from '#test/shared/formats/omanual/opened.ts';

const author = ['User', 'Author'];
const grey = bmpFile(80, 60, () => [90, 90, 90]);

/** A site with the pictures and documents that an archive links to. */
let site: Server;
let origin = '';
const asked: string[] = [];

beforeAll(async () => {
  site = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path === '/cover.bmp') response.end(grey);
    else if (path === '/moved.bmp') response.writeHead(302, { Location: '/cover.bmp' }).end();
    else if (path === '/away.bmp') response.writeHead(302, { Location: 'http://10.1.2.3/cover.bmp' }).end();
    else if (path === '/words.jpg') response.end('Just words');
    else if (path === '/belt.pdf') response.end(pdfFile());
    else if (path.startsWith('/silent')) request.socket.destroy();
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => void site.close());

/** A document whose pictures and file are elsewhere. */
function linkedDocument(...paths: string[]): Buffer {
  const steps = paths.map(
    (path, index) =>
      `<step number="${index + 1}"><lines><line bullet="black" level="0">Look</line></lines><media type="image"><image orderby="1">${origin}${path}</image></media></step>`,
  );
  const file = `<documents><document url="${origin}/belt.pdf">${origin}/belt.pdf</document></documents>`;
  const document = guideDocument(`<steps>${steps.join('')}</steps>`)
    .replace('<documents/>', file)
    .replace('<image/>', '');
  return Buffer.from(document);
}

async function imports(
  server: TestServer,
  person: TestPerson,
  bytes: Uint8Array,
  rules: Partial<NewImport> = {},
) {
  asked.length = 0;
  const done = await imported(server, person, bytes, { filename: 'lamp.xml', ...rules });
  expect([done.state, done.error]).toStrictEqual(['done', null]);
  const report = must(done.report, 'the report');
  const [guideid] = await allGuides(server);
  const facts = guideid === undefined ? undefined : (await factsOf(server, [guideid]))[0];
  return { done, report, facts, codes: report.findings.map(({ code }) => code) };
}

function pictures({ steps }: GuideFacts): number[] {
  return steps.map(({ media }) => (media.type === 'image' ? media.data.length : -1));
}

test('OMANUAL-IMPORT-13 linked pictures and documents are fetched, also through redirects', async () => {
  await using server = await startServer({ site: { private_networks: ['127.0.0.0/8'] } });
  const ben = await server.person('Ben', author);
  const bytes = linkedDocument('/cover.bmp', '/moved.bmp');
  const { done, report, facts } = await imports(server, ben, bytes);
  expect(done.links).toBe('fetch');
  expect(report.media).toBe(3);
  expect(report.findings).toStrictEqual([]);
  expect(pictures(must(facts, 'the guide'))).toStrictEqual([1, 1]);
  expect(facts?.documents).toMatchObject([{ extension: 'pdf' }]);
  const [image] = facts?.steps[0]?.media.type === 'image' ? facts.steps[0].media.data : [];
  const shown = await fetch(`${server.url}/igi/${must(image, 'the picture').guid}`);
  expect([shown.status, shown.headers.get('content-type')]).toStrictEqual([200, 'image/png']);
});

test('OMANUAL-IMPORT-13 each linked file that cannot be fetched is reported, and the guide is imported without it', async () => {
  await using server = await startServer({ site: { private_networks: ['127.0.0.0/8'] } });
  const ben = await server.person('Ben', author);
  const bytes = linkedDocument('/none.bmp', '/away.bmp', '/words.jpg', '/cover.bmp');
  const { report, facts } = await imports(server, ben, bytes);
  expect(report.findings.map(({ kind, code, member }) => [kind, code, member])).toStrictEqual([
    ['unresolved', 'media-not-fetched', `${origin}/none.bmp`],
    ['unresolved', 'media-not-fetched', `${origin}/away.bmp`],
    ['dropped', 'media-unreadable', `${origin}/words.jpg`],
  ]);
  const [none, away] = report.findings;
  expect([none?.message, away?.message]).toMatchObject(
    [/404/, /not a public address, or cannot be found/].map((one) => expect.stringMatching(one)),
  );
  expect(pictures(must(facts, 'the guide'))).toStrictEqual([0, 0, 0, 1]);
});

test('OMANUAL-IMPORT-13 addresses in networks that the site does not allow are not called', async () => {
  await using server = await startServer();
  const ben = await server.person('Ben', author);
  const { codes, facts } = await imports(server, ben, linkedDocument('/cover.bmp'));
  expect(codes).toStrictEqual(['media-not-fetched', 'media-not-fetched']);
  expect([asked, pictures(must(facts, 'the guide'))]).toStrictEqual([[], [0]]);
});

test('OMANUAL-IMPORT-13 a host that does not answer is skipped after three attempts', async () => {
  await using server = await startServer({ site: { private_networks: ['127.0.0.0/8'] } });
  const ben = await server.person('Ben', author);
  const silent = Array.from({ length: 40 }, (_, index) => `/silent-${index}.bmp`);
  const { report } = await imports(server, ben, linkedDocument(...silent));
  expect(report.findings.filter(({ code }) => code === 'media-not-fetched').length).toBeGreaterThan(39);
  expect(asked.length).toBeLessThan(30);
});

test('OMANUAL-IMPORT-13 links can be left as they are; a dry run calls no host', async () => {
  await using server = await startServer({ site: { private_networks: ['127.0.0.0/8'] } });
  const ben = await server.person('Ben', author);
  const dry = await imports(server, ben, linkedDocument('/cover.bmp'), { dry_run: true });
  expect(dry.codes).toStrictEqual(['media-to-fetch', 'media-to-fetch']);
  const left = await imports(server, ben, linkedDocument('/cover.bmp'), { links: 'leave' });
  expect(left.codes).toStrictEqual(['media-linked', 'media-linked']);
  expect(asked).toStrictEqual([]);
});
