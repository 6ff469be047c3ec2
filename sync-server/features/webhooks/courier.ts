import { createHmac } from 'node:crypto';

import { webhookHeaders } from '#shared/model/webhook.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import { RefusedAddress } from '#server/platform/outbound.ts';
import type { Services } from '#server/core/services.ts';
import { prepared } from '#server/storage/prepared.ts';

/** Timeout of a receiver, ms. */
const timeoutMs = 10_000;
/** Most bytes that are read of an answer, of which only the status matters. */
const mostBytes = 64 * 1024;
/** Concurrent deliveries of a webhook. */
const atOnce = 4;
/** Attempts before a delivery is given up; with the waits below the last one is after three days. */
export const mostAttempts = 24;
const firstWaitMs = 10_000;
const longestWaitMs = 6 * 3600_000;
/** Longest time between checks of the clock, which may be set, ms. */
const lookMs = 60_000;

/**
 * The wait after `attempts` failures, ms. `random`: 0 to 1.
 *
 * - WEBHOOK-12 Waits double from ten seconds to six hours, varied by a quarter so that attempts spread.
 */
export function waitAfter(attempts: number, random: number): number {
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempts - 1));
  return Math.round(wait * (0.75 + random / 2));
}

/** `v1=` and the HMAC-SHA256 of `{timestamp}.{body}` in hex. */
export function signatureOf(secret: string, timestamp: number, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

interface Due {
  deliveryid: number;
  attempts: number;
  url: string;
  secret: string;
  event: string;
  eventid: string;
  body: string;
}

type Attempt = { ok: boolean; status: number | null; error: string | null };

/**
 * Delivers the events in the outbox.
 *
 * - WEBHOOK-3 No delivery goes to a private address, as resolved when it is sent, unless the network is in the site's
 *   `private_networks`.
 * - WEBHOOK-7 Only a 2xx ends a delivery; otherwise it is repeated at growing intervals. The id stays, the signature is
 *   new.
 * - WEBHOOK-8 Redirects are not followed.
 * - WEBHOOK-9 After 24 attempts, in three days, a delivery is given up and stored; an administrator can have it
 *   repeated.
 * - WEBHOOK-10 Events of a record reach a webhook in order: the next one waits until the one before has arrived or was
 *   given up. Other records are not delayed.
 * - WEBHOOK-11 A slow receiver delays no other receiver.
 * - WEBHOOK-13 A delivery happens at least once: a server that was killed in between sends it again. Receivers
 *   recognise it by the id.
 */
export class Courier {
  readonly #services: Services;
  /** Webhooks with deliveries in progress; `again`: another delivery came due meanwhile. */
  readonly #lanes = new Map<number, { again: boolean; done: Promise<void> }>();
  #scanning: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #stopListening: () => void;

  constructor(services: Services) {
    this.#services = services;
    this.#stopListening = services.bus.listen(() => this.wake());
  }

  /** Starts due deliveries. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#scanning ??= this.#scan()
      .catch((error: unknown) => {
        this.#services.log.error({ err: error }, 'the outbox of webhooks could not be read');
        this.#wakeIn(lookMs);
      })
      .finally(() => (this.#scanning = undefined));
  }

  /** Stops after the deliveries in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    await this.#scanning;
    await Promise.all([...this.#lanes.values()].map(({ done }) => done));
  }

  async #scan(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      if (!(await this.#isWaiting())) continue;
      const due = await this.#heads().select('delivery.webhookid').distinct().execute();
      for (const { webhookid } of due) {
        const lane = this.#lanes.get(webhookid);
        if (lane === undefined) this.#startLane(webhookid);
        else lane.again = true;
      }
      await this.#setTimer();
    }
  }

  /** Whether anything is waiting; fast, because most writes cause no deliveries. */
  async #isWaiting(): Promise<boolean> {
    return (await anyWaiting(this.#services.storage.reader, {})).length > 0;
  }

  #startLane(webhookid: number): void {
    const lane = { again: true, done: Promise.resolve() };
    this.#lanes.set(webhookid, lane);
    lane.done = this.#serve(webhookid, lane)
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'a webhook could not be served'))
      .finally(() => {
        this.#lanes.delete(webhookid);
        this.wake();
      });
  }

  async #serve(webhookid: number, lane: { again: boolean }): Promise<void> {
    while (lane.again && !this.#stopped) {
      lane.again = false;
      const due = await this.#heads()
        .innerJoin('webhook_events', 'webhook_events.eventid', 'delivery.eventid')
        .select(['deliveryid', 'attempts', 'url', 'secret', 'event', 'delivery.eventid', 'body'])
        .where('delivery.webhookid', '=', webhookid)
        .orderBy('deliveryid')
        .limit(atOnce)
        .execute();
      await Promise.all(due.map((one) => this.#deliver(one)));
      if (due.length > 0) lane.again = true;
    }
  }

  /** Due deliveries without earlier ones of the same record and webhook. */
  #heads(before: number = this.#services.now()) {
    return this.#services.storage.reader
      .selectFrom('webhook_deliveries as delivery')
      .innerJoin('webhooks', 'webhooks.webhookid', 'delivery.webhookid')
      .where('status', '=', 'waiting')
      .where('next_ms', '<=', before)
      .where('enabled', '=', 1)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('webhook_deliveries as earlier')
              .select('earlier.deliveryid')
              .whereRef('earlier.webhookid', '=', 'delivery.webhookid')
              .whereRef('earlier.subject', '=', 'delivery.subject')
              .where('earlier.status', '=', 'waiting')
              .whereRef('earlier.deliveryid', '<', 'delivery.deliveryid'),
          ),
        ),
      );
  }

  async #deliver(due: Due): Promise<void> {
    const attempt = await this.#send(due);
    const attempts = due.attempts + 1;
    const isDead = !attempt.ok && attempts >= mostAttempts;
    const now = this.#services.now();
    const [byte = 0] = this.#services.randomBytes(1);
    await this.#services.storage.write(ownOrigin(this.#services, 'deliver'), (tx) =>
      tx
        .updateTable('webhook_deliveries')
        .set({
          status: attempt.ok ? 'delivered' : isDead ? 'dead' : 'waiting',
          attempts,
          next_ms: now + waitAfter(attempts, byte / 256),
          last_status: attempt.status,
          last_error: attempt.error,
          last_date: Math.floor(now / 1000),
        })
        .where('deliveryid', '=', due.deliveryid)
        .execute(),
    );
    if (isDead)
      this.#services.log.warn({ deliveryid: due.deliveryid }, 'an event could not be delivered in days');
  }

  async #send({ url, secret, event, eventid, body }: Due): Promise<Attempt> {
    const timestamp = Math.floor(this.#services.now() / 1000);
    try {
      const { status } = await this.#services.outbound.call(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'User-Agent': 'Benchbook-Webhook',
          [webhookHeaders.event]: event,
          [webhookHeaders.eventid]: eventid,
          [webhookHeaders.timestamp]: String(timestamp),
          [webhookHeaders.signature]: signatureOf(secret, timestamp, body),
        },
        body,
        timeoutMs,
        mostBytes,
      });
      const ok = status >= 200 && status < 300;
      return { ok, status, error: ok ? null : `The receiver answered ${status}` };
    } catch (error) {
      return { ok: false, status: null, error: wordsFor(error) };
    }
  }

  /** Wakes when the next one is due. */
  async #setTimer(): Promise<void> {
    clearTimeout(this.#timer);
    const { next } = await this.#heads(Number.MAX_SAFE_INTEGER)
      .select((eb) => eb.fn.min('next_ms').as('next'))
      .executeTakeFirstOrThrow();
    const wait = next === null ? undefined : Number(next) - this.#services.now();
    // Deliveries that are due now are in progress, and wake the courier when they are done.
    if (wait !== undefined && wait > 0) this.#wakeIn(Math.min(wait, lookMs));
  }

  #wakeIn(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#stopped) this.#timer = setTimeout(() => this.wake(), ms).unref();
  }
}

const anyWaiting = prepared<Record<never, never>, { deliveryid: number }>((db) =>
  db.selectFrom('webhook_deliveries').select('deliveryid').where('status', '=', 'waiting').limit(1),
);

/** An error in words for administrators, without addresses and stack traces. */
function wordsFor(error: unknown): string {
  if (error instanceof RefusedAddress) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError'))
    return 'The receiver did not answer in time';
  return code === undefined
    ? 'The receiver could not be reached'
    : `The receiver could not be reached (${code})`;
}
