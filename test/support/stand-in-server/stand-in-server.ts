import type { Answer } from '#desktop/engine/outbox/answers.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { type GuideContent, contentOf } from '#shared/rules/guide-content.ts';
import { type EntryMove, appendEvent } from '#shared/rules/work-log.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import { temporaryIdsIn, withRealIds } from '#shared/sync/temporary-ids.ts';
import { reportBrokenAnswer } from '#test/support/broken-answers.ts';

import { type Call, refused } from './call-results.ts';
import { runCall } from './calls.ts';
import { EventStreams } from './event-streams.ts';
import { revised } from './guide-calls.ts';
import type { OfferedArchive } from './offered-archive.ts';
import { Records } from './records.ts';
import { endpointNotFound, lines, page, problem, stalled } from './responses.ts';

/** What happens to a request; undefined: the server answers it. */
export type Fault =
  /** It does not arrive. */
  | 'lose-request'
  /** It takes effect, and the device gets no response. */
  | 'lose-answer'
  /** It takes effect, and the response breaks off before its last line. */
  | 'cut-answer'
  /** It does not arrive, and the response stalls after its head. */
  | 'stall'
  /** The server refuses it. */
  | { status: number; headers?: Record<string, string> }
  /** A captive portal or a proxy responds with this text. */
  | { page: string; status: number }
  /** An intermediary responds. */
  | { respond: () => Response }
  /** It takes effect, and the response arrives changed, or later. */
  | { change: (response: Response) => Response | Promise<Response> }
  | undefined;

/** A call of a batch, as a device sends it. */
type SentCall = Call & { lane: string; body?: Record<string, unknown> };

interface Backup {
  feed: StandInServer['feed'];
  documents: StandInServer['documents'];
  performed: StandInServer['performed'];
}

/** The answer of a script to a call. */
type Refusal = { status: number; body?: unknown };

/**
 * The one stand-in for the server in tests of the desktop. It is for tests that need the server to fail at a certain
 * request, or time to stand still; others use a real server (`test/support/server.ts`).
 *
 * It speaks `/sync/1` (load, pull, events, batch, lookup of answers), signs people in, takes uploads, offers one archive
 * and runs the documented calls that devices send, with the schemas and rules of `shared`. It is like a server from
 * before identities, digests and resumable uploads; it keeps no pictures and has no other endpoints.
 *
 * - Records: `put`, `putGuide` and `remove` change them as another client would; `read` and `all` look them up.
 * - Answers: `refuse` answers single calls in place of the server.
 * - Faults: `fault` decides about each request: lost, cut, stalled, refused, answered by a captive portal, changed or
 *   delayed. `setUp(false)` cuts the network, `cutStreams` only the events.
 * - Restores: `backUp` and `restore`.
 * - Stations: `accounts` has the people in whose name a station calls; their calls are marked with station 9.
 * - Time passes, except on a server of `still()`; setting `now` moves the clock.
 * - What happened: `requests`, `batches`, `signIns`, and `effects`, which counts how often each call took effect.
 *
 * A request that it does not know fails the test that was running, with method, path and body.
 */
export class StandInServer extends Records {
  /** Results by key: a call takes effect once. */
  performed = new Map<string, Answer>();
  /** How often each call took effect, by key. */
  readonly effects = new Map<string, number>();
  readonly batches: SentCall[][] = [];
  /** Paths, in order. */
  readonly requests: string[] = [];
  readonly signIns: { email: string; device_key?: string }[] = [];
  fault: (path: string, calls: SentCall[], body: string) => Fault = () => undefined;
  refuse: (call: SentCall) => Refusal | undefined = () => undefined;
  /** Userids by `accountid`, for calls of a station. */
  accounts = new Map<string, number>();
  archive: OfferedArchive | null = null;
  isUp = true;
  /** Older servers cannot look up responses by key. */
  knowsAnswers = true;
  /** The numbers of uploads, by temporary id. */
  readonly #files = new Map<string, string>();
  readonly #people = new Map<string, number>();
  readonly #streams = new EventStreams(this, () => this.#head());

  readonly #report: (flaw: string) => void;

