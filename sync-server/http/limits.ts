/** What one caller, and all of them together, may ask of the server (README.md, "Load", says why so much). */
export interface Limits {
  /** The headers of a request must be there after so long, ms. */
  headersMs: number;
  /** A connection on which nothing moves is closed after so long, ms. Event streams move every 20 seconds. */
  idleMs: number;
  /** While a body comes, each window of this length, ms, must bring `bodyWindowBytes`. */
  bodyWindowMs: number;
  bodyWindowBytes: number;
  /** The body of somebody who is not signed in is there after so long, ms. */
  entranceMs: number;
  /** Open connections of all. */
  connections: number;
  /** Of these, connections of one address on which nobody has shown a good token. */
  strangersOfAddress: number;
  /** Of these, connections on which one person asked last. */
  connectionsOfPerson: number;
  /** Requests that are being answered at the same time: of one device or, without a token, one address. */
  requestsOfCaller: number;
  /** Bytes of bodies that are read into memory at the same time: of one person or address, of all without a token, of all with one. */
  bodyBytesOfCaller: number;
  bodyBytesOfStrangers: number;
  bodyBytesOfKnown: number;
  /** Bytes of answers that were made and not read yet: of one device or, without a token, one address; of all. */
  answerBytesOfCaller: number;
  answerBytes: number;
  /** Requests within a minute: of one address without a token, and of one device. */
  anonymousPerMinute: number;
  devicePerMinute: number;
  /** Event streams of one device, of one person, of all. */
  streamsOfDevice: number;
  streamsOfPerson: number;
  streams: number;
}

export const defaultLimits: Readonly<Limits> = {
  headersMs: 30_000,
  idleMs: 300_000,
  bodyWindowMs: 60_000,
  bodyWindowBytes: 32 * 1024,
  entranceMs: 30_000,
  connections: 10_000,
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
  streams: 5000,
};

/** What signing in, registering, assertions and forms may send at most, bytes. */
export const entranceBytes = 256 * 1024;

/** What Node is told of the time that headers may take; how long bodies may is looked at by `slow-bodies.ts`. */
export function patience({ headersMs }: Pick<Limits, 'headersMs'>): {
  headersTimeout: number;
  connectionsCheckingInterval: number;
} {
  return { headersTimeout: headersMs, connectionsCheckingInterval: Math.min(headersMs, 10_000) };
}
