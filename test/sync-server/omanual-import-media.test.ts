import { expect, test } from 'vitest';

import type { DocumentRecord } from '#shared/model/media-record.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { EmbedFacts, GuideFacts, VideoFacts } from '#shared/model/guide.ts';
import type { MediaRef } from '#shared/formats/omanual/content.ts';
import { plainContext } from '#shared/formats/wikitext/context.ts';
import { begun, downloaded, imported, importOf } from '#test/support/archive-calls.ts';
import { bmpFile, pdfFile } from '#test/support/media-files.ts';
import { collectGarbage } from '#test/support/collect-garbage.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { allGuides, factsOf } from '#test/support/stored-guides.ts';
import { validArchive } from '#test/support/valid-archive.ts';
import {
  archiveBytes,
  contentOf,
  guidesToWrite,
  mediaBytes,
  pictureBytes,
} from '#test/shared/formats/omanual/archives.ts';
import { plainGuide, plainLine, plainStep } from '#test/shared/formats/omanual/plain-guides.ts';

const author = ['User', 'Author'];
const place = '+52.5200+013.4050/';

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...content]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length + 4);
  return Buffer.concat([size, body]);
}

/** A video as phones record it, with the place of recording. */
const film = Buffer.concat([
  box('ftyp', Buffer.from('isom\0\0\x02\0isommp41', 'latin1')),
  box('moov', box('udta', box('\xA9xyz', Buffer.from(place)))),
  box('mdat', Buffer.from('pictures')),
]);

async function mediaOf(ref: MediaRef) {
  if (ref.kind === 'image') return mediaBytes(pictureBytes(ref.image.guid), 'image/png');
  const [bytes, mime] = ref.kind === 'video' ? [film, 'video/mp4'] : [pdfFile(), 'application/pdf'];
  return mediaBytes(Uint8Array.from(bytes), mime);
}

async function archiveOf(...guides: GuideFacts[]): Promise<Uint8Array<ArrayBuffer>> {
  const written = guidesToWrite(guides).map((guide) => ({ ...guide, wiki: plainContext }));
  const { bytes } = await archiveBytes(contentOf(written, { media: mediaOf }));
  await validArchive(bytes);
  return bytes;
}

async function uploaded<T>(server: TestServer, { token }: TestPerson, path: string, bytes: Uint8Array) {
  const response = await fetch(`${server.url}/api/2.0/user/media/${path}`, {
    method: 'POST',
    headers: { Authorization: `api ${token}` },
    body: new Uint8Array(bytes),
  });
  return (await response.json()) as T;
}

/** A picture that only its owner may show. */
async function greyPicture(server: TestServer, owner: TestPerson): Promise<{ id: number; guid: string }> {
  const bytes = bmpFile(80, 60, () => [90, 90, 90]);
  const path = 'images?file=grey.bmp';
  return (await uploaded<{ image: { id: number; guid: string } }>(server, owner, path, bytes)).image;
}

const video: VideoFacts = {
  videoid: 5,
  objectid: 5,
  srcid: null,
  filename: 'belt.mp4',
  duration: 4,
  width: 640,
  height: 480,
  image: null,
  meta: null,
  encodings: [
    {
      column: 'mp4',
      label: 'MP4',
      width: 640,
      height: 480,
      codecs: 'avc1',
      mime: 'video/mp4',
      always_generate: true,
      format: 'mp4',
      url: '/igo/FilmOfTheBelt1',
    },
  ],
};

const embed: EmbedFacts = {
  embedid: 6,
  objectid: 6,
  url: 'https://www.youtube.com/watch?v=abcdefghijk',
  width: 480,
  height: 270,
  title: 'Belt',
  type: 'video',
  version: '1.0',
  html: '<iframe width="480" height="270" src="https://www.youtube.com/embed/abcdefghijk" allowfullscreen></iframe>',
  provider_url: 'https://www.youtube.com/',
  provider_name: 'YouTube',
  author_url: '',
  author_name: '',
  cache_age: 0,
};

