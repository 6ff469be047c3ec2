import { expect, test } from 'vitest';
import { z } from 'zod';

import { protocolRange, unannouncedProtocol } from '#shared/sync/protocol.ts';
import {
  breaksOf,
  newInDocuments,
  pinnedWire,
  presentWire,
  type WireShape,
} from '#test/support/wire-shape.ts';

const howToPin =
  'The wire has grown. Record it, so that nobody takes it away again: node test/shared/sync/pin-wire.ts';

test('PROTOCOL-1 the messages of the wire are the pinned ones', () => {
  const notPinned = breaksOf(presentWire(), pinnedWire(protocolRange.newest));
  expect(notPinned, howToPin).toEqual([]);
});

test('PROTOCOL-2 messages of devices in the field remain valid: only additions have been made', () => {
  expect(breaksOf(pinnedWire(protocolRange.newest), presentWire())).toEqual([]);
  const numbered = ['batchRequest.protocol', 'feedHead.protocol'];
  const breaks = breaksOf(pinnedWire(unannouncedProtocol), presentWire());
  expect(breaks.filter((one) => !numbered.some((name) => one.startsWith(`${name}.`)))).toEqual([]);
});

/** A minimal wire with a message and two documents. */
function smallWire(): WireShape {
  const text = { type: 'string' };
  return {
    protocol: 6,
    messages: {
      feedRow: {
        type: 'object',
        properties: { c: { type: 'string', enum: ['guides', 'people'] }, id: text, note: text },
        required: ['c', 'id'],
        additionalProperties: false,
      },
    },
    documents: {
      guides: {
        type: 'object',
        properties: { title: text, level: { type: 'string', enum: ['easy', 'hard'] } },
        required: ['title', 'level'],
        $defs: { Line: { type: 'object', properties: { words: text }, required: ['words'] } },
      },
      people: {
        type: 'object',
        properties: { name: { anyOf: [text, { type: 'null' }] } },
        required: ['name'],
      },
    },
  };
}

type Planted = [string, (wire: ReturnType<typeof schemasOf>) => void];

/** Schemas of the small wire in which a change can be planted. */
function schemasOf(wire: WireShape) {
  const schema = z.object({
    properties: z.record(z.string(), z.record(z.string(), z.unknown())),
    required: z.array(z.string()),
  });
  const { feedRow } = wire.messages;
  const { guides, people } = wire.documents;
  for (const one of [feedRow, guides, people]) schema.parse(one);
  type Schema = z.infer<typeof schema>;
  return {
    wire,
    row: feedRow as Schema,
    guides: guides as Schema & { $defs: { Line: Schema } },
    people: people as Schema,
  };
}

const additions: Planted[] = [
  ['an optional property of a message', ({ row }) => (row.properties['server'] = { type: 'string' })],
  ['an optional property of a document', ({ guides }) => (guides.properties['tools'] = { type: 'array' })],
  [
    'an optional property deep in a document',
    ({ guides }) => (guides.$defs.Line.properties['colour'] = { type: 'string' }),
  ],
  ['a message', ({ wire }) => (wire.messages['placeHint'] = { type: 'object' })],
  [
    'a collection',
    ({ wire, row }) => {
      wire.documents['tools'] = { type: 'object' };
      row.properties['c'] = { type: 'string', enum: ['guides', 'people', 'tools'] };
    },
  ],
  ['words', ({ row }) => (row.properties['id'] = { type: 'string', description: 'What it is' })],
];

test.each(additions)('PROTOCOL-2 an addition is accepted: %s', (_, plant) => {
  const now = smallWire();
  plant(schemasOf(now));
  expect(now).not.toEqual(smallWire());
  expect(breaksOf(smallWire(), now)).toEqual([]);
});

const growths: [string, string, Planted[1]][] = [
  ['a field', 'guides.tools', ({ guides }) => (guides.properties['tools'] = { type: 'array' })],
  [
    'a field that is spelled like a keyword',
    'guides.description',
    ({ guides }) => (guides.properties['description'] = { type: 'string' }),
  ],
  [
    'a field below one that is spelled like a keyword',
    'guides.properties.size',
    ({ guides }) => (guides.properties['properties'] = { type: 'object', properties: { size: {} } }),
  ],
  [
    'a field deep in a document',
    'guides.$defs.Line.title',
    ({ guides }) => (guides.$defs.Line.properties['title'] = { type: 'string' }),
  ],
  ['a collection', 'tools', ({ wire }) => (wire.documents['tools'] = { type: 'object' })],
];

test.each(growths)('PROTOCOL-5 %s of documents is found as %s', (_, path, plant) => {
  const [before, now] = [smallWire(), smallWire()];
  schemasOf(before).guides.properties['properties'] = { type: 'object', properties: {} };
  schemasOf(now).guides.properties['properties'] = { type: 'object', properties: {} };
  plant(schemasOf(now));
  expect(newInDocuments(before, now)).toEqual([path]);
});

test('PROTOCOL-5 words about a schema are no growth of documents', () => {
  const now = smallWire();
  schemasOf(now).guides.properties['title'] = { type: 'string', title: 'Title', description: 'The title' };
  expect(newInDocuments(smallWire(), now)).toEqual([]);
});

const breakages: Planted[] = [
  ['a message is removed', ({ wire }) => delete wire.messages['feedRow']],
  ['a document is removed', ({ wire }) => delete wire.documents['people']],
  ['a property is removed', ({ row }) => delete row.properties['note']],
  ['a property has another type', ({ guides }) => (guides.properties['title'] = { type: 'number' })],
  [
    'a property deep in a document has another type',
    ({ guides }) => (guides.$defs.Line.properties['words'] = { type: 'number' }),
  ],
  ['a property is narrower', ({ people }) => (people.properties['name'] = { anyOf: [{ type: 'string' }] })],
  ['a property has a new limit', ({ row }) => (row.properties['id'] = { type: 'string', maxLength: 4 })],
  ['a choice is removed', ({ guides }) => (guides.properties['level'] = { type: 'string', enum: ['easy'] })],
  [
    'a new choice, which no device can ignore',
    ({ guides }) => (guides.properties['level'] = { type: 'string', enum: ['easy', 'hard', 'odd'] }),
  ],
  [
    'a collection without a document is named',
    ({ row }) => (row.properties['c'] = { type: 'string', enum: ['guides', 'people', 'tools'] }),
  ],
  [
    'a new property is required',
    ({ row }) => {
      row.properties['server'] = { type: 'string' };
      row.required.push('server');
    },
  ],
  ['an optional property becomes required', ({ row }) => void row.required.push('note')],
  ['a property is no longer required', ({ guides }) => void guides.required.pop()],
];

test.each(breakages)('PROTOCOL-2 a change that is no addition is refused: %s', (_, plant) => {
  const now = smallWire();
  plant(schemasOf(now));
  expect(breaksOf(smallWire(), now)).toHaveLength(1);
});
