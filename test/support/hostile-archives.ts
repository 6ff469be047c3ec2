import { randomFillSync } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

import { readLimits } from '#shared/formats/omanual/limits.ts';
import { ZipWriter } from '#shared/formats/omanual/zip-writer.ts';
import { handMadeZip } from '#desktop/build/conformance/hand-made-zip.ts';
import { guideDocument, packageWith, stepDocument } from '#test/shared/formats/omanual/opened.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A file that is much work to import. */
export interface HostileArchive {
  name: string;
  filename: string;
  bytes: () => Bytes | Promise<Bytes>;
}

const lone = (name: string, text: () => string): HostileArchive => ({
  name,
  filename: 'hostile.xml',
  bytes: () => Uint8Array.from(Buffer.from(text())),
});

/** A package whose members are deflated. */
const packed = (name: string, files: () => Record<string, string | Uint8Array>): HostileArchive => ({
  name,
  filename: 'hostile.omanual',
  bytes: () => packageWith(files()),
});

/** A package whose members are stored, because deflated they would be refused as bombs. */
const plain = (name: string, files: () => Record<string, string | Uint8Array>): HostileArchive => ({
  name,
  filename: 'hostile.omanual',
  bytes: () => handMadeZip(Object.entries(files()).map(([member, content]) => ({ name: member, content }))),
});

const introduction = (html: string): string =>
  guideDocument().replace('<introduction/>', `<introduction>${html}</introduction>`);

const line = '<line bullet="black" level="0">Turn the <strong>screw</strong> slowly</line>';
/** The largest number of lines that the reader accepts: seven nodes each. */
const mostLines = Math.floor((readLimits.nodes - 100) / 7);

const withPicture = (name: string): string =>
  guideDocument(stepDocument(line, `<media type="image"><image>media/${name}</image></media>`));
const withVideo = (name: string): string =>
  guideDocument(
    stepDocument(
      line,
      `<media type="video"><video><encoding width="640" height="480" codecs="avc1" format="MP4" mime="video/mp4">media/${name}</encoding></video></media>`,
    ),
  );
const withDocument = (name: string): string =>
  guideDocument().replace(
    '<documents/>',
    `<documents><document url="media/${name}">${name}</document></documents>`,
  );

/** Bytes that deflate to a little less than the reader's limit for bombs. */
function expanding(start: Uint8Array, megabytes: number): Buffer {
  const all = Buffer.alloc(megabytes * 1024 ** 2);
  // Noise in each block of 64 KB, so that the ratio is below the limit.
  for (let at = 0; at < all.length; at += 64 * 1024) randomFillSync(all, at, 512);
  all.set(start);
  return all;
}

/** A JPEG whose only scan is a megabyte of escaped bytes, several times. */
function stuffedJpeg(): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0]);
  const scan = Buffer.concat([
    Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]),
    Buffer.alloc(1_900_000, Buffer.from([0xff, 0])),
  ]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    frame,
    ...Array.from({ length: 30 }, () => scan),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** A GIF of three million empty blocks. */
function emptyGif(): Buffer {
  const head = Buffer.from([...Buffer.from('GIF89a'), 1, 0, 1, 0, 0, 0, 0]);
  return Buffer.concat([head, Buffer.alloc(9_000_000, Buffer.from([0x21, 0xf9, 0])), Buffer.from([0x3b])]);
}

/** A BMP of 49 megapixels, one bit each: it must be encoded again. */
function blackBmp(): Buffer {
  const [width, height] = [7008, 7000];
  const bytes = Buffer.alloc(62 + (width / 8) * height);
  bytes.write('BM', 'latin1');
  bytes.writeUInt32LE(62, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 28);
  return bytes;
}

