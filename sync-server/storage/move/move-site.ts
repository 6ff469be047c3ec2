import { BadSetting } from '#server/platform/config.ts';

import { ownOrigin, type Acting } from '../audit/origin.ts';
import { appendNote, type Head } from '../audit/recorder.ts';
import { leap } from '../leap.ts';
import { compareData, copyData, type OnProgress, type Sums } from './copy.ts';
import {
  headsOf,
  readMark,
  sealDatabase,
  sentenceOf,
  unsealDatabase,
  writeMark,
  type Heads,
  type Move,
} from './marks.ts';
import { movedTables } from './moved-tables.ts';
import type { FillableDatabase, FilledSite, HeldSite, SiteDatabase } from './site.ts';

interface Moving {
  from: SiteDatabase;
  to: FillableDatabase;
  acting: Acting;
  /** Wall clock, ms. */
  now: () => number;
  randomBytes: (size: number) => Uint8Array;
  onProgress?: OnProgress;
}

/** What an error says. The network says nothing if several addresses of a name were tried. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(reasonOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}

/** The result of a move. */
export interface MoveReport {
  /** Rows by table; null: an interrupted move had copied them. */
  rows: Record<string, number> | null;
  /** A sentence about what was put aside; null if nothing was. */
  aside: string | null;
}

/**
 * Moves a site to another database.
 *
 * - MOVE-1 Every table arrives row by row as it was, with ids, feed, history, settings and audit log; the next number of
 *   each table is one that was never given out. One row of the audit log says that the site moved. Packs and the index
 *   of words are made again; the key of the server moves along.
 * - MOVE-2 Before the source is sealed, all of the copy is read again and compared with what was read from the source.
 * - MOVE-7 If a move is killed, the source is as it was, or sealed and its copy complete. The same command begins anew,
 *   or finishes it.
 * - MOVE-10 Devices go on: the identity of the server is the same, checkpoints from before the move are continued with
 *   what is new, and a call that was sent before the move is replayed after it.
 *
 * @throws BadSetting if there is a site at the target, or somebody works on either
 */
export async function moveSite(moving: Moving): Promise<MoveReport> {
  const { from, to, now, randomBytes } = moving;
  const move: Move = {
    id: Buffer.from(randomBytes(12)).toString('hex'),
    from: from.label,
    to: to.label,
    at: now(),
    by: 'move',
  };
  const sums = await from.hold(async (held) => {
    const seal = await readMark(held.db, 'sealed');
    if (seal !== null) {
      if ((await to.arriving())?.id === seal.id) return null;
      throw new BadSetting(sentenceOf(seal));
    }
    const copied = await to.fill(move, (filled) => fill(held, filled, move, moving));
    await sealDatabase(held.db, { ...move, kind: 'moved', lost: false });
    return copied;
  });
  const aside = await settle(to);
  return { rows: sums === null ? null : rowsOf(sums), aside };
}

/** The last step, after the source was sealed. @throws BadSetting */
export async function settle(to: FillableDatabase): Promise<string | null> {
  try {
    return await to.settle();
  } catch (cause) {
    throw new BadSetting(`Only the last step failed: ${reasonOf(cause)} Run the same command again.`, {
      cause,
    });
  }
}

async function fill(held: HeldSite, filled: FilledSite, move: Move, moving: Moving): Promise<Sums> {
  const sums = await copySite(held, filled, moving.onProgress);
  const note = {
    outcome: 'done',
    object: { kind: 'database', id: '' },
    facts: { from: move.from, to: move.to },
  } as const;
  await appendNote(filled.db, ownOrigin(moving), note, move.at);
  await writeMark(filled.db, 'moved', { ...move, heads: await headsOf(filled.db) });
  return sums;
}

/** Copies everything and compares it. */
export async function copySite(held: HeldSite, filled: FilledSite, onProgress?: OnProgress): Promise<Sums> {
  const tables = await movedTables();
  const sums = await copyData(held, filled, tables, onProgress);
  const key = await held.serverKey();
  if (key !== null) await filled.setServerKey(key);
  await filled.finish();
  await compareData(sums, filled, tables, onProgress);
  return sums;
}

