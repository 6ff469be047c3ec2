import {
  type GuideContent,
  type LineContent,
  type ListElement,
  type ContentPath,
  type StepContent,
  elementKeys,
  isListField,
} from '#shared/rules/guide-content.ts';

import { type Json, asJson } from './conflict.ts';

/** The value at a place of a guide; undefined when the step, line or element does not exist. */
export function valueAt(content: GuideContent, place: ContentPath): Json | undefined {
  const element = elementAt(content, place);
  if (element === undefined || place.field === undefined)
    return element === undefined ? undefined : asJson(element);
  return asJson(new Map<string, unknown>(Object.entries(element)).get(place.field));
}

function elementAt(content: GuideContent, place: ContentPath): object | string | number | undefined {
  if (place.list !== undefined) {
    if (!isListField(place.list)) throw new Error(`No list ${place.list}`);
    return content[place.list][elementKeys(place.list, content[place.list]).indexOf(place.element ?? '')];
  }
  if (place.step === undefined) return content;
  const step = content.steps.find(({ key }) => key === place.step);
  return place.line === undefined ? step : step?.lines.find(({ id }) => id === place.line);
}

/**
 * The guide with another value at a place. Null at a place without `field` removes the element. A step, line or element
 * that does not exist is added at the end. If it does not exist and `field` is given, the content is returned
 * unchanged.
 */
export function withValueAt(content: GuideContent, place: ContentPath, value: Json): GuideContent {
  if (place.list !== undefined) return withListElement(content, place, value);
  if (place.step === undefined) return withField(content, place.field, value);
  const steps = withElement(
    content.steps,
    content.steps.map((step) => step.key),
    place.step,
    place.line === undefined
      ? (step) => changed(step, place, value)
      : (step) => step && { ...step, lines: withLine(step, place, value) },
  );
  return { ...content, steps };
}

function withLine(step: StepContent, place: ContentPath, value: Json): LineContent[] {
  const ids = step.lines.map((line) => line.id);
  return withElement(step.lines, ids, place.line ?? '', (line) => changed(line, place, value));
}

function withListElement(content: GuideContent, place: ContentPath, value: Json): GuideContent {
  if (place.list === undefined || !isListField(place.list)) throw new Error(`No list ${place.list}`);
  const elements: ListElement[] = content[place.list];
  const keys = elementKeys(place.list, elements);
  const next = withElement(elements, keys, place.element ?? '', (element) => changed(element, place, value));
  return { ...content, [place.list]: next };
}

function withElement<T>(
  items: T[],
  keys: string[],
  key: string,
  change: (item: T | undefined) => T | undefined,
): T[] {
  const index = keys.indexOf(key);
  const next = change(items[index]);
  if (index < 0) return next === undefined ? items : [...items, next];
  return next === undefined ? items.toSpliced(index, 1) : items.with(index, next);
}

/** The cast is safe: values of conflicts come from fields and elements of the same type. */
function changed<T>(item: T | undefined, place: ContentPath, value: Json): T | undefined {
  if (place.field === undefined) return value === null ? undefined : (value as T);
  return typeof item === 'object' && item !== null ? withField(item, place.field, value) : item;
}

function withField<T extends object>(record: T, field: string | undefined, value: Json): T {
  if (field === undefined) throw new Error('A place in a guide needs a field');
  return { ...record, [field]: value };
}
