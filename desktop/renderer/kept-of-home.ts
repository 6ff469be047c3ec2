import { preparedDecision } from '#desktop/engine/account/prepared-signatures.ts';
import { jsonIn } from '#desktop/engine/sync/recognise.ts';
import type { PreparedDecision } from '#desktop/engine/api/approval-records.ts';

const prefix = 'benchbook.of.';

/** Keys of earlier versions, which named the person by number alone. */
const earlierForm = /^benchbook\.(?:page|profile)\.(\d+)(?:\.|$)/;
const earlierSignOn = /^benchbook\.sign-on\./;
const earlierSignature = /^benchbook\.signature\.(\d+)\.(\d+)$/;

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

/** Gives the person what an earlier version kept in this window under their number. */
export function adoptEarlierForms(home: string, userid: number): void {
  for (const key of Object.keys(sessionStorage)) {
    if (earlierForm.exec(key)?.[1] !== String(userid)) continue;
    const kept = sessionStorage.getItem(key) ?? '';
    const own = keyOfHome(home, key.slice('benchbook.'.length));
    sessionStorage.removeItem(key);
    if (sessionStorage.getItem(own) === null) sessionStorage.setItem(own, kept);
  }
}

/** Forgets what an earlier version kept in this window for people whom no home on this device is left to. */
export function forgetEarlierForms(): void {
  for (const key of Object.keys(sessionStorage))
    if (earlierForm.test(key) || earlierSignOn.test(key)) sessionStorage.removeItem(key);
}

/** Hands `adopt` the decisions that an earlier version kept in the browser under the person's number, then removes them. */
export async function adoptEarlierSignatures(
  userid: number,
  adopt: (decisions: ReadonlyMap<number, PreparedDecision>) => Promise<void>,
): Promise<void> {
  const keys = Object.keys(localStorage).filter((key) => earlierSignature.exec(key)?.[1] === String(userid));
  if (keys.length === 0) return;
  const found = new Map<number, PreparedDecision>();
  for (const key of keys) {
    const { data } = preparedDecision.safeParse(jsonIn(localStorage.getItem(key) ?? ''));
    if (data !== undefined) found.set(Number(earlierSignature.exec(key)?.[2]), data);
  }
  await adopt(found);
  for (const key of keys) localStorage.removeItem(key);
}