/** A PNG of 49 megapixels of one grey, in some kilobytes, with a text that makes the server look at its metadata. */
function greyPng(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(7008, 0);
  header.writeUInt32BE(7000, 4);
  header[8] = 8;
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const around = Buffer.alloc(8);
    around.writeUInt32BE(data.length, 0);
    around.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from('Comment\0'.padEnd(100_000, 'x'))),
    chunk('IDAT', deflateSync(Buffer.alloc(7009 * 7000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A package with as many members as the reader accepts. */
async function manyMembers(): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  const zip = new ZipWriter({ write: async (bytes) => void chunks.push(bytes) });
  await zip.addStored('lamp-1/guide.xml', new TextEncoder().encode(guideDocument()));
  const nothing = new Uint8Array(0);
  for (let index = 0; index < readLimits.members - 1; index += 1)
    await zip.addStored(`lamp-1/media/picture-of-a-step-${index}.bin`, nothing);
  await zip.finish();
  return Uint8Array.from(Buffer.concat(chunks));
}

const document = 'lamp-1/guide.xml';

/** Files that take much time or memory, for each kind of content. */
export const hostileArchives: HostileArchive[] = [
  lone('escaped signs, 13 MB', () => introduction('&amp;lt;'.repeat(1_600_000))),
  lone('59,000 paragraphs', () => introduction('<p>x</p>'.repeat(59_000))),
  lone('16,000 lines in a step', () =>
    guideDocument(stepDocument('<line bullet="black" level="0">Turn <em>it</em> on</line>'.repeat(16_000))),
  ),
  lone('one line with most marks', () =>
    guideDocument(
      stepDocument(`<line bullet="black" level="0">${'<em>a</em> '.repeat(mostLines * 2)}</line>`),
    ),
  ),
  lone('most lines', () => guideDocument(stepDocument(line.repeat(mostLines)))),
  lone('most steps', () =>
    guideDocument(
      `<steps>${Array.from({ length: 6000 }, (_, n) => `<step number="${n + 1}"><lines>${line}</lines></step>`).join('')}</steps>`,
    ),
  ),
  { name: '150,000 members', filename: 'hostile.omanual', bytes: manyMembers },
  packed('2,000 small guides', () =>
    Object.fromEntries(
      Array.from({ length: 2000 }, (_, n) => [
        `lamp-${n}/guide.xml`,
        guideDocument(stepDocument(line)).replace('Change the belt', `Change belt ${n}`),
      ]),
    ),
  ),
  packed('a JPEG that expands to 79 MB', () => ({
    [document]: withPicture('a.jpg'),
    'lamp-1/media/a.jpg': expanding(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 79),
  })),
  plain('a JPEG of 30 escaped scans', () => ({
    [document]: withPicture('a.jpg'),
    'lamp-1/media/a.jpg': stuffedJpeg(),
  })),
  plain('a GIF of 3 million blocks', () => ({
    [document]: withPicture('a.gif'),
    'lamp-1/media/a.gif': emptyGif(),
  })),
  plain('four BMPs of 49 megapixels', () => ({
    [document]: guideDocument(
      `<steps>${[1, 2, 3, 4].map((n) => `<step number="${n}"><lines>${line}</lines><media type="image"><image>media/${n}.bmp</image></media></step>`).join('')}</steps>`,
    ),
    ...Object.fromEntries([1, 2, 3, 4].map((n) => [`lamp-1/media/${n}.bmp`, blackBmp()])),
  })),
  packed('a PNG of 49 megapixels', () => ({
    [document]: withPicture('a.png'),
    'lamp-1/media/a.png': greyPng(),
  })),
  packed('a video that expands to 200 MB', () => ({
    [document]: withVideo('a.mp4'),
    'lamp-1/media/a.mp4': expanding(
      Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41\0\0\0\x08mdat', 'latin1'),
      200,
    ),
  })),
  plain('a video of millions of boxes', () => ({
    [document]: withVideo('a.mp4'),
    'lamp-1/media/a.mp4': Buffer.concat([
      Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1'),
      Buffer.alloc(16_000_000, Buffer.from([0, 0, 0, 8, ...Buffer.from('free')])),
    ]),
  })),
  packed('a text that expands to 200 MB', () => ({
    [document]: withDocument('a.txt'),
    'lamp-1/media/a.txt': Buffer.alloc(
      200 * 1024 ** 2,
      Array.from({ length: 4000 }, (_, n) => `${n * n} `).join(''),
    ),
  })),
];
