import { firstValueFrom } from 'rxjs';

import { stepKeyOf } from '#shared/rules/guide-content.ts';
import { type SyncedCollection, temporaryId } from '#shared/sync/wire.ts';

import type { Journal } from '../journal/journal.ts';
import type { Platform } from '../journal/platform.ts';
import { draftRecords, JournaledRecords } from '../outbox/journaled-records.ts';
import { JournaledOutbox } from '../outbox/outbox.ts';
import { recoveredIds } from '../outbox/recovered-ids.ts';
import { recordNamed, stepNamed } from '../outbox/replay-after-restore.ts';
import { StoredCalls } from '../outbox/stored-calls.ts';
import type { NewCall, OutboxCall } from '../platform/ports.ts';
import { mirrorOf, type EngineDatabase } from '../storage/database.ts';
import { RxMirror } from '../sync/mirror/mirror.ts';
import { HighWaterMark } from '../sync/mirror/high-water-mark.ts';
import { Troubles } from '../sync/troubles.ts';
import type { Home } from './home.ts';
import { wordRecords } from './leaving/quarantine.ts';

/** Everything that a home stores in journal and database, but for the mirror. */
export interface HomeStores {
  outbox: JournaledOutbox;
  drafts: JournaledRecords;
  /** Words from guides and pages that the person can no longer see. */
  kept: JournaledRecords;
  /** The highest checkpoint that the home ever saw. */
  seen: HighWaterMark;
  troubles: Troubles;
}

/**
 * Opens the stores of a home. `undo` receives a function for each store that was opened, in this order, so that the
 * caller can close them if something fails later.
 */
export async function openStores(
  database: EngineDatabase,
  { platform, journal }: { platform: Platform; journal: Journal },
  { home, userid }: Home,
  undo: (() => Promise<unknown>)[],
): Promise<HomeStores> {
  const troubles = new Troubles();
  const seen = await HighWaterMark.open(journal, home);
  const mirror = new RxMirror(mirrorOf(database));
  const inHome = { environment: platform.environment, journal, home, lock: platform.lock };
  const outbox = await JournaledOutbox.open({
    ...inHome,
    stored: new StoredCalls(database.outbox),
    userid,
    multiInstance: platform.multiInstance,
    ...troubles.of('calls'),
    reading: troubles.of('reading calls'),
    seen,
    recordOf: (call) => recordOf(mirror, call),
    stepOf: (call) => stepOf(mirror, call),
  });
  undo.push(() => outbox.close());
  const drafts = await JournaledRecords.open(draftRecords, {
    ...inHome,
    ...troubles.of('drafts'),
    reading: troubles.of('reading drafts'),
    rows: database.drafts,
  });
  undo.push(() => drafts.close());
  const kept = await JournaledRecords.open(wordRecords, {
    ...inHome,
    ...troubles.of('kept'),
    reading: troubles.of('reading kept'),
    rows: database.kept,
  });
  undo.push(() => kept.close());
  if (outbox.hasRecovered || drafts.hasRecovered) {
    const ids = [
      ...outbox.present().flatMap(({ needs }) => needs.map(temporaryId)),
      ...(await firstValueFrom(drafts.ids)),
    ];
    await outbox.learnIds(await recoveredIds(mirrorOf(database), new Set(ids)), { canWait: true });
  }
  return { outbox, drafts, kept, seen, troubles };
}

/** The record that a new call is for, as the mirror knows it. */
async function recordOf(mirror: RxMirror, call: NewCall): Promise<OutboxCall['record']> {
  const named = recordNamed(call);
  const uid = named === null ? undefined : await uidOf(mirror, named);
  return named === null || uid === undefined ? undefined : { ...named, uid };
}

/** The step that a new call is on, as the mirror knows it. */
async function stepOf(mirror: RxMirror, call: NewCall): Promise<OutboxCall['step']> {
  const named = stepNamed(call);
  const guide = named === null ? null : await mirror.get('guides', named.guideid);
  const step = guide?.facts.steps.find(({ stepid }) => String(stepid) === named?.id);
  return step === undefined ? undefined : { id: step.stepid, key: stepKeyOf(step) };
}

/** The `uid` of the record that has a number now, as the mirror knows it. */
export async function uidOf(
  mirror: RxMirror,
  { c, id }: { c: SyncedCollection; id: string },
): Promise<string | undefined> {
  const facts = (await mirror.get(c, id))?.facts;
  return facts !== undefined && 'uid' in facts ? facts.uid : undefined;
}
