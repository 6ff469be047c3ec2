import type { Page } from 'playwright-core';

/** A law that a screen breaks, and how. */
export interface Breach {
  rule: 'MONKEY-1' | 'MONKEY-2' | 'MONKEY-3' | 'MONKEY-4' | 'MONKEY-5' | 'MONKEY-6';
  what: string;
}

/** The parts of a page that the laws check. */
interface Seen {
  path: string;
  text: string;
  hasGivenUp: boolean;
  /** Enabled controls, in the top dialog if there is one. */
  waysOut: number;
  isInDialog: boolean;
  hasNavigation: boolean;
  status: string | null;
  /** The count at the link to the Sync screen; null: no count, or the link is in a menu. */
  counted: number | null;
  /** States of the rows of the Sync screen; null: another screen. */
  rows: string[] | null;
}

/** Text that no person wrote and none should read. */
const raw =
  /\b(?:TypeError|ReferenceError|RangeError|SyntaxError|ZodError|DOMException|[A-Z][a-z]+Error|undefined|NaN)\b|\[object \w+\]|\bat \S+ \(\S+:\d+:\d+\)/;

/** States of rows that wait for the person. */
const waitsForPerson: ReadonlySet<string> = new Set([
  'Refused by the server',
  'Needs a decision',
  'Needs your attention',
]);

/** The laws that the page breaks now. */
export async function breachesIn(page: Page): Promise<Breach[]> {
  const seen = await look(page);
  const breaches: Breach[] = [];
  const found = raw.exec(seen.text);
  if (seen.hasGivenUp) breaches.push({ rule: 'MONKEY-1', what: `${seen.path} gave up` });
  if (found !== null) {
    const around = seen.text.slice(Math.max(0, found.index - 60), found.index + 60);
    breaches.push({ rule: 'MONKEY-2', what: `${seen.path} shows "${around}"` });
  }
  if (seen.waysOut === 0)
    breaches.push({
      rule: 'MONKEY-3',
      what: `${seen.path} has no way out${seen.isInDialog ? ' of its dialog' : ''}`,
    });
  if (seen.hasNavigation && seen.status === null)
    breaches.push({ rule: 'MONKEY-4', what: `${seen.path} does not show the status` });
  const decisions = countIn(seen.status);
  if (decisions !== null && seen.counted !== null && decisions > seen.counted)
    breaches.push({
      rule: 'MONKEY-4',
      what: `${seen.path} counts ${seen.counted} in the navigation and says "${seen.status}"`,
    });
  if (seen.rows !== null && seen.counted !== null) {
    const urgent = seen.rows.filter((state) => waitsForPerson.has(state));
    if (urgent.length > seen.counted || (urgent.length === 0 && seen.counted > 0))
      breaches.push({
        rule: 'MONKEY-4',
        what: `the navigation counts ${seen.counted}, the Sync screen lists ${urgent.length}`,
      });
  }
  const hidden = seen.rows?.find((state) => state !== 'On the server');
  if (hidden !== undefined && seen.status !== null && /^Synced [^·]*$/.test(seen.status))
    breaches.push({ rule: 'MONKEY-5', what: `"${seen.status}" although the Sync screen lists "${hidden}"` });
  return breaches;
}

/** The count of items that wait for the person in the status; null: it shows something else. */
function countIn(status: string | null): number | null {
  const found = /(\d+) (?:decisions? waits?|changes? needs?)/.exec(status ?? '')?.[1];
  return found === undefined ? null : Number(found);
}

function look(page: Page): Promise<Seen> {
  return page.evaluate(() => {
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const dialogs = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].filter(isShown);
    const top = dialogs.at(-1) ?? document.body;
    const pressable = [...top.querySelectorAll('a[href], button, [role="menuitem"], [role="option"]')];
    const status = document.querySelector('[role="group"][aria-label="Sync status"]');
    const link = [...document.querySelectorAll('nav a[href="/sync"]')].find(isShown);
    const count = link?.querySelector('[data-count]')?.getAttribute('data-count') ?? '0';
    const list = document.querySelector('nav[aria-label="What you did"]');
    return {
      path: location.pathname,
      text: document.body.innerText,
      hasGivenUp: document.body.innerText.includes('Couldn’t show this screen'),
      waysOut: pressable.filter((one) => isShown(one) && !(one as HTMLButtonElement).disabled).length,
      isInDialog: top !== document.body,
      hasNavigation: [...document.querySelectorAll('nav[aria-label="Main"] a[href="/sync"]')].some(isShown),
      status: status === null || !isShown(status) ? null : (status.firstElementChild?.textContent ?? ''),
      counted: link === undefined ? null : Number(count),
      rows:
        list === null
          ? null
          : [...list.querySelectorAll('li button')].map((row) => row.firstElementChild?.textContent ?? ''),
    };
  });
}
