import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** A request exactly as it is sent: fetch would correct the address and drop headers. */
export interface RawRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: string | undefined;
}

export interface RawAnswer {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends raw requests to one server over keep-alive connections. */
export class RawHttp implements Disposable {
  readonly #origin: URL;
  readonly #agent: Agent;

  constructor(origin: string, connections: number) {
    this.#origin = new URL(origin);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  send({ method, url, headers, payload }: RawRequest): Promise<RawAnswer> {
    const { hostname, port } = this.#origin;
    const path = url.replaceAll(' ', '%20');
    const length = payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) };
    return new Promise((resolve, reject) => {
      const options = {
        hostname,
        port,
        path,
        method,
        headers: { ...headers, ...length },
        agent: this.#agent,
      };
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString();
          resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body });
        });
      });
      sent.on('error', reject);
      sent.end(payload);
    });
  }
}

/** Runs `work` on every item in order, `width` at a time. */
export async function eachOf<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
}
