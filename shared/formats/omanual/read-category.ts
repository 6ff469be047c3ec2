import type { WikiFacts } from '#shared/model/wiki.ts';

import type { ArchivedCategory } from './archive.ts';
import { attributeText, childText, dateSeconds, fieldText, picturePath } from './field-text.ts';
import { blocksToWiki } from './html-to-wiki.ts';
import { rawOrHtml, readFlags, readLanguage, wikiSurroundings } from './read-guide.ts';
import { readDocuments } from './read-supplies.ts';
import type { DocumentMedia } from './read-media.ts';
import type { DocumentReport } from './findings.ts';
import { elementIn, elementsIn, type XmlElement } from './xml-tree.ts';

interface CategorySurroundings {
  wikiid: number;
  report: DocumentReport;
  media: DocumentMedia;
  link(path: string): string | null;
}

/** Reads a category (1.0), topic (0.3, 0.4) or device (0.2); null when it has no name. */
export async function readCategory(
  root: XmlElement,
  around: CategorySurroundings,
): Promise<ArchivedCategory | null> {
  const { report, media } = around;
  const name = categoryName(root, report);
  if (name === '') {
    report.add('dropped', 'category', root, 'The category has no name and was left out.');
    return null;
  }
  const image = elementIn(root, 'image');
  const description = elementIn(root, 'description');
  const wiki = wikiSurroundings(around);
  const documents = readDocuments(root, around);
  const info = readInfo(root);
  const modified = dateSeconds(childText(root, 'modified_date', report))?.seconds ?? 0;
  const facts: WikiFacts = {
    wikiid: around.wikiid,
    revisionid: 1,
    namespace: 'CATEGORY',
    title: name,
    display_title: childText(root, 'title', report) || name,
    langid: readLanguage(root, report),
    parent: readParent(root, report),
    description: description === undefined ? '' : placeless(blocksToWiki(description, wiki)),
    contents_raw: rawOrHtml(root, 'contents', wiki),
    image: image === undefined ? null : media.image(picturePath(image), image),
    flags: readFlags(root, report),
    table_of_contents: false,
    ...(documents.length === 0 ? {} : { documents }),
    ...(info.length === 0 ? {} : { info }),
    source_revisionid: null,
    userid: 0,
    created_date: modified,
    modified_date: modified,
  };
  reportSupplies(root, report);
  return {
    member: report.member,
    facts,
    children: namesIn(root, 'children', 'child', report),
    media: await media.inspected(),
  };
}

/** The canonical name of a category, else its title. */
export function categoryName(root: XmlElement, report: DocumentReport): string {
  const infos = ['category_info', 'topic_info', 'device_info'];
  const info = infos.map((one) => elementIn(root, one)).find((one) => one !== undefined);
  return (
    fieldText(info, report) ||
    (info === undefined ? '' : attributeText(info, 'name')) ||
    childText(root, 'title', report)
  );
}

/** The text, or '' for a producer's placeholder `{…}`. */
function placeless(text: string): string {
  return /^\{[^{}]*\}$/.test(text) ? '' : text;
}

function readParent(root: XmlElement, report: DocumentReport): string | null {
  const [nearest] = namesIn(root, 'ancestors', 'ancestor', report).filter((name) => name !== 'Root');
  return nearest ?? null;
}

function namesIn(root: XmlElement, listName: string, name: string, report: DocumentReport): string[] {
  const list = elementIn(root, listName);
  const elements = list === undefined ? [] : elementsIn(list, name);
  return elements.map((element) => fieldText(element, report)).filter(Boolean);
}

function readInfo(root: XmlElement): { name: string; value: string }[] {
  const element = ['category_info', 'topic_info', 'device_info']
    .map((one) => elementIn(root, one))
    .find((one) => one !== undefined);
  if (element === undefined) return [];
  return ['manufacturer', 'introduced', 'discontinued']
    .map((name) => ({ name, value: attributeText(element, name) }))
    .filter(({ value }) => value !== '');
}

function reportSupplies(root: XmlElement, report: DocumentReport): void {
  for (const name of ['tools', 'parts']) {
    const list = elementIn(root, name);
    const count = list === undefined ? 0 : elementsIn(list).length;
    if (list !== undefined && count > 0)
      report.add('dropped', 'category-supplies', list, `A category has no ${name}: ${count} were left out.`);
  }
}
