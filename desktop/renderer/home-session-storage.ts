import { z } from 'zod';

import { preparedDecision } from '#desktop/engine/account/prepared-signatures.ts';
import { jsonIn } from '#desktop/engine/sync/recognise.ts';
import type { PreparedDecision } from '#desktop/engine/api/approval-records.ts';

const prefix = 'benchbook.of.';

/** Keys of earlier versions, which named the person only by their number. */
const earlierForm = /^benchbook\.(?:page|profile)\.(\d+)(?:\.|$)/;
const earlierSignOn = /^benchbook\.sign-on\./;
const earlierSignature = /^benchbook\.signature\.(\d+)\.(\d+)$/;

/** What `useSessionDraft` stores. */
const storedForm = z.object({ typed: z.unknown(), start: z.unknown() });

/** Session storage key for data of the person with this home (`Session.home`). */
export function keyOfHome(home: string | null, id: string): string {
  return `${prefix}${home ?? ''}.${id}`;
}

/** Removes the session storage of homes that no longer exist on this device. `homes`: the existing ones. */
export function forgetRemovedHomes(homes: ReadonlySet<string>): void {
  for (const key of Object.keys(sessionStorage)) {
    const [home = ''] = key.startsWith(prefix) ? key.slice(prefix.length).split('.') : [];
    if (home !== '' && !homes.has(home)) sessionStorage.removeItem(key);
  }
}

/** Moves form texts that an earlier version stored under the person's number to keys of their home. */
export function adoptEarlierForms(home: string, userid: number): void {
  for (const key of Object.keys(sessionStorage)) {
    if (earlierForm.exec(key)?.[1] !== String(userid)) continue;
    const kept = sessionStorage.getItem(key) ?? '';
    const own = keyOfHome(home, key.slice('benchbook.'.length));
    sessionStorage.removeItem(key);
    if (sessionStorage.getItem(own) === null) sessionStorage.setItem(own, kept);
  }
}

/** Whether a form in this window has text that was neither saved nor discarded. It would be lost with the window. */
export function hasUnsavedForm(): boolean {
  return Object.entries(sessionStorage).some(([key, value]) => {
    if (!key.startsWith(prefix)) return false;
    const form = storedForm.safeParse(jsonIn(String(value)));
    return form.success && JSON.stringify(form.data.typed) !== JSON.stringify(form.data.start);
  });
}

/** Removes form texts and sign-ons that an earlier version stored without naming a home. */
export function forgetEarlierForms(): void {
  for (const key of Object.keys(sessionStorage))
    if (earlierForm.test(key) || earlierSignOn.test(key)) sessionStorage.removeItem(key);
}

/**
 * Passes the decisions that an earlier version stored under the person's number to `adopt`, then removes them.
 */
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
