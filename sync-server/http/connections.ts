import type { Server, Socket } from 'node:net';

import { addressBlock } from '#server/work/address-block.ts';

import { rawRefusal } from './raw-refusals.ts';
import type { Limits } from './limits.ts';

interface Connection {
  socket: Socket;
  block: string;
}

/**
 * Bounds open connections: all of them, and of each address those on which nobody has shown a good token yet. Where all
 * places are taken, the oldest stranger of the address with most of them gives way.
 */
export class Connections {
  readonly #limits: Pick<Limits, 'connections' | 'strangersOfAddress'>;
  readonly #isProxy: (address: string) => boolean;
  /** By address and port of the other end: of TLS, requests know another object than the one that was accepted. */
  readonly #open = new Map<string, Connection>();
  /** By block of addresses, the oldest first. */
  readonly #strangers = new Map<string, Map<string, Connection>>();

  /** `isProxy`: of addresses that stand for many people. */
  constructor(
    limits: Pick<Limits, 'connections' | 'strangersOfAddress'>,
    isProxy: (address: string) => boolean,
  ) {
    this.#limits = limits;
    this.#isProxy = isProxy;
  }

  watch(server: Server, isPlain: boolean): void {
    server.prependListener('connection', (socket: Socket) => {
      if (!this.#take(socket)) refuse(socket, isPlain);
    });
  }

  /** Somebody who is signed in asked over this connection: it does not count as a stranger's any more. */
  know(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): void {
    const key = keyOf(socket);
    const known = this.#open.get(key);
    if (known !== undefined) this.#forgetStranger(key, known);
  }

  #take(socket: Socket): boolean {
    const { remoteAddress } = socket;
    // It is gone already.
    if (remoteAddress === undefined) return true;
    const block = addressBlock(remoteAddress);
    const own = this.#strangers.get(block) ?? new Map<string, Connection>();
    if (!this.#isProxy(remoteAddress) && own.size >= this.#limits.strangersOfAddress) return false;
    if (this.#open.size >= this.#limits.connections && !this.#makeRoom(own.size)) return false;
    const key = keyOf(socket);
    const connection = { socket, block };
    this.#open.set(key, connection);
    own.set(key, connection);
    this.#strangers.set(block, own);
    socket.once('close', () => {
      if (this.#open.get(key) !== connection) return;
      this.#open.delete(key);
      this.#forgetStranger(key, connection);
    });
    return true;
  }

  /** Ends the oldest stranger of the block that has most of them, unless that is who comes now. */
  #makeRoom(own: number): boolean {
    let most = new Map<string, Connection>();
    for (const block of this.#strangers.values()) if (block.size > most.size) most = block;
    const [oldest] = most;
    if (oldest === undefined || most.size <= own) return false;
    const [key, connection] = oldest;
    this.#open.delete(key);
    this.#forgetStranger(key, connection);
    connection.socket.destroy();
    return true;
  }

  #forgetStranger(key: string, { block }: Connection): void {
    const strangers = this.#strangers.get(block);
    strangers?.delete(key);
    if (strangers?.size === 0) this.#strangers.delete(block);
  }
}

function keyOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`;
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
