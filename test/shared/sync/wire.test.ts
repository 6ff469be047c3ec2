import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';
import { z } from 'zod';

import * as wire from '#shared/sync/wire.ts';

/** The protocol version and the hash of every schema of the wire at that version. */
const pinned = { version: 5, hash: '72534ff38704c01fa80387a4bb6c32c16dbea7081e4104aaf84bc5fe5110afa8' };

test('W1 the messages of the wire are those of the pinned protocol version', () => {
  const exported: [string, unknown][] = Object.entries(wire);
  const messages = exported.flatMap(([name, schema]) =>
    schema instanceof z.ZodType
      ? [[name, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })]]
      : [],
  );
  const documents = Object.entries(wire.syncedCollections).map(([name, schema]) => [
    name,
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  ]);
  expect(messages.map(([name]) => name)).toEqual(
    expect.arrayContaining(['feedHead', 'feedRow', 'feedTail', 'rowsEvent', 'batchRequest', 'batchResult']),
  );
  const hash = createHash('sha256')
    .update(JSON.stringify([messages, documents]))
    .digest('hex');
  expect(
    { version: wire.protocolVersion, hash },
    'The wire has changed. Devices in the field speak the pinned version: raise protocolVersion in shared/sync/wire.ts, then pin version and hash here.',
  ).toEqual(pinned);
});
