import { z } from 'zod';

import { journalErrorKind } from './store.ts';

const name = z.string();
const bytes = z.instanceof(Uint8Array);

/** A call from the page to the worker that holds the files. The first call is `open`. */
export const opfsCall = z.discriminatedUnion('method', [
  z.strictObject({ id: z.int(), method: z.literal('open'), args: z.tuple([name]) }),
  z.strictObject({ id: z.int(), method: z.literal('list'), args: z.tuple([]) }),
  z.strictObject({ id: z.int(), method: z.literal('read'), args: z.tuple([name]) }),
  z.strictObject({ id: z.int(), method: z.literal('append'), args: z.tuple([name, z.int(), bytes]) }),
  z.strictObject({ id: z.int(), method: z.literal('put'), args: z.tuple([name, z.int(), bytes]) }),
  z.strictObject({ id: z.int(), method: z.literal('flush'), args: z.tuple([name]) }),
  z.strictObject({ id: z.int(), method: z.literal('write'), args: z.tuple([name, bytes]) }),
  z.strictObject({ id: z.int(), method: z.literal('remove'), args: z.tuple([name]) }),
  z.strictObject({ id: z.int(), method: z.literal('releaseBallast'), args: z.tuple([]) }),
  z.strictObject({ id: z.int(), method: z.literal('reserveBallast'), args: z.tuple([]) }),
  z.strictObject({ id: z.int(), method: z.literal('close'), args: z.tuple([]) }),
]);

export type OpfsCall = z.infer<typeof opfsCall>;

/** The worker's answer to the call with the same id. */
export const opfsAnswer = z.union([
  z.strictObject({ id: z.int(), result: z.union([z.undefined(), z.boolean(), z.array(z.string()), bytes]) }),
  z.strictObject({ id: z.int(), error: z.strictObject({ kind: journalErrorKind, message: z.string() }) }),
]);

export type OpfsAnswer = z.infer<typeof opfsAnswer>;
