import { must } from '#shared/must.ts';

import { password, type Account } from '../server-names.ts';

/** The accounts of a run, and the passwords of people, who are numbers. */
export class People {
  readonly count: number;
  /** People whose accounts are disabled. */
  readonly suspended = new Set<number>();
  #accounts: readonly Account[] = [];
  /** Changed ones. */
  #passwords = new Map<number, string>();

  constructor(count: number) {
    this.count = count;
  }

  /** `accounts`: of the administrator, the client without a device, and every person. */
  begin(accounts: readonly Account[]): void {
    this.#accounts = accounts;
  }

  get administrator(): Account {
    return must(this.#accounts[0], 'an administrator');
  }

  get plainClient(): Account {
    return must(this.#accounts[1], 'the plain client');
  }

  account(person: number): Account {
    return must(this.#accounts[2 + person], 'an account');
  }

  /** The number of a person; null: an account of another kind. */
  numberOf(userid: number): number | null {
    const at = this.#accounts.findIndex((account) => account.userid === userid) - 2;
    return at < 0 ? null : at;
  }

  name(person: number): string {
    return this.account(person).name;
  }

  passwordOf(person: number): string {
    return this.#passwords.get(person) ?? password;
  }

  changePassword(person: number, secret: string): void {
    this.#passwords.set(person, secret);
  }

  /** The changed passwords, for a backup. */
  passwords(): ReadonlyMap<number, string> {
    return new Map(this.#passwords);
  }

  /** Passwords are again those of a backup. */
  restorePasswords(passwords: ReadonlyMap<number, string>): void {
    this.#passwords = new Map(passwords);
  }
}
