import { z } from 'zod';

import { namedRecord } from './directory.ts';
import type { Journal, JournalHealth } from './journal.ts';
import { journalCollection, journalRecord } from './records.ts';
import { JournalError, journalErrorKind } from './store.ts';

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const options = z.strictObject({ id: z.string() });
const appendOptions = options.extend({ canWait: z.boolean().exactOptional() });
const file = z.strictObject({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  size: z.int().nonnegative(),
  sha256: z.string(),
});
const values = z.map(z.string(), z.unknown());

/** The journal calls that are sent between tabs: schemas of arguments and results. */
export const journalCalls = {
  append: { args: z.tuple([z.array(journalRecord), appendOptions]), result: z.undefined() },
  entries: { args: z.tuple([]), result: z.strictObject({ outbox: values, drafts: values, meta: values }) },
  changes: {
    args: z.tuple([journalCollection, z.int().nonnegative()]),
    result: z.strictObject({
      seq: z.int().nonnegative(),
      isWhole: z.boolean(),
      values,
      deleted: z.array(z.string()),
    }),
  },
  compact: { args: z.tuple([]), result: z.undefined() },
  purge: { args: z.tuple([]), result: z.undefined() },
  putFile: {
    args: z.tuple([
      z.string(),
      z.union([bytes, z.instanceof(Blob)]),
      z.strictObject({ type: z.string(), name: z.string() }),
      options,
    ]),
    result: file,
  },
  readFile: { args: z.tuple([z.string()]), result: file.extend({ bytes }) },
  deleteFile: { args: z.tuple([z.string(), options]), result: z.undefined() },
  listFiles: { args: z.tuple([]), result: z.array(file) },
  exportAll: { args: z.tuple([]), result: z.record(z.string(), bytes) },
  checkSpace: { args: z.tuple([]), result: z.boolean() },
};

export type JournalCall = keyof typeof journalCalls;
export type CallArgs<C extends JournalCall> = z.output<(typeof journalCalls)[C]['args']>;
export type CallResult<C extends JournalCall> = z.output<(typeof journalCalls)[C]['result']>;

const callName = z.enum(Object.keys(journalCalls) as [JournalCall, ...JournalCall[]]);

const health: z.ZodType<JournalHealth> = z.strictObject({
  durability: z.enum(['file', 'private-file-system', 'memory']),
  writable: z.boolean(),
  problem: z.union([journalErrorKind, z.literal('newer')]).exactOptional(),
  lowSpace: z.boolean(),
  full: z.boolean(),
  damage: z.array(
    z.strictObject({
      kind: z.enum(['tail', 'middle']),
      from: z.number(),
      to: z.number(),
      segment: z.number(),
      isTorn: z.boolean(),
      appends: z.number().nullable(),
      since: z.number().nullable(),
      until: z.number().nullable(),
    }),
  ),
  missing: z.array(namedRecord),
});

/** The messages between tabs. `who` and `leader` name a tab. */
export const tabMessage = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('who leads') }),
  z.strictObject({ kind: z.literal('leader'), leader: z.string(), health }),
  z.strictObject({
    kind: z.literal('call'),
    who: z.string(),
    id: z.string(),
    call: callName,
    args: z.array(z.unknown()),
  }),
  z.strictObject({ kind: z.literal('result'), who: z.string(), id: z.string(), result: z.unknown() }),
  z.strictObject({
    kind: z.literal('refusal'),
    who: z.string(),
    id: z.string(),
    error: z.strictObject({ kind: journalErrorKind, message: z.string() }),
  }),
]);

export type TabMessage = z.infer<typeof tabMessage>;

/** Checks the arguments and makes the call. */
export async function callJournal(
  journal: Journal,
  call: JournalCall,
  args: readonly unknown[],
): Promise<unknown> {
  const parsed = journalCalls[call].args.safeParse(args);
  if (!parsed.success)
    throw new JournalError('invalid', `Not the arguments of ${call}`, { cause: parsed.error });
  // The schema has checked the arguments of this call. The type of `journal[call]` is a union, which cannot express
  // that.
  const run = journal[call].bind(journal) as (...args: unknown[]) => Promise<unknown>;
  return run(...parsed.data);
}
