import type { WikiFacts } from '#shared/model/wiki.ts';

import { categoryDocument, categoryToWrite, type CategoryToWrite } from './category-document.ts';
import type { ArchiveContent } from './content.ts';
import { mediaOfCategory } from './media-of.ts';
import { MediaFolder } from './media-folder.ts';
import { notesOf } from './findings.ts';
import {
  roundTripGuideMember,
  roundTripMember,
  roundTripVersion,
  wikiFactsToArchive,
  type RoundTripCategory,
  type RoundTripPackage,
} from './round-trip.ts';
import { sha256 } from './native.ts';
import { requireReadableIndex } from './too-large.ts';
import type { Writable } from './write.ts';
import { jsonBytes } from './zip-writer.ts';

const indexMember = 'category.xml';

/**
 * Writes `category.xml` with all guides, and the package's round-trip member. The format allows one category document
 * in a package: readers that find documents by content would take a second one for a second package. It is the root of
 * the tree of categories or, without one root, an index with the name of the site.
 */
export async function writeIndex(archive: Writable): Promise<void> {
  const { content, zip, written, limits } = archive;
  const notes = notesOf(indexMember, archive.findings);
  const media = new MediaFolder(archive, '', notes);
  const categories: RoundTripCategory[] = [];
  for (const facts of content.categories) categories.push(await writeCategoryMedia(facts, media, content));
  archive.media += media.count;

  const root = rootOf(content.categories);
  const others = content.categories.length - (root === null ? 0 : 1);
  if (others > 0) {
    const message = 'The format has room for one category: the others are kept in our own member only';
    notes.add('dropped', 'categories-without-document', '', message);
  }
  const paths = {
    media: media.path.bind(media),
    pictureInText: (imageid: number) => media.pictureInText(imageid, content.wiki),
    guide: () => ({ path: '', image: '' }),
  };
  const entries = Array.from(written.values(), ({ entry }) => entry);
  const about = root === null ? indexOf(content) : rootCategory(root, content);
  const document = categoryDocument(about, entries, { site: content, wiki: content.wiki, paths, notes });
  const xml = new TextEncoder().encode(document);
  const json = jsonBytes({
    version: roundTripVersion,
    base: content.base,
    title: content.title,
    langid: content.langid,
    modified: content.modified,
    ancestors: [...content.ancestors],
    index: { member: indexMember, sha256: await sha256(xml), category: root?.title ?? null },
    categories,
    guides: Array.from(written, ([guideid, { member }]) => ({
      member,
      roundTrip: roundTripGuideMember(guideid),
    })),
  } satisfies RoundTripPackage);
  await requireReadableIndex(about.shownTitle, { xml, json }, limits);
  await zip.addPacked(indexMember, xml);
  await zip.addPacked(roundTripMember, json);
}

async function writeCategoryMedia(
  facts: WikiFacts,
  media: MediaFolder,
  content: ArchiveContent,
): Promise<RoundTripCategory> {
  const refs = mediaOfCategory(facts, content.wiki);
  await media.add(refs);
  return { facts: wikiFactsToArchive(facts), media: media.entriesFor(refs.map(({ ref }) => ref)) };
}

/** The root category; null when there are several trees, or none. */
function rootOf(categories: readonly WikiFacts[]): WikiFacts | null {
  const titles = new Set(categories.map(({ title }) => title));
  const roots = categories.filter(({ parent }) => parent === null || !titles.has(parent));
  const [root] = roots;
  return root !== undefined && roots.length === 1 ? root : null;
}

function rootCategory(facts: WikiFacts, content: ArchiveContent): CategoryToWrite {
  const children = content.categories
    .filter(({ parent }) => parent === facts.title)
    .map(({ title }) => title);
  return categoryToWrite({ facts, ancestors: content.ancestors, children });
}

/** The content of an index that is no category of the site. */
function indexOf({ title, langid, categories }: ArchiveContent): CategoryToWrite {
  const titles = new Set(categories.map((one) => one.title));
  const roots = categories.filter(({ parent }) => parent === null || !titles.has(parent));
  return {
    langid,
    title,
    shownTitle: title,
    manufacturer: null,
    image: null,
    description: '',
    contents: '',
    flags: [],
    ancestors: [],
    children: roots.map((one) => one.title),
    documents: [],
  };
}
