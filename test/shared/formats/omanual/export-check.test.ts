import fc from 'fast-check';
import { expect, test } from 'vitest';

import { checkArchive } from '#shared/formats/omanual/check.ts';
import type { MediaBytes, MediaRef } from '#shared/formats/omanual/content.ts';
import { guideXml } from '#shared/formats/omanual/guide-document.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';

import { anyCategories, anyGuides } from './arbitrary-guides.ts';
import { archiveBytes, base, contentOf, flags, guidesToWrite, mediaBytes, pictureBytes } from './archives.ts';

/** Findings that depend on content: long lines, and texts that display markup. */
const contentsOwn = new Set(['line-long', 'escaped-markup']);

/** Files of the type that their names claim. */
async function media(ref: MediaRef): Promise<MediaBytes> {
  if (ref.kind === 'image') return mediaBytes(pictureBytes(ref.image.guid), 'image/png');
  const isFilm = ref.kind === 'video';
  const bytes = Uint8Array.from(Buffer.from(isFilm ? '\0\0\0\x18ftypisom' : '%PDF-1.7'));
  return mediaBytes(bytes, isFilm ? 'video/mp4' : 'application/pdf');
}

async function complaints(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<string[]> {
  const lines = await checkArchive(bytesSource(bytes), name);
  return lines
    .filter(({ code }) => !contentsOwn.has(code))
    .map(({ rank, code, place, message }) => `${rank} ${code} ${place} ${message}`);
}

test('OMANUAL-WRITE-1 for any guide, the checker finds nothing in its archive and in its single document', async () => {
  await fc.assert(
    fc.asyncProperty(anyGuides, anyCategories, fc.boolean(), async (facts, categories, isInside) => {
      const guides = guidesToWrite(facts);
      const content = contentOf(guides, { categories, media });
      const { bytes } = await archiveBytes(content, { media: isInside ? 'inside' : 'links' });
      expect(await complaints(bytes, 'all.omanual')).toEqual([]);
      for (const guide of guides) {
        const { xml } = guideXml(guide, { base, flags });
        expect(await complaints(new TextEncoder().encode(xml), 'guide.xml')).toEqual([]);
      }
    }),
    { numRuns: 60, endOnFailure: true },
  );
});
