import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { loadRecordedContent } from '#server/demo-content/load.ts';
import { placeholderSvg } from '#server/demo-content/placeholder.ts';

const recorded = loadRecordedContent();

const picture = z.object({ guid: z.string() });
const guides = z
  .array(
    z.object({
      guideid: z.int(),
      title: z.string(),
      url: z.string(),
      author: z.object({ username: z.string().min(1) }),
      steps: z.array(z.object({ title: z.string(), media: z.object({ data: z.array(picture) }) })),
    }),
  )
  .parse(recorded.guides);

describe('the recorded guides', () => {
  it('are sixty-one, listed by the index in order of their ids', () => {
    const index = z.array(z.object({ guideid: z.int() })).parse(recorded.index);
    expect(guides).toHaveLength(61);
    expect(guides.map((guide) => guide.guideid)).toEqual(
      index.map((guide) => guide.guideid).toSorted((a, b) => a - b),
    );
  });

  it('keep author and address, as their attribution says', () => {
    expect(recorded.attribution).toMatch(/Open Source Ecology[\s\S]*CC BY-SA 4\.0[\s\S]*placeholder/);
    expect(guides.filter((guide) => !guide.url.startsWith('https://opensourceecology.dozuki.com/'))).toEqual(
      [],
    );
  });
});

describe('the placeholder drawing', () => {
  const subject = { guid: 'AbCdEfGh12345678', guideTitle: 'Frame', stepNumber: 3, pictureNumber: 2 };

  it('is the same for the same subject and different for another guid', () => {
    expect(placeholderSvg({ ...subject })).toBe(placeholderSvg(subject));
    expect(placeholderSvg({ ...subject, guid: 'AbCdEfGh12345679' })).not.toBe(placeholderSvg(subject));
  });

  it('says what it stands in for', () => {
    const svg = placeholderSvg({ ...subject, stepTitle: 'Weld the corners' });
    expect(svg).toContain('>Frame</text>');
    expect(svg).toContain('>Step 3 · Weld the corners · Picture 2</text>');
    expect(svg).toContain('>Drawing stands in for the original picture</text>');
  });

  it('shows any title as text', async () => {
    const svg = placeholderSvg({ ...subject, guideTitle: '<script> & "x" \u0007]]>' });
    expect(svg).toContain('&lt;script&gt; &amp; "x" ]]&gt;');
    expect((await sharp(Buffer.from(svg)).metadata()).width).toBe(1600);
  });

  it('breaks a long title into two lines and cuts the rest', () => {
    const titleLines = (title: string): string[] =>
      [...placeholderSvg({ ...subject, guideTitle: title }).matchAll(/font-size="58"[^>]*>([^<]*)</g)].map(
        (match) => match[1] ?? '',
      );
    const words = Array.from({ length: 30 }, (_, i) => `word${i}`).join(' ');
    expect(titleLines(words)).toEqual([
      'word0 word1 word2 word3 word4 word5',
      expect.stringMatching(/^word6 .*…$/),
    ]);
    expect(titleLines('x'.repeat(200))).toEqual([`${'x'.repeat(37)}…`]);
    expect(titleLines('Short')).toEqual(['Short']);
  });

  it('can be drawn for the first picture of every recorded guide', async () => {
    for (const { title, steps } of guides) {
      const first = steps[0]?.media.data[0];
      if (!first) continue;
      const svg = placeholderSvg({
        guid: first.guid,
        guideTitle: title,
        stepTitle: steps[0]?.title,
        stepNumber: 1,
      });
      expect(await sharp(Buffer.from(svg)).metadata()).toMatchObject({
        format: 'svg',
        width: 1600,
        height: 1200,
      });
    }
  });

  it('differs between the pictures of a step', () => {
    for (const { title, steps } of guides)
      for (const { media } of steps) {
        const drawings = media.data.map(({ guid }) => placeholderSvg({ guid, guideTitle: title }));
        const guids = new Set(media.data.map(({ guid }) => guid));
        expect(new Set(drawings).size).toBe(guids.size);
      }
  });
});
