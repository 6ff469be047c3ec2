/** Where attacks go, and what they may use: all of it anybody on the site could have. */
export interface Target {
  url: string;
  /** Tokens of an author and of somebody who only reads. */
  author: string;
  reader: string;
  /** Tokens of six people who only read. */
  readers: string[];
  /** Address of a training module that a learner has open. */
  module: string;
  /** A quiz that a server of before the limits has stored: its last value has millions of parts. */
  costlyQuizid: number;
  /** A place in the feed. */
  checkpoint: string;
}

/** How often an attack was answered with each status. */
export type Statuses = Record<number, number>;

/** One wave of an attack; resolves when all of it was answered. */
export interface Attack {
  name: string;
  wave(target: Target): Promise<Statuses>;
}

/** Sends a JSON body, counts the status. `token` null: from nobody. */
export async function post(
  { url }: Target,
  path: string,
  token: string | null,
  body: string | Uint8Array<ArrayBuffer>,
  counted: Statuses,
): Promise<void> {
  const response = await fetch(`${url}/api/2.0${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token === null ? {} : { Authorization: `api ${token}` }),
    },
    body,
  });
  await response.arrayBuffer();
  counted[response.status] = (counted[response.status] ?? 0) + 1;
}

/** Does the same `count` times at once. */
export async function atOnce(count: number, work: (n: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, n) => work(n)));
}
