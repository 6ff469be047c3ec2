import { siteOf } from './addresses.ts';
import type { ArchiveVersion } from './archive.ts';
import { attributeText, childText, fieldText, wholeNumber } from './field-text.ts';
import { categoryName } from './read-category.ts';
import type { DocumentReport } from './findings.ts';
import { safeAddress } from './read-embed.ts';
import { elementIn, elementsIn, type XmlElement } from './xml-tree.ts';

/** A guide as listed in an index. */
export interface ListedGuide {
  element: XmlElement;
  /** As written. */
  path: string;
  foreignId: number | null;
  title: string;
  subject: string;
  type: string;
  category: string;
  url: string;
}

/** The guides of an index: `guides/guide` (1.0) or `procedures/procedure` (0.2 to 0.4). */
export function listedGuides(root: XmlElement, report: DocumentReport): ListedGuide[] {
  const list = elementIn(root, 'guides') ?? elementIn(root, 'procedures');
  const elements =
    list === undefined ? [] : elementsIn(list).filter(({ name }) => name === 'guide' || name === 'procedure');
  const category = root.name === 'category' ? categoryName(root, report) : '';
  return elements.map((element) => ({
    element,
    path: childText(element, 'path', report) || attributeText(element, 'path'),
    foreignId: wholeNumber(attributeText(element, 'id')),
    title: childText(element, 'title', report) || childText(element, 'procedure.title', report),
    subject: attributeText(element, 'subject'),
    type: attributeText(element, 'type'),
    category,
    url: webAddress(element, report),
  }));
}

/** The address of a listed guide; one that is no web address, such as `javascript:`, is left out. */
function webAddress(element: XmlElement, report: DocumentReport): string {
  const written = childText(element, 'url', report);
  const address = safeAddress(written);
  if (address === '' && written !== '')
    report.add('dropped', 'address', element, `The address ${written.slice(0, 100)} is no web address.`);
  return address;
}

/** The paths of the documents of a manifest that describe its subject (`device`, `topic`). */
export function subjectPaths(
  root: XmlElement,
  report: DocumentReport,
): { element: XmlElement; path: string }[] {
  const list = root.name === 'manifest' ? elementIn(root, 'documents') : undefined;
  const elements = list === undefined ? [] : elementsIn(list, 'document');
  return elements
    .filter((element) => ['device', 'topic', 'category'].includes(attributeText(element, 'type')))
    .map((element) => ({
      element,
      path:
        fieldText(element, report) || childText(element, 'path', report) || attributeText(element, 'path'),
    }));
}

/** The format version of a document (reference, section 2). */
export function versionOf(root: XmlElement): ArchiveVersion {
  if (root.name === 'category' || root.name === 'guide') return '1.0';
  const named = /0[._]([234])/.exec(root.attributes.get('xsi:schemaLocation') ?? '')?.[1];
  if (named === '2' || named === '3' || named === '4') return `0.${named}`;
  if (root.name === 'device') return '0.2';
  if (root.name === 'procedure') return procedureVersion(root);
  if (root.name === 'manifest') return manifestVersion(root);
  return root.namespace === '' ? '0.3' : '0.4';
}

/** Distinguishes versions of procedures: only 0.4 has dates, and 0.2 has the pictures of a step in `images`. */
function procedureVersion(root: XmlElement): ArchiveVersion {
  if (elementIn(root, 'modified_date') !== undefined) return '0.4';
  const steps = elementIn(root, 'steps');
  const hasImages =
    steps !== undefined && elementsIn(steps, 'step').some((step) => elementIn(step, 'images'));
  return hasImages || elementIn(root, 'introduction_rendered') !== undefined ? '0.2' : '0.3';
}

function manifestVersion(root: XmlElement): ArchiveVersion {
  const types = subjectTypes(root);
  const procedures = elementIn(root, 'procedures');
  const hasPictures =
    procedures !== undefined &&
    elementsIn(procedures).some((one) => elementIn(one, 'image_url') !== undefined);
  if (hasPictures || types.includes('topic')) return '0.4';
  return types.includes('device') ? '0.2' : '0.3';
}

function subjectTypes(root: XmlElement): string[] {
  const list = elementIn(root, 'documents');
  return list === undefined ? [] : elementsIn(list, 'document').map((one) => attributeText(one, 'type'));
}

/** Guesses the program that wrote a document by its habits. */
export function producerOf(root: XmlElement): 'ifixit' | 'dita' | 'unknown' {
  const guides = elementIn(root, 'guides');
  const hasLooseEntries =
    guides !== undefined && elementsIn(guides).some(({ namespace }) => namespace !== root.namespace);
  const schema = root.attributes.get('xsi:schemaLocation') ?? '';
  if (hasLooseEntries || (root.name === 'guide' && schema.includes('0.2'))) return 'dita';
  return hasHabit(root) ? 'ifixit' : 'unknown';
}

/** Whether a document contains wiki text beside the HTML, or addresses of the site. */
function hasHabit(root: XmlElement): boolean {
  const stack = [root];
  for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
    if (['text_raw', 'introduction_raw', 'conclusion_raw'].some((name) => element?.attributes.has(name)))
      return true;
    if (element.name === 'url' && /^https?:\/\/(?:[\w-]+\.)*(?:ifixit|dozuki)\.com\//.test(fieldOf(element)))
      return true;
    for (const child of elementsIn(element)) stack.push(child);
  }
  return false;
}

/** Paths of records on the sites that write such documents. */
const recordPath = /^\/(?:Guide|Teardown|Device|Topic|Category|c|Item|Info|Wiki|User|Team|Document)\//;

/**
 * The site to which a document links most, by links to its records: prerequisites, solutions and links in texts. '' when
 * there are none, or as many to another site.
 */
export function siteIn(root: XmlElement): string {
  const counts = new Map<string, number>();
  const stack = [root];
  for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
    const { attributes } = element;
    const written =
      element.name === 'url' ? fieldOf(element) : (attributes.get('href') ?? attributes.get('url'));
    const site = written === undefined ? '' : siteOf(written.trim());
    if (site !== '' && recordPath.test(new URL(written ?? '').pathname))
      counts.set(site, (counts.get(site) ?? 0) + 1);
    for (const child of elementsIn(element)) stack.push(child);
  }
  const [most, second] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most === undefined || most[1] === second?.[1] ? '' : most[0];
}

function fieldOf(element: XmlElement): string {
  const [first] = element.children;
  return typeof first === 'string' ? first.trim() : '';
}