test('OMANUAL-IMPORT-1 A video is imported without the place of recording, and an embedded player unchanged', async () => {
  await using server = await startServer();
  const ben = await server.person('Ben', author);
  const steps = [
    plainStep({ media: { type: 'video', data: video } }),
    plainStep({ stepid: 32, media: { type: 'embed', data: embed } }),
    plainStep({
      stepid: 33,
      media: { type: 'embed', data: { ...embed, html: '<iframe src="https://evil.example/x"></iframe>' } },
    }),
  ];
  const { state } = await imported(server, ben, await archiveOf(plainGuide(1, { steps })));
  expect(state).toBe('done');
  const [facts] = await factsOf(server, await allGuides(server));
  const [first, second, third] = facts?.steps.map(({ media }) => media) ?? [];
  expect(first).toMatchObject({
    type: 'video',
    data: { filename: 'belt.mp4', duration: 4, encodings: [{ width: 640, format: 'mp4' }] },
  });
  const url = first?.type === 'video' ? (first.data.encodings[0]?.url ?? '') : '';
  expect(url).toMatch(/^\/igo\/\w+$/);
  const stored = Buffer.from(await downloaded(server.url + url, ben.token));
  expect([stored.length, stored.includes('pictures'), stored.includes(place)]).toStrictEqual([
    film.length,
    true,
    false,
  ]);
  const { objectid: _objectid, ...player } = embed;
  expect(second).toMatchObject({ type: 'embed', data: player });
  expect(third?.type).toBe('embed');
  expect(JSON.stringify(third)).not.toContain('evil.example');
});

test('OMANUAL-IMPORT-10 Texts show no picture and no file that the importer may not show', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana', author);
  const ben = await server.person('Ben', author);
  const image = await greyPicture(server, ana);
  const document = await uploaded<DocumentRecord>(server, ana, 'documents?file=Belt.pdf', pdfFile());
  const path = `/Document/${document.guid}/Belt.pdf`;
  const facts = plainGuide(1, {
    introduction_raw: `[image|${image.id}] Undo it. [link|${path}|Drawing]`,
    conclusion_raw: `[image|${image.id}|size=large]`,
    steps: [plainStep({ lines: [plainLine(`See [image|${image.id}]`), plainLine(`[link|${path}|Again]`)] })],
  });
  const bytes = await archiveOf(facts);
  const opens = async (): Promise<number> =>
    (await fetch(server.url + path, { headers: { Authorization: `api ${ben.token}` } })).status;
  const { state } = await imported(server, ben, bytes, { visibility: 'public' });
  expect(state).toBe('done');
  const [guideid] = await allGuides(server);
  const shown = await ben.call('GET', `/guides/${guideid}`);
  expect((shown.body as Guide).introduction_raw).toContain('Undo it.');
  expect(JSON.stringify(shown.body)).not.toContain(image.guid);
  expect(await opens()).toBe(404);
  await imported(server, ana, bytes, { visibility: 'public', existing: 'new' });
  expect(await allGuides(server)).toHaveLength(2);
  expect(await opens()).toBe(200);
});

test('OMANUAL-IMPORT-10 A picture of the archive is shown, even if another picture here has its number', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana', author);
  const ben = await server.person('Ben', author);
  const image = await greyPicture(server, ana);
  const brought = { id: image.id, guid: 'BroughtAlong1234', width: 1, height: 1 };
  const facts = plainGuide(1, { image: brought, introduction_raw: `[image|${image.id}]` });
  await imported(server, ben, await archiveOf(facts), { visibility: 'public' });
  const [guideid] = await allGuides(server);
  const shown = (await ben.call('GET', `/guides/${guideid}`)).body as Guide;
  expect(shown.introduction_rendered).toContain(`/igi/${brought.guid}`);
  expect(JSON.stringify(shown)).not.toContain(image.guid);
});