export function rowsOf({ tables }: Sums): Record<string, number> {
  return Object.fromEntries([...tables].map(([name, { rows }]) => [name, rows]));
}

interface Undoing {
  /** Where the site was, and is to be again. */
  from: SiteDatabase;
  /** Where it moved. */
  to: SiteDatabase;
  /** Whether changes that were made there may be lost, and whether to go on if it cannot be reached. */
  mayLose: boolean;
  acting: Acting;
  /** Wall clock, ms. */
  now: () => number;
}

/** The result of an undoing. */
export interface UndoReport {
  /** The end of the audit log. */
  head: Head;
  /** Whether the copy has, or may have, changes that are lost here now. */
  lost: boolean;
}

/**
 * Undoes a move: the site is again where it was.
 *
 * - MOVE-8 If anything was changed at the new place, the undoing is refused, unless losing it is allowed; devices then
 *   offer again what they had sent there. If the new place gave out any numbers, ids leap as after a restore.
 * - MOVE-9 The new place is sealed first, so the site is never at two places. If the undoing is killed, the same command
 *   goes on.
 *
 * @throws BadSetting
 */
export async function undoMove({ from, to, mayLose, acting, now }: Undoing): Promise<UndoReport> {
  return from.hold(async (held) => {
    const seal = await readMark(held.db, 'sealed');
    if (seal?.kind !== 'moved')
      throw new BadSetting(`The site in ${from.label} has not moved. There is nothing to undo.`);
    const copy = await giveUp(seal, to, mayLose, now());
    await unsealDatabase(held.db);
    if (copy.wasUsed) await leap(held.db, copy.heads?.feed ?? 0);
    const note = {
      action: `${acting.action} --undo`,
      outcome: 'done',
      object: { kind: 'database', id: '' },
      facts: { from: seal.to, to: seal.from, lost: copy.lost },
    } as const;
    const head = await appendNote(held.db, ownOrigin({ acting }), note, now());
    return { head, lost: copy.lost };
  });
}

interface GivenUp {
  /** Whether it has changes that are in its audit log. */
  lost: boolean;
  /** Whether it has, or may have, given out numbers: a server writes to the feed by itself too. */
  wasUsed: boolean;
  /** Its ends; null if they are unknown. */
  heads: Heads | null;
}

/** A copy that cannot be found: it may have been used. */
const unknown: GivenUp = { lost: true, wasUsed: true, heads: null };

/** Seals the copy that a move made. */
async function giveUp(move: Move, to: SiteDatabase, mayLose: boolean, at: number): Promise<GivenUp> {
  try {
    return await to.hold(async (held) => {
      const mark = await readMark(held.db, 'moved');
      if (mark?.id !== move.id) {
        if (mayLose) return unknown;
        throw new BadSetting(
          `${to.label} is not where this site moved: it moved to ${move.to}. If it is gone there, add --lose-changes.`,
        );
      }
      const heads = await headsOf(held.db);
      const lost = heads.audit !== mark.heads.audit;
      const wasUsed = lost || heads.feed !== mark.heads.feed;
      const known = await readMark(held.db, 'sealed');
      // An undoing that was interrupted.
      if (known?.kind === 'given-up') return { lost, wasUsed, heads };
      if (known !== null) throw new BadSetting(sentenceOf(known));
      if (lost && !mayLose)
        throw new BadSetting(
          `The site was changed in ${to.label} since it moved: ${heads.audit - mark.heads.audit} entries of the audit log are newer. To undo the move nevertheless, add --lose-changes: what was changed there stays there, and devices offer again what they sent.`,
        );
      await sealDatabase(held.db, { ...move, at, kind: 'given-up', lost });
      return { lost, wasUsed, heads };
    });
  } catch (cause) {
    if (cause instanceof BadSetting) throw cause;
    if (mayLose) return unknown;
    throw new BadSetting(
      `${to.label} cannot be opened to see whether the site was changed there: ${reasonOf(cause)}. To undo the move without looking, add --lose-changes, and never start a server there again.`,
      { cause },
    );
  }
}
