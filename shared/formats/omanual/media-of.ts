import type { StepFacts, VideoFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import type { GuideToWrite, MediaRef } from './content.ts';
import { documentRefs, videoRefs } from './document-parts.ts';
import { mainPictureOf } from './guide-document.ts';
import { picturesIn } from './simplified-html.ts';

/** A medium with the path of the element that shows it. */
export interface PlacedMedia {
  ref: MediaRef;
  place: string;
}

/** All media of a guide that an archive can contain, in document order. */
export function mediaOfGuide({ facts, wiki }: GuideToWrite): PlacedMedia[] {
  const texts = [
    { raw: facts.introduction_raw, place: 'guide/introduction' },
    ...facts.steps.flatMap((step, at) =>
      step.lines.map((line, index) => ({
        raw: line.text_raw,
        place: `${stepPlace(at)}/lines/line[${index + 1}]`,
      })),
    ),
    { raw: facts.conclusion_raw, place: 'guide/conclusion' },
  ];
  return [
    ...pictures([mainPictureOf(facts)], 'guide/image'),
    ...(facts.intro_video === null ? [] : videoMedia(facts.intro_video, 'guide/introduction')),
    ...placed(documentRefs(facts.documents), 'guide/documents'),
    ...facts.steps.flatMap((step, at) => mediaOfStep(step, stepPlace(at))),
    ...texts.flatMap(({ raw, place }) => mediaOfText(raw, wiki, place)),
  ];
}

/** All media of a category that an archive can contain. */
export function mediaOfCategory(facts: WikiFacts, wiki: WikiContext): PlacedMedia[] {
  return [
    ...pictures([facts.image], 'category/image'),
    ...placed(documentRefs(facts.documents ?? []), 'category/documents'),
    ...mediaOfText(facts.description, wiki, 'category/description'),
    ...mediaOfText(facts.contents_raw, wiki, 'category/contents'),
  ];
}

/** The reference of a picture in running text, which is known only by its number. */
export function pictureInTextRef(imageid: number, wiki: WikiContext): MediaRef | null {
  const image = wiki.image(imageid);
  return image === null
    ? null
    : { kind: 'image', image: { id: image.id, guid: image.guid, width: 0, height: 0 } };
}

function stepPlace(index: number): string {
  return `guide/steps/step[${index + 1}]`;
}

function mediaOfStep({ media }: StepFacts, place: string): PlacedMedia[] {
  switch (media.type) {
    case 'image':
      return pictures(media.data, place);
    case 'video':
      return videoMedia(media.data, place);
    case 'embed':
      return [];
  }
}

function videoMedia(video: VideoFacts, place: string): PlacedMedia[] {
  return [...placed(videoRefs(video), place), ...pictures([video.image?.image ?? null], place)];
}

function mediaOfText(raw: string, wiki: WikiContext, place: string): PlacedMedia[] {
  const refs = picturesIn(raw, wiki).map((imageid) => pictureInTextRef(imageid, wiki));
  return placed(
    refs.filter((ref) => ref !== null),
    place,
  );
}

function pictures(images: readonly (ImageRef | null)[], place: string): PlacedMedia[] {
  const present = images.filter((image) => image !== null);
  return present.map((image) => ({ ref: { kind: 'image', image }, place }));
}

function placed(refs: readonly MediaRef[], place: string): PlacedMedia[] {
  return refs.map((ref) => ({ ref, place }));
}
