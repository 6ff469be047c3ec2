import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

import { addressHolder, type Caller } from './in-flight.ts';
import type { Limits } from './limits.ts';
import { rawRefusal } from './raw-refusals.ts';

interface Connection {
  socket: Socket;
  /**
   * The owner it is counted for: an address, or the caller of its latest request. Null: a proxy, which serves many
   * people.
   */
  owner: string | null;
  /** Number of requests in progress. */
  answering: number;
}

type ConnectionLimits = Pick<Limits, 'connections' | 'strangersOfAddress' | 'connectionsOfPerson'>;

/**
 * Limits open connections.
 *
 * - LOAD-6 At most 16,000 connections are open at the same time, to the app and to the player of training modules
 *   together. One address can have 2,000 connections without a valid token (trusted proxies are exempt), and one
 *   person 1,000. A connection counts for the caller of its latest request. Beyond the limit of an address or person,
 *   their oldest idle connection ends, because browsers keep connections that they no longer use: a thousand browsers
 *   behind one address can load the app. If all connections of an address without a token are busy, the answer is 503
 *   with `Retry-After`. If all 10,000 are in use, the oldest connection of the address or person with the most is
 *   closed.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #isProxy: (address: string) => boolean;
  /** By the addresses of both ends: with TLS, requests have another socket object than the one that was accepted. */
  readonly #open = new Map<string, Connection>();
  /** Keys of connections by owner, oldest first. */
  readonly #owned = new Map<string, Set<string>>();

  /** `isProxy`: whether an address is a trusted proxy, which serves many people. */
  constructor(limits: ConnectionLimits, isProxy: (address: string) => boolean) {
    this.#limits = limits;
    this.#isProxy = isProxy;
  }

  watch(server: Server, isPlain: boolean): void {
    server.prependListener('connection', (socket: Socket) => {
      if (!this.#take(socket)) refuse(socket, isPlain);
    });
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const connection = this.#open.get(keyOf(socket));
      if (connection === undefined) return;
      connection.answering += 1;
      response.once('close', () => (connection.answering -= 1));
    });
  }

  /** Counts a connection for the caller of its latest request; if that person has too many, the oldest ends. */
  belongsTo(socket: Socket, { holder, isKnown }: Pick<Caller, 'holder' | 'isKnown'>): void {
    const key = keyOf(socket);
    const connection = this.#open.get(key);
    if (connection === undefined || connection.owner === null || connection.owner === holder) return;
    this.#disown(key, connection);
    connection.owner = holder;
    this.#own(key, holder);
    if (!isKnown || this.#count(holder) <= this.#limits.connectionsOfPerson) return;
    this.#end(this.#oldestIdle(holder) ?? this.#oldest(holder));
  }

  #take(socket: Socket): boolean {
    const { remoteAddress } = socket;
    // The connection has already closed.
    if (remoteAddress === undefined) return true;
    const owner = this.#isProxy(remoteAddress) ? null : addressHolder(remoteAddress);
    const own = owner === null ? 0 : this.#count(owner);
    if (own >= this.#limits.strangersOfAddress && !this.#end(this.#oldestIdle(owner))) return false;
    if (this.#open.size >= this.#limits.connections && !this.#makeRoom(owner)) return false;
    const key = keyOf(socket);
    const connection = { socket, owner, answering: 0 };
    this.#open.set(key, connection);
    if (owner !== null) this.#own(key, owner);
    socket.once('close', () => {
      if (this.#open.get(key) !== connection) return;
      this.#open.delete(key);
      this.#disown(key, connection);
    });
    return true;
  }

  #keysOf(owner: string | null): ReadonlySet<string> {
    return (owner === null ? undefined : this.#owned.get(owner)) ?? new Set();
  }

  #count(owner: string | null): number {
    return this.#keysOf(owner).size;
  }

  /** Closes a connection of the owner with the most; if that is the owner of the new one, only an idle one. */
  #makeRoom(comes: string | null): boolean {
    const own = comes === null ? 0 : this.#count(comes);
    let most: string | null = null;
    for (const owner of this.#owned.keys()) if (this.#count(owner) > this.#count(most)) most = owner;
    if (this.#count(most) <= own) return this.#end(this.#oldestIdle(comes));
    return this.#end(this.#oldestIdle(most) ?? this.#oldest(most));
  }

  #oldest(owner: string | null): string | undefined {
    return this.#keysOf(owner).values().next().value;
  }

  #oldestIdle(owner: string | null): string | undefined {
    for (const key of this.#keysOf(owner)) if (this.#open.get(key)?.answering === 0) return key;
    return undefined;
  }

  /** Returns whether there was one to end. */
  #end(key: string | undefined): boolean {
    const connection = key === undefined ? undefined : this.#open.get(key);
    if (key === undefined || connection === undefined) return false;
    this.#open.delete(key);
    this.#disown(key, connection);
    connection.socket.destroy();
    return true;
  }

  #own(key: string, owner: string): void {
    const keys = this.#owned.get(owner) ?? new Set();
    this.#owned.set(owner, keys.add(key));
  }

  #disown(key: string, { owner }: Connection): void {
    if (owner === null) return;
    const keys = this.#owned.get(owner);
    keys?.delete(key);
    if (keys?.size === 0) this.#owned.delete(owner);
  }
}

function keyOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}

/** 503 in plain HTTP; a TLS client only sees the connection close. */
function refuse(socket: Socket, isPlain: boolean): void {
  socket.on('error', () => undefined);
  if (!isPlain) return void socket.destroy();
  socket.end(
    rawRefusal(503, 'Too many connections. Wait and try again', 'server-busy', { 'Retry-After': '30' }),
    () => socket.destroy(),
  );
}
