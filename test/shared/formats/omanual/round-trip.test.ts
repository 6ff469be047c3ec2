import fc from 'fast-check';
import { strFromU8, strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';

import {
  bullets,
  difficulties,
  guideTypes,
  type GuideFacts,
  type MediaFacts,
  type VideoFacts,
} from '#shared/model/guide.ts';
import { checkArchive } from '#shared/formats/omanual/check.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import type { ArchivedGuide } from '#shared/formats/omanual/archive.ts';
import type { MediaBytes, MediaRef } from '#shared/formats/omanual/content.ts';
import {
  roundTripFolder,
  roundTripGuideMember,
  roundTripMember,
} from '#shared/formats/omanual/round-trip.ts';
import { fromRichText, toRichText } from '#shared/formats/wikitext/rich-text.ts';

import { anyCategories, anyGuides } from './arbitrary-guides.ts';
import {
  archiveBytes,
  contentOf,
  documentsOf,
  guidesToWrite,
  mediaBytes,
  membersOf,
  pictureBytes,
} from './archives.ts';
import { openAll } from './opened.ts';
import { plainCategory, plainGuide, plainLine, plainStep, signedApproval } from './plain-guides.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The archive without our own members. */
function bare(bytes: Bytes): Bytes {
  const members = [...membersOf(bytes)].filter(([name]) => !name.startsWith(roundTripFolder));
  return zipSync(Object.fromEntries(members));
}

/** The archive with one member rewritten. */
function changed(bytes: Bytes, member: string, change: (text: string) => string): Bytes {
  const members = [...membersOf(bytes)].map(([name, content]): [string, Uint8Array] => [
    name,
    name === member ? strToU8(change(strFromU8(content))) : content,
  ]);
  return zipSync(Object.fromEntries(members));
}

const again = (guides: readonly ArchivedGuide[]) =>
  guidesToWrite(
    guides.map(({ facts }) => facts),
    guides[0]?.tags,
  );

/** Files of the type that their names claim. */
async function media(ref: MediaRef): Promise<MediaBytes> {
  if (ref.kind === 'image') return mediaBytes(pictureBytes(ref.image.guid), 'image/png');
  const isFilm = ref.kind === 'video';
  const bytes = Uint8Array.from(Buffer.from(isFilm ? '\0\0\0\x18ftypisom' : '%PDF-1.7'));
  return mediaBytes(bytes, isFilm ? 'video/mp4' : 'application/pdf');
}

/** The guide as it would be stored: frames of known players only, and videos at addresses of the site. */
function stored(guide: GuideFacts): GuideFacts {
  const { intro_video: intro } = guide;
  const steps = guide.steps.map((step) => ({ ...step, media: storedMedia(step.media) }));
  return { ...guide, intro_video: intro === null ? null : storedVideo(intro), steps };
}

const frame = '<iframe width="5" height="4" src="https://player.vimeo.com/video/1" allowfullscreen></iframe>';

function storedMedia(medium: MediaFacts): MediaFacts {
  if (medium.type === 'embed') return { ...medium, data: { ...medium.data, html: frame } };
  return medium.type === 'video' ? { ...medium, data: storedVideo(medium.data) } : medium;
}

function storedVideo(film: VideoFacts): VideoFacts {
  const encodings = film.encodings.map((one, index) => ({ ...one, url: `/Video/${film.videoid}/${index}` }));
  return { ...film, encodings };
}

describe('the round trip', () => {
  it('OMANUAL-READ-15 export, import and export give the same XML, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(anyGuides, anyCategories, async (any, categories) => {
        const guides = any.map(stored);
        const { bytes } = await archiveBytes(
          contentOf(guidesToWrite(guides, ['loud']), { categories, media }),
        );
        const { archive, guides: read } = await openAll(bytes);
        expect(archive.producer).toBe('benchbook');
        expect(read.map(({ facts }) => facts.guideid)).toEqual(guides.map(({ guideid }) => guideid));
        const content = contentOf(again(read), {
          categories: archive.categories.map(({ facts }) => facts),
          media,
        });
        expect(documentsOf((await archiveBytes(content)).bytes)).toEqual(documentsOf(bytes));
      }),
      { numRuns: 40 },
    );
  });

  it('OMANUAL-READ-16 without the extra member, everything that the mapping calls lossless is read again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(losslessGuide, { minLength: 1, maxLength: 3 }), async (some) => {
        const guides = some.map((guide, index) => ({ ...guide, guideid: index + 1 }));
        const { bytes } = await archiveBytes(contentOf(guidesToWrite(guides)));
        const { guides: read, archive } = await openAll(bare(bytes));
        expect(archive.producer).toBe('unknown');
        expect(read.map(({ facts }) => losslessParts(facts))).toEqual(guides.map(losslessParts));
      }),
      { numRuns: 60 },
    );
  });

  it('OMANUAL-READ-19 signers of a guide are read as its signatures, with and without the extra member, and not as a flag', async () => {
    const guide = plainGuide(4, { flags: ['GUIDE_IN_PROGRESS'], approval: signedApproval });
    const { bytes } = await archiveBytes(contentOf(guidesToWrite([guide])));
    for (const archive of [bytes, bare(bytes)]) {
      const { guides, codes } = await openAll(archive);
      expect(guides.map(({ signatures }) => signatures)).toEqual([
        'Quinn: approved, 2026-01-01 00:00:00 UTC (Machine safety, publication).',
      ]);
      expect(guides.map(({ facts }) => facts.flags)).toEqual([['GUIDE_IN_PROGRESS']]);
      expect(codes).not.toContain('flag');
    }
  });

  it('OMANUAL-READ-17 the extra member is trusted only while its hash matches the XML it describes', async () => {
    const guides = [plainGuide(4, {}), plainGuide(9, { prerequisites: [4] })];
    const { bytes } = await archiveBytes(contentOf(guidesToWrite(guides, ['loud'])));
    const edited = documentsOf(bytes).find(({ name }) => name.includes('-9/'))?.name ?? '';
    const stale = changed(bytes, edited, (xml) => xml.replace('Guide 9', 'Guide nine'));
    const one = await openAll(stale);
    expect(
      one.guides.map(({ facts, tags }) => [facts.guideid, facts.title, facts.prerequisites, tags]),
    ).toEqual([
      [4, 'Guide 4', [], ['loud']],
      [9, 'Guide nine', [4], []],
    ]);
    expect(one.codes).toContain('round-trip');
    expect(await checkArchive(bytesSource(stale), 'stale.omanual')).toMatchObject([
      { rank: 'warning', code: 'round-trip' },
    ]);
    const broken = await openAll(changed(bytes, roundTripMember, () => '{"version":7}'));
    expect(broken.codes).toContain('round-trip');
  });

  it('OMANUAL-READ-17 guides and the other categories are trusted where only the index was changed', async () => {
    const guides = guidesToWrite([plainGuide(4, {}), plainGuide(9, { prerequisites: [4] })], ['loud']);
    const categories = [
      { ...plainCategory('Tools', null), wikiid: 7 },
      { ...plainCategory('Saws', 'Tools'), wikiid: 8, page_title: 'All saws' },
    ];
    const { bytes } = await archiveBytes(contentOf(guides, { categories }));
    const edit = (xml: string): string => xml.replaceAll('Tools', 'Hand tools');
    const { archive, guides: read, codes } = await openAll(changed(bytes, 'category.xml', edit));
    expect(codes).toContain('round-trip');
    expect([archive.producer, archive.base, archive.title]).toEqual([
      'benchbook',
      contentOf([]).base,
      'Hand tools',
    ]);
    expect(read.map(({ facts, tags }) => [facts.guideid, facts.prerequisites, tags])).toEqual([
      [4, [], ['loud']],
      [9, [4], ['loud']],
    ]);
    expect(archive.categories.map(({ facts }) => facts)).toMatchObject([
      { wikiid: 7, title: 'Hand tools', parent: null },
      { wikiid: 8, title: 'Saws', description: 'Grinds.', page_title: 'All saws' },
    ]);
  });

  it('OMANUAL-READ-17 the content of a trusted extra member is sanitised like the XML', async () => {
    const { bytes } = await archiveBytes(
      contentOf(guidesToWrite([plainGuide(4, { tools: [tool('https://a.example/')] })])),
    );
    const evil = changed(bytes, roundTripGuideMember(4), (json) =>
      json.replaceAll('https://a.example/', 'javascript:alert(1)'),
    );
    const { guides } = await openAll(evil);
    expect(guides[0]?.tags).toEqual([]);
    expect(guides[0]?.facts.tools).toMatchObject([{ text: 'Saw', url: '' }]);
  });
});

