import { z } from 'zod';

import { type Json, type MergeConflict, asJson } from '#shared/merge/conflict.ts';
import {
  bullets,
  documentRef,
  guideFacts,
  lineFacts,
  mediaFacts,
  stepFacts,
  supplyFacts,
} from '#shared/model/guide.ts';
import {
  type GuideContent,
  type LineContent,
  type ContentPath,
  type StepContent,
  elementKeys,
  emptyStep,
  isListField,
  listFields,
  scalarFields,
  textFields,
} from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

/** What a person wrote in one place of a guide or page, without anything else of it. */
export interface OwnWord {
  place: ContentPath;
  value: Json;
}

export const ownWord = z.strictObject({
  place: z.strictObject({
    list: z.string().exactOptional(),
    element: z.string().exactOptional(),
    step: z.string().exactOptional(),
    line: z.string().exactOptional(),
    field: z.string().exactOptional(),
  }),
  value: z.json(),
});

/** The fields, elements and lines that differ in `after`. Removals and moves have no words. */
export function ownWords(before: GuideContent, after: GuideContent): OwnWord[] {
  const fields = [...textFields, ...scalarFields].flatMap((field) =>
    wordAt({ field }, before[field], after[field]),
  );
  const elements = listFields.flatMap((list) => {
    const keys = elementKeys(list, after[list]);
    return after[list].flatMap((element, index) => {
      const isOld = before[list].some((old) => sameValue(old, element));
      return isOld ? [] : [{ place: { list, element: keys[index] ?? '' }, value: asJson(element) }];
    });
  });
  const steps = new Map(before.steps.map((step) => [step.key, step]));
  return [
    ...fields,
    ...elements,
    ...after.steps.flatMap((step) => ownStep(steps.get(step.key) ?? emptyStep(step.key), step)),
  ];
}

function ownStep(before: StepContent, after: StepContent): OwnWord[] {
  const step = after.key;
  const lines = new Map(before.lines.map((line) => [line.id, line]));
  return [
    ...stepFields.flatMap((field) => wordAt({ step, field }, before[field], after[field])),
    ...after.lines.flatMap((line) => {
      const old = lines.get(line.id) ?? blankLine(line.id);
      return lineFields.flatMap((field) => wordAt({ step, line: line.id, field }, old[field], line[field]));
    }),
  ];
}

const stepFields = ['title', 'media', 'time_estimate'] as const;
const lineFields = ['text_raw', 'bullet', 'level'] as const;

function blankLine(id: string): LineContent {
  return { id, bullet: 'black', level: 0, text_raw: '' };
}

function wordAt(place: ContentPath, before: unknown, after: unknown): OwnWord[] {
  return sameValue(before, after) ? [] : [{ place, value: asJson(after) }];
}

/** The person's side of merge conflicts. */
export function contestedWords(conflicts: readonly MergeConflict[]): OwnWord[] {
  return conflicts.map(({ place, mine }) => ({ place, value: mine }));
}

/** The changed fields of a page. */
export function ownFields(before: object, after: object): OwnWord[] {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).flatMap(([field, value]) => wordAt({ field }, old.get(field), value));
}

/**
 * A guide with a person's words in their places. Steps and lines that no longer exist are added at the end, under new keys
 * (`uuid`) unless the person had created them. A value that is invalid in its place is left out.
 */
export function withWords(
  content: GuideContent,
  words: readonly OwnWord[],
  uuid: () => string,
): GuideContent {
  const renamed = new Map<string, string>();
  const keyOf = (key: string): string => {
    if (key.startsWith('tmp:')) return key;
    const name = renamed.get(key) ?? `tmp:${uuid()}`;
    renamed.set(key, name);
    return name;
  };
  return words.reduce((next, { place, value }) => placed(next, place, value, keyOf), content);
}

