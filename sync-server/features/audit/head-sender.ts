import { once } from 'node:events';

import type { AuditHead, StampedAuditHead } from '#shared/model/audit.ts';
import { RefusedAddress } from '#server/platform/outbound.ts';
import type { Services } from '#server/core/services.ts';
import { announceEvent } from '#server/features/webhooks/announce.ts';
import { waitAfter } from '#server/features/webhooks/courier.ts';
import type { AnnouncedEvent } from '#server/features/webhooks/events.ts';

import { headMessage, headText } from './heads.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import { headOf, type Head } from '#server/storage/audit/recorder.ts';
import { sendSyslog, syslogMessage } from './syslog.ts';
import { noteTarget, targetNames, type TargetName } from './targets.ts';
import { BadStamp, requestStamp } from './timestamp.ts';

/** Interval of checks whether the head is due to be sent, ms. */
const checkMs = 5000;
/** Longest interval between heads while the log grows, ms. */
const longestMs = 3600_000;
/** Number of new rows after which a head is due earlier. */
const mostRows = 1000;
/** Shortest interval between heads, ms. */
const shortestMs = 60_000;
/** Longest wait before a failed target is tried again, ms. */
const longestWaitMs = 3600_000;
const timeoutMs = 10_000;
/** Timeout at shutdown, ms. */
const lastTimeoutMs = 2000;

/** The pending head of a target: only the newest, because its hash covers all earlier rows. */
interface Waiting {
  head: AuditHead;
  attempts: number;
  next: number;
}

/**
 * Sends the head of the audit log out of the data folder (AUDIT-13): to the server's log at every level but `silent`,
 * to webhooks, to syslog, and to a time-stamping authority, whose stamps go to the log and webhooks. Writes never wait
 * for it.
 */
export class HeadSender {
  readonly #services: Services;
  readonly #log: Services['log'];
  #sent: { head: Head; at: number } | null = null;
  readonly #waiting = new Map<TargetName, Waiting>();
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Aborts pending attempts when the server stops. */
  readonly #ending = new AbortController();

  constructor(services: Services) {
    this.#services = services;
    const { log } = services;
    // The field `token` is a time stamp, which is not secret and must not be redacted.
    this.#log = log.level === 'silent' ? log : log.child({}, { level: 'info', redact: [] });
  }

  /** Starts the checks. Does not wait for a target. */
  start(): void {
    void this.look();
    this.#timer = setInterval(() => void this.look(), checkMs).unref();
  }

  /** Sends a head that is due and repeats failed attempts. Resolves when all attempts are over; never throws. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#sendDue()).catch((error: unknown) => this.#failed(error));
    return this.#looking;
  }

  /** Sends the last head to the log and, with a short timeout, to syslog, and queues it for webhooks. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#looking;
    await this.#sendLast().catch((error: unknown) => this.#failed(error));
  }

  async #sendLast(): Promise<void> {
    const head = await this.#current();
    if (this.#sent === null || !isSame(head, this.#sent.head)) await this.#publish(head);
    else this.#log.info({ audit: head }, headMessage);
    if (this.#waiting.has('syslog')) await this.#attempt('syslog', AbortSignal.timeout(lastTimeoutMs));
  }

  #failed(error: unknown): void {
    this.#services.log.error({ err: error }, 'the end of the audit log could not be told');
  }

  async #sendDue(): Promise<void> {
    const head = await this.#current();
    if (this.#isDue(head)) await this.#publish(head);
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
    if (this.#sent === null) return true;
    if (isSame(head, this.#sent.head)) return false;
    // The clock may have been set back.
    const age = Math.abs(this.#services.now() - this.#sent.at);
    // A head with a lower number is suspicious and is sent early.
    const isFar = head.seq >= this.#sent.head.seq + mostRows || head.seq <= this.#sent.head.seq;
    return age >= longestMs || (isFar && age >= shortestMs);
  }

  async #publish(head: AuditHead): Promise<void> {
    this.#log.info({ audit: head }, headMessage);
    this.#sent = { head, at: this.#services.now() };
    for (const name of targetNames)
      this.#waiting.set(name, { attempts: 0, next: 0, ...this.#waiting.get(name), head });
    await this.#announce({ event: 'audit.head', data: head });
  }

  /**
   * Queues an event in the outbox of webhooks, which repeats failed deliveries. Heads do not wait for each other there.
   */
  async #announce(announced: AnnouncedEvent): Promise<void> {
    const services = this.#services;
    const { storage, bus } = services;
    const subject = `${announced.event}/${services.now()}`;
    await storage.write(ownOrigin(services, 'audit head'), (db) =>
      announceEvent({ db, services }, announced, subject),
    );
    bus.committed();
  }

  async #attempt(name: TargetName, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) return;
    const { head } = waiting;
    const now = this.#services.now();
    // One signal per attempt, so that listeners do not accumulate on the server's own signal.
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

  /** Sends a head to a target. Returns false if the target is not configured. */
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

/** Throws when `signal` is aborted; needed because DNS lookups cannot be aborted. */
async function ended(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

function isSame(one: Head, other: Head): boolean {
  return one.seq === other.seq && one.hash === other.hash;
}

/** A failure in words for administrators. */
export function wordsFor(error: unknown): string {
  if (error instanceof RefusedAddress || error instanceof BadStamp) return error.message;
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError'))
    return 'It did not answer in time';
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return error instanceof Error && code === '' ? error.message : `It could not be reached${code}`;
}
