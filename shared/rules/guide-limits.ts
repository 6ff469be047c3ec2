import type { SupplyFacts } from '#shared/model/guide.ts';

import {
  type GuideContent,
  type LineContent,
  type ContentPath,
  type StepContent,
  pathId,
} from './guide-content.ts';

/** Limits from the spec ("POST /guides body") and from live servers (line write object, media write). */
export const guideLimits = {
  summaryCharacters: 155,
  introductionLines: 49,
  titleCharacters: 250,
  subjectCharacters: 200,
  stepTitleCharacters: 200,
  /** A guide of this size can be opened on a device and written on the server without a noticeable delay. */
  steps: 1000,
  linesOfStep: 8,
  lineCharacters: 350,
  lineLevel: 2,
  pictures: 3,
  supplyNameCharacters: 200,
  supplyTypeCharacters: 100,
  supplyNotesCharacters: 1000,
  supplyUrlCharacters: 2000,
} as const;

/** `missing`: something is not filled in yet, which is told once its field was left. */
export type Flaw = { place: ContentPath; message: string; missing?: true };

/**
 * A flaw with the value that causes it. A flaw that `base` already has does not block a change if its `subject` is
 * unchanged or, where `size` is given, not larger. For example, an old step of ten lines can be fixed line by line.
 */
type Finding = Flaw & { subject: string; size?: number };

/** The values of this content that exceed the limits. */
export function validateContent(content: GuideContent): Flaw[] {
  return findings(content).map(flawOf);
}

/** The values of `next` that exceed the limits and did not do so in `base` (null: a new guide). */
export function validateChange(base: GuideContent | null, next: GuideContent): Flaw[] {
  const found = findings(next);
  if (base === null || found.length === 0) return found.map(flawOf);
  const known = new Map(findings(base).map((finding) => [findingId(finding), finding]));
  return found.filter((finding) => !isKnown(finding, known.get(findingId(finding)))).map(flawOf);
}

function flawOf({ place, message, missing }: Finding): Flaw {
  return { place, message, ...(missing === undefined ? {} : { missing }) };
}

function findingId(finding: Finding): string {
  return `${pathId(finding.place)} ${finding.size === undefined ? finding.message : 'size'}`;
}

function isKnown(finding: Finding, old: Finding | undefined): boolean {
  if (old === undefined) return false;
  if (finding.size !== undefined && old.size !== undefined) return finding.size <= old.size;
  return finding.subject === old.subject;
}

function findings(content: GuideContent): Finding[] {
  const found: Finding[] = [];
  tooLong(found, { field: 'title' }, 'The title', content.title, guideLimits.titleCharacters);
  tooLong(found, { field: 'summary' }, 'The summary', content.summary, guideLimits.summaryCharacters);
  if (content.introduction_raw.split(/\r\n|\r|\n/).length > guideLimits.introductionLines) {
    found.push({
      place: { field: 'introduction_raw' },
      message: `The introduction has more than ${guideLimits.introductionLines} lines`,
      subject: content.introduction_raw,
    });
  }
  if (content.steps.length > guideLimits.steps)
    found.push({
      place: { field: 'steps' },
      message: `The guide has more than ${guideLimits.steps} steps`,
      subject: String(content.steps.length),
      size: content.steps.length,
    });
  tooLong(found, { field: 'subject' }, 'The part or topic', content.subject, guideLimits.subjectCharacters);
  for (const list of ['tools', 'parts'] as const) supplyFindings(found, list, content[list]);
  for (const step of content.steps) stepFindings(found, step);
  return found;
}

function supplyFindings(found: Finding[], list: 'tools' | 'parts', supplies: readonly SupplyFacts[]): void {
  const what = list === 'tools' ? 'tool' : 'part';
  for (const [index, { text, type, notes, url }] of supplies.entries()) {
    const place = { list, element: String(index) };
    if (text.trim() === '')
      found.push({
        place: { ...place, field: 'text' },
        message: `Name this ${what}, or remove it`,
        subject: `${index}`,
        missing: true,
      });
    tooLong(found, { ...place, field: 'text' }, 'The name', text, guideLimits.supplyNameCharacters);
    tooLong(found, { ...place, field: 'type' }, 'The kind or size', type, guideLimits.supplyTypeCharacters);
    tooLong(found, { ...place, field: 'notes' }, 'The note', notes ?? '', guideLimits.supplyNotesCharacters);
    tooLong(found, { ...place, field: 'url' }, 'The web address', url, guideLimits.supplyUrlCharacters);
  }
}

function stepFindings(found: Finding[], step: StepContent): void {
  tooLong(
    found,
    { step: step.key, field: 'title' },
    'The step title',
    step.title,
    guideLimits.stepTitleCharacters,
  );
  tooMany(found, { step: step.key, field: 'lines' }, 'lines', step.lines.length, guideLimits.linesOfStep);
  if (step.media.type === 'image') {
    tooMany(
      found,
      { step: step.key, field: 'media' },
      'pictures',
      step.media.data.length,
      guideLimits.pictures,
    );
  }
  let above: LineContent | undefined;
  for (const line of step.lines) {
    const place = { step: step.key, line: line.id };
    tooLong(found, { ...place, field: 'text_raw' }, 'The line', line.text_raw, guideLimits.lineCharacters);
    if (line.text_raw.trim() === '') {
      found.push({
        place: { ...place, field: 'text_raw' },
        message: 'The line is empty',
        subject: line.text_raw,
        missing: true,
      });
    }
    levelFinding(found, { ...place, field: 'level' }, line, above);
    above = line;
  }
}

function levelFinding(
  found: Finding[],
  place: ContentPath,
  line: LineContent,
  above: LineContent | undefined,
): void {
  const allowed = above === undefined ? 0 : above.level + 1;
  const subject = `${above?.level ?? 'first'} ${line.level}`;
  if (line.level > allowed) {
    const message =
      above === undefined
        ? 'The first line of a step cannot be indented'
        : 'A line can be indented by one step only';
    found.push({ place, message, subject });
  }
  if (line.level > guideLimits.lineLevel) {
    found.push({ place, message: `A line has at most ${guideLimits.lineLevel} levels of indent`, subject });
  }
}

function tooLong(found: Finding[], place: ContentPath, what: string, text: string, limit: number): void {
  // A text has at least as many code units as characters; counting characters is slow.
  if (text.length > limit && Array.from(text).length > limit) {
    found.push({ place, message: `${what} has more than ${limit} characters`, subject: text });
  }
}

function tooMany(found: Finding[], place: ContentPath, what: string, size: number, limit: number): void {
  if (size > limit) {
    found.push({ place, message: `The step has more than ${limit} ${what}`, subject: String(size), size });
  }
}