function placed(
  content: GuideContent,
  place: ContentPath,
  value: Json,
  keyOf: (key: string) => string,
): GuideContent {
  if (place.step !== undefined) return withStepWord(content, place.step, place, value, keyOf);
  if (place.list !== undefined) {
    if (!isListField(place.list)) return content;
    const element = elementOf[place.list].safeParse(value);
    if (!element.success || content[place.list].some((one) => sameValue(one, element.data))) return content;
    return { ...content, [place.list]: [...content[place.list], element.data] };
  }
  const field = [...textFields, ...scalarFields].find((name) => name === place.field);
  const parsed = field === undefined ? undefined : guideFacts.shape[field].safeParse(value);
  return field === undefined || parsed?.success !== true ? content : { ...content, [field]: parsed.data };
}

const elementOf = {
  flags: z.string(),
  parts: supplyFacts,
  tools: supplyFacts,
  documents: documentRef,
  prerequisites: z.int(),
};

function withStepWord(
  content: GuideContent,
  wanted: string,
  place: ContentPath,
  value: Json,
  keyOf: (key: string) => string,
): GuideContent {
  const isThere = content.steps.some(({ key }) => key === wanted);
  const key = isThere ? wanted : keyOf(wanted);
  const steps = content.steps.some((step) => step.key === key)
    ? content.steps
    : [...content.steps, emptyStep(key)];
  return {
    ...content,
    steps: steps.map((step) => (step.key === key ? stepWith(step, place, value, keyOf) : step)),
  };
}

function stepWith(
  step: StepContent,
  place: ContentPath,
  value: Json,
  keyOf: (key: string) => string,
): StepContent {
  if (place.line === undefined) {
    const field = stepFields.find((name) => name === place.field);
    const parsed = field === undefined ? undefined : stepValue[field].safeParse(value);
    return field === undefined || parsed?.success !== true ? step : { ...step, [field]: parsed.data };
  }
  const isThere = step.lines.some(({ id }) => id === place.line);
  const id = isThere ? place.line : keyOf(place.line);
  const lines = step.lines.some((line) => line.id === id) ? step.lines : [...step.lines, blankLine(id)];
  const field = lineFields.find((name) => name === place.field);
  const parsed = field === undefined ? undefined : lineValue[field].safeParse(value);
  if (field === undefined || parsed?.success !== true) return step;
  return { ...step, lines: lines.map((line) => (line.id === id ? { ...line, [field]: parsed.data } : line)) };
}

const stepValue = {
  title: stepFacts.shape.title,
  media: z.union([
    mediaFacts,
    z.strictObject({ type: z.literal('object'), data: z.templateLiteral(['tmp:', z.string()]) }),
  ]),
  time_estimate: stepFacts.shape.time_estimate,
};
const lineValue = {
  text_raw: lineFacts.shape.text_raw,
  bullet: lineFacts.shape.bullet,
  level: lineFacts.shape.level,
};

/**
 * The same places with values that differ from the person's and from `theirs`. Used as a base, they make both sides
 * conflict in every one of these places. Places that `theirs` lacks are left out.
 */
export function blanks(words: readonly OwnWord[], theirs: GuideContent): OwnWord[] {
  return words.flatMap(({ place, value }) => {
    const there = valueAt(theirs, place);
    if (there === undefined) return [];
    const blank = candidates(place.field ?? '').find(
      (one) => !sameValue(one, value) && !sameValue(one, there),
    );
    return blank === undefined ? [] : [{ place, value: blank }];
  });
}

function candidates(field: string): Json[] {
  if (field === 'bullet') return [...bullets];
  if (field === 'media') return [{ type: 'image', data: [] }];
  if (field === 'image' || field === 'featured_documentid') return [null];
  return field === 'level' || field.startsWith('time_') ? [0, 1, 2] : [''];
}

/** The value of a guide in a place; undefined if the guide lacks it. */
function valueAt(content: GuideContent, place: ContentPath): Json | undefined {
  if (place.list !== undefined) return undefined;
  const step = content.steps.find(({ key }) => key === place.step);
  const line = step?.lines.find(({ id }) => id === place.line);
  const holder = place.line !== undefined ? line : place.step !== undefined ? step : content;
  const value = new Map<string, unknown>(Object.entries(holder ?? {})).get(place.field ?? '');
  return value === undefined ? undefined : asJson(value);
}
