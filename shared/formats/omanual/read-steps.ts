import {
  type LineFacts,
  type MediaFacts,
  type StepFacts,
  type VideoFacts,
  bullets,
} from '#shared/model/guide.ts';

import { archivedUrl } from './archive.ts';
import { attributeText, fieldText, picturePath, wholeNumber } from './field-text.ts';
import { lineToWiki, type WikiSurroundings } from './html-to-wiki.ts';
import { readEmbed } from './read-embed.ts';
import type { DocumentMedia } from './read-media.ts';
import type { DocumentReport } from './findings.ts';
import { elementIn, elementsIn, type XmlElement } from './xml-tree.ts';

interface StepSurroundings {
  guideid: number;
  report: DocumentReport;
  media: DocumentMedia;
  wiki: WikiSurroundings;
}

/** Range of step numbers for each guide; a document has fewer elements. */
const stepsPerGuide = 1_000_000;
const noMedia: MediaFacts = { type: 'image', data: [] };

/** Reads the steps in the order of their numbers; steps with equal numbers stay in document order. */
export function readSteps(root: XmlElement, around: StepSurroundings): StepFacts[] {
  const list = elementIn(root, 'steps');
  if (list === undefined) {
    around.report.add('guessed', 'steps-missing', root, 'The guide has no steps.');
    return [];
  }
  const numbered = elementsIn(list, 'step').map((element, index) => ({
    element,
    number: wholeNumber(attributeText(element, 'number')) ?? index,
  }));
  const ordered = numbered.toSorted((a, b) => a.number - b.number);
  if (ordered.some(({ element }, index) => element !== numbered[index]?.element))
    around.report.add('repaired', 'step-order', list, 'The steps were put into the order of their numbers.');
  return ordered.map(({ element }, index) => readStep(element, index, around));
}

function readStep(element: XmlElement, index: number, around: StepSurroundings): StepFacts {
  const stepid = around.guideid * stepsPerGuide + index + 1;
  const lines = elementsIn(element, 'lines').flatMap((block) => elementsIn(block, 'line'));
  return {
    stepid,
    revisionid: 1,
    title: attributeText(element, 'title'),
    lines: lines.map((line, at) => readLine(line, `${stepid}-${at + 1}`, around)),
    media: readMedia(element, around),
    time_estimate: 0,
  };
}

function readLine(element: XmlElement, id: string, { report, wiki }: StepSurroundings): LineFacts {
  const written = attributeText(element, 'bullet');
  const bullet = bullets.find((one) => one === written.toLowerCase());
  if (bullet === undefined) {
    const what = written === '' ? 'The line has no bullet' : `The bullet ${written.slice(0, 40)} is unknown`;
    report.add('guessed', 'bullet', element, `${what}; it was read as black.`);
  }
  const level = wholeNumber(attributeText(element, 'level'));
  if (level === null || level < 0 || level > 3)
    report.add('guessed', 'level', element, 'The line has no level from 0 to 3.');
  const raw = element.attributes.get('text_raw');
  return {
    id,
    lineid: null,
    bullet: bullet ?? 'black',
    level: Math.max(0, Math.min(3, level ?? 0)),
    text_raw: raw === undefined ? lineToWiki(element, wiki) : raw.replaceAll(/\s*[\r\n]\s*/g, ' ').trim(),
  };
}

/** Reads media by content, regardless of `type`; in version 0.2 the pictures are in `images`. */
function readMedia(step: XmlElement, { report, media }: StepSurroundings): MediaFacts {
  const [element, ...more] = [...elementsIn(step, 'media'), ...elementsIn(step, 'images')];
  for (const one of more)
    report.add('dropped', 'media', one, 'A step has one kind of media; these were left out.');
  if (element === undefined) return noMedia;
  const video = elementIn(element, 'video');
  const embed = elementIn(element, 'embed');
  const pictures = elementsIn(element, 'image');
  if (pictures.length > 0) return { type: 'image', data: readPictures(pictures, media) };
  if (video !== undefined) {
    const data = videoOf(video, media, report);
    return data === null ? noMedia : { type: 'video', data };
  }
  if (embed !== undefined) {
    const data = readEmbed(embed, report);
    return data === null ? noMedia : { type: 'embed', data };
  }
  if (attributeText(element, 'type') !== '')
    report.add('dropped', 'media-empty', element, 'The media of the step is empty.');
  return noMedia;
}

