import { type GuideFacts, difficulties, guideTypes } from '#shared/model/guide.ts';
import { languageId } from '#shared/model/language.ts';

import type { ArchiveEntry, ArchivedGuide, MissingPrerequisite } from './archive.ts';
import { signaturesFlag } from './document-parts.ts';
import {
  attributeText,
  childText,
  dateSeconds,
  fieldText,
  picturePath,
  readTime,
  wholeNumber,
} from './field-text.ts';
import { blocksToWiki, type WikiSurroundings } from './html-to-wiki.ts';
import type { DocumentMedia } from './read-media.ts';
import { readSteps, videoOf } from './read-steps.ts';
import { readDocuments, readSupplies } from './read-supplies.ts';
import type { DocumentReport } from './findings.ts';
import { elementIn, elementsIn, textIn, type XmlElement } from './xml-tree.ts';

/** What reading a guide needs from its archive. */
export interface GuideSurroundings {
  entry: ArchiveEntry;
  /** Its address on the site that made it; '': unknown. */
  url: string;
  report: DocumentReport;
  media: DocumentMedia;
  /** The address to which a link of the document leads; null: nowhere. */
  link(path: string): string | null;
  /** The guide in the archive to which a prerequisite refers; null: none. */
  prerequisite(paths: { path: string; url: string; foreignId: number | null; title: string }): number | null;
}

/** Reads a guide (1.0) or procedure (0.2 to 0.4): elements by local name, in any order. */
export async function readGuide(root: XmlElement, around: GuideSurroundings): Promise<ArchivedGuide> {
  const { entry, report, media } = around;
  const wiki = wikiSurroundings(around);
  const introduction = readIntroduction(root, around, wiki);
  const { ids, missing } = readPrerequisites(root, around);
  const facts: GuideFacts = {
    ...bareGuide(entry.guideid),
    ...readHead(root, around),
    ...readTimes(root, report),
    introduction_raw: introduction.text,
    intro_video: introduction.video,
    conclusion_raw: rawOrHtml(root, 'conclusion', wiki),
    flags: readFlags(root, report),
    tools: readSupplies(root, 'tools', 'tool', around),
    parts: readSupplies(root, 'parts', 'part', around),
    documents: readDocuments(root, around),
    prerequisites: ids,
    steps: readSteps(root, { guideid: entry.guideid, report, media, wiki }),
  };
  return {
    member: entry.member,
    foreignId: entry.foreignId,
    foreignUrl: around.url,
    author: childText(root, 'author', report),
    facts,
    tags: [],
    missingPrerequisites: missing,
    signatures: readSignatures(root),
    media: await media.inspected(),
  };
}

export function wikiSurroundings({
  report,
  media,
  link,
}: Pick<GuideSurroundings, 'report' | 'media' | 'link'>): WikiSurroundings {
  return { report, picture: (path) => media.pictureNumber(path), link };
}

/** An empty guide. It is private; the caller decides who may see it. */
function bareGuide(guideid: number): GuideFacts {
  return {
    guideid,
    revisionid: 1,
    guide_revisionid: 1,
    langid: 'en',
    userid: 0,
    public: false,
    type: 'technique',
    category: '',
    subject: '',
    title: '',
    summary: '',
    introduction_raw: '',
    conclusion_raw: '',
    difficulty: '',
    time_required_min: 0,
    time_required_max: 0,
    flags: [],
    image: null,
    parts: [],
    tools: [],
    documents: [],
    featured_documentid: null,
    featured_document_embed_url: '',
    featured_document_thumbnail_url: '',
    intro_video: null,
    prerequisites: [],
    steps: [],
    created_date: 0,
    published_date: 0,
    modified_date: 0,
    patrol_threshold: 0,
    ogdc_enabled: 'no',
    per_step_time_enabled: false,
    work_log_enabled: false,
    should_use_granular_permissions: false,
  };
}

