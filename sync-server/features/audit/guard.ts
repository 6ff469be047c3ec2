import { unlessFull } from '#server/storage/sqlite.ts';
import { auditActions, auditObject } from '#shared/model/audit.ts';
import type { Services } from '#server/core/services.ts';

import { ownOrigin } from '#server/storage/audit/origin.ts';
import { headOf, type Head } from '#server/storage/audit/recorder.ts';
import { holds, isContinued } from './verify.ts';

/** Interval at which the head is written outside of the database while the log grows, ms. */
const anchorMs = 5000;

type Guarded = Pick<Services, 'storage' | 'anchors' | 'now' | 'log' | 'acting'>;

export interface Guard {
  /** Writes the head now. Never throws. */
  look: () => Promise<void>;
  /** Writes the head a last time and stops. */
  stop: () => Promise<void>;
}

/**
 * Checks at the start of the server that the log continues from its last anchor, and writes its head to the anchors
 * from then on. A restored backup does not stop the server: the log says what is missing, and `benchbook audit verify`
 * reports it until an administrator acknowledges it. Rows that disappear or change while the server runs are handled
 * the same way.
 */
export async function guardAudit(services: Guarded): Promise<Guard> {
  const { anchors, log, now } = services;
  const last = anchors.read().anchors.at(-1);
  if (last !== undefined && !(await holds(services.storage.reader, last)))
    await recordGap(services, last).catch(unlessFull(log));
  await recordKey(services).catch(unlessFull(log));
  await anchors.shorten();
  let noted: Head | null = null;
  const note = async (): Promise<void> => {
    // The head that this process remembers reveals missing rows without the file.
    if (noted !== null && !(await holds(services.storage.reader, noted))) await recordGap(services, noted);
    const head = await headOf(services.storage.reader);
    if (head.hash === noted?.hash) return;
    await anchors.add('head', head, now());
    noted = head;
  };
  await note();
  let noting = Promise.resolve();
  const look = (): Promise<void> => {
    noting = noting
      .then(note)
      .catch((error: unknown) => log.error({ err: error }, 'the end of the audit log could not be noted'));
    return noting;
  };
  const timer = setInterval(() => void look(), anchorMs).unref();
  return {
    look,
    stop: async () => {
      clearInterval(timer);
      await look();
    },
  };
}

/** Writes the head after a command, if the log continues from the last anchor. */
export async function noteEnd(services: Guarded): Promise<void> {
  const { anchors, storage, now } = services;
  const last = anchors.read().anchors.at(-1);
  const head = await headOf(storage.reader);
  if (last?.seq !== head.seq && (await isContinued(storage.reader, anchors)))
    await anchors.add('head', head, now());
}

async function recordGap(services: Guarded, last: Head): Promise<void> {
  const { anchors, storage, log, now } = services;
  const found = await headOf(storage.reader);
  const facts = { noted: last.seq, noted_hash: last.hash, found: found.seq };
  log.error(
    facts,
    'the audit log does not go on from where it had ended: a backup was restored, or rows were taken away',
  );
  await recordAction(services, auditActions.gap, facts);
  await anchors.add('begin', await headOf(storage.reader), now());
}

async function recordKey(services: Guarded): Promise<void> {
  services.anchors.makeKey();
  const keyid = services.anchors.keyId() ?? '';
  const { reader, kind } = services.storage;
  const known = await reader
    .selectFrom('audit_log')
    .select('changes')
    .where('action', '=', auditActions.key)
    .orderBy('seq', 'desc')
    .execute();
  // Every node on one database has a key and anchors of its own.
  const counting = kind === 'sqlite' ? known.slice(0, 1) : known;
  if (counting.some(({ changes }) => changes.includes(`"${keyid}"`))) return;
  if (known.length > 0 && kind === 'sqlite')
    await recordAction(services, auditActions.gap, { reason: 'The key of the audit log is another one' });
  await recordAction(services, auditActions.key, { keyid });
  await services.anchors.add('begin', await headOf(services.storage.reader), services.now());
}

function recordAction(
  services: Guarded,
  action: string,
  facts: Record<string, string | number>,
): Promise<void> {
  return services.storage.write(ownOrigin(services, action), async (_, note) => {
    note.action = action;
    note.outcome = 'done';
    note.object = { kind: auditObject, id: '' };
    note.facts = facts;
  });
}

/** Records the reason why rows of the log are missing. Returns the new head. */
export async function acknowledgeGap(services: Guarded, reason: string): Promise<Head> {
  await recordAction(services, auditActions.acknowledge, { reason });
  const head = await headOf(services.storage.reader);
  await services.anchors.add('head', head, services.now());
  return head;
}
