import { z } from 'zod';

import { Unreachable, type ServerConnection } from '../sync/server-connection.ts';
import { answerOf } from '../sync/mirror/answer.ts';
import type { Home, Homes } from './home.ts';
import { whoIs } from './who-is.ts';
import { OtherServer } from '../sync/other-server.ts';

/** Whose token it is. */
const ownRecord = z.object({ userid: z.int(), accountid: z.string(), serverid: z.string() });

/**
 * Makes sure that what is at the address of a home is the server that the home belongs to. Until then, and again after
 * each time when the way to the server was lost, nothing leaves (ACCOUNT-5). A home of an earlier version is bound here (ACCOUNT-7).
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

  /** Whose home it is, as far as is known now. */
  get home(): Home {
    return this.#home;
  }

  /** Whether anything may leave now. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** The way to the server was lost: what answers next may be another. */
  doubt(): void {
    // A server without an identity cannot be told from another one.
    if (this.#home.server !== null) this.#isKnown = false;
  }

  /**
   * Resolves when the server is known.
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
      throw new OtherServer(introduced === null ? unnamedWords(home) : otherServerWords(home));
    if (home.server === null && introduced !== null) {
      const own = await this.#ownRecord();
      if (own.serverid !== introduced.server) throw new Unreachable('Two servers answered at one address');
      if (own.userid !== home.userid) throw new OtherServer(otherServerWords(home));
      const { server, publicKey } = introduced;
      this.#home = { ...home, server, publicKey, account: own.accountid };
      await this.#homes.keep(this.#home);
      this.#connection.expect(server);
    }
    this.#isKnown = true;
  }

  /** The server issued the token to somebody; who that is, only the same server can say. */
  async #ownRecord(): Promise<z.infer<typeof ownRecord>> {
    const answering = await answerOf(this.#connection, this.#connection.request('/api/2.0/user'));
    return this.#connection.parsed(answering, ownRecord, await this.#connection.text(answering));
  }
}

function otherServerWords({ origin }: Home): string {
  return `Nothing is sent: there is another server at ${origin} than the one that your work belongs to. Your work is kept on this device. Ask your administrator where your server is now.`;
}

function unnamedWords({ origin }: Home): string {
  return `Nothing is sent: the server at ${origin} does not say which one it is. It may be an older version than before. Your work is kept on this device. Tell your administrator.`;
}