  /** `report`: receives the description of a request that the server does not know; by default it fails the test. */
  constructor({
    report = reportBrokenAnswer,
    ...clock
  }: { report?: (flaw: string) => void; now?: number } = {}) {
    super(clock);
    this.#report = report;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    this.requests.push(url.pathname);
    if (!this.isUp) throw new TypeError('fetch failed');
    const calls =
      url.pathname === '/sync/1/batch'
        ? (JSON.parse(init?.body as string) as { calls: SentCall[] }).calls
        : [];
    if (url.pathname.endsWith('.omanual')) this.archive?.note(url, new Headers(init?.headers));
    const fault = this.fault(url.pathname, calls, textOf(init?.body));
    if (fault === 'lose-request') throw new TypeError('fetch failed');
    if (fault === 'stall') return stalled(init?.signal);
    if (typeof fault === 'object' && 'respond' in fault) return fault.respond();
    if (typeof fault === 'object' && 'page' in fault) return page(fault.page, fault.status);
    if (typeof fault === 'object' && 'status' in fault) return problem(fault.status, fault.headers);
    const response = this.#answer(url, init, calls, fault === 'cut-answer');
    if (fault === 'lose-answer') throw new TypeError('fetch failed');
    if (typeof fault === 'object') return fault.change(response);
    // Like a fetch aborted before the response.
    init?.signal?.throwIfAborted();
    return response;
  };

  /** A server whose clock only the test moves. */
  static still(): StandInServer {
    return new StandInServer({ now: Date.UTC(2026, 0, 5, 8) });
  }

  /** Cuts or restores the network. */
  setUp(isUp: boolean): void {
    this.isUp = isUp;
    if (!isUp) this.cutStreams();
  }

  cutStreams(): void {
    this.#streams.cut();
  }

  backUp(): Backup {
    return {
      feed: [...this.feed],
      documents: new Map(this.documents),
      performed: new Map(this.performed),
    };
  }

  /** Restores a backup, or an empty server, as another history. */
  restore(history: string, backup?: Backup): void {
    this.history = history;
    this.feed.splice(0, this.feed.length, ...(backup?.feed ?? []));
    this.documents.clear();
    for (const [id, row] of backup?.documents ?? []) this.documents.set(id, row);
    this.performed = new Map(backup?.performed);
  }

  guide(guideid: number): GuideFacts {
    return this.read('guides', guideid);
  }

  wiki(wikiid: number): WikiFacts {
    return this.read('wikis', wikiid);
  }

  entry(entryid: number): EntryFacts {
    return this.read('workLog', entryid);
  }

  /** Edits a guide as another person. */
  editGuide(guideid: number, edit: (content: GuideContent) => GuideContent, userid = 2): void {
    const facts = { ...this.guide(guideid), modified_userid: userid };
    this.put('guides', String(guideid), revised(this, facts, edit(contentOf(facts)), new Map()));
  }

  /** Makes a transition of an order as another person. */
  moveEntry(entryid: number, type: EntryMove, userid: number): void {
    this.put('workLog', String(entryid), appendEvent(this.entry(entryid), { type, userid }, this.now));
  }

  /** Runs a call of a person without a connection. A repeated call answers with the current records. */
  call(call: Call, userid: number): Answer {
    const before = this.performed.get(call.id);
    if (before !== undefined) return this.#replay(before);
    this.effects.set(call.id, (this.effects.get(call.id) ?? 0) + 1);
    const answer =
      runCall(this, call, userid) ??
      this.#unexpected(call.method, `/api/2.0${call.path}`, JSON.stringify(call.body));
    if (answer.status < 300) this.performed.set(call.id, answer);
    return answer;
  }

  #answer(url: URL, init: RequestInit | undefined, calls: SentCall[], cut: boolean): Response {
    const method = init?.method ?? 'GET';
    const since = url.searchParams.get('since') ?? '0.0';
    const isKnown = this.place(Number(since.split('.')[0])) === since;
    if (url.searchParams.has('since') && !isKnown) return problem(410);
    if (url.pathname.startsWith('/sync/1/uploads')) return endpointNotFound();
    if (url.pathname.startsWith('/igi/')) return problem(404);
    switch (`${method} ${url.pathname}`) {
      case 'GET /sync/1/identity':
        return endpointNotFound();
      case 'GET /sync/1/bootstrap': {
        const end = { checkpoint: this.place(), more: false };
        return lines([this.#head(this.documents.size), ...this.documents.values(), end], cut);
      }
      case 'GET /sync/1/pull':
        return this.#pull(since, Number(url.searchParams.get('limit')), cut);
      case 'GET /sync/1/events':
        return this.#streams.open(since, init?.signal ?? null);
      case 'POST /sync/1/answers':
        return this.#answers(init);
      case 'POST /sync/1/batch':
        this.batches.push(calls);
        return lines([this.#head(), ...this.#run(calls, this.#userid(init))], cut);
      case 'POST /api/2.0/user/token':
        return this.#signIn(init);
      case 'DELETE /api/2.0/user/token':
        return new Response(null, { status: 204 });
      case 'POST /api/2.0/user/media/images':
        return this.#upload(url, init);
      case 'GET /api/2.0/omanual':
        return Response.json(this.archive === null ? [] : [this.archive.record(url.origin)]);
      case 'GET /api/2.0/omanual/shop.omanual':
        return must(this.archive, 'the archive').file(new Headers(init?.headers));
      default:
        return this.#unexpected(method, url.pathname, textOf(init?.body));
    }
  }

  #unexpected(method: string, path: string, body: string): never {
    const message = `The stand-in server has no answer to ${method} ${path} ${body}`;
    this.#report(message);
    throw new TypeError(message);
  }

  /** Ada is person 1, anyone else person 2. The token says how many sign-ins there were before. */
  #signIn(init: RequestInit | undefined): Response {
    const request = JSON.parse(init?.body as string) as { email: string; device_key?: string };
    this.signIns.push(request);
    const { email } = request;
    const userid = /^ada\b/i.test(email) ? 1 : 2;
    const authToken = `token ${this.signIns.length} of ${email}`;
    this.#people.set(`api ${authToken}`, userid);
    const deviceKey = `key of ${email}`;
    const user = { userid, username: email, privileges: ['User'], authToken, deviceKey };
    return Response.json(user, { status: 201 });
  }

  /** The person whose token a request has; Ada for other tokens. */
  #userid(init: RequestInit | undefined): number {
    return this.#people.get(new Headers(init?.headers).get('Authorization') ?? '') ?? 1;
  }

