import { once } from 'node:events';

import type { AuditHead, StampedAuditHead } from '#shared/model/audit.ts';
import { RefusedAddress } from '#server/platform/outbound.ts';
import type { Services } from '#server/core/services.ts';
import { announceHappening } from '#server/features/webhooks/announce.ts';
import { waitAfter } from '#server/features/webhooks/courier.ts';
import type { Happening } from '#server/features/webhooks/events.ts';

import { headMessage, headText } from './heads.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import { headOf, type Head } from '#server/storage/audit/recorder.ts';
import { sendSyslog, syslogMessage } from './syslog.ts';
import { noteTarget, targetNames, type TargetName } from './targets.ts';
import { BadStamp, requestStamp } from './timestamp.ts';

/** How often it is looked whether the head is to be told, ms. */
const lookMs = 5000;
/** While the log moves its head is told at least this often, ms … */
const longestMs = 3600_000;
/** … and after so many rows … */
const mostRows = 1000;
/** … but not more often than this, ms. */
const shortestMs = 60_000;
/** A receiver or authority that fails is tried again at least this often, ms. */
const longestWaitMs = 3600_000;
const timeoutMs = 10_000;
/** At the end of the server nobody waits longer, ms. */
const lastTimeoutMs = 2000;

/** What waits for a target: only the newest head, since its hash covers all rows before. */
interface Waiting {
  head: AuditHead;
  attempts: number;
  next: number;
}

/**
 * Tells the head of the audit log to whoever is outside of this machine's data folder: the log of the server at every
 * level but `silent`, webhooks, syslog, and a time-stamping authority whose stamps leave by log and webhook. Nothing that
 * writes waits for it.
 */
export class HeadTeller {
  readonly #services: Services;
  readonly #log: Services['log'];
  #told: { head: Head; at: number } | null = null;
  readonly #waiting = new Map<TargetName, Waiting>();
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Ends what is under way when the server stops. */
  readonly #ending = new AbortController();

  constructor(services: Services) {
    this.#services = services;
    const { log } = services;
    // A time stamp is called a token but is not secret, and this is how it leaves the server.
    this.#log = log.level === 'silent' ? log : log.child({}, { level: 'info', redact: [] });
  }

  /** Looks from now on. A receiver that does not answer keeps nobody from starting. */
  start(): void {
    void this.look();
    this.#timer = setInterval(() => void this.look(), lookMs).unref();
  }

  /** Tells what is due, and tries again what failed. Resolves when that is done or failed; never throws. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#tellDue()).catch((error: unknown) => this.#failed(error));
    return this.#looking;
  }

  /** Tells the last head to log and syslog, with little patience, and webhooks in the outbox. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#looking;
    await this.#tellEnd().catch((error: unknown) => this.#failed(error));
  }

  async #tellEnd(): Promise<void> {
    const head = await this.#current();
    if (this.#told === null || !isSame(head, this.#told.head)) await this.#tell(head);
    else this.#log.info({ audit: head }, headMessage);
    if (this.#waiting.has('syslog')) await this.#attempt('syslog', AbortSignal.timeout(lastTimeoutMs));
  }

  #failed(error: unknown): void {
    this.#services.log.error({ err: error }, 'the end of the audit log could not be told');
  }

  async #tellDue(): Promise<void> {
    const head = await this.#current();
    if (this.#isDue(head)) await this.#tell(head);
    const now = this.#services.now();
    const due = [...this.#waiting].filter(([, { next }]) => next <= now || next > now + longestWaitMs);
    await Promise.all(due.map(([name]) => this.#attempt(name, this.#ending.signal)));
  }

  async #current(): Promise<AuditHead> {
    const { storage, identity, now } = this.#services;
    const { id } = await identity.key();
    return { server: id, ...(await headOf(storage.reader)), time: new Date(now()).toISOString() };
  }

  #isDue(head: Head): boolean {
    if (this.#told === null) return true;
    if (isSame(head, this.#told.head)) return false;
    // The clock may have been set back.
    const age = Math.abs(this.#services.now() - this.#told.at);
    // A head that went back is one that somebody wants unseen.
    const isFar = head.seq >= this.#told.head.seq + mostRows || head.seq <= this.#told.head.seq;
    return age >= longestMs || (isFar && age >= shortestMs);
  }

  async #tell(head: AuditHead): Promise<void> {
    this.#log.info({ audit: head }, headMessage);
    this.#told = { head, at: this.#services.now() };
    for (const name of targetNames)
      this.#waiting.set(name, { attempts: 0, next: 0, ...this.#waiting.get(name), head });
    await this.#announce({ event: 'audit.head', data: head });
  }

  /** Webhooks have an outbox of their own, which tries again. Heads do not wait for each other in it. */
  async #announce(happening: Happening): Promise<void> {
    const services = this.#services;
    const { storage, bus } = services;
    const subject = `${happening.event}/${services.now()}`;
    await storage.write(ownOrigin(services, 'audit head'), (db) =>
      announceHappening({ db, services }, happening, subject),
    );
    bus.committed();
  }

  async #attempt(name: TargetName, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) return;
    const { head } = waiting;
    const now = this.#services.now();
    // One for each try, so that nothing piles up at the one that lives as long as the server.
    const patience = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const isSet = await Promise.race([this.#send(name, head, patience), ended(patience)]);
      this.#waiting.delete(name);
      if (!isSet) return;
      await noteTarget(this.#services, name, { told: { seq: head.seq, hash: head.hash, at: now } });
    } catch (error) {
      if (this.#ending.signal === signal && signal.aborted) return;
      const attempts = waiting.attempts + 1;
      const [byte = 0] = this.#services.randomBytes(1);
      const wait = Math.min(longestWaitMs, waitAfter(attempts, byte / 256));
      this.#waiting.set(name, { head, attempts, next: now + wait });
      const reason = wordsFor(error);
      this.#services.log.warn(
        { target: name, attempts, reason, seq: head.seq },
        'the end of the audit log could not be told; it is tried again',
      );
      await noteTarget(this.#services, name, { failed: { attempts, at: now, reason } });
    }
  }

  /** Sends a head to a target. False: none is set. */
  async #send(name: TargetName, head: AuditHead, signal: AbortSignal): Promise<boolean> {
    const { site, outbound, randomBytes, now } = this.#services;
    if (name === 'syslog') {
      if (site.audit_syslog === null) return false;
      await sendSyslog(outbound, site.audit_syslog, syslogMessage(headText(head), now()), {
        timeoutMs,
        signal,
      });
      return true;
    }
    if (site.audit_timestamp === null) return false;
    const options = { nonce: randomBytes(8), timeoutMs, signal };
    const { token, date } = await requestStamp(outbound, site.audit_timestamp, head.hash, options);
    const stamped: StampedAuditHead = {
      ...head,
      stamped: date.toISOString(),
      token: token.toString('base64'),
    };
    this.#log.info({ audit: stamped }, headMessage);
    await this.#announce({ event: 'audit.stamped', data: stamped });
    return true;
  }
}

/** Throws when `signal` is aborted: looking up a name cannot be. */
async function ended(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

function isSame(one: Head, other: Head): boolean {
  return one.seq === other.seq && one.hash === other.hash;
}

/** What an administrator reads of a failure. */
export function wordsFor(error: unknown): string {
  if (error instanceof RefusedAddress || error instanceof BadStamp) return error.message;
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError'))
    return 'It did not answer in time';
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return error instanceof Error && code === '' ? error.message : `It could not be reached${code}`;
}
