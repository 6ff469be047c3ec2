import type { FeedRow, RowsEvent } from '#shared/sync/wire.ts';
import { must } from '#shared/must.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';

/** A device that holds an event stream, and keeps what it says. */
export class StreamingDevice implements AsyncDisposable {
  readonly #documents = new Map<string, string>();
  readonly removals = new Set<string>();
  /** The rows of each event. */
  readonly events: RowsEvent[] = [];
  readonly #stop = new AbortController();
  readonly #reading: Promise<void>;
  #hasEnded = false;
  #waiting: (() => void)[] = [];

  private constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reading = this.#read(body)
      .catch(() => undefined)
      .finally(() => {
        this.#hasEnded = true;
        this.#changed();
      });
  }

  /** Opens a stream after `since`. */
  static async open(
    { url }: Pick<TestServer, 'url'>,
    { token }: Pick<TestPerson, 'token'>,
    since: string,
  ): Promise<StreamingDevice> {
    const response = await fetch(`${url}/sync/1/events?protocol=5-6&since=${since}`, {
      headers: { Authorization: `api ${token}` },
    });
    if (response.status !== 200) throw new Error(`The stream answered ${response.status}`);
    return new StreamingDevice(must(response.body, 'a body'));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get names(): string[] {
    return [...this.#documents.keys()].toSorted();
  }

  document(name: string): unknown {
    return JSON.parse(must(this.#documents.get(name), name));
  }

  /** Resolves when the condition holds after an event, or at the end of the stream. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds() && !this.#hasEnded)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#reading;
  }

  async #read(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    let rest = '';
    const text = body.pipeThrough(new TextDecoderStream(), { signal: this.#stop.signal });
    for await (const piece of text) {
      const events = (rest + piece).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) this.#take(event);
    }
  }

  #take(event: string): void {
    const data = /^event: rows\ndata: (.*)$/m.exec(event)?.[1];
    if (data === undefined) return;
    const told = JSON.parse(data) as RowsEvent;
    this.events.push(told);
    for (const row of told.rows) this.#keep(row);
    this.#changed();
  }

  #keep(row: FeedRow): void {
    const name = `${row.c}/${row.id}`;
    if (row.removed === true) {
      this.#documents.delete(name);
      this.removals.add(name);
    } else if (row.doc !== undefined) this.#documents.set(name, JSON.stringify(row.doc));
  }

  #changed(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
