import { expect, test } from 'vitest';

import type { GuideFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';
import { loadRecordedContent } from '#server/demo-content/load.ts';
import { importGuides } from '#server/features/guides/import/import-guides.ts';
import { mediaBytes } from '#server/features/omanual/media-bytes.ts';
import { exported, imported } from '#test/support/archive-calls.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { allGuides, comparable, factsOf } from '#test/support/stored-guides.ts';

/** Seconds on an idle machine, more on a busy one. */
const patience = 180_000;

/** An address that other machines reach: links to that of this machine would not be kept. */
const site = 'https://guides.example.org';

const admin = ['User', 'Author', 'Moderator', 'Admin'];

/** A response with pictures of thumbnail size only: drawing hundreds of full ones takes minutes. */
function withSmallPictures(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('guid' in value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([key]) => !largerSizes.has(key)));
  });
}

const largerSizes = new Set(['140x105', '200x150', 'standard', '440x330', 'medium', 'large', 'huge']);

/**
 * What an import keeps of a guide: a link to a guide outside the archive leads to the original site and step, and
 * size lists made by other sites are replaced, because the bytes are here to make all sizes.
 */
function kept(facts: GuideFacts, guideids: readonly number[], site: string): object {
  return JSON.parse(JSON.stringify(comparable(facts)), (key, value: unknown) => {
    if (key === 'sizes') return undefined;
    if (typeof value !== 'string') return value;
    return value.replaceAll(
      /\[guide\|(\d+)\|([^|\]]+)(?:\|stepid=(\d+))?\]/g,
      (link, id: string, label: string, stepid?: string) => {
        const step = stepid === undefined ? '' : `#s${stepid}`;
        return guideids.includes(Number(id)) ? link : `[${site}/Guide/-/${id}${step}|${label}]`;
      },
    );
  }) as object;
}

function picturesIn(facts: GuideFacts): ImageRef[] {
  const inSteps = facts.steps.flatMap(({ media }) => (media.type === 'image' ? media.data : []));
  return facts.image === null ? inSteps : [facts.image, ...inSteps];
}

async function pictureBytes(server: TestServer, image: ImageRef): Promise<Buffer> {
  const found = await mediaBytes({ services: server.services, caller: 'a' }, { kind: 'image', image });
  const pieces: Uint8Array[] = [];
  for await (const piece of await must(found, 'the picture').open()) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function categoriesOf(server: TestServer): Promise<object[]> {
  return server.services.storage.reader
    .selectFrom('wikis')
    .select(['title', 'parent'])
    .where('namespace', '=', 'CATEGORY')
    .orderBy('title')
    .execute();
}

test(
  'OMANUAL-IMPORT-1 All recorded demo guides with pictures, in one archive, read the same on an empty server',
  async () => {
    await using here = await startServer({ site: { address: site } });
    await using there = await startServer();
    const { guides, categories } = loadRecordedContent();
    const answers = guides.map(withSmallPictures);
    const report = await importGuides(here.services, answers, { ids: 'keep', categories });
    expect([report.imported.length, report.failed]).toStrictEqual([guides.length, []]);
    const ana = await here.person('Ana', admin);
    const ben = await there.person('Ben', admin);
    const done = await imported(there, ben, await exported(here, ana, { site: true }));
    expect(done).toMatchObject({ state: 'done', report: { changed: 0, skipped: 0 } });
    const guideids = await allGuides(here);
    expect(guideids).toHaveLength(guides.length);
    expect(await allGuides(there)).toStrictEqual(guideids);
    const mine = await factsOf(here, guideids);
    const theirs = await factsOf(there, guideids);
    for (const [index, facts] of mine.entries())
      expect(comparable(must(theirs[index], 'the guide'))).toStrictEqual(kept(facts, guideids, site));
    const pictures = new Map(mine.flatMap(picturesIn).map((image) => [image.guid, image]));
    expect(pictures.size).toBeGreaterThan(300);
    for (const image of pictures.values())
      expect((await pictureBytes(there, image)).equals(await pictureBytes(here, image))).toBe(true);
    expect(await categoriesOf(there)).toStrictEqual(await categoriesOf(here));
  },
  patience,
);
