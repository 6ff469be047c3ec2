import { z } from 'zod';

import type { ServerConnection } from '../sync/server-connection.ts';
import { Unreachable, OtherServer } from '../sync/connection-errors.ts';
import { answerOf } from '../sync/mirror/answer.ts';
import type { Home, Homes } from './home.ts';
import { whoIs } from './who-is.ts';

/** The person and server of a token. */
const ownRecord = z.object({ userid: z.int(), accountid: z.string(), serverid: z.string() });

/**
 * Checks that the server at the address of a home is the one that the home belongs to. Until then, and again after the
 * server was unreachable, nothing is sent (ACCOUNT-5). A home of an earlier version is bound to its server here (ACCOUNT-7).
 */
export class Contact {
  readonly #connection: ServerConnection;
  readonly #homes: Homes;
  #home: Home;
  #isKnown = false;
  #meeting: Promise<void> | null = null;

  constructor(connection: ServerConnection, home: Home, homes: Homes) {
    this.#connection = connection;
    this.#home = home;
    this.#homes = homes;
    connection.expect(home.server);
  }

  /** The home, with its server and account as far as they are known now. */
  get home(): Home {
    return this.#home;
  }

  /** Whether the server is known, so that anything may be sent. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** The server was unreachable: another one may answer next. */
  doubt(): void {
    // A server without an identity cannot be distinguished from another one.
    if (this.#home.server !== null) this.#isKnown = false;
  }

  /**
   * Asks the server who it is, unless that is known. Concurrent calls share one request.
   * @throws OtherServer, Impostor, SignInNeeded, Unreachable
   */
  async meet(): Promise<void> {
    if (this.#isKnown) return;
    this.#meeting ??= this.#meet().finally(() => (this.#meeting = null));
    await this.#meeting;
  }

  async #meet(): Promise<void> {
    const home = this.#home;
    const introduced = await whoIs(this.#connection);
    if (home.server !== null && introduced?.server !== home.server)
      throw new OtherServer(introduced === null ? unnamedMessage(home) : otherServerMessage(home));
    if (home.server === null && introduced !== null) {
      const own = await this.#ownRecord();
      if (own.serverid !== introduced.server) throw new Unreachable('Two servers answered at one address');
      if (own.userid !== home.userid) throw new OtherServer(otherServerMessage(home));
      const { server, publicKey } = introduced;
      this.#home = { ...home, server, publicKey, account: own.accountid };
      await this.#homes.keep(this.#home);
      this.#connection.expect(server);
    }
    this.#isKnown = true;
  }

  /** Asks the server whose token it is; only the server that issued it knows. */
  async #ownRecord(): Promise<z.infer<typeof ownRecord>> {
    const answering = await answerOf(this.#connection, this.#connection.request('/api/2.0/user'));
    return this.#connection.parsed(answering, ownRecord, await this.#connection.text(answering));
  }
}

function otherServerMessage({ origin }: Home): string {
  return `Nothing is sent: there is another server at ${origin} than the one that your work belongs to. Your work is kept on this device. Ask your administrator where your server is now.`;
}

function unnamedMessage({ origin }: Home): string {
  return `Nothing is sent: the server at ${origin} does not say which one it is. It may be an older version than before. Your work is kept on this device. Tell your administrator.`;
}
