import type { Server, Socket } from 'node:net';

import { addressHolder, type Caller } from './in-flight.ts';
import type { Limits } from './limits.ts';
import { rawRefusal } from './raw-refusals.ts';

interface Connection {
  socket: Socket;
  /** Who it counts for: an address, or the person who asked last. Null: a proxy, which stands for many people. */
  owner: string | null;
}

type ConnectionLimits = Pick<Limits, 'connections' | 'strangersOfAddress' | 'connectionsOfPerson'>;

/**
 * Bounds open connections: all of them, those of each address on which nobody has shown a good token, and those of each
 * person. Where all places are taken, the oldest of the address or person with most of them gives way.
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
  }

  /** Counts a connection for whoever asked over it last; of a person with too many of them, the oldest ends. */
  belongsTo(socket: Socket, { holder, isKnown }: Pick<Caller, 'holder' | 'isKnown'>): void {
    const key = keyOf(socket);
    const connection = this.#open.get(key);
    if (connection === undefined || connection.owner === null || connection.owner === holder) return;
    this.#disown(key, connection);
    connection.owner = holder;
    this.#own(key, holder);
    const [oldest] = this.#owned.get(holder) ?? [];
    if (isKnown && oldest !== undefined && this.#count(holder) > this.#limits.connectionsOfPerson)
      this.#end(oldest);
  }

  #take(socket: Socket): boolean {
    const { remoteAddress } = socket;
    // It is gone already.
    if (remoteAddress === undefined) return true;
    const owner = this.#isProxy(remoteAddress) ? null : addressHolder(remoteAddress);
    const own = owner === null ? 0 : this.#count(owner);
    if (own >= this.#limits.strangersOfAddress) return false;
    if (this.#open.size >= this.#limits.connections && !this.#makeRoom(own)) return false;
    const key = keyOf(socket);
    const connection = { socket, owner };
    this.#open.set(key, connection);
    if (owner !== null) this.#own(key, owner);
    socket.once('close', () => {
      if (this.#open.get(key) !== connection) return;
      this.#open.delete(key);
      this.#disown(key, connection);
    });
    return true;
  }

  #count(owner: string): number {
    return this.#owned.get(owner)?.size ?? 0;
  }

  /** Ends the oldest connection of whoever has most of them, unless that is who comes now. */
  #makeRoom(own: number): boolean {
    let most = new Set<string>();
    for (const keys of this.#owned.values()) if (keys.size > most.size) most = keys;
    const [oldest] = most;
    if (oldest === undefined || most.size <= own) return false;
    this.#end(oldest);
    return true;
  }

  #end(key: string): void {
    const connection = this.#open.get(key);
    if (connection === undefined) return;
    this.#open.delete(key);
    this.#disown(key, connection);
    connection.socket.destroy();
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

/** 503 in plain HTTP; whoever begins TLS only sees the connection close. */
function refuse(socket: Socket, isPlain: boolean): void {
  socket.on('error', () => undefined);
  if (!isPlain) return void socket.destroy();
  socket.end(
    rawRefusal(503, 'Too many connections. Wait and try again', 'server-busy', { 'Retry-After': '30' }),
    () => socket.destroy(),
  );
}
