import { difficulties, type DocumentRef, type GuideFacts, type SupplyFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { signedRequests, utcText } from '#shared/rules/approvals.ts';
import { timeRequiredText } from '#shared/rules/guide-record.ts';

import type { Finding } from './archive.ts';
import type { GuideMention, GuideToWrite, SiteOfOrigin } from './content.ts';
import {
  address,
  flagsElement,
  guideAddress,
  htmlElement,
  imageElement,
  linkPaths,
  namespace,
  placedDocuments,
  type Writing,
} from './document-parts.ts';
import { documentName } from './names.ts';
import { notesOf } from './findings.ts';
import { stepsElement, videoMedia } from './step-elements.ts';
import { element, lines, textElement, xmlDate, xmlDocument } from './xml-writer.ts';

/** Maximum length of a summary in the standard, in characters. */
const longestSummary = 255;

/** Writes a guide as a lone, valid 1.0 document; all its references are absolute addresses. */
export function guideXml(guide: GuideToWrite, site: SiteOfOrigin): { xml: string; findings: Finding[] } {
  const findings: Finding[] = [];
  const writing = {
    site,
    wiki: guide.wiki,
    paths: linkPaths(site, guide.wiki),
    notes: notesOf('', findings),
  };
  return { xml: guideDocument(guide, writing), findings };
}

/** Writes the document of a guide; `writing` provides the paths. */
export function guideDocument({ facts, author, prerequisites }: GuideToWrite, writing: Writing): string {
  const { introduction_raw: introduction, conclusion_raw: conclusion } = facts;
  const introVideo =
    facts.intro_video === null ? null : videoMedia(facts.intro_video, writing, 'guide/introduction');
  return xmlDocument(
    element(
      'guide',
      { xmlns: namespace, locale: facts.langid },
      lines([
        textElement('title', facts.title, {
          subject: facts.subject || undefined,
          type: facts.type || undefined,
        }),
        ...optional('summary', summaryOf(facts.summary, writing)),
        imageElement('image', pictureOf(facts, writing), writing),
        textElement('author', author, { id: facts.userid }),
        ...optional('time_required', timeOf(facts)),
        ...optional('difficulty', difficultyOf(facts.difficulty, writing)),
        ...optional('category', facts.category),
        htmlElement('introduction', introduction, writing, 'guide', introVideo ?? ''),
        suppliesElement('tool', facts.tools, writing),
        suppliesElement('part', facts.parts, writing),
        flagsElement(facts.flags, writing, signaturesText(facts)),
        documentsElement(facts.documents, writing),
        prerequisitesElement(facts, prerequisites, writing),
        stepsElement(facts.steps, writing),
        ...(conclusion === '' ? [] : [htmlElement('conclusion', conclusion, writing, 'guide')]),
        ...datesOf(facts, writing),
      ]),
    ),
  );
}

/** The purposes of approval requests, as words. */
const purposes = { publish: 'publication', release: 'release' } as const;

/**
 * The signatures of this version as sentences: name, meaning, purpose and time (UTC). The format can represent them
 * only as a notice.
 */
export function signaturesText(facts: GuideFacts): string {
  return signedRequests(facts)
    .flatMap(({ process, purpose, signatures }) =>
      signatures.map(
        ({ name, meaning, date }) =>
          `${name}: ${meaning}, ${utcText(date)} (${process}, ${purposes[purpose]}).`,
      ),
    )
    .join(' ');
}

/** The main picture of a guide: its own, else the first picture of its steps, as the standard recommends. */
export function mainPictureOf({ image, steps }: Pick<GuideFacts, 'image' | 'steps'>): ImageRef | null {
  if (image !== null) return image;
  for (const { media } of steps) {
    const first = media.type === 'image' ? media.data[0] : undefined;
    if (first !== undefined) return first;
  }
  return null;
}

function pictureOf(facts: GuideFacts, { notes }: Writing): ImageRef | null {
  const picture = mainPictureOf(facts);
  if (facts.image === null && picture !== null) {
    notes.add(
      'guessed',
      'picture-of-step',
      'guide/image',
      'The guide has no picture: the first of its steps stands for it',
    );
  }
  return picture;
}

function optional(name: string, text: string): string[] {
  return text === '' ? [] : [textElement(name, text)];
}

function summaryOf(summary: string, { notes }: Writing): string {
  const characters = Array.from(summary);
  if (characters.length <= longestSummary) return summary;
  notes.add(
    'dropped',
    'summary-cut',
    'guide/summary',
    `The summary is cut after ${longestSummary} characters`,
  );
  return characters.slice(0, longestSummary).join('');
}

function timeOf({ time_required_min: min, time_required_max: max }: GuideFacts): string {
  return min <= 0 && max <= 0 ? '' : timeRequiredText(min, max);
}

function difficultyOf(difficulty: string, { notes }: Writing): string {
  if (difficulty === '' || difficulties.some((known) => known === difficulty)) return difficulty;
  notes.add(
    'dropped',
    'difficulty-unknown',
    'guide/difficulty',
    `The format has no difficulty ${difficulty}`,
  );
  return '';
}

function suppliesElement(name: 'tool' | 'part', supplies: readonly SupplyFacts[], writing: Writing): string {
  const all = supplies.map((supply, index) => {
    const place = `guide/${name}s/${name}[${index + 1}]`;
    return element(name, {
      name: supply.text,
      quantity: supply.quantity,
      type: supply.type || undefined,
      notes: supply.notes ?? undefined,
      url: address(supply.url, writing, place),
      thumbnail: address(supply.thumbnail ?? '', writing, place),
    });
  });
  return element(`${name}s`, {}, lines(all));
}

/** Writes documents: the file name is the text and the path the `url`, as the standard's text says. */
function documentsElement(documents: readonly DocumentRef[], writing: Writing): string {
  const all = placedDocuments(documents, writing, 'guide/documents').map(({ document, path }) =>
    textElement('document', documentName(document), { url: path }),
  );
  return element('documents', {}, lines(all));
}

function prerequisitesElement(
  facts: GuideFacts,
  mentions: readonly GuideMention[],
  writing: Writing,
): string {
  const hidden = facts.prerequisites.length - mentions.length;
  if (hidden > 0) {
    const message = `Left out ${hidden === 1 ? 'a prerequisite' : `${hidden} prerequisites`} that not everyone can see`;
    writing.notes.add('dropped', 'prerequisite-hidden', 'guide/prerequisites', message);
  }
  const all = mentions.map((mention) => {
    const { path, image } = writing.paths.guide(mention);
    const { guideid: id, langid: locale, subject, type } = mention;
    return element(
      'prerequisite',
      { id, locale, subject, type },
      lines([
        textElement('title', mention.title),
        textElement('url', guideAddress(mention, writing.site.base)),
        textElement('path', path),
        textElement('image', image),
      ]),
    );
  });
  return element('prerequisites', {}, lines(all));
}

function datesOf(
  { created_date: created, modified_date: modified }: GuideFacts,
  { notes }: Writing,
): string[] {
  if (created > modified) {
    notes.add(
      'guessed',
      'dates-swapped',
      'guide/modified_date',
      'The guide was changed before it was created',
    );
  }
  return [
    textElement('modified_date', xmlDate(Math.max(created, modified))),
    textElement('created_date', xmlDate(created)),
  ];
}
