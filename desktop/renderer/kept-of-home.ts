const prefix = 'benchbook.of.';

/** Names what this window keeps for the person whose home this is (`Session.home`). */
export function keyOfHome(home: string | null, id: string): string {
  return `${prefix}${home ?? ''}.${id}`;
}

/** Forgets what this window keeps for homes that are no longer on this device. `homes`: those that are. */
export function forgetRemovedHomes(homes: ReadonlySet<string>): void {
  for (const key of Object.keys(sessionStorage)) {
    const [home = ''] = key.startsWith(prefix) ? key.slice(prefix.length).split('.') : [];
    if (home !== '' && !homes.has(home)) sessionStorage.removeItem(key);
  }
}

/** Earlier versions kept prepared signatures where nobody could tell whose they are. */
export function forgetEarlierSignatures(): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith('benchbook.signature.')) localStorage.removeItem(key);
}