function readPictures(
  elements: XmlElement[],
  media: DocumentMedia,
): Extract<MediaFacts, { type: 'image' }>['data'] {
  return elements
    .map((element, index) => ({
      element,
      order: wholeNumber(attributeText(element, 'orderby')) ?? index + 1,
    }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ element }) => media.image(picturePath(element), element))
    .filter((image) => image !== null);
}

/** Reads a video with its encodings; null when none of them exists. */
export function videoOf(
  element: XmlElement,
  media: DocumentMedia,
  report: DocumentReport,
): VideoFacts | null {
  const found = elementsIn(element, 'encoding').flatMap((one) => {
    const path = fieldText(one, report) || attributeText(one, 'url');
    const file = media.file(path, 'video', one);
    return file === null ? [] : [{ element: one, file }];
  });
  const first = found[0];
  if (first === undefined) {
    report.add('dropped', 'video', element, 'The video has no file in the archive and no address.');
    return null;
  }
  const encodings = found.map(({ element: one, file }) => {
    file.encoding = file.url ?? archivedUrl(file.guid);
    return encodingOf(one, file.encoding);
  });
  const { width, height } = encodings[0] ?? { width: 0, height: 0 };
  const source = elementIn(element, 'source');
  const meta = source === undefined ? null : metaOf(source, first.file.id);
  return {
    videoid: first.file.id,
    objectid: first.file.id,
    srcid: null,
    filename: first.file.filename,
    duration: Math.round((meta?.duration_in_ms ?? 0) / 1000),
    width,
    height,
    image: posterOf(element, media),
    meta,
    encodings,
  };
}

function encodingOf(element: XmlElement, url: string): VideoFacts['encodings'][number] {
  const format = attributeText(element, 'format');
  return {
    column: '',
    label: format,
    width: numberOf(element, 'width'),
    height: numberOf(element, 'height'),
    codecs: attributeText(element, 'codecs'),
    mime: attributeText(element, 'mime'),
    always_generate: false,
    format,
    url,
  };
}

/** Metadata of the original video; null when the document has none. */
function metaOf(source: XmlElement, id: number): VideoFacts['meta'] {
  if (source.attributes.size === 0) return null;
  const number = (name: string): number => numberOf(source, name);
  const rate = Number(attributeText(source, 'frame_rate'));
  return {
    id,
    format: attributeText(source, 'format'),
    frame_rate: Number.isFinite(rate) ? rate : 0,
    duration_in_ms: number('duration_in_ms'),
    audio_sample_rate: number('audio_sample_rate'),
    audio_bitrate_in_kbps: number('audio_bitrate_in_kbps'),
    audio_codec: attributeText(source, 'audio_codec'),
    height: number('height'),
    width: number('width'),
    file_size_in_bytes: number('file_size_in_bytes'),
    video_codec: attributeText(source, 'video_codec'),
    total_bitrate_in_kbps: number('total_bitrate_in_kbps'),
    channels: attributeText(source, 'channels'),
    video_bitrate_in_kbps: number('video_bitrate_in_kbps'),
    state: 'complete',
    md5_checksum: null,
  };
}

function posterOf(video: XmlElement, media: DocumentMedia): VideoFacts['image'] {
  const element = elementIn(video, 'poster');
  const path = element === undefined ? '' : picturePath(element);
  const image = element === undefined || path === '' ? null : media.image(path, element);
  if (image === null) return null;
  const poster = { image, srcid: null, width: 0, height: 0, ratio: 'VARIABLE' as const, markup: null };
  media.sizeOf(image, poster);
  return poster;
}

function numberOf(element: XmlElement, name: string): number {
  return Math.max(0, wholeNumber(attributeText(element, name)) ?? 0);
}
