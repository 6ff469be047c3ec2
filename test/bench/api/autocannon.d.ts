/** The used part of autocannon, which has no types. */
declare module 'autocannon' {
  interface Options {
    url: string;
    headers?: Record<string, string>;
    /** Seconds. */
    duration: number;
    connections: number;
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
