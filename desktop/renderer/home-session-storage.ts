import { z } from 'zod';

import { preparedDecision } from '#desktop/engine/account/prepared-signatures.ts';
import { jsonIn } from '#desktop/engine/sync/recognise.ts';
import type { PreparedDecision } from '#desktop/engine/api/approval-records.ts';
import type { UnsavedForm } from '#desktop/engine/api/forms.ts';

const prefix = 'benchbook.of.';

/** Keys of earlier versions, which named the person only by their number. */
const earlierForm = /^benchbook\.(?:page|profile)\.(\d+)(?:\.|$)/;
const earlierSignOn = /^benchbook\.sign-on\./;
const earlierSignature = /^benchbook\.signature\.(\d+)\.(\d+)$/;

/** The text of a form, as earlier versions stored it in the window. */
const storedForm = z.object({ typed: z.unknown(), start: z.unknown(), revisionid: z.number() });

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

/**
 * The text of a form that an earlier version stored in this window; null if there is none. `id`: as in
 * `FormViews.unsavedForm`.
 */
export function earlierFormOf(
  { home, user }: { home: string | null; user: { userid: number } | null },
  id: string,
): UnsavedForm | null {
  if (home === null || user === null) return null;
  return formsOf(home, user.userid).get(id)?.form ?? null;
}

/**
 * Passes the form texts that an earlier version stored in this window to `adopt`, then removes them: the window's storage
 * ends with the program, and lies on the disk unencrypted.
 */
export async function adoptEarlierForms(
  home: string,
  userid: number,
  adopt: (forms: ReadonlyMap<string, UnsavedForm>) => Promise<void>,
): Promise<void> {
  const found = formsOf(home, userid);
  if (found.size === 0) return;
  await adopt(new Map([...found].map(([id, { form }]) => [id, form])));
  for (const { key } of found.values()) sessionStorage.removeItem(key);
}

/** The stored form texts of a home and a person, by id. */
function formsOf(home: string, userid: number): Map<string, { key: string; form: UnsavedForm }> {
  const own = `${prefix}${home}.`;
  const found = new Map<string, { key: string; form: UnsavedForm }>();
  for (const key of Object.keys(sessionStorage)) {
    const isEarlier = earlierForm.exec(key)?.[1] === String(userid);
    const id = isEarlier ? key.slice('benchbook.'.length) : key.startsWith(own) ? key.slice(own.length) : '';
    const { data } = storedForm.safeParse(jsonIn(sessionStorage.getItem(key) ?? ''));
    if (!/^(?:page|profile)\./.test(id) || data === undefined) continue;
    const wikiid = /^page\.\d+\.(\d+|tmp:[^.]+)$/.exec(id)?.[1] ?? null;
    found.set(id, { key, form: { ...data, wikiid, at: Date.now() } });
  }
  return found;
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
