import type { z } from 'zod';

import type { GuideFacts, MediaFacts, VideoFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';

import type { ArchivedMedia } from './archive.ts';
import type { ReadLimits } from './limits.ts';
import type { PackageFiles } from './package-files.ts';
import { safeAddress, safeEmbed } from './read-embed.ts';
import { headsOf, inspectMedia } from './read-media.ts';
import type { DocumentReport, Report } from './findings.ts';
import {
  roundTripGuide,
  roundTripMember,
  roundTripPackage,
  type RoundTripGuide,
  type RoundTripMedia,
  type RoundTripPackage,
} from './round-trip.ts';
import { sha256 } from './native.ts';

/** The content of the package's round-trip member, and whether its hash matches the index. */
export interface FoundPackage {
  found: RoundTripPackage;
  fitsIndex: boolean;
}

/** Reads the package's round-trip member; null when it does not exist or cannot be read. */
export async function readRoundTripPackage(
  files: PackageFiles,
  limits: ReadLimits,
  report: Report,
): Promise<FoundPackage | null> {
  if (!files.has(roundTripMember)) return null;
  const found = await readJson(files, roundTripMember, roundTripPackage, limits, report);
  if (found === null) return null;
  const { member, sha256: hash } = found.index;
  const fitsIndex = await fits(files, member, hash, limits);
  if (!fitsIndex)
    report.add(
      'dropped',
      'round-trip',
      roundTripMember,
      '',
      `${member} was changed since; what is kept about it was left out.`,
    );
  return { found, fitsIndex };
}

/** Reads a guide's round-trip member; null unless its hash matches the XML. */
export async function readRoundTripGuide(
  files: PackageFiles,
  names: { roundTrip: string; member: string },
  limits: ReadLimits,
  report: Report,
): Promise<RoundTripGuide | null> {
  if (!files.has(names.roundTrip)) return disbelieve(names.roundTrip, names.member, report);
  const found = await readJson(files, names.roundTrip, roundTripGuide, limits, report);
  if (found === null) return null;
  const isIt = found.member === names.member && (await fits(files, names.member, found.sha256, limits));
  return isIt ? found : disbelieve(names.roundTrip, names.member, report);
}

const text = new TextDecoder();

async function readJson<S extends z.ZodType>(
  files: PackageFiles,
  name: string,
  schema: S,
  limits: ReadLimits,
  report: Report,
): Promise<z.output<S> | null> {
  const bytes = await files.bytes(name, limits.documentBytes);
  try {
    const parsed = schema.safeParse(JSON.parse(text.decode(bytes)));
    if (parsed.success) return parsed.data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  report.add(
    'dropped',
    'round-trip',
    name,
    '',
    'What is kept beside the documents cannot be read and was left out.',
  );
  return null;
}

async function fits(files: PackageFiles, member: string, hash: string, limits: ReadLimits): Promise<boolean> {
  return files.has(member) && (await sha256(await files.bytes(member, limits.documentBytes))) === hash;
}

function disbelieve(name: string, member: string, report: Report): null {
  report.add(
    'dropped',
    'round-trip',
    name,
    '',
    `${member} was changed since; what is kept beside it was left out.`,
  );
  return null;
}

/** The media of a trusted member, inspected like all others. Missing ones are reported. */
export async function believedMedia(
  media: readonly RoundTripMedia[],
  files: PackageFiles,
  report: DocumentReport,
): Promise<ArchivedMedia[]> {
  const believed: ArchivedMedia[] = [];
  const inside = media.filter(({ member }) => member !== null && files.has(member));
  const heads = headsOf(inside, files);
  for (const { id, guid, kind, member, url, mime, encoding } of media) {
    const isInside = member !== null && files.has(member);
    if (member !== null && !isInside)
      report.add('unresolved', 'file-missing', member, `${member} is not in the package.`);
    const address = url !== undefined && /^https?:\/\//i.test(url) ? url : null;
    const place = isInside ? member : (address ?? '');
    const one: ArchivedMedia = {
      id,
      guid,
      kind,
      member: isInside ? member : null,
      url: isInside ? null : address,
      mime: isInside ? mime : '',
      filename: place.slice(place.lastIndexOf('/') + 1),
      size: isInside ? files.size(member) : 0,
      ...(encoding === undefined ? {} : { encoding }),
    };
    await inspectMedia(one, files, report, heads);
    if (place !== '') believed.push(one);
  }
  return believed;
}

/** The facts of a trusted member without anything harmful: a hash proves that they match, not who wrote them. */
export function safeGuideFacts(facts: GuideFacts): GuideFacts {
  const { intro_video: intro } = facts;
  return {
    ...facts,
    image: safeImage(facts.image),
    intro_video: intro === null ? null : safeVideo(intro),
    tools: facts.tools.map(safeSupply),
    parts: facts.parts.map(safeSupply),
    documents: facts.documents.map(safeDocument),
    featured_document_embed_url: safeAddress(facts.featured_document_embed_url),
    featured_document_thumbnail_url: safeAddress(facts.featured_document_thumbnail_url),
    steps: facts.steps.map((step) => ({ ...step, media: safeMedia(step.media) })),
  };
}

export function safeWikiFacts(facts: WikiFacts): WikiFacts {
  const { documents, suppliers } = facts;
  return {
    ...facts,
    image: safeImage(facts.image),
    ...(documents === undefined ? {} : { documents: documents.map(safeDocument) }),
    ...(suppliers === undefined
      ? {}
      : { suppliers: suppliers.map((one) => ({ ...one, url: safeAddress(one.url) })) }),
  };
}

function safeMedia(media: MediaFacts): MediaFacts {
  switch (media.type) {
    case 'image':
      return { type: 'image', data: media.data.map((image) => safeImage(image) ?? image) };
    case 'video':
      return { type: 'video', data: safeVideo(media.data) };
    case 'embed':
      return { type: 'embed', data: safeEmbed(media.data) };
  }
}

function safeVideo(video: VideoFacts): VideoFacts {
  const { image, encodings } = video;
  return {
    ...video,
    image: image === null ? null : { ...image, image: safeImage(image.image) ?? image.image },
    encodings: encodings.map((encoding) => ({ ...encoding, url: safeAddress(encoding.url) })),
  };
}

/** The image without a URL base that leads to another site. */
function safeImage(image: ImageRef | null): ImageRef | null {
  if (image?.path === undefined || /^\/(?![/\\])/.test(image.path)) return image;
  const { path: _path, ...rest } = image;
  return rest;
}

function safeDocument<T extends { url: string; download_url: string }>(document: T): T {
  return { ...document, url: safeAddress(document.url), download_url: safeAddress(document.download_url) };
}

function safeSupply<T extends { url: string; thumbnail: string | null }>(supply: T): T {
  const { url, thumbnail } = supply;
  return { ...supply, url: safeAddress(url), thumbnail: thumbnail === null ? null : safeAddress(thumbnail) };
}
