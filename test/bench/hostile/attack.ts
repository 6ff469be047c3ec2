/** The target of attacks, and resources that anybody on the site could have. */
export interface Target {
  url: string;
  /** Tokens of an author and of a reader. */
  author: string;
  reader: string;
  /** Tokens of six readers. */
  readers: string[];
  /** Address of a training module that a learner has open. */
  module: string;
  /** A quiz stored by a server from before the limits: its last value has millions of parts. */
  costlyQuizid: number;
  /** A checkpoint. */
  checkpoint: string;
}

/** Number of responses to an attack by status. */
export type Statuses = Record<number, number>;

/** One wave of an attack; resolves when all requests were answered. */
export interface Attack {
  name: string;
  wave(target: Target): Promise<Statuses>;
}

/** Sends a JSON body and counts the status. `token` null: anonymous. */
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

/** Runs the same work `count` times concurrently. */
export async function atOnce(count: number, work: (n: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, n) => work(n)));
}
