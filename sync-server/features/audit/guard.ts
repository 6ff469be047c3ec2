import { unlessFull } from '#server/storage/full-disk.ts';
import { auditActions, auditObject } from '#shared/model/audit.ts';
import type { Services } from '#server/core/services.ts';

import { ownOrigin } from '#server/storage/audit/origin.ts';
import { headOf, type Head } from '#server/storage/audit/recorder.ts';
import { holds, isContinued } from './verify.ts';

/** How often the end of the log is noted outside of the database while it moves, ms. */
const anchorMs = 5000;

type Guarded = Pick<Services, 'storage' | 'anchors' | 'now' | 'log' | 'acting'>;

export interface Guard {
  /** Notes the end of the log now. Never throws. */
  look: () => Promise<void>;
  /** Ends it, with a last note. */
  stop: () => Promise<void>;
}

/**
 * Sees at the start of the server whether the log goes on from where it had ended, and notes its end from now on.
 * A restored backup does not stop the server: the log says what is missing, and `benchbook audit verify` says so until an
 * administrator acknowledges it. So it does with rows that go, or become others, while the server runs.
 */
export async function guardAudit(services: Guarded): Promise<Guard> {
  const { anchors, log, now } = services;
  const last = anchors.read().anchors.at(-1);
  if (last !== undefined && !(await holds(services.storage.reader, last)))
    await tellGap(services, last).catch(unlessFull(log));
  await tellKey(services).catch(unlessFull(log));
  await anchors.shorten();
  let noted: Head | null = null;
  const note = async (): Promise<void> => {
    // What this process saw needs no file: rows that go while it runs are missed without one.
    if (noted !== null && !(await holds(services.storage.reader, noted))) await tellGap(services, noted);
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

/** After a command: notes the end of the log, if the log goes on from what was noted. */
export async function noteEnd(services: Guarded): Promise<void> {
  const { anchors, storage, now } = services;
  const last = anchors.read().anchors.at(-1);
  const head = await headOf(storage.reader);
  if (last?.seq !== head.seq && (await isContinued(storage.reader, anchors)))
    await anchors.add('head', head, now());
}

async function tellGap(services: Guarded, last: Head): Promise<void> {
  const { anchors, storage, log, now } = services;
  const found = await headOf(storage.reader);
  const facts = { noted: last.seq, noted_hash: last.hash, found: found.seq };
  log.error(
    facts,
    'the audit log does not go on from where it had ended: a backup was restored, or rows were taken away',
  );
  await say(services, auditActions.gap, facts);
  await anchors.add('begin', await headOf(storage.reader), now());
}

async function tellKey(services: Guarded): Promise<void> {
  services.anchors.makeKey();
  const keyid = services.anchors.keyId() ?? '';
  const known = await services.storage.reader
    .selectFrom('audit_log')
    .select('changes')
    .where('action', '=', auditActions.key)
    .orderBy('seq', 'desc')
    .executeTakeFirst();
  if (known?.changes.includes(`"${keyid}"`) === true) return;
  if (known !== undefined)
    await say(services, auditActions.gap, { reason: 'The key of the audit log is another one' });
  await say(services, auditActions.key, { keyid });
  await services.anchors.add('begin', await headOf(services.storage.reader), services.now());
}

function say(services: Guarded, action: string, facts: Record<string, string | number>): Promise<void> {
  return services.storage.write(ownOrigin(services, action), async (_, note) => {
    note.action = action;
    note.outcome = 'done';
    note.object = { kind: auditObject, id: '' };
    note.facts = facts;
  });
}

/** Says why the log does not go on from where it had ended. Returns the new end. */
export async function acknowledgeGap(services: Guarded, reason: string): Promise<Head> {
  await say(services, auditActions.acknowledge, { reason });
  const head = await headOf(services.storage.reader);
  await services.anchors.add('head', head, services.now());
  return head;
}