test('OMANUAL-IMPORT-9 An import cancelled while it runs is rolled back', async () => {
  await using server = await startServer();
  const ben = await server.person('Ben', author);
  const guides = Array.from({ length: 64 }, (_, index) =>
    plainGuide(index + 1, { image: { id: index + 1, guid: `PictureNumber${index}`, width: 1, height: 1 } }),
  );
  const bytes = await archiveOf(...guides);
  const { reader } = server.services.storage;
  const made = () => reader.selectFrom('import_effects').select('id').where('kind', '=', 'guide').execute();
  const { importid } = await begun(server, ben, bytes);
  await expect.poll(async () => (await made()).length, { interval: 1 }).toBeGreaterThan(1);
  const cancelled = await ben.call('POST', `/omanual/imports/${importid}/cancel`, {});
  expect(cancelled.status).toBe(200);
  await server.jobs.idle();
  expect((await importOf(ben, importid)).state).toBe('cancelled');
  expect(await allGuides(server)).toStrictEqual([]);
  expect(await reader.selectFrom('images').select('imageid').execute()).toStrictEqual([]);
  expect(await reader.selectFrom('wikis').select('title').where('deleted', '=', 0).execute()).toStrictEqual(
    [],
  );
});

test('OMANUAL-IMPORT-14 a video larger than any upload is imported from an archive in pieces', async () => {
  await using server = await startServer();
  const ben = await server.person('Ben', author);
  const megabyte = 1024 * 1024;
  const large = Buffer.concat([
    film.subarray(0, -box('mdat', Buffer.from('pictures')).length),
    box('mdat', Buffer.alloc(96 * megabyte, 7)),
  ]);
  const steps = [plainStep({ media: { type: 'video', data: video } })];
  const guides = guidesToWrite([plainGuide(1, { steps })]).map((one) => ({ ...one, wiki: plainContext }));
  const media = async () => mediaBytes(Uint8Array.from(large), 'video/mp4');
  const { bytes } = await archiveBytes(contentOf(guides, { media }));
  const { importid } = await begun(server, ben, bytes);
  const used = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  collectGarbage();
  const before = used();
  const bound = 64 * megabyte;
  let most = 0;
  const looking = setInterval(() => {
    // Garbage, also of other tests in this process, is not memory of the import.
    if (used() - before > bound) collectGarbage();
    most = Math.max(most, used() - before);
  }, 2);
  await server.jobs.idle();
  clearInterval(looking);
  expect((await importOf(ben, importid)).report?.findings).toStrictEqual([]);
  const [facts] = await factsOf(server, await allGuides(server));
  const url = facts?.steps[0]?.media.type === 'video' ? facts.steps[0].media.data.encodings[0]?.url : '';
  const stored = Buffer.from(await downloaded(`${server.url}${url}`, ben.token));
  expect(stored).toHaveLength(large.length);
  expect(stored.subarray(0, 1000).includes(place)).toBe(false);
  expect(stored.subarray(-megabyte).equals(large.subarray(-megabyte))).toBe(true);
  expect(most).toBeLessThan(bound);
});

test('OMANUAL-IMPORT-14 documents of any size are recognised by their content', async () => {
  await using server = await startServer();
  const ben = await server.person('Ben', author);
  const text = Buffer.from('Grüße\n'.repeat(200_000));
  const document = {
    documentid: 4,
    guid: 'WordsOfTheBelt1',
    text: 'Words',
    url: '',
    download_url: '',
    icon: '',
  };
  const documents = [
    { ...document, extension: 'txt' },
    { ...document, documentid: 5, guid: 'NoiseOfTheBelt1', extension: 'txt' },
  ];
  const guides = guidesToWrite([plainGuide(1, { documents })]).map((one) => ({ ...one, wiki: plainContext }));
  const media = async (ref: MediaRef) => {
    if (ref.kind !== 'document') return mediaOf(ref);
    const noise = Buffer.concat([text, Buffer.from([0xff])]);
    return mediaBytes(Uint8Array.from(ref.document.documentid === 4 ? text : noise), 'text/plain');
  };
  const { bytes } = await archiveBytes(contentOf(guides, { media }));
  const { report } = await imported(server, ben, bytes);
  expect(report?.findings.map(({ code }) => code)).toStrictEqual(['media-unreadable']);
  const [facts] = await factsOf(server, await allGuides(server));
  expect(facts?.documents).toMatchObject([{ text: 'Words', extension: 'txt' }]);
});
