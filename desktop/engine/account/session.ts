import { BehaviorSubject, type Observable } from 'rxjs';

import type { Session } from '../api/sync-records.ts';
import {
  seenDamage,
  shownDamage,
  withoutNames,
  type MissingName,
  type ToldDamage,
} from '../journal/damage.ts';
import type { AppendOptions, Journal } from '../journal/journal.ts';
import type { Platform } from '../journal/platform.ts';
import { homesId, type Home } from './home.ts';
import {
  type Known,
  type StoredSession,
  type SessionOfHome,
  withHome,
  SessionStore,
} from './session-store.ts';
import {
  deviceKeysName,
  type Granted,
  type Proof,
  requestSession,
  serverAddress,
} from './sign-in-request.ts';

/** Message to other tabs: the stored session is another one now. */
const sessionWord = 'session';

/** Message to other tabs: the server refused a token. It holds a digest, since broadcasts are not secret. */
async function expiredWord(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return `expired ${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** Who is signed in, and at which server. */
export class Sessions {
  readonly #platform: Platform;
  readonly #store: SessionStore;
  readonly #state: BehaviorSubject<Session>;
  #token: string | null = null;
  #home: string | null = null;
  /** As it was stored when it was last read. */
  #damage: ToldDamage | null = null;

  constructor(platform: Platform, journal: Journal) {
    this.#platform = platform;
    this.#store = new SessionStore(platform, journal);
    this.#state = new BehaviorSubject<Session>({
      server: platform.defaultServer,
      servers: [],
      user: null,
      home: null,
      homes: null,
      status: 'restoring',
      loss: null,
      elsewhere: [],
      damage: null,
    });
  }

  get state(): Observable<Session> {
    return this.#state;
  }

  current(): Session {
    return this.#state.value;
  }

  /** The token for this home at this address; null while the session is another one (ACCOUNT-6). */
  tokenOf({ home, origin }: Pick<Home, 'home' | 'origin'>): string | null {
    return this.isOf({ home, origin }) ? this.#token : null;
  }

  /** Whether the session is of this home at this address. */
  isOf({ home, origin }: Pick<Home, 'home' | 'origin'>): boolean {
    const { server, user } = this.current();
    return user !== null && this.#home === home && server === origin;
  }

  /** Shows the homes on this device, and what waits in those that are not open now. */
  showElsewhere(homes: readonly string[], elsewhere: Session['elsewhere']): void {
    this.#show({ homes, elsewhere: Object.freeze(elsewhere) as Session['elsewhere'] });
  }

  /** Servers, session and its token as they are stored. */
  async known(): Promise<Known> {
    const { servers, session, token } = await this.#store.recovered();
    return { servers, session, token };
  }

  /**
   * Restores the last session; its status stays `restoring` until `opened`. Null: nobody is signed in. `known`: the
   * session to restore in place of the stored one.
   */
  async restore(known?: StoredSession | null): Promise<SessionOfHome | null> {
    const { askedServer = null, defaultServer } = this.#platform;
    const { servers, session: stored, loss, damage } = await this.#store.recovered();
    const last = known === undefined ? stored : known;
    // The last session stays stored, and is restored as soon as no other server is asked for.
    const taken = askedServer === null || last?.server === askedServer ? last : null;
    const session = taken === null ? null : await withHome(taken);
    this.#token = await this.#store.tokenOf(taken);
    this.#home = session?.home ?? null;
    this.#damage = damage;
    this.#show({
      servers,
      loss,
      server: askedServer ?? session?.server ?? servers[0] ?? defaultServer,
      user: session?.user ?? null,
      home: this.#home,
      status: session === null ? 'signed-out' : 'restoring',
    });
    return session;
  }

  /** Adopts what another tab stored if it is of the same person; false: the stored session is another one, or none. */
  async renew(): Promise<boolean> {
    const { session, token, loss, damage } = await this.#store.read();
    if (session === null) return this.current().user === null;
    const { home } = await withHome(session);
    if (!this.isOf({ home, origin: session.server })) return false;
    this.#damage = damage;
    this.#show({ loss });
    const isNew = token !== this.#token;
    this.#token = token;
    if (isNew) this.opened();
    return true;
  }

  /** Encrypts the secrets of before encryption; see `SessionStore`. */
  encryptSecrets(): Promise<void> {
    return this.#store.encryptSecrets([homesId, deviceKeysName]);
  }

  /** The person's database is open. */
  opened(): void {
    this.#show({ status: this.#token === null ? 'expired' : 'signed-in' });
  }

  /**
   * Requests a session from the server at `address`.
   * @throws Problem with the server's words
   */
  async ask(address: string, proof: Proof): Promise<Granted> {
    const server = serverAddress(address);
    const ownToken = server === this.current().server ? this.#token : null;
    return requestSession(this.#platform, server, proof, ownToken);
  }

  /** The session that acting as another person returns to, with its token; null: no one is acting, or it has ended. */
  async actsFrom(): Promise<{ session: SessionOfHome; token: string } | null> {
    const { session } = await this.#store.read();
    if (session?.actsFrom === undefined) return null;
    const own = await withHome(session.actsFrom);
    const token = await this.#store.tokenOf(own);
    return token === null ? null : { session: own, token };
  }

  /** Makes a session the present one and stores it. */
  async take(session: SessionOfHome, token: string): Promise<void> {
    const { server, user } = session;
    const servers = [server, ...this.current().servers.filter((one) => one !== server)];
    await this.#store.write(session, servers, token);
    this.#token = token;
    this.#home = session.home;
    this.#show({ server, servers, user, home: session.home });
    this.#platform.tabs?.tell(sessionWord);
  }

  /** Stores the session `last` again, because the home of the `taken` one could not be opened. */
  async putBack(last: Known, taken: SessionOfHome): Promise<void> {
    const { servers } = this.current();
    await this.#store
      .putBack(last, taken, [...servers])
      .finally(() => this.#platform.tabs?.tell(sessionWord));
  }

  /** Signs out in this tab only; the stored session is restored at the next start. */
  setAside(): void {
    this.#token = null;
    this.#home = null;
    this.#show({ user: null, home: null, status: 'signed-out' });
  }

  /** Forgets session and token on this device. */
  async forget(): Promise<void> {
    const { server, servers, user } = this.current();
    const home = this.#home;
    this.setAside();
    if (server === null || user === null || home === null) return;
    await this.#store.forget({ server, home, userid: user.userid }, [...servers]);
    this.#platform.tabs?.tell(sessionWord);
  }

  /** Forgets the token for a home at an address. */
  forgetToken(home: Pick<Home, 'home' | 'origin'>): Promise<void> {
    return this.#store.forgetToken(home);
  }

  /** The person has read what was lost. */
  async noteLossSeen(): Promise<void> {
    await this.#store.forgetLoss();
    await this.#changeDamage(seenDamage);
    this.#show({ loss: null });
    this.#platform.tabs?.tell(sessionWord);
  }

  /** Notes whether the database had copies to restore what the journal had lost. */
  async noteCopies(hasCopies: boolean): Promise<void> {
    if (this.current().damage?.hasCopies !== null) return;
    await this.#changeDamage((damage) => ({ ...damage, hasCopies }), { canWait: true });
  }

  /** Names of what the calls of a home that damage took were about. */
  async missingNames(home: string): Promise<MissingName[]> {
    const damage = await this.#store.damage();
    return damage?.names.filter((one) => one.home === home) ?? [];
  }

  /** Removes names from the report of damage; false: it had none of them. */
  async forgetNames(isGone: (name: MissingName) => boolean): Promise<boolean> {
    const isChanged = await this.#changeDamage((damage) => withoutNames(damage, isGone));
    if (isChanged) this.#platform.tabs?.tell(sessionWord);
    return isChanged;
  }

  async #changeDamage(change: (damage: ToldDamage) => ToldDamage, options?: AppendOptions): Promise<boolean> {
    const damage = await this.#store.changeDamage(change, options);
    if (damage === null) return false;
    this.#damage = damage;
    this.#show({});
    return true;
  }

  /**
   * The server refused `token`: reading goes on, sending waits for sign-in. A late refusal of an earlier token, or of
   * another person's, ends no session.
   */
  expire(token: string | null): void {
    if (token === null || token !== this.#token || this.current().status !== 'signed-in') return;
    this.#show({ status: 'expired' });
    void expiredWord(token).then(
      (word) => this.#platform.tabs?.tell(word),
      () => undefined,
    );
  }

  /** Handles a message of another tab. `changed`: the stored session is another one now. */
  async hear(word: string): Promise<'changed' | null> {
    if (word === sessionWord) return 'changed';
    const token = this.#token;
    const isExpired = token !== null && word === (await expiredWord(token)) && token === this.#token;
    if (isExpired && this.current().status === 'signed-in') this.#show({ status: 'expired' });
    return null;
  }

  #show(change: Partial<Session>): void {
    const damage = shownDamage(this.#damage, this.#home);
    this.#state.next(Object.freeze({ ...this.#state.value, ...change, damage }));
  }
}
