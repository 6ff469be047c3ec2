import type { DocumentRef } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { categoryPath } from '#shared/rules/urls.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import { uri } from './addresses.ts';
import type { Finding } from './archive.ts';
import type { GuideMention, SiteOfOrigin } from './content.ts';
import {
  flagsElement,
  guideAddress,
  htmlElement,
  imageElement,
  linkPaths,
  namespace,
  placedDocuments,
  type Writing,
} from './document-parts.ts';
import { notesOf } from './findings.ts';
import { element, lines, textElement, xmlDocument } from './xml-writer.ts';

/** The content of a category document. An index that is no category of the site has only the site's title. */
export interface CategoryToWrite {
  langid: string;
  /** Its name and, as `shownTitle`, the heading of its page. */
  title: string;
  shownTitle: string;
  manufacturer: string | null;
  image: ImageRef | null;
  description: string;
  contents: string;
  flags: readonly string[];
  /** Nearest first. */
  ancestors: readonly string[];
  children: readonly string[];
  documents: readonly DocumentRef[];
}

/** Writes a category as a lone, valid 1.0 document; all its references are absolute addresses. */
export function categoryXml(
  category: {
    facts: WikiFacts;
    ancestors: readonly string[];
    children: readonly string[];
    wiki: WikiContext;
  },
  guides: readonly GuideMention[],
  site: SiteOfOrigin,
): { xml: string; findings: Finding[] } {
  const findings: Finding[] = [];
  const paths = linkPaths(site, category.wiki);
  const writing = { site, wiki: category.wiki, paths, notes: notesOf('', findings) };
  const entries = guides.map((guide) => guideEntry(guide, paths.guide(guide), site.base));
  return { xml: categoryDocument(categoryToWrite(category), entries, writing), findings };
}

/** The document content of a category of the site. */
export function categoryToWrite({
  facts,
  ancestors,
  children,
}: {
  facts: WikiFacts;
  ancestors: readonly string[];
  children: readonly string[];
}): CategoryToWrite {
  const manufacturer = facts.info?.find(({ name }) => name.toLowerCase() === 'manufacturer');
  return {
    langid: facts.langid,
    title: facts.title,
    shownTitle: facts.display_title === '' ? facts.title : facts.display_title,
    manufacturer: manufacturer?.value ?? null,
    image: facts.image,
    description: facts.description,
    contents: facts.contents_raw,
    flags: facts.flags,
    ancestors,
    children,
    documents: facts.documents ?? [],
  };
}

/** Writes the entry of a guide in the index. */
export function guideEntry(
  guide: Pick<GuideMention, 'guideid' | 'title' | 'subject' | 'type'>,
  { path, image }: { path: string; image: string },
  base: string,
): string {
  const { guideid: id, subject, type } = guide;
  return element(
    'guide',
    { id, subject, type },
    lines([
      textElement('title', guide.title),
      textElement('url', guideAddress(guide, base)),
      textElement('path', path),
      textElement('image', image),
    ]),
  );
}

/** Writes a category document with the given index entries; `writing` provides the paths. */
export function categoryDocument(
  category: CategoryToWrite,
  entries: readonly string[],
  writing: Writing,
): string {
  return xmlDocument(
    element(
      'category',
      { xmlns: namespace, locale: category.langid },
      lines([
        textElement('title', category.shownTitle),
        textElement('category_info', category.title, { manufacturer: category.manufacturer ?? undefined }),
        imageElement('image', category.image, writing),
        htmlElement('description', category.description, writing, 'category'),
        flagsElement(category.flags, writing),
        namesElement('ancestors', 'ancestor', category.ancestors),
        namesElement('children', 'child', category.children),
        element('solutions', { count: 0, url: uri(categoryPath(category.title), writing.site.base) ?? '' }),
        element('parts', {}),
        element('tools', {}),
        htmlElement('contents', category.contents, writing, 'category'),
        element('guides', {}, lines(entries)),
        documentsElement(category.documents, writing),
      ]),
    ),
  );
}

function namesElement(name: string, item: string, names: readonly string[]): string {
  return element(name, {}, lines(names.map((one) => textElement(item, one))));
}

/** Writes documents; in a category the text of an element is the path. */
function documentsElement(documents: readonly DocumentRef[], writing: Writing): string {
  const all = placedDocuments(documents, writing, 'category/documents').map(({ document, path }) =>
    textElement('document', path, {
      id: document.documentid,
      type: document.extension === 'pdf' ? 'application/pdf' : undefined,
    }),
  );
  return element('documents', {}, lines(all));
}
