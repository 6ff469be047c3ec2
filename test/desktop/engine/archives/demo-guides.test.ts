import { filter, firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { ArchiveMedia } from '#desktop/engine/features/archives/media.ts';
import { ArchiveStore } from '#desktop/engine/features/archives/archive-store.ts';
import { loadRecordedContent } from '#server/demo-content/load.ts';
import { guideFromAnswer } from '#server/features/guides/import/guide-from-answer.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { must } from '#shared/must.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import {
  archiveBytes,
  contentOf,
  guidesToWrite,
  pictureBytes,
} from '#test/shared/formats/omanual/archives.ts';

import { newDisk, startDevice } from '../support/device.ts';
import { noNetwork } from './world.ts';

type PictureOf = (image: ImageRef) => Promise<Uint8Array>;

/** Everything that a person sees of a guide; pictures by their bytes, because an archive renames them. */
async function seen(facts: GuideFacts, picture: PictureOf): Promise<object> {
  const { title, subject, category, type, difficulty, introduction_raw, conclusion_raw, image } = facts;
  const { summary, prerequisites, time_required_min, time_required_max } = facts;
  const steps = facts.steps.map(async (step) => ({
    title: step.title,
    lines: step.lines.map(({ text_raw, bullet, level }) => ({ text_raw, bullet, level })),
    pictures:
      step.media.type === 'image'
        ? await Promise.all(
            step.media.data.map(async (one) => ({ markup: one.markup, bytes: await picture(one) })),
          )
        : step.media,
  }));
  return {
    title,
    subject,
    category,
    type,
    difficulty,
    introduction_raw,
    conclusion_raw,
    summary,
    prerequisites,
    time_required_min,
    time_required_max,
    tools: facts.tools,
    parts: facts.parts,
    flags: facts.flags,
    picture: image === null ? null : await picture(image),
    steps: await Promise.all(steps),
  };
}

test('ARCHIVE-1 the recorded demo guides with their pictures, as one archive, read the same on a device', async () => {
  const guides = loadRecordedContent()
    .guides.map((answer) => guideFromAnswer(answer).facts)
    .toSorted((a, b) => a.guideid - b.guideid);
  expect(guides.length).toBeGreaterThan(10);
  const { bytes } = await archiveBytes(contentOf(guidesToWrite(guides)));
  const device = await startDevice({ fetch: noNetwork }, newDisk());
  const { core, environment } = device;
  const changed = (): void => undefined;
  const store = new ArchiveStore({
    environment,
    journal: core.journal,
    ...core.archives,
    lock: core.lock,
    openArchive,
    changed,
  });
  const archiveid = await store.add(bytesSource(bytes), 'demo.omanual', { kind: 'opened' });
  await firstValueFrom(store.archives.pipe(filter((all) => all[0]?.isRead === true)));
  const briefs = await firstValueFrom(store.briefs(archiveid));
  const read = await Promise.all(
    briefs
      .toSorted((a, b) => a.guideid - b.guideid)
      .map(async ({ place }) => ({
        place,
        facts: must(await store.guide(archiveid, place), 'a guide').facts,
      })),
  );
  const media = new ArchiveMedia(store);
  const unpackedFrom =
    (place: number): PictureOf =>
    async ({ guid }) => {
      const picture = await media.read({ archiveid, place, guid });
      return new Uint8Array((await picture?.arrayBuffer()) ?? new ArrayBuffer());
    };
  const written: PictureOf = async ({ guid }) => Uint8Array.from(pictureBytes(guid));
  expect(read.map((one) => one.facts.guideid)).toEqual(guides.map(({ guideid }) => guideid));
  for (const [index, facts] of guides.entries()) {
    const here = must(read[index], 'a guide');
    expect(await seen(here.facts, unpackedFrom(here.place))).toEqual(await seen(facts, written));
  }
  await store.close();
  await device.close();
});
