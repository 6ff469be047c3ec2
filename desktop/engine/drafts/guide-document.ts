import * as Y from 'yjs';

import {
  type GuideContent,
  type LineContent,
  type ListElement,
  type StepContent,
  elementKeys,
  emptyContent,
  listFields,
  scalarFields,
  textFields,
} from '#shared/rules/guide-content.ts';
import { type GuideEditOperation, settledLevels } from '#shared/rules/guide-edit.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { type Entry, type EntryMap, entriesOf, writeEntries } from './keyed-map.ts';
import { setText } from './text-edit.ts';

/** The step or line that an edit moved. It gets a new place in the order, and its neighbours keep theirs. */
export type Moved = { step?: string; line?: string };

/** The step or line that an edit moves. */
export function movedBy(edit: GuideEditOperation): Moved {
  if (edit.op === 'moveStep') return { step: edit.step };
  return edit.op === 'moveLine' ? { step: edit.step, line: edit.line } : {};
}

/** The shared map of a document that holds the whole guide. */
export function rootOf(doc: Y.Doc): Y.Map<unknown> {
  return doc.getMap('guide');
}

/** The guide in a document. Values have the types with which `writeContent` wrote them. */
export function readContent(doc: Y.Doc): GuideContent {
  const root = rootOf(doc);
  const fields: Record<string, unknown> = {};
  for (const field of scalarFields) fields[field] = root.get(field);
  for (const field of textFields) fields[field] = textOf(root.get(field));
  for (const field of listFields)
    fields[field] = entriesIn(root, field).map(([, entry]) => entry.get('value'));
  return { ...emptyContent(), ...fields, steps: entriesIn(root, 'steps').map(readStep) };
}

/**
 * Lowers levels of lines that are not allowed, as edits in two windows can produce. Steps with the levels of the base
 * stay.
 */
export function withSettledLevels(content: GuideContent, base: GuideContent): GuideContent {
  const shapeOf = (step: StepContent): string =>
    step.lines.map((line) => `${line.id} ${line.level}`).join('\n');
  const shapes = new Map(base.steps.map((step) => [step.key, shapeOf(step)]));
  const steps = content.steps.map((step) =>
    shapes.get(step.key) === shapeOf(step) ? step : { ...step, lines: settledLevels(step.lines) },
  );
  return { ...content, steps };
}

function readStep([key, entry]: [string, Entry]): StepContent {
  return {
    key,
    title: textOf(entry.get('title')),
    lines: entriesIn(entry, 'lines').map(([id, line]) => ({
      id,
      bullet: line.get('bullet') as LineContent['bullet'],
      level: line.get('level') as number,
      text_raw: textOf(line.get('text_raw')),
    })),
    media: entry.get('media') as StepContent['media'],
    time_estimate: entry.get('time_estimate') as number,
  };
}

function textOf(value: unknown): string {
  return value instanceof Y.Text ? value.toJSON() : '';
}

function entriesIn(map: Y.Map<unknown>, field: string): [string, Entry][] {
  const value = map.get(field);
  return value instanceof Y.Map ? entriesOf(value as EntryMap) : [];
}

/** Changes a document to a content, with the smallest changes. To be called in a transaction. */
export function writeContent(doc: Y.Doc, next: GuideContent, moved: Moved = {}): void {
  const root = rootOf(doc);
  for (const field of scalarFields) writeValue(root, field, next[field]);
  for (const field of textFields) setText(textIn(root, field), next[field]);
  for (const field of listFields) writeList(mapIn(root, field), elementKeys(field, next[field]), next[field]);
  const inStep = (key: string): string | undefined => (key === moved.step ? moved.line : undefined);
  writeEntries(
    mapIn(root, 'steps'),
    next.steps.map((step) => step.key),
    (key, entry) => {
      const step = next.steps.find((other) => other.key === key);
      if (step !== undefined) writeStep(entry, step, inStep(key));
    },
    moved.line === undefined ? moved.step : undefined,
  );
}

/** Unchanged lists are not written: equal elements have counted keys, which may differ from those in the document. */
function writeList(map: EntryMap, keys: string[], elements: readonly ListElement[]): void {
  const old = entriesOf(map).map(([, entry]) => entry.get('value'));
  if (sameValue(old, elements)) return;
  writeEntries(map, keys, (key, entry) => writeValue(entry, 'value', elements[keys.indexOf(key)]));
}

function writeStep(entry: Entry, step: StepContent, movedLine: string | undefined): void {
  setText(textIn(entry, 'title'), step.title);
  writeValue(entry, 'media', step.media);
  writeValue(entry, 'time_estimate', step.time_estimate);
  const lines = new Map(step.lines.map((line) => [line.id, line]));
  writeEntries(
    mapIn(entry, 'lines'),
    [...lines.keys()],
    (id, line) => {
      const content = lines.get(id);
      if (content === undefined) return;
      writeValue(line, 'bullet', content.bullet);
      writeValue(line, 'level', content.level);
      setText(textIn(line, 'text_raw'), content.text_raw);
    },
    movedLine,
  );
}

function writeValue(map: Y.Map<unknown>, field: string, value: unknown): void {
  if (!map.has(field) || !sameValue(map.get(field), value)) map.set(field, value);
}

function textIn(map: Y.Map<unknown>, field: string): Y.Text {
  const known = map.get(field);
  if (known instanceof Y.Text) return known;
  const text = new Y.Text();
  map.set(field, text);
  return text;
}

function mapIn(map: Y.Map<unknown>, field: string): EntryMap {
  const known = map.get(field);
  if (known instanceof Y.Map) return known as EntryMap;
  const made: EntryMap = new Y.Map();
  map.set(field, made);
  return made;
}
