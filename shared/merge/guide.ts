import { groupedBy } from '#shared/grouped-by.ts';
import type { DocumentRef, SupplyFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import {
  type GuideContent,
  type LineContent,
  type ListElement,
  type ListField,
  type ContentPath,
  type StepContent,
  documentIdOf,
  elementKeys,
  emptyStep,
  imageIdOf,
} from '#shared/rules/guide-content.ts';
import { settledLevels } from '#shared/rules/guide-edit.ts';
import { guideLimits } from '#shared/rules/guide-limits.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { formatMarkup, parseMarkup, type Drawing } from '#shared/formats/wikitext/markup.ts';

import { type AutomaticMerge, type Json, type MergeConflict, type MergeLog, asJson } from './conflict.ts';
import { type FieldRules, mergeFields, mergeKeyed } from './records.ts';
import { mergeText } from './text.ts';

const guideRules: FieldRules<GuideContent> = {
  title: 'text',
  summary: 'text',
  introduction_raw: 'text',
  conclusion_raw: 'text',
  subject: 'value',
  category: 'value',
  type: 'value',
  difficulty: 'value',
  time_required_min: 'value',
  time_required_max: 'value',
  image: 'value',
  featured_documentid: 'value',
};
const stepRules: FieldRules<StepContent> = { title: 'text', media: 'value', time_estimate: 'value' };
const lineRules: FieldRules<LineContent> = { text_raw: 'text', bullet: 'value', level: 'value' };
const supplyRules: FieldRules<SupplyFacts> = {
  notes: 'value',
  quantity: 'value',
  isoptional: 'value',
  featured: 'value',
};

export type GuideConflict = MergeConflict;
export type GuideMerge = { merged: GuideContent; conflicts: GuideConflict[]; merges: AutomaticMerge[] };

/**
 * Merges two edits of a guide (rules in README.md). `merged` contains every change that does not contradict another;
 * where two do, it contains theirs, except that an element edited by one side stays although the other removed it.
 * `merges` lists the changes by them, or by both sides, that merged automatically.
 */
export function mergeGuide(base: GuideContent, mine: GuideContent, theirs: GuideContent): GuideMerge {
  const log: MergeLog = { conflicts: [], merges: [] };
  const fields = mergeFields(guideRules, { base, mine, theirs }, {}, log);
  const merged: GuideContent = {
    ...fields,
    flags: mergeValues('flags', base.flags, mine.flags, theirs.flags, log),
    prerequisites: mergeValues(
      'prerequisites',
      base.prerequisites,
      mine.prerequisites,
      theirs.prerequisites,
      log,
    ),
    documents: mergeValues('documents', base.documents, mine.documents, theirs.documents, log),
    parts: mergeSupplies('parts', base.parts, mine.parts, theirs.parts, log),
    tools: mergeSupplies('tools', base.tools, mine.tools, theirs.tools, log),
    steps: mergeSteps(base.steps, mine.steps, theirs.steps, log),
  };
  dropLostFeature(merged, mine, theirs, log);
  return { merged, ...log };
}

/** MERGE-34: clears the featured document when one side chose it and the other removed it from the guide. */
function dropLostFeature(
  merged: GuideContent,
  mine: GuideContent,
  theirs: GuideContent,
  log: MergeLog,
): void {
  const holds = (documents: DocumentRef[]): boolean =>
    documents.some((document) => documentIdOf(document) === merged.featured_documentid);
  if (holds(merged.documents) || !(holds(mine.documents) || holds(theirs.documents))) return;
  merged.featured_documentid = null;
  log.merges.push({ place: { field: 'featured_documentid' }, kind: 'removed', by: 'both' });
}

function keyed<T extends ListElement>(field: ListField, elements: T[]): Map<string, T> {
  const keys = elementKeys(field, elements);
  return new Map(elements.map((element, index) => [keys[index] ?? '', element]));
}

/** Merges a list of plain identifiers, which have nothing to edit. */
function mergeValues<T extends ListElement>(
  field: ListField,
  base: T[],
  mine: T[],
  theirs: T[],
  log: MergeLog,
): T[] {
  const sides = { base: keyed(field, base), mine: keyed(field, mine), theirs: keyed(field, theirs) };
  return mergeKeyed(
    sides,
    {
      placeOf: (element) => ({ list: field, element }),
      merge: (_key, _base, _mine, own) => own,
      isEdited: () => false,
    },
    log,
  );
}

function mergeSupplies(
  field: 'parts' | 'tools',
  base: SupplyFacts[],
  mine: SupplyFacts[],
  theirs: SupplyFacts[],
  log: MergeLog,
): SupplyFacts[] {
  const placeOf = (element: string): ContentPath => ({ list: field, element });
  return mergeKeyed(
    { base: keyed(field, base), mine: keyed(field, mine), theirs: keyed(field, theirs) },
    {
      placeOf,
      merge: (key, old, left, right) =>
        mergeFields(
          supplyRules,
          { base: old ?? blankSupply(right), mine: left, theirs: right },
          placeOf(key),
          log,
        ),
      isEdited: (old, side) =>
        Object.keys(supplyRules).some((name) => !sameValue(fieldOf(old, name), fieldOf(side, name))),
    },
    log,
  );
}

function fieldOf(record: object, name: string): unknown {
  return new Map<string, unknown>(Object.entries(record)).get(name);
}

function blankSupply({ text, type, url }: SupplyFacts): SupplyFacts {
  return { text, notes: null, type, quantity: 1, url, thumbnail: null };
}

function mergeSteps(
  base: StepContent[],
  mine: StepContent[],
  theirs: StepContent[],
  log: MergeLog,
): StepContent[] {
  const byKey = (steps: StepContent[]): Map<string, StepContent> =>
    new Map(steps.map((step) => [step.key, step]));
  return mergeKeyed(
    { base: byKey(base), mine: byKey(mine), theirs: byKey(theirs) },
    {
      placeOf: (step) => ({ step }),
      merge: (key, old, left, right) => mergeStep(old ?? emptyStep(key), left, right, log),
      isEdited: (old, side) => !sameValue(old, side),
    },
    log,
  );
}

function mergeStep(base: StepContent, mine: StepContent, theirs: StepContent, log: MergeLog): StepContent {
  const place = { step: theirs.key };
  const fields = mergeFields(stepRules, { base, mine, theirs }, place, log, bothPictures);
  return { ...fields, lines: mergeLines(place, base.lines, mine.lines, theirs.lines, log) };
}

/** MERGE-33: the pictures and markers of both sides, if they fit in one step. */
export function bothPictures(field: string, mine: Json, theirs: Json): Json | undefined {
  if (field !== 'media') return undefined;
  const byId = groupedBy([...picturesOf(theirs), ...picturesOf(mine)], imageIdOf);
  const distinct = [...byId.values()].map(withAllMarkers);
  const fits =
    picturesOf(mine).length > 0 && picturesOf(theirs).length > 0 && distinct.length <= guideLimits.pictures;
  return fits ? asJson({ type: 'image', data: distinct }) : undefined;
}

/** Combines two versions of one picture: the markers of both. */
function withAllMarkers(same: ImageRef[]): ImageRef {
  const [image, other] = same;
  if (image === undefined) throw new Error('A picture is missing');
  if (other?.markup === undefined || other.markup === image.markup) return image;
  const [theirs, mine] = [parseMarkup(image.markup ?? ''), parseMarkup(other.markup)];
  const isTheirs = (drawing: Drawing): boolean => theirs.draw.some((one) => sameValue(one, drawing));
  const draw = [...theirs.draw, ...mine.draw.filter((drawing) => !isTheirs(drawing))];
  return { ...image, markup: formatMarkup({ ...theirs, draw }) };
}

function picturesOf(media: Json): Extract<StepContent['media'], { type: 'image' }>['data'] {
  const content = media as StepContent['media'];
  return content.type === 'image' ? content.data : [];
}

function mergeLines(
  { step }: { step: string },
  base: LineContent[],
  mine: LineContent[],
  theirs: LineContent[],
  log: MergeLog,
): LineContent[] {
  const byId = (lines: LineContent[]): Map<string, LineContent> =>
    new Map(lines.map((line) => [line.id, line]));
  const placeOf = (line: string): ContentPath => ({ step, line });
  const lines = mergeKeyed<LineContent>(
    { base: byId(base), mine: byId(mine), theirs: byId(theirs) },
    {
      placeOf,
      merge: (id, old, left, right) => mergeLine(placeOf(id), old ?? blankLine(id), left, right, log),
      isEdited: (old, side) => old.text_raw !== side.text_raw || old.bullet !== side.bullet,
    },
    log,
  );
  return fittingLevels(step, lines, [mine, theirs], log);
}

/** MERGE-44: drops a line when the two sides together removed all its words. */
function mergeLine(
  place: ContentPath,
  base: LineContent,
  mine: LineContent,
  theirs: LineContent,
  log: MergeLog,
): LineContent | undefined {
  const texts = [base.text_raw, mine.text_raw, theirs.text_raw] as const;
  const { merged, conflict } = mergeText(...texts);
  const emptied = merged.trim() === '' && !conflict && new Set(texts).size === texts.length;
  if (!emptied) return mergeFields(lineRules, { base, mine, theirs }, place, log);
  log.merges.push({ place, kind: 'removed', by: 'both' });
  return undefined;
}

function blankLine(id: string): LineContent {
  return { id, bullet: 'black', level: 0, text_raw: '' };
}

/**
 * MERGE-42: corrects the levels when the merged lines match neither side. An arrangement that one side wrote is not
 * changed.
 */
function fittingLevels(
  step: string,
  lines: LineContent[],
  sides: LineContent[][],
  log: MergeLog,
): LineContent[] {
  const shape = (side: LineContent[]): string => side.map((line) => `${line.id} ${line.level}`).join('\n');
  if (sides.some((side) => shape(side) === shape(lines))) return lines;
  const settled = settledLevels(lines);
  settled.forEach((line, index) => {
    if (line !== lines[index])
      log.merges.push({ place: { step, line: line.id }, kind: 'indented', by: 'both' });
  });
  return settled;
}
