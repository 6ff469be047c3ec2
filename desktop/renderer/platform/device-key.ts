import { z } from 'zod';

import type { KeyState, RecoveryAccount } from '#desktop/ipc.ts';

import type { Bridge } from './bridge.ts';

export type LockedKey = Extract<KeyState, { state: 'locked' }>;

/** The calls of the main process that are about the device key. */
export type KeyBridge = Pick<Bridge, Extract<keyof Bridge, `key${string}`>>;

const usernames = z.record(z.string(), z.string());
const usernamesKey = 'benchbook-key-usernames';

/** The account for people: its name at its server, or the server alone. */
export function accountName({ origin, account }: RecoveryAccount): string {
  const name = storedNames()[account];
  const host = URL.canParse(origin) ? new URL(origin).host : origin;
  return name === undefined ? host : `${name} (${host})`;
}

/** Remembers who an account is. The lock screen cannot read the encrypted list of accounts. */
export function rememberName({ account }: RecoveryAccount, username: string): void {
  localStorage.setItem(usernamesKey, JSON.stringify({ ...storedNames(), [account]: username }));
}

function storedNames(): Record<string, string> {
  try {
    return usernames.parse(JSON.parse(localStorage.getItem(usernamesKey) ?? '{}'));
  } catch {
    return {};
  }
}
