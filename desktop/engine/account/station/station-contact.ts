import { type Observable, Subscription } from 'rxjs';

import { requestOf } from '#shared/api/client.ts';
import { type Endpoint, rootedPath } from '#shared/api/endpoint.ts';
import { stations } from '#shared/api/stations.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Environment } from '#desktop/engine/platform/ports.ts';
import { recordIn } from '#desktop/engine/sync/own-answer.ts';
import type { Station } from './station.ts';

/** How often the station asks and reports while nothing else happens, ms. */
const every = 60_000;
/** Reports that say the same are sent this often, ms. */
const sameReportEvery = 10 * 60_000;

interface ContactDeps {
  environment: Environment;
  station: Station;
  /** The account of the home; an answer about another one is not taken. */
  accountid: string | null;
  appVersion: string;
  /** A request to the server of the home with the station's token. */
  response(path: string, init?: RequestInit): Promise<Response>;
  /** Whether requests are allowed now. */
  maySync(): boolean;
  /** How many calls wait, and since when (ms since 1970); null: none. */
  waiting(): { count: number; oldestAt: number } | null;
  /** Emits when there may be news. */
  news: Observable<unknown>;
}

/**
 * Keeps the station up to date, in the leading tab only.
 *
 * - STATION-ENGINE-9 At each contact the station reads its people and how they sign in, and stores that sealed. It reports
 *   its version, what waits, and how often a badge or PIN was wrong.
 */
export class StationContact {
  readonly #deps: ContactDeps;
  readonly #subscription: Subscription;
  #cancel: () => void = () => undefined;
  #isClosed = false;
  #running: Promise<void> | null = null;
  #isAsked = false;
  #reported: { report: object; at: number } | null = null;

  constructor(deps: ContactDeps) {
    this.#deps = deps;
    this.#subscription = deps.news.subscribe(() => this.now());
    this.now();
  }

  /** Asks now; again afterwards, if it is asking already. */
  now(): void {
    if (this.#isClosed) return;
    this.#isAsked = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#isAsked) this.now();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isAsked = false;
    this.#subscription.unsubscribe();
    this.#cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#isAsked = false;
    this.#cancel();
    try {
      if (this.#deps.maySync()) await this.#ask();
    } catch {
      // Without an answer the station goes on with what it knows. The state of sync shows troubles.
    }
    if (!this.#isClosed) this.#cancel = this.#deps.environment.setTimer(() => this.now(), every);
  }

  async #ask(): Promise<void> {
    const { station, accountid } = this.#deps;
    const response = await this.#send(stations.self);
    if (!response.ok) return;
    const self = await recordIn(response, stations.self.result, rootedPath(stations.self));
    if (accountid !== null && self.accountid !== accountid) return;
    await station.adopt(self);
    await this.#report();
  }

  async #report(): Promise<void> {
    const { environment, station, appVersion } = this.#deps;
    const waiting = this.#deps.waiting();
    const now = environment.now();
    const oldest = waiting === null ? null : Math.max(0, Math.round((now - waiting.oldestAt) / 1000));
    const report = {
      app_version: appVersion,
      waiting: waiting?.count ?? 0,
      failed_tries: station.now.failedTries,
    };
    const last = this.#reported;
    if (last !== null && sameValue(last.report, report) && now - last.at < sameReportEvery) return;
    const { ok } = await this.#send(stations.report, { ...report, oldest });
    if (ok) this.#reported = { report, at: now };
  }

  #send(endpoint: Endpoint, body?: object): Promise<Response> {
    const { url, init } = requestOf(endpoint, body === undefined ? {} : { body }, { baseUrl: '' }, {});
    return this.#deps.response(url, { ...init, cache: 'no-store' });
  }
}
