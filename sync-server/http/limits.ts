/** Limits of one caller, and of all of them together (README.md, "Load", explains the numbers). */
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
  /** Event streams that a device may begin within a minute: each begins with what its device has missed. */
  streamsPerMinute: number;
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
  streamsPerMinute: 120,
};

/** Maximum body size of sign-ins, registrations, assertions and forms, bytes. */
export const entranceBytes = 256 * 1024;

/** Node's time limit for headers; `slow-bodies.ts` limits bodies. */
export function patience({ headersMs }: Pick<Limits, 'headersMs'>): {
  headersTimeout: number;
  connectionsCheckingInterval: number;
} {
  return { headersTimeout: headersMs, connectionsCheckingInterval: Math.min(headersMs, 10_000) };
}
