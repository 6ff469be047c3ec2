import { expect, test } from 'vitest';
import { z } from 'zod';

import { serializerOf } from '#server/http/serialize.ts';
import { categoryHierarchy, orderedCategory, wikiLight } from '#shared/model/wiki-record.ts';
import { richText } from '#shared/model/rich-text.ts';

function written(schema: z.ZodType, body: unknown): unknown {
  return JSON.parse(serializerOf(schema)(body)) as unknown;
}

const person = z.strictObject({ userid: z.int(), name: z.string() });

test('INPUT-19 an undeclared field is never sent, at any depth', () => {
  const schema = z.strictObject({
    author: person.nullable(),
    others: z.array(person).optional(),
    byName: z.record(z.string(), person),
  });
  const ana = { userid: 1, name: 'Ana', password_hash: 'x' };
  const body = { author: ana, others: [ana, { userid: 2, name: 'Ben' }], byName: { ana }, secret: 'x' };
  const shown = { userid: 1, name: 'Ana' };
  expect(written(schema, body)).toEqual({
    author: shown,
    others: [shown, { userid: 2, name: 'Ben' }],
    byName: { ana: shown },
  });
  expect(written(schema, { author: null, byName: {} })).toEqual({ author: null, byName: {} });
  expect(ana.password_hash).toBe('x');
});

test('INPUT-19 an object in place of a declared text is an error', () => {
  expect(() => serializerOf(person)({ userid: 1, name: { secret: 'x' } })).toThrow('no form of its contract');
  expect(() => serializerOf(person)([])).toThrow('no form of its contract');
  expect(() => serializerOf(z.array(person))({ userid: 1, name: 'Ana' })).toThrow('no form of its contract');
});

test("INPUT-19 of several shapes, the one that fits the record's discriminators is used", () => {
  const schema = z.union([
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('image'), guid: z.string() }),
      z.strictObject({ kind: z.literal('video'), guid: z.string(), length: z.int() }),
    ]),
    z.strictObject({ guid: z.string(), note: z.string().optional() }),
    z.literal(false),
  ]);
  const all = { guid: 'a', length: 3, note: 'x' };
  expect(written(schema, { kind: 'image', ...all })).toEqual({ kind: 'image', guid: 'a' });
  expect(written(schema, { kind: 'video', ...all })).toEqual({ kind: 'video', guid: 'a', length: 3 });
  expect(written(schema, all)).toEqual({ guid: 'a', note: 'x' });
  expect(written(schema, false)).toBe(false);
  expect(() => written(schema, { note: 'x' })).toThrow('no form of its contract');
});

test('INPUT-19 recursive trees are written completely', () => {
  const list = z.union([z.array(wikiLight), categoryHierarchy, z.array(orderedCategory)]);
  const tree = { hierarchy: { A: { B: null }, C: null }, display_titles: { A: 'a', B: 'b', C: 'c' } };
  expect(written(list, { ...tree, secret: 1 })).toEqual(tree);
  const ordered = [{ title: 'A', display_title: 'a', children: [{ title: 'B', display_title: 'b', x: 1 }] }];
  expect(written(list, ordered)).toEqual([
    { title: 'A', display_title: 'a', children: [{ title: 'B', display_title: 'b' }] },
  ]);
  const text = {
    type: 'doc',
    content: [{ type: 'text', text: 'a', attrs: { level: 2 }, odd: 1 }],
    text: undefined,
  };
  expect(written(richText, text)).toEqual({
    type: 'doc',
    content: [{ type: 'text', text: 'a', attrs: { level: 2 } }],
  });
});
