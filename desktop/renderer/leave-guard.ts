import type { AroundNavHandler } from 'wouter';

/** Asks before the screen is left; null: nothing would be lost. */
let ask: ((leave: () => void) => void) | null = null;

/** Navigates, after the question of a screen with changes that are not saved (`useLeaveGuard`). */
export const guardedNavigation: AroundNavHandler = (navigate, to, options) => {
  const go = (): void => navigate(to, options);
  if (ask === null || new URL(to, location.href).pathname === location.pathname) go();
  else ask(go);
};

/** Sets who is asked before the screen is left. */
export function askBeforeLeaving(question: typeof ask): void {
  ask = question;
}
