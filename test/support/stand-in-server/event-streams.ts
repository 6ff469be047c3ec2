import type { Records } from './records.ts';
import { encode } from './responses.ts';

/** Ms between two signs of life on a stream. */
const beatMs = 500;

/** The open responses to `GET /sync/1/events`: they bring each change at once. */
export class EventStreams {
  readonly #records: Records;
  readonly #head: () => object;
  readonly #open = new Set<ReadableStreamDefaultController<Uint8Array>>();

  /** `head`: makes the first message of a stream. */
  constructor(records: Records, head: () => object) {
    this.#records = records;
    this.#head = head;
  }

  /** A stream of the rows after the checkpoint `since`, until `signal` aborts it. */
  open(since: string, signal: AbortSignal | null): Response {
    let place = since;
    let unwatch = (): void => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const send = (text: string): void => {
          if (this.#open.has(controller)) controller.enqueue(encode(`${text}\n\n`));
        };
        const sendRows = (): void => {
          if (!this.#open.has(controller) || place === this.#records.place()) return;
          const rows = this.#records.feedAfter(Number(place.split('.')[0]));
          place = this.#records.place();
          send(`event: rows\ndata: ${JSON.stringify({ rows, checkpoint: place })}`);
        };
        this.#open.add(controller);
        send(`event: head\ndata: ${JSON.stringify(this.#head())}`);
        unwatch = this.#records.watch(sendRows);
        sendRows();
        const beat = setInterval(() => send(': still here'), beatMs);
        const end = (): void => {
          clearInterval(beat);
          if (this.#open.delete(controller)) controller.error(new TypeError('aborted'));
          unwatch();
        };
        signal?.addEventListener('abort', end);
        if (signal?.aborted === true) end();
      },
      cancel: () => unwatch(),
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  /** Breaks all streams. */
  cut(): void {
    for (const controller of this.#open) controller.error(new TypeError('cut'));
    this.#open.clear();
  }
}