  #answers(init: RequestInit | undefined): Response {
    if (!this.knowsAnswers) return problem(404);
    const { keys } = JSON.parse(init?.body as string) as { keys: string[] };
    const known = keys.map((id) => {
      const answer = this.performed.get(id);
      return answer === undefined ? { id, unknown: true } : { id, ...this.#replay(answer) };
    });
    return lines([this.#head(), ...known], false);
  }

  #head(total?: number): object {
    const { history, now } = this;
    return { protocol: unannouncedProtocol, history, now, ...(total === undefined ? {} : { total }) };
  }

  #pull(since: string, limit: number, cut: boolean): Response {
    const from = Number(since.split('.')[0]);
    const end = Math.min(this.feed.length, from + limit);
    const rows = this.feedAfter(from).filter(({ seq }) => seq <= end);
    return lines([this.#head(), ...rows, { checkpoint: this.place(end), more: end < this.feed.length }], cut);
  }

  /** Runs a batch: after a refused call, the rest of its lane does not run. */
  #run(calls: SentCall[], userid: number): object[] {
    const stoppedBy = new Map<string, string>();
    return calls.map((call) => {
      const { id, lane } = call;
      const after = stoppedBy.get(lane);
      if (after !== undefined)
        return { id, status: 0, headers: {}, after, rows: [], created: {}, replayed: false };
      const isKnown = this.performed.has(id);
      const refusal = isKnown ? undefined : this.refuse(call);
      const answer =
        refusal === undefined
          ? this.#runNamed(call, this.#doer(call, userid))
          : { ...refused(refusal.status, ''), ...refusal };
      if (answer.status > 299) stoppedBy.set(lane, id);
      else if (refusal !== undefined) this.performed.set(id, answer);
      return { id, ...answer };
    });
  }

  /** Runs a call in which the numbers of uploads replace their temporary ids; other temporary ids are refused. */
  #runNamed(call: SentCall, userid: number): Answer {
    const named = withRealIds(call, (id) => this.#files.get(id));
    if (temporaryIdsIn(named).size > 0) return refused(422, 'Nothing has made it yet');
    return this.call(named, userid);
  }

  /** Who makes a call: at a station, the person in whose name it is. */
  #doer({ recorded_for }: SentCall, userid: number): number {
    return recorded_for === undefined ? userid : must(this.accounts.get(recorded_for), 'the person');
  }

  #replay(answer: Answer): Answer {
    const rows = answer.rows.map((row) => {
      const now = this.documents.get(`${row.c}/${row.id}`);
      return now === undefined ? row : { ...now, ...(row.key === undefined ? {} : { key: row.key }) };
    });
    return { ...answer, rows, replayed: true };
  }

  #upload(url: URL, init: RequestInit | undefined): Response {
    const id = must(new Headers(init?.headers).get('Idempotency-Key'), 'Idempotency-Key');
    const { size } = must(init?.body, 'body') as Blob;
    const path = url.pathname.replace('/api/2.0', '');
    const query = Object.fromEntries(url.searchParams);
    const { status, body, created } = this.call(
      { id, method: 'POST', path, query, size },
      this.#userid(init),
    );
    for (const [temporary, real] of Object.entries(created)) this.#files.set(temporary, String(real));
    return Response.json(body, { status });
  }
}

function textOf(body: RequestInit['body']): string {
  return typeof body === 'string' ? body : '';
}

/** A server that only signs people in; other requests do not arrive. */
export function onlySigningIn(): StandInServer {
  const server = new StandInServer();
  server.fault = (path) => (path === '/api/2.0/user/token' ? undefined : 'lose-request');
  return server;
}