function tool(url: string): GuideFacts['tools'][number] {
  return { text: 'Saw', notes: null, type: '', quantity: 1, url, thumbnail: null };
}

const words = fc
  .constantFrom('Belt', 'Größe & <b>', 'a "b"', '部品 1', '5 < 6', 'C++', "l'eau")
  .chain((word) => fc.constantFrom(word, `${word} two`));
const wikiWords = fc
  .constantFrom("a '''b''' c", "''x''", 'plain', '[https://a.example/x|x]', 'a[br]b', '5 < 6 & 7', '``t``')
  .map((raw) => fromRichText(toRichText(raw)).replaceAll('[br]\n', '[br]'));
const line = fc.record({
  text: wikiWords,
  bullet: fc.constantFrom(...bullets.filter((one) => one !== 'light_blue')),
  level: fc.integer({ min: 0, max: 3 }),
});
const supply = fc.record({
  text: words,
  notes: fc.option(words),
  type: fc.oneof(fc.constant(''), words),
  quantity: fc.integer({ min: 1, max: 99 }),
  url: fc.constantFrom('', 'https://a.example/t'),
  thumbnail: fc.constant(null),
});
const losslessGuide: fc.Arbitrary<GuideFacts> = fc
  .record({
    title: words,
    subject: fc.oneof(fc.constant(''), words),
    type: fc.constantFrom(...guideTypes),
    difficulty: fc.constantFrom('', ...difficulties),
    summary: fc.oneof(fc.constant(''), words),
    category: fc.constantFrom('Bench Grinder', 'Lamp'),
    conclusion_raw: fc.constantFrom('', '== Head ==\n\n* one\n** two\n\nText.'),
    tools: fc.array(supply, { maxLength: 2 }),
    parts: fc.array(supply, { maxLength: 2 }),
    steps: fc.array(fc.array(line, { maxLength: 20 }), { maxLength: 4 }),
  })
  .map(({ steps, ...rest }) =>
    plainGuide(1, {
      ...rest,
      steps: steps.map((lines, index) =>
        plainStep({ title: `Step ${index}`, lines: lines.map(({ text, ...more }) => plainLine(text, more)) }),
      ),
    }),
  );

function losslessParts(facts: GuideFacts): Partial<GuideFacts> & { texts: unknown } {
  const { title, subject, type, difficulty, summary, category, conclusion_raw, tools, parts } = facts;
  const { langid, time_required_min, time_required_max, created_date, modified_date, introduction_raw } =
    facts;
  const times = { time_required_min, time_required_max, created_date, modified_date };
  const texts = facts.steps.map((step) => [
    step.title,
    step.lines.map(({ bullet, level, text_raw }) => [bullet, level, text_raw]),
  ]);
  const head = { title, subject, type, difficulty, summary, category, langid };
  return { ...head, ...times, conclusion_raw, introduction_raw, tools, parts, texts };
}
