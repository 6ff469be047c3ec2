import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

type Role = Parameters<Page['getByRole']>[0];

/** The hands of a person without a mouse. */
export interface Keyboard {
  /** Presses a key, so many times, and checks the focus after each press. */
  press(key: string, times?: number): Promise<void>;
  /** Types text into what has the focus, no faster than a person: what types faster is taken for a scanner. */
  type(text: string): Promise<void>;
  /** Presses a key, usually Tab, until what has this role and name has the focus, with at most 80 presses. */
  to(role: Role, name: string | RegExp, by?: string): Promise<void>;
  /** `to`, and then a key, usually Enter. */
  use(role: Role, name: string | RegExp, key?: string): Promise<void>;
}

const mostPresses = 80;
/** How long a person holds each key, ms: longer than the time between two keys of a scanner (PALETTE-4). */
const personMs = 60;

/**
 * Only keys. After every press, what has the focus must be visible, inside the window, not covered, and marked as
 * focused; the page itself must not have it.
 */
export function keyboard(page: Page): Keyboard {
  const pressed: string[] = [];
  const check = async (frames: number): Promise<void> => {
    const fault = await page.evaluate(faultOfFocus, frames);
    if (fault === null) return;
    const message = `after ${pressed.slice(-8).join(', ')}: ${fault}`;
    // Dialogs move the focus after they are drawn.
    await expect.poll(() => page.evaluate(faultOfFocus, 1), { message, timeout: 20_000 }).toBeNull();
  };
  const pressOnce = async (key: string): Promise<void> => {
    // What the key before began may have taken the focus meanwhile.
    if (pressed.length > 0) await check(0);
    pressed.push(key);
    await page.keyboard.press(key);
    const isTab = key.endsWith('Tab');
    // After its last element, the page passes the focus to the browser; the next press comes back.
    if (isTab && (await page.evaluate(() => document.activeElement === document.body))) {
      pressed.push('around');
      await page.keyboard.press(key);
    }
    await check(isTab ? 1 : 2);
  };
  const to: Keyboard['to'] = async (role, name, by = 'Tab') => {
    const target = page.getByRole(role, { name, exact: typeof name === 'string' });
    await target.first().waitFor({ state: 'attached' });
    for (let count = 0; !(await hasFocus(target)); count += 1) {
      if (count === mostPresses)
        throw new Error(
          `No ${role} ${String(name)} within ${mostPresses} presses of ${by}: ${await seen(page)}`,
        );
      await pressOnce(by);
    }
  };
  return {
    async press(key, times = 1) {
      for (let count = 0; count < times; count += 1) await pressOnce(key);
    },
    async type(text) {
      pressed.push(`“${text}”`);
      await page.keyboard.type(text, { delay: personMs });
      await check(2);
    },
    to,
    async use(role, name, key = 'Enter') {
      await to(role, name);
      await pressOnce(key);
    },
  };
}

/** What is on the page now, for the message of a failure. */
function seen(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200) ?? 'nothing');
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluateAll((all) => all.some((one) => one === document.activeElement));
}

/** In the page: what is wrong with the focus; null: nothing. */
async function faultOfFocus(frames: number): Promise<string | null> {
  for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement || focused instanceof SVGElement)) return 'nothing has the focus';
  if (focused === document.body) return 'the focus is lost';
  const label = focused instanceof HTMLInputElement ? (focused.labels?.item(0) ?? null) : null;
  const words = `${focused.tagName} ${focused.getAttribute('role') ?? ''} “${(focused.ariaLabel ?? focused.textContent).slice(0, 50)}”`;
  // What can be seen of a control that only screen readers see: its label, or what is around it.
  const [around] = [focused, focused.parentElement].filter(
    (one) => one && getComputedStyle(one).clipPath !== 'none',
  );
  const shown = label?.contains(focused) === true ? label : (around?.parentElement ?? focused);
  const hidden = placeFault(shown, label);
  if (hidden !== null) return `${words} ${hidden}`;
  const chosen = document.getElementById(focused.getAttribute('aria-activedescendant') ?? '');
  const hiddenChoice = chosen === null ? null : placeFault(chosen, null);
  if (hiddenChoice !== null) return `the choice “${chosen?.textContent}” of ${words} ${hiddenChoice}`;
  // Where the app itself puts the focus so that Tab continues from there: a screen, a heading, a dialog.
  const isPlace =
    focused.tabIndex === -1 &&
    !focused.matches('button, a, input, textarea, select, [role^="menuitem"], [role="option"]');
  return isPlace || isMarked(focused, label) ? null : `${words} is not marked as focused`;

  function placeFault(element: Element, other: Element | null): string | null {
    const [box] = element.getClientRects();
    if (box === undefined || box.width < 3 || box.height < 3) return 'is not visible';
    if (getComputedStyle(element).visibility !== 'visible') return 'is not visible';
    const left = Math.max(box.left, 0);
    const right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0);
    const bottom = Math.min(box.bottom, innerHeight);
    const isLarge = box.width > innerWidth * 0.6 || box.height > innerHeight * 0.6;
    const inside = (right - left) / box.width > 0.98 && (bottom - top) / box.height > 0.98;
    if (right <= left || bottom <= top || !(inside || isLarge))
      return `is outside the window: ${Math.round(box.left)}–${Math.round(box.right)}, ${Math.round(box.top)}–${Math.round(box.bottom)}`;
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    // Markers lie over each other.
    if (element instanceof SVGElement && at?.closest('svg') === element.closest('svg')) return null;
    const free = [element, other, element.closest('label')].some(
      (one) => one !== null && at !== null && (one.contains(at) || (isLarge && at.contains(one))),
    );
    return free ? null : `is covered by ${at?.outerHTML.slice(0, 120)}`;
  }

  function isMarked(element: Element, of: Element | null): boolean {
    const around: Element[] = [];
    for (let one: Element | null = element; one !== null && around.length < 4; one = one.parentElement)
      around.push(one);
    const beside = [...(element.parentElement?.children ?? [])].filter(
      (one) => element instanceof HTMLInputElement && one !== element,
    );
    const parts = [...around, ...beside, ...(of === null ? [] : [of, ...of.querySelectorAll('*')])];
    if (parts.some((part) => [null, '::before', '::after'].some((pseudo) => hasOutline(part, pseudo))))
      return true;
    return !(element instanceof HTMLInputElement) && looks(element) !== looksWithoutFocus(element);
  }

  function hasOutline(element: Element, pseudo: string | null): boolean {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element, pseudo);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && !/, 0\)$|\/ 0\)$/.test(outlineColor);
  }

  function looks(element: Element): string {
    const { backgroundColor, boxShadow, borderColor, stroke } = getComputedStyle(element);
    return [backgroundColor, boxShadow, borderColor, stroke, ...[...element.children].map(looks)].join();
  }

  /** A copy does not have the focus. */
  function looksWithoutFocus(element: Element): string {
    const copy = element.cloneNode(true) as Element;
    for (const name of ['data-focused', 'data-focus-visible', 'data-hovered', 'id'])
      copy.removeAttribute(name);
    element.after(copy);
    const found = looks(copy);
    copy.remove();
    return found;
  }
}
