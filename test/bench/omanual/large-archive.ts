import { randomFillSync } from 'node:crypto';
import { open } from 'node:fs/promises';

import sharp from 'sharp';

import type { GuideFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { MediaBytes } from '#shared/formats/omanual/content.ts';
import { must } from '#shared/must.ts';
import { writeArchive } from '#shared/formats/omanual/write.ts';

import { benchGuide } from '../corpus.ts';
import { contentOf } from './content.ts';

/** An archive of real size on the disk. */
export interface LargeArchive {
  guides: number;
  pictures: number;
  bytes: number;
  /** A word only in the last guide. */
  word: string;
}

const photoCount = 32;
/** Noise of this size makes a JPEG of about 50 KB. */
const photoSize = { width: 288, height: 216 };

/** Writes guides of the corpus, each step with a picture of about 50 KB, up to this number of megabytes. */
export async function writeLargeArchive(path: string, megabytes: number): Promise<LargeArchive> {
  const photos = await drawnPhotos();
  const photoBytes = photos.reduce((sum, { size }) => sum + size, 0) / photos.length;
  const facts: GuideFacts[] = [];
  let pictures = 0;
  for (let n = 1; pictures * photoBytes < megabytes * 1024 * 1024; n += 1) {
    const guide = withPictures(benchGuide(n, 1));
    facts.push(guide);
    pictures += guide.steps.length + 1;
  }
  const word = 'Zwischenstück';
  const last = must(facts.at(-1), 'a guide');
  facts[facts.length - 1] = { ...last, introduction_raw: `${last.introduction_raw} ${word}.` };
  let taken = 0;
  const content = {
    ...contentOf({ guides: facts, files: new Map() }),
    media: async (): Promise<MediaBytes> => {
      taken += 1;
      return must(photos[taken % photos.length], 'a photo');
    },
  };
  await using file = await open(path, 'w');
  const { bytes, media } = await writeArchive(
    content,
    { write: (piece) => file.writeFile(piece) },
    { media: 'inside' },
  );
  return { guides: facts.length, pictures: media, bytes, word };
}

/** Pictures with markers, as from a camera of 2 megapixels. */
const marked = {
  width: 1600,
  height: 1200,
  markup: ';rectangle,200x200,300x200,red;circle,800x600,100,blue;',
};

/** Writes guides whose pictures have markers to be drawn; returns the number of pictures. */
export async function writeMarkedArchive(path: string): Promise<number> {
  const { width, height } = marked;
  const bytes = Uint8Array.from(
    await sharp(randomFillSync(new Uint8Array(400 * 300 * 3)), {
      raw: { width: 400, height: 300, channels: 3 },
    })
      .resize(width, height)
      .jpeg({ quality: 80 })
      .toBuffer(),
  );
  const content = {
    ...contentOf({
      guides: Array.from({ length: 10 }, (_, n) => withPictures(benchGuide(n + 1, 1), marked)),
      files: new Map(),
    }),
    media: async (): Promise<MediaBytes> => ({
      mime: 'image/jpeg',
      size: bytes.length,
      open: async () => [bytes],
    }),
  };
  await using file = await open(path, 'w');
  const { media } = await writeArchive(
    content,
    { write: (piece) => file.writeFile(piece) },
    { media: 'inside' },
  );
  return media;
}

function withPictures(facts: GuideFacts, picture: Omit<ImageRef, 'id' | 'guid'> = photoSize): GuideFacts {
  return {
    ...facts,
    steps: facts.steps.map((step) => {
      const guid = `step${step.stepid}`;
      return { ...step, media: { type: 'image', data: [{ id: step.stepid * 10, guid, ...picture }] } };
    }),
  };
}

/** Incompressible pictures. */
async function drawnPhotos(): Promise<MediaBytes[]> {
  const { width, height } = photoSize;
  return Promise.all(
    Array.from({ length: photoCount }, async () => {
      const noise = randomFillSync(new Uint8Array(width * height * 3));
      const raw = sharp(noise, { raw: { width, height, channels: 3 } });
      const bytes = Uint8Array.from(await raw.jpeg({ quality: 80 }).toBuffer());
      return { mime: 'image/jpeg', size: bytes.length, open: async () => [bytes] };
    }),
  );
}
