/** The used part of autocannon, which has no types. */
declare module 'autocannon' {
  interface Options {
    url: string;
    headers?: Record<string, string>;
    /** Seconds. */
    duration: number;
    connections: number;
    /** Is called for each connection. */
    setupClient?: (client: Client) => void;
  }
  interface Client {
    /** The requests that the connection sends, in turn. */
    setRequests(requests: { path: string; headers: Record<string, string> }[]): void;
  }
  interface Result {
    /** Seconds. */
    duration: number;
    errors: number;
  }
  type Run = Promise<Result> & {
    on(
      event: 'response',
      hear: (client: unknown, status: number, bytes: number, milliseconds: number) => void,
    ): void;
  };
  export default function autocannon(options: Options): Run;
}
