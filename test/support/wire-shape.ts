import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { protocolRange } from '#shared/sync/protocol.ts';
import * as wire from '#shared/sync/wire.ts';

type Json = Record<string, unknown>;

/** Every message of the wire and every document of the feed as JSON Schema. */
export interface WireShape {
  protocol: number;
  messages: Record<string, Json>;
  documents: Record<string, Json>;
}

/** The wire messages as the code declares them now. */
export function presentWire(): WireShape {
  const exported: [string, unknown][] = Object.entries(wire);
  const messages = exported.flatMap(([name, schema]): [string, Json][] =>
    schema instanceof z.ZodType ? [[name, shapeOf(schema)]] : [],
  );
  const documents = Object.entries(wire.syncedCollections).map(([name, schema]): [string, Json] => [
    name,
    shapeOf(schema),
  ]);
  return {
    protocol: protocolRange.newest,
    messages: Object.fromEntries(messages),
    documents: Object.fromEntries(documents),
  };
}

/** The file with the pinned wire of a protocol. */
export function wireFile(protocol: number): URL {
  return new URL(`../fixtures/wire/protocol-${protocol}.json`, import.meta.url);
}

/** The wire of a protocol as devices in the field use it. */
export function pinnedWire(protocol: number): WireShape {
  return JSON.parse(readFileSync(wireFile(protocol), 'utf8')) as WireShape;
}

/** The text of the file: one line per schema, so that a diff shows the change. */
export function wireText({ protocol, messages, documents }: WireShape): string {
  const lines = (schemas: Record<string, Json>): string =>
    Object.entries(schemas)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`)
      .join(',\n');
  return `{\n  "protocol": ${protocol},\n  "messages": {\n${lines(messages)}\n  },\n  "documents": {\n${lines(documents)}\n  }\n}\n`;
}

/**
 * Changes from `pinned` to `now` that devices of that protocol do not tolerate, each as a sentence. They tolerate new
 * optional properties, new messages, new documents, and new collection names in a row.
 */
export function breaksOf(pinned: WireShape, now: WireShape): string[] {
  const breaks: string[] = [];
  const newNames = Object.keys(now.documents).filter((name) => !(name in pinned.documents));
  for (const part of ['messages', 'documents'] as const)
    for (const [name, schema] of Object.entries(pinned[part])) {
      const present = now[part][name];
      if (present === undefined) breaks.push(`${name} is gone`);
      else compare({ at: name, pinned: schema, now: present, newNames, breaks });
    }
  return breaks;
}

/**
 * The fields and collections that documents have `now` and not in `pinned`: `guides.uid`, or `guides.$defs.Line.colour`
 * deep in a document. The kinds of a union are not part of the path.
 */
export function newInDocuments(pinned: WireShape, now: WireShape): string[] {
  return [...new Set(additions('', true, pinned.documents, now.documents))];
}

/** `areNames`: the keys are names of fields, schemas or collections, which may be spelled like a keyword. */
function additions(at: string, areNames: boolean, pinned: unknown, now: unknown): string[] {
  if (typeof pinned !== 'object' || pinned === null || typeof now !== 'object' || now === null) return [];
  const before = new Map(Object.entries(pinned));
  return Object.entries(now).flatMap(([key, value]) => {
    if (!areNames && words.has(key)) return [];
    const isShown = areNames || !/^(?:properties|oneOf|anyOf|\d+)$/.test(key);
    const path = isShown ? `${at === '' ? '' : `${at}.`}${key}` : at;
    const hasNames = !areNames && (key === 'properties' || key === '$defs');
    return before.has(key) ? additions(path, hasNames, before.get(key), value) : [path];
  });
}

interface Comparison {
  at: string;
  pinned: unknown;
  now: unknown;
  /** Collections that the pinned wire does not have. */
  newNames: string[];
  breaks: string[];
}

function compare(comparison: Comparison): void {
  const { at, pinned, now, breaks } = comparison;
  if (Array.isArray(pinned) && Array.isArray(now) && pinned.length === now.length) {
    for (const [index, item] of pinned.entries())
      compare({ ...comparison, at: `${at}[${index}]`, pinned: item, now: (now as unknown[])[index] });
    return;
  }
  if (!isJson(pinned) || !isJson(now)) {
    if (JSON.stringify(pinned) !== JSON.stringify(now))
      breaks.push(`${at} was ${JSON.stringify(pinned)} and is ${JSON.stringify(now)}`);
    return;
  }
  for (const key of new Set([...Object.keys(pinned), ...Object.keys(now)])) {
    if (key === 'properties' || key === '$defs') compareParts(comparison, key, pinned, now);
    else if (key === 'required') compareRequired(comparison, pinned, now);
    else if (key === 'enum') compareEnum(comparison, pinned, now);
    else if (!words.has(key))
      compare({ ...comparison, at: `${at}.${key}`, pinned: pinned[key], now: now[key] });
  }
}

/** Keywords that do not affect validity. */
const words = new Set(['description', 'title', 'examples', 'example', 'deprecated']);

/** Compares properties and referenced schemas: existing ones must remain, new ones may be added. */
function compareParts(comparison: Comparison, key: string, pinned: Json, now: Json): void {
  const present = partsOf(now[key]);
  for (const [name, schema] of Object.entries(partsOf(pinned[key]))) {
    const at = `${comparison.at}.${name}`;
    if (!(name in present)) comparison.breaks.push(`${at} is gone`);
    else compare({ ...comparison, at, pinned: schema, now: present[name] });
  }
}

function compareRequired({ at, breaks }: Comparison, pinned: Json, now: Json): void {
  const [before, after] = [requiredOf(pinned), requiredOf(now)];
  for (const name of after) if (!before.includes(name)) breaks.push(`${at}.${name} is required`);
  for (const name of before) if (!after.includes(name)) breaks.push(`${at}.${name} is no longer required`);
}

function compareEnum({ at, newNames, breaks }: Comparison, pinned: Json, now: Json): void {
  const [before, after] = [valuesOf(pinned), valuesOf(now)];
  for (const value of before) if (!after.includes(value)) breaks.push(`${at} no longer takes ${value}`);
  for (const value of after)
    if (!before.includes(value) && !newNames.includes(value)) breaks.push(`${at} takes ${value}`);
}

function partsOf(value: unknown): Json {
  return isJson(value) ? value : {};
}

function requiredOf({ required }: Json): string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

function valuesOf(schema: Json): string[] {
  return Array.isArray(schema['enum']) ? schema['enum'].map(String) : [];
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shapeOf(schema: z.ZodType): Json {
  const shape: Json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  delete shape['$schema'];
  return shape;
}
