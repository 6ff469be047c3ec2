import { must } from '#shared/must.ts';
import type { ImageWithMetadata } from '#shared/model/image.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import { withRealIds } from '#shared/sync/temporary-ids.ts';
import { type FeedRow } from '#shared/sync/wire.ts';

type Facts = Record<string, unknown>;
type Call = {
  id: string;
  lane: string;
  method: string;
  path: string;
  query?: Record<string, string>;
  body?: Facts;
};
type Outcome = {
  status: number;
  body?: unknown;
  rows?: FeedRow[];
  created?: Record<string, number>;
  headers?: Record<string, string>;
};

/** The fate of a request: nothing, no response although it was performed, no delivery, another status, or a page. */
export type Fault =
  | 'lose-answer'
  | 'lose-request'
  | 'cut-answer'
  | { status: number; headers?: Record<string, string> }
  /** An intermediary responds with this text. */
  | { page: string; status: number }
  | undefined;

/** The wire protocol over a few kinds of records, in memory, with faults on demand. */
export class FakeServer {
  history = 'h1';
  readonly feed: (FeedRow & { nonce: string; stale?: boolean })[] = [];
  readonly documents = new Map<string, FeedRow>();
  /** Outcomes by key: an effect happens once. */
  performed = new Map<string, Outcome>();
  /** How often each effect happened, by key. */
  readonly effects = new Map<string, number>();
  readonly batches: Call[][] = [];
  readonly requests: string[] = [];
  fault: (path: string, calls: Call[]) => Fault = () => undefined;
  refuse: (call: Call) => Outcome | undefined = () => undefined;
  isUp = true;
  /** Older servers cannot look up responses by key. */
  knowsAnswers = true;
  ids = 100;
  /** The numbers of uploads, by temporary id. */
  readonly #files = new Map<string, string>();
  #listeners = new Set<() => void>();
  #streams = new Set<ReadableStreamDefaultController<Uint8Array>>();

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    this.requests.push(url.pathname);
    if (!this.isUp) throw new TypeError('fetch failed');
    const calls =
      url.pathname === '/sync/1/batch' ? (JSON.parse(init?.body as string) as { calls: Call[] }).calls : [];
    const fault = this.fault(url.pathname, calls);
    if (fault === 'lose-request') throw new TypeError('fetch failed');
    if (typeof fault === 'object' && 'page' in fault) return pageOf(fault);
    if (typeof fault === 'object') return problem(fault.status, fault.headers);
    const response = await this.#answer(url, init, calls, fault === 'cut-answer');
    // Like a fetch aborted before the response.
    init?.signal?.throwIfAborted();
    if (fault === 'lose-answer') throw new TypeError('fetch failed');
    return response;
  };

  put(c: FeedRow['c'], id: string, doc: Facts, key?: string): FeedRow {
    const seq = this.feed.length + 1;
    const row: FeedRow = { c, id, seq, doc, ...(key === undefined ? {} : { key }) };
    this.documents.set(`${c}/${id}`, { c, id, seq, doc });
    this.#append(row);
    return row;
  }

  remove(c: FeedRow['c'], id: string, key?: string): FeedRow {
    const row: FeedRow = {
      c,
      id,
      seq: this.feed.length + 1,
      removed: true,
      ...(key === undefined ? {} : { key }),
    };
    this.documents.delete(`${c}/${id}`);
    this.#append(row);
    return row;
  }

  /** Cuts or restores the network. */
  setUp(isUp: boolean): void {
    this.isUp = isUp;
    if (!isUp) this.cutStreams();
  }

  cutStreams(): void {
    for (const stream of this.#streams) stream.error(new TypeError('cut'));
    this.#streams.clear();
  }

  place(seq = this.feed.length): string {
    return seq === 0 ? '0.0' : `${seq}.${this.feed[seq - 1]?.nonce}`;
  }

  #append(row: FeedRow): void {
    this.feed.push({ ...row, nonce: `${this.history}n${row.seq}` });
    for (const listener of this.#listeners) listener();
  }

  async #answer(url: URL, init: RequestInit | undefined, calls: Call[], cut: boolean): Promise<Response> {
    // An older server has no identity.
    if (url.pathname === '/sync/1/identity') {
      const message = 'Endpoint not found';
      return Response.json({ error: true, message, msg: message }, { status: 404 });
    }
    const since = url.searchParams.get('since') ?? '0.0';
    const known = this.place(Number(since.split('.')[0])) === since;
    if (url.searchParams.has('since') && !known) return problem(410);
    switch (url.pathname) {
      case '/sync/1/bootstrap':
        return lines(
          [
            this.#head(this.documents.size),
            ...this.documents.values(),
            { checkpoint: this.place(), more: false },
          ],
          cut,
        );
      case '/sync/1/pull':
        return this.#pull(since, Number(url.searchParams.get('limit')), cut);
      case '/sync/1/events':
        return this.#events(since, init?.signal ?? null);
      case '/sync/1/answers':
        return this.#answers(init);
      case '/sync/1/batch':
        this.batches.push(calls);
        return lines([this.#head(), ...this.#run(calls)], cut);
      default:
        return this.#upload(url, init);
    }
  }

  #answers(init: RequestInit | undefined): Response {
    if (!this.knowsAnswers) return problem(404);
    const { keys } = JSON.parse(init?.body as string) as { keys: string[] };
    const known = keys.map((id) => {
      const outcome = this.performed.get(id);
      return outcome === undefined ? { id, unknown: true } : lineOf(id, this.#replay(outcome), true);
    });
    return lines([this.#head(), ...known], false);
  }

  #head(total?: number): object {
    return {
      protocol: unannouncedProtocol,
      history: this.history,
      now: Date.now(),
      ...(total === undefined ? {} : { total }),
    };
  }

  #rowsAfter(since: string): FeedRow[] {
    return this.feed.slice(Number(since.split('.')[0])).flatMap((entry) => {
      const row: FeedRow = { ...entry };
      Reflect.deleteProperty(row, 'nonce');
      const current = this.documents.get(`${row.c}/${row.id}`);
      if (row.removed === true || current?.seq === row.seq) return [row];
      return row.key === undefined ? [] : [{ c: row.c, id: row.id, seq: row.seq, key: row.key }];
    });
  }

  #pull(since: string, limit: number, cut: boolean): Response {
    const from = Number(since.split('.')[0]);
    const end = Math.min(this.feed.length, from + limit);
    const rows = this.#rowsAfter(since).filter(({ seq }) => seq <= end);
    return lines([this.#head(), ...rows, { checkpoint: this.place(end), more: end < this.feed.length }], cut);
  }

  #events(since: string, signal: AbortSignal | null): Response {
    let place = since;
    let listener = (): void => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const send = (event: string, data: object): void =>
          controller.enqueue(encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
        this.#streams.add(controller);
        send('head', this.#head());
        listener = () => {
          if (!this.#streams.has(controller) || place === this.place()) return;
          const rows = this.#rowsAfter(place);
          place = this.place();
          send('rows', { rows, checkpoint: place });
        };
        this.#listeners.add(listener);
        listener();
        const beat = setInterval(
          () => this.#streams.has(controller) && controller.enqueue(encode(': still here\n\n')),
          500,
        );
        const end = (): void => {
          clearInterval(beat);
          if (this.#streams.delete(controller)) controller.error(new TypeError('aborted'));
          this.#listeners.delete(listener);
        };
        signal?.addEventListener('abort', end);
        if (signal?.aborted === true) end();
      },
      cancel: () => void this.#listeners.delete(listener),
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  #run(calls: Call[]): object[] {
    const refused = new Map<string, string>();
    return calls.map((call) => {
      const after = refused.get(call.lane);
      if (after !== undefined)
        return { id: call.id, status: 0, headers: {}, after, rows: [], created: {}, replayed: false };
      const before = this.performed.get(call.id);
      const outcome =
        before === undefined
          ? (this.refuse(call) ?? this.#perform(withRealIds(call, (id) => this.#files.get(id))))
          : this.#replay(before);
      if (outcome.status > 299) refused.set(call.lane, call.id);
      else if (before === undefined) this.performed.set(call.id, outcome);
      return lineOf(call.id, outcome, before !== undefined);
    });
  }

  /** Rows of a replay are the current records. */
  #replay(outcome: Outcome): Outcome {
    const rows = (outcome.rows ?? []).map((row) => {
      const now = this.documents.get(`${row.c}/${row.id}`);
      return now === undefined ? { ...row } : { ...now, ...(row.key === undefined ? {} : { key: row.key }) };
    });
    return { ...outcome, rows };
  }

  #perform(call: Call): Outcome {
    if (JSON.stringify([call.path, call.body ?? null]).includes('tmp:'))
      return { status: 422, body: { message: 'Nothing has made it yet' } };
    this.effects.set(call.id, (this.effects.get(call.id) ?? 0) + 1);
    const [, first, second, third] = call.path.split('/');
    const id = call.path.split('/').at(-1) ?? '';
    const made = (c: FeedRow['c'], facts: (id: number) => Facts): Outcome => {
      const real = (this.ids += 1);
      const row = this.put(c, String(real), { key: call.id, ...facts(real) }, call.id);
      return { status: 201, rows: [row], created: { [`tmp:${call.id}`]: real } };
    };
    if (call.method === 'POST' && first === 'comments')
      return made('comments', (commentid) => ({ commentid, guideid: Number(third), ...call.body }));
    if (call.method === 'POST' && call.path === '/guides')
      return made('guides', (guideid) => ({ guideid, revisionid: 1, steps: [], ...call.body }));
    if (call.method === 'POST' && call.path === '/work_log')
      return made('workLog', (entryid) => ({ entryid, guideid: 1, events: ['start'], ...call.body }));
    if (first === 'work_log')
      return this.#append2('workLog', second ?? '', call, (facts) => ({
        ...facts,
        events: [...(facts['events'] as string[]), third],
      }));
    if (first === 'guides') return this.#save(call, second ?? '');
    if (first === 'user' && call.method === 'PUT')
      return {
        status: 204,
        rows: [this.put('viewer', `favorite:${id}`, { kind: 'favorite', guideid: Number(id) }, call.id)],
      };
    if (first === 'user')
      return {
        status: 204,
        rows: this.documents.has(`viewer/favorite:${id}`)
          ? [this.remove('viewer', `favorite:${id}`, call.id)]
          : [],
      };
    return { status: 404, body: { message: 'Not found' } };
  }

  #append2(c: FeedRow['c'], id: string, call: Call, change: (facts: Facts) => Facts): Outcome {
    const row = this.documents.get(`${c}/${id}`);
    if (row === undefined) return { status: 404, body: { message: 'Entry not found' } };
    return { status: 200, rows: [this.put(c, id, change(row.doc as Facts), call.id)] };
  }

  #save(call: Call, id: string): Outcome {
    const row = this.documents.get(`guides/${id}`);
    if (row === undefined) return { status: 404, body: { message: 'Guide not found' } };
    const facts = row.doc as Facts & { revisionid: number };
    if (call.query?.['revisionid'] !== String(facts.revisionid))
      return { status: 409, body: facts, rows: [row] };
    return {
      status: 200,
      rows: [this.put('guides', id, { ...facts, ...call.body, revisionid: facts.revisionid + 1 }, call.id)],
    };
  }

  async #upload(url: URL, init: RequestInit | undefined): Promise<Response> {
    const key = new Headers(init?.headers).get('Idempotency-Key') ?? '';
    const before = this.performed.get(key);
    if (before !== undefined) return Response.json(before.body, { status: before.status });
    const { size } = must(init?.body, 'body') as Blob;
    this.effects.set(key, (this.effects.get(key) ?? 0) + 1);
    const id = (this.ids += 1);
    const body = uploadedImage(id);
    this.#files.set(`tmp:${key}`, String(id));
    this.performed.set(key, { status: 200, body });
    this.put(
      'media',
      `image:${id}`,
      { kind: 'image', image: body.image, filename: url.searchParams.get('file'), size, key },
      key,
    );
    return Response.json(body, { status: 200 });
  }
}

