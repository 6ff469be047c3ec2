import type { Bullet, EmbedFacts, LineFacts, StepFacts, VideoFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';

import { address, imageElement, lineContent, type Writing } from './document-parts.ts';
import { element, lines, textElement } from './xml-writer.ts';

/** Maxima: lines of a `lines` block, blocks of a step, pictures of a step, level of a line. */
const linesPerBlock = 8;
const blocksPerStep = 8;
const picturesPerStep = 3;
const deepest = 3;
const longestLine = 500;

const embedTypes = ['photo', 'video', 'link', 'rich'];

/** The content of one `step` element. A step of ours that exceeds the maxima needs several. */
interface Page {
  title: string;
  lines: readonly LineFacts[];
  pictures: readonly ImageRef[];
}

/** Writes the steps, numbered from 1. */
export function stepsElement(steps: readonly StepFacts[], writing: Writing): string {
  const written: string[] = [];
  for (const step of steps) {
    const place = `guide/steps/step[${written.length + 1}]`;
    const pages = pagesOf(step);
    if (pages.length > 1) tellOfPages(step, pages.length, writing, place);
    for (const [index, page] of pages.entries()) {
      const number = written.length + 1;
      written.push(stepElement(number, page, index === 0 ? step : null, writing));
    }
  }
  return element('steps', {}, lines(written));
}

function pagesOf(step: StepFacts): Page[] {
  const texts = chunks(step.lines, linesPerBlock * blocksPerStep);
  const pictures = step.media.type === 'image' ? chunks(step.media.data, picturesPerStep) : [];
  return Array.from({ length: Math.max(1, texts.length, pictures.length) }, (_, index) => ({
    title: index === 0 ? step.title : '',
    lines: texts[index] ?? [],
    pictures: pictures[index] ?? [],
  }));
}

function tellOfPages(step: StepFacts, count: number, { notes }: Writing, place: string): void {
  const pictures = step.media.type === 'image' ? step.media.data.length : 0;
  const what = pictures > picturesPerStep ? `${pictures} pictures` : `${step.lines.length} lines`;
  notes.add('guessed', 'step-split', place, `A step with ${what} is written as ${count} steps`);
}

/** Writes one element. `step`: the step whose video or embedded page is shown; null on continuation elements. */
function stepElement(number: number, page: Page, step: StepFacts | null, writing: Writing): string {
  const place = `guide/steps/step[${number}]`;
  const blocks = chunks(page.lines, linesPerBlock);
  if (blocks.length > 1) {
    const message = `${page.lines.length} lines are written in blocks of ${linesPerBlock}; some readers show the first only`;
    writing.notes.add('guessed', 'lines-split', place, message);
  }
  const texts = (blocks.length === 0 ? [[]] : blocks).map((block, index) => {
    const where = `${place}/lines[${index + 1}]`;
    return element(
      'lines',
      {},
      lines(block.map((line, at) => lineElement(line, writing, `${where}/line[${at + 1}]`))),
    );
  });
  const media =
    page.pictures.length > 0 ? picturesElement(page.pictures, writing) : stepMedia(step, writing, place);
  const attributes = { number, title: page.title === '' ? undefined : page.title };
  return element('step', attributes, lines([...texts, ...(media === null ? [] : [media])]));
}

function lineElement(line: LineFacts, writing: Writing, place: string): string {
  const { notes } = writing;
  if (line.bullet === 'light_blue')
    notes.add('guessed', 'bullet-colour', place, 'A light blue bullet is written as blue');
  if (line.level > deepest)
    notes.add('guessed', 'line-level', place, `Level ${line.level} is written as ${deepest}`);
  if (line.text_raw.length > longestLine) {
    notes.add(
      'guessed',
      'line-long',
      place,
      `A line has more than ${longestLine} characters, some readers cut it`,
    );
  }
  const attributes = { bullet: bulletName(line.bullet), level: Math.min(line.level, deepest) };
  return element('line', attributes, lineContent(line.text_raw, writing, place));
}

function bulletName(bullet: Bullet): string {
  return bullet === 'light_blue' ? 'blue' : bullet;
}

function picturesElement(pictures: readonly ImageRef[], writing: Writing): string {
  const images = pictures.map((image, index) =>
    imageElement('image', image, writing, { orderby: index + 1 }),
  );
  return element('media', { type: 'image' }, lines(images));
}

function stepMedia(step: StepFacts | null, writing: Writing, place: string): string | null {
  if (step === null || step.media.type === 'image') return null;
  if (step.media.type === 'embed')
    return element('media', { type: 'embed' }, embedElement(step.media.data, writing, place));
  return videoMedia(step.media.data, writing, place);
}

/** Writes a video as `media`; null when it has no file, because the format requires one. */
export function videoMedia(video: VideoFacts, writing: Writing, place: string): string | null {
  const encodings = video.encodings.flatMap((encoding) => {
    const path = writing.paths.media({ kind: 'video', video, encoding });
    const { width, height, codecs, format, mime } = encoding;
    return path === '' ? [] : [textElement('encoding', path, { width, height, codecs, format, mime })];
  });
  if (encodings.length === 0) {
    writing.notes.add('dropped', 'video-without-file', place, `The video ${video.filename} has no file`);
    return null;
  }
  const poster = imageElement('poster', video.image?.image ?? null, writing, {
    guid: video.image?.image.guid,
  });
  return element(
    'media',
    { type: 'video' },
    element('video', {}, lines([...encodings, sourceElement(video), poster])),
  );
}

function sourceElement({ meta, duration, width, height }: VideoFacts): string {
  if (meta === null) {
    return element('source', { duration_in_ms: duration > 0 ? duration * 1000 : undefined, width, height });
  }
  return element('source', {
    duration_in_ms: meta.duration_in_ms,
    audio_bitrate_in_kbps: meta.audio_bitrate_in_kbps,
    audio_sample_rate: meta.audio_sample_rate,
    video_bitrate_in_kbps: meta.video_bitrate_in_kbps,
    total_bitrate_in_kbps: meta.total_bitrate_in_kbps,
    video_codec: meta.video_codec,
    audio_codec: meta.audio_codec,
    frame_rate: decimal(String(Math.round(meta.frame_rate * 1000) / 1000)),
    format: meta.format,
    channels: /^\d+$/.test(meta.channels) ? meta.channels : undefined,
    file_size_in_bytes: meta.file_size_in_bytes,
    width: meta.width,
    height: meta.height,
  });
}

function embedElement(embed: EmbedFacts, writing: Writing, place: string): string {
  const url = (text: string) => address(text, writing, place);
  return element('embed', {
    type: embedTypes.includes(embed.type) ? embed.type : 'rich',
    version: decimal(embed.version) ?? '1.0',
    url: url(embed.url),
    html: embed.html,
    width: embed.width,
    height: embed.height,
    title: embed.title,
    author_name: embed.author_name,
    author_url: url(embed.author_url),
    provider_name: embed.provider_name,
    provider_url: url(embed.provider_url),
    cache_age: embed.cache_age,
  });
}

/** A number as a portable `xs:decimal`: few digits, no exponent. */
function decimal(text: string): string | undefined {
  return /^-?\d{1,12}(?:\.\d{1,6})?$/.test(text) ? text : undefined;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
