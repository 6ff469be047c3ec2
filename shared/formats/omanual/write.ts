import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import type { Finding } from './archive.ts';
import { guideEntry } from './category-document.ts';
import type { ArchiveContent, GuideMention, GuideToWrite, WriteOptions, WriteReport } from './content.ts';
import type { Paths } from './document-parts.ts';
import { guideDocument, mainPictureOf } from './guide-document.ts';
import { mediaOfGuide, type PlacedMedia } from './media-of.ts';
import { readLimits, type ReadLimits } from './limits.ts';
import { MediaFolder } from './media-folder.ts';
import { guideFolder } from './names.ts';
import { notesOf } from './findings.ts';
import {
  guideFactsToArchive,
  roundTripGuideMember,
  roundTripVersion,
  type RoundTripGuide,
} from './round-trip.ts';
import { sha256 } from './native.ts';
import type { ByteSink } from './source.ts';
import { writeIndex } from './write-index.ts';
import { requireReadableGuide, tooManyFiles } from './too-large.ts';
import { jsonBytes, ZipWriter } from './zip-writer.ts';

/** The state of an archive while it is written. */
export interface Writable {
  content: ArchiveContent;
  options: WriteOptions;
  limits: ReadLimits;
  zip: ZipWriter;
  findings: Finding[];
  /** The guides written so far by guideid, in order. */
  written: Map<number, WrittenGuide>;
  /** Number of pictures, videos and documents written so far. */
  media: number;
}

interface WrittenGuide {
  member: string;
  /** Its entry in the index, as XML. */
  entry: string;
  /** Path of its picture from the root, or its address; '' without one. */
  image: string;
}

/**
 * Writes an archive of version 1.0 (IEEE 1874) sequentially: each guide with its media, then the index
 * (`category.xml`), then the round-trip member. Guides are taken one at a time; only one index entry for each guide
 * stays in memory. See README.md, "Writing". Throws ArchiveTooLarge, before anything is written if `content.members` is
 * known. Passes on errors of the sink, the content and `signal`.
 */
export async function writeArchive(
  content: ArchiveContent,
  sink: ByteSink,
  options: WriteOptions,
): Promise<WriteReport> {
  const limits = options.limits ?? readLimits;
  const zip = new ZipWriter(sink, limits);
  if (options.media === 'inside' && (content.members ?? 0) > limits.members)
    throw tooManyFiles(limits.members);
  const archive: Writable = { content, options, limits, zip, findings: [], written: new Map(), media: 0 };
  for await (const guide of content.guides) {
    options.signal?.throwIfAborted();
    await writeGuide(guide, archive);
    options.progress?.(archive.written.size, zip.size);
  }
  await writeIndex(archive);
  await zip.finish();
  return {
    findings: archive.findings,
    guides: archive.written.size,
    media: archive.media,
    bytes: zip.size,
  };
}

async function writeGuide(guide: GuideToWrite, archive: Writable): Promise<void> {
  const { facts } = guide;
  if (archive.written.has(facts.guideid)) throw new Error(`Guide ${facts.guideid} comes twice`);
  const folder = guideFolder(facts);
  const member = `${folder}guide.xml`;
  const notes = notesOf(member, archive.findings);
  const media = new MediaFolder(archive, folder, notes);
  await media.add([...mediaOfGuide(guide), ...guide.prerequisites.flatMap((one) => pictureOf(one, archive))]);

  const paths = packagePaths(media, guide.wiki, archive);
  const document = guideDocument(guide, { site: archive.content, wiki: guide.wiki, paths, notes });
  const xml = new TextEncoder().encode(document);
  const json = jsonBytes(await roundTripOf(guide, member, xml, media));
  await requireReadableGuide(facts.title, { xml, json }, archive.limits);
  await archive.zip.addPacked(member, xml);
  await archive.zip.addPacked(roundTripGuideMember(facts.guideid), json);

  const picture = mainPictureOf(facts);
  const path = picture === null ? '' : media.path({ kind: 'image', image: picture });
  const image = path === '' || isAddress(path) ? path : folder + path;
  const entry = guideEntry(facts, { path: member, image }, archive.content.base);
  archive.written.set(facts.guideid, { member, entry, image });
  archive.media += media.count;
}

async function roundTripOf(
  { facts, author, tags, prerequisites }: GuideToWrite,
  member: string,
  xml: Uint8Array<ArrayBuffer>,
  media: MediaFolder,
): Promise<RoundTripGuide> {
  const visible = new Set(prerequisites.map(({ guideid }) => guideid));
  return {
    version: roundTripVersion,
    member,
    sha256: await sha256(xml),
    facts: guideFactsToArchive(facts, visible),
    author,
    tags: [...tags],
    media: [...media.entries],
  };
}

/** The picture of a prerequisite, unless the folder of that guide already contains it. */
function pictureOf({ guideid, image }: GuideMention, archive: Writable): PlacedMedia[] {
  if (image === null || archive.written.has(guideid)) return [];
  return [{ ref: { kind: 'image', image }, place: 'guide/prerequisites' }];
}

/** Paths for the document of a guide, which is one folder below the root. */
function packagePaths(media: MediaFolder, wiki: WikiContext, archive: Writable): Paths {
  const { base } = archive.content;
  return {
    media: (ref) => media.path(ref),
    pictureInText: (imageid) => media.pictureInText(imageid, wiki),
    guide: (mention) => {
      const path = mention.included
        ? `../${guideFolder(mention)}guide.xml`
        : `${base}/api/2.0/guides/${mention.guideid}?type=XML`;
      const image = archive.written.get(mention.guideid)?.image;
      if (image !== undefined)
        return { path, image: image === '' || isAddress(image) ? image : `../${image}` };
      return {
        path,
        image: mention.image === null ? '' : media.path({ kind: 'image', image: mention.image }),
      };
    },
  };
}

function isAddress(path: string): boolean {
  return /^https?:/i.test(path);
}