function lineOf(id: string, outcome: Outcome, replayed: boolean): object {
  const { status, headers = {}, rows = [], created = {}, body } = outcome;
  return { id, status, headers, rows, created, replayed, ...(body === undefined ? {} : { body }) };
}

/** The page of a captive portal or a proxy. */
function pageOf({ page, status }: { page: string; status: number }): Response {
  return new Response(page, { status, headers: { 'content-type': 'text/html' } });
}

/** A refusal of the server. */
export function problem(status: number, headers: Record<string, string> = {}): Response {
  return Response.json({ error: true, message: 'No', msg: 'No' }, { status, headers });
}

function uploadedImage(id: number): ImageWithMetadata {
  const image = {
    id,
    guid: `g${id}`,
    mini: '',
    thumbnail: '',
    '140x105': '',
    '200x150': '',
    standard: '',
    '440x330': '',
    medium: '',
    large: '',
    huge: '',
    original: '',
  };
  return { image, srcid: null, width: 4, height: 3, ratio: 'FOUR_THREE', markup: null, exif: [] };
}

/** Long responses are sent in pieces, so that they can be cut anywhere. */
const linesPerChunk = 100;

function lines(values: object[], cut: boolean): Response {
  const text = values.map((value) => `${JSON.stringify(value)}\n`);
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      const end = cut ? Math.max(1, text.length - 1) : text.length;
      if (next >= end) return cut ? controller.error(new TypeError('cut')) : controller.close();
      const chunk = text.slice(next, Math.min(end, next + linesPerChunk));
      controller.enqueue(encode(chunk.join('')));
      next += chunk.length;
    },
  });
  return new Response(body);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
