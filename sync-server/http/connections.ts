import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

import { addressHolder, type Caller } from './in-flight.ts';
import type { Limits } from './limits.ts';
import { rawRefusal } from './raw-refusals.ts';

interface Connection {
  socket: Socket;
  /** Who it counts for: an address, or the caller of its latest request. Null: a proxy, which serves many people. */
  owner: string | null;
  /** Requests that are being answered. */
  answering: number;
}

type ConnectionLimits = Pick<Limits, 'connections' | 'strangersOfAddress' | 'connectionsOfPerson'>;

/**
 * Limits open connections: in total, per address without a valid token, and per person. If an address or a person is at
 * its limit, its oldest idle connection ends, because browsers keep connections that they no longer use. If the total
 * is reached, a connection of the address or person with the most ends.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #isProxy: (address: string) => boolean;
  /** By both ends: of TLS, requests know another object than the one that was accepted. */
  readonly #open = new Map<string, Connection>();
  /** Keys by owner, the oldest first. */
  readonly #owned = new Map<string, Set<string>>();

  /** `isProxy`: of addresses that stand for many people. */
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
    // It is gone already.
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

  /** Ends a connection of the caller with the most; if that is the new caller, only an idle one. */
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