function readHead(root: XmlElement, around: GuideSurroundings): Partial<GuideFacts> {
  const { report, media } = around;
  const title = elementIn(root, 'title');
  const image = elementIn(root, 'image');
  return {
    langid: readLanguage(root, report),
    title: fieldText(title, report) || around.entry.title || 'Untitled',
    ...readSubjectAndType(root, title, around),
    summary: childText(root, 'summary', report),
    category: readCategoryName(root, report) || around.entry.category,
    difficulty: readDifficulty(root, report),
    image: image === undefined ? null : media.image(picturePath(image), image),
  };
}

export function readLanguage(root: XmlElement, report: DocumentReport): string {
  const locale = attributeText(root, 'locale');
  if (/^[a-z]{2,3}(?:[-_][a-z0-9]{1,8})*$/i.test(locale)) return languageId(locale);
  report.add('guessed', 'language', root, `The document names no language; English was assumed.`);
  return 'en';
}

function readSubjectAndType(
  root: XmlElement,
  title: XmlElement | undefined,
  { entry, report }: GuideSurroundings,
): { subject: string; type: string } {
  const attribute = (name: string): string =>
    [title, root]
      .map((element) => (element === undefined ? '' : attributeText(element, name)))
      .find(Boolean) ?? childText(root, name, report);
  const subject = attribute('subject') || entry.subject;
  const written = attribute('type') || entry.type;
  const type = written.toLowerCase().replaceAll(/[\s_]+/g, '-');
  const known = guideTypes.find((one) => one === type);
  if (known === undefined) {
    const what = written === '' ? 'The guide has no type' : `The type ${written.slice(0, 60)} is unknown`;
    report.add('guessed', 'type', title ?? root, `${what}; it was read as technique.`);
  }
  return { subject, type: known ?? 'technique' };
}

function readCategoryName(root: XmlElement, report: DocumentReport): string {
  const list = elementIn(root, 'categories');
  const all = [...elementsIn(root, 'category'), ...(list === undefined ? [] : elementsIn(list, 'category'))];
  const names = all.map((element) => fieldText(element, report)).filter(Boolean);
  for (const [index, name] of names.entries())
    if (index > 0)
      report.add('dropped', 'category', all[0] ?? root, `A guide has one category; ${name} was left out.`);
  return names[0] ?? '';
}

function readDifficulty(root: XmlElement, report: DocumentReport): string {
  const element = elementIn(root, 'difficulty');
  const text = fieldText(element, report);
  const known = difficulties.find((one) => one.toLowerCase() === text.toLowerCase());
  if (element !== undefined && text !== '' && known === undefined)
    report.add('dropped', 'difficulty', element, `The difficulty ${text.slice(0, 60)} is unknown.`);
  return known ?? '';
}

function readTimes(root: XmlElement, report: DocumentReport): Partial<GuideFacts> {
  const required = elementIn(root, 'time_required');
  const text = fieldText(required, report);
  const time = readTime(text);
  if (time === null && required !== undefined)
    report.add('dropped', 'time', required, `The time ${text.slice(0, 60)} cannot be read.`);
  const created = readDate(root, 'created_date', report);
  const modified = readDate(root, 'modified_date', report);
  if (created === 0 && modified === 0) report.add('guessed', 'date', root, 'The document says no date.');
  return {
    time_required_min: time?.min ?? 0,
    time_required_max: time?.max ?? 0,
    created_date: created || modified,
    modified_date: modified || created,
  };
}

function readDate(root: XmlElement, name: string, report: DocumentReport): number {
  const element = elementIn(root, name);
  const text = fieldText(element, report);
  const date = dateSeconds(text);
  if (date !== null && !date.hasZone && element !== undefined)
    report.add('guessed', 'date', element, `The date has no time zone; UTC was assumed.`);
  if (date === null && text !== '' && element !== undefined)
    report.add('dropped', 'date', element, `The date ${text.slice(0, 40)} cannot be read.`);
  return date?.seconds ?? 0;
}

