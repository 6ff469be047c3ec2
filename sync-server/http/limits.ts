/**
 * Limits of one caller, and of all of them together. The rules LOAD-1 to LOAD-15 explain the numbers; each is stated
 * where it is enforced. A device that syncs never reaches them: a queue of 50,000 calls, a thousand devices behind one
 * address, and a photo over a link of 2 KB/s all fit. `npm run bench:hostile` measures how attacks affect other users.
 */
export interface Limits {
  /** Time within which the headers of a request must arrive, ms. */
  headersMs: number;
  /** Time after which a connection without traffic is closed, ms. Event streams send something every 20 seconds. */
  idleMs: number;
  /** While a body arrives, each window of this length, ms, must deliver `bodyWindowBytes`. */
  bodyWindowMs: number;
  bodyWindowBytes: number;
  /** Time within which the body of a caller who is not signed in must arrive, ms. */
  entranceMs: number;
  /** Open connections in total. */
  connections: number;
  /** Of these, connections of one address without a valid token. */
  strangersOfAddress: number;
  /** Of these, connections whose latest request came from one person. */
  connectionsOfPerson: number;
  /** Requests in progress of one device or, without a token, one address. */
  requestsOfCaller: number;
  /** Bytes of bodies in memory: of one person or address; of all without a token; of all with one. */
  bodyBytesOfCaller: number;
  bodyBytesOfStrangers: number;
  bodyBytesOfKnown: number;
  /** Bytes of responses that the client has not read yet: of one device or, without a token, one address; of all. */
  answerBytesOfCaller: number;
  answerBytes: number;
  /** Requests within a minute: of one address without a token, and of one device. */
  anonymousPerMinute: number;
  devicePerMinute: number;
  /** Event streams of one device, of one person, in total. */
  streamsOfDevice: number;
  streamsOfPerson: number;
  streams: number;
  /** How often each event stream sends something, ms. */
  heartbeatMs: number;
  /** Event streams that a device may begin within a minute: each begins by sending what the device has missed. */
  streamsPerMinute: number;
}

export const defaultLimits: Readonly<Limits> = {
  headersMs: 30_000,
  idleMs: 300_000,
  bodyWindowMs: 60_000,
  bodyWindowBytes: 32 * 1024,
  entranceMs: 30_000,
  connections: 16_000,
  strangersOfAddress: 2000,
  connectionsOfPerson: 1000,
  requestsOfCaller: 200,
  bodyBytesOfCaller: 32 * 1024 * 1024,
  bodyBytesOfStrangers: 64 * 1024 * 1024,
  bodyBytesOfKnown: 128 * 1024 * 1024,
  answerBytesOfCaller: 64 * 1024 * 1024,
  answerBytes: 512 * 1024 * 1024,
  anonymousPerMinute: 3000,
  devicePerMinute: 60_000,
  streamsOfDevice: 10,
  streamsOfPerson: 100,
  streams: 12_000,
  heartbeatMs: 20_000,
  streamsPerMinute: 120,
};

/**
 * Maximum body size of public endpoints and forms, bytes.
 *
 * - LOAD-2 Signing in, registering, resetting a password, single sign-on, AICC messages and forms accept 256 KB (422,
 *   `body-too-large`). Other JSON accepts 2 MB, and a batch 4 MB.
 */
export const entranceBytes = 256 * 1024;

/**
 * Node's time limits for headers. `slow-bodies.ts` limits bodies.
 *
 * - LOAD-5 The headers of a request must arrive within 30 seconds. A connection without traffic for 5 minutes ends;
 *   event streams send something every 20 seconds.
 */
export function patience({ headersMs }: Pick<Limits, 'headersMs'>): {
  headersTimeout: number;
  connectionsCheckingInterval: number;
} {
  return { headersTimeout: headersMs, connectionsCheckingInterval: Math.min(headersMs, 10_000) };
}