/** The wiki text that some producers store beside the HTML, else the HTML converted to wiki text. */
export function rawOrHtml(root: XmlElement, name: string, wiki: WikiSurroundings): string {
  const element = elementIn(root, name);
  const raw =
    element?.attributes.get(`${name}_raw`) ??
    element?.attributes.get('text_raw') ??
    root.attributes.get(`${name}_raw`) ??
    elementIn(root, `${name}_raw`);
  if (raw !== undefined)
    return (typeof raw === 'string' ? raw : textIn(raw)).replaceAll(/\r\n?/g, '\n').trim();
  if (element === undefined) return '';
  if (/^\{[^{}]*\}$/.test(textIn(element).trim())) return fieldText(element, wiki.report);
  return blocksToWiki(element, wiki);
}

/**
 * Reads the introduction, which may contain one medium: a video belongs to the guide, pictures are shown in the text.
 */
function readIntroduction(
  root: XmlElement,
  { report, media }: GuideSurroundings,
  wiki: WikiSurroundings,
): { text: string; video: GuideFacts['intro_video'] } {
  const text = rawOrHtml(root, 'introduction', wiki);
  const element = elementIn(root, 'introduction');
  const medium = element === undefined ? undefined : elementIn(element, 'media');
  if (medium === undefined) return { text, video: null };
  const film = elementIn(medium, 'video');
  if (film !== undefined) return { text, video: videoOf(film, media, report) };
  const pictures = elementsIn(medium, 'image').map((image) => media.image(picturePath(image), image));
  const embed = elementIn(medium, 'embed');
  const url = embed === undefined ? '' : attributeText(embed, 'url');
  const shown = [
    ...pictures.filter((image) => image !== null).map(({ id }) => `[image|${id}|align=left|size=standard]`),
    ...(/^https?:\/\/[^\s[\]|]+$/i.test(url) ? [url] : []),
  ];
  if (shown.length > 0)
    report.add(
      'repaired',
      'introduction-media',
      medium,
      'What the introduction shows was put into its text.',
    );
  return { text: [text, ...shown].filter(Boolean).join('\n\n'), video: null };
}

/** Maximum length of the signatures text, in characters. */
const longestSignatures = 20_000;

/** Reads the signatures from our notice. */
function readSignatures(root: XmlElement): string {
  const list = elementIn(root, 'flags');
  const notice = (list === undefined ? [] : elementsIn(list, 'flag')).find(
    (flag) => attributeText(flag, 'id') === signaturesFlag,
  );
  return notice === undefined ? '' : textIn(notice).trim().slice(0, longestSignatures);
}

export function readFlags(root: XmlElement, report: DocumentReport): string[] {
  const list = elementIn(root, 'flags');
  const flags = list === undefined ? [] : elementsIn(list, 'flag');
  return flags.flatMap((flag) => {
    const id = attributeText(flag, 'id');
    // Signatures belong to the version on the original site; here the guide is not signed.
    if (id === signaturesFlag) return [];
    if (/^[A-Z][A-Z0-9_]{0,63}$/.test(id)) return [id];
    const title = attributeText(flag, 'title') || id;
    report.add('dropped', 'flag', flag, `The flag ${title.slice(0, 100)} has no id that could be known.`);
    return [];
  });
}

function readPrerequisites(
  root: XmlElement,
  around: GuideSurroundings,
): { ids: number[]; missing: MissingPrerequisite[] } {
  const { report } = around;
  const list = elementIn(root, 'prerequisites');
  const ids: number[] = [];
  const missing: MissingPrerequisite[] = [];
  for (const element of list === undefined ? [] : elementsIn(list, 'prerequisite')) {
    const isPlain = elementsIn(element).length === 0;
    const title = isPlain ? fieldText(element, report) : childText(element, 'title', report);
    const path = attributeText(element, 'path') || childText(element, 'path', report);
    const url = childText(element, 'url', report);
    const foreignId = wholeNumber(attributeText(element, 'id'));
    const found = around.prerequisite({ path, url, foreignId, title });
    if (found !== null) ids.push(found);
    else {
      const isAddress = /^https?:\/\//i.test(path);
      missing.push({ foreignId, title, url: url || (isAddress ? path : '') });
      report.add('unresolved', 'prerequisite', element, `The guide ${title || path} is not in the archive.`);
    }
  }
  return { ids: [...new Set(ids)], missing };
}
