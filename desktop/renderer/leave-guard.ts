import type { AroundNavHandler } from 'wouter';

/** Asks a person whether they leave; `leave` goes on. */
type Question = (leave: () => void) => void;

/** The questions of the forms on the screen with changes that are not saved. Without one, nothing would be lost. */
const questions = new Set<Question>();

/** Navigates, after the question of a screen with changes that are not saved (`useLeaveGuard`). */
export const guardedNavigation: AroundNavHandler = (navigate, to, options) => {
  const go = (): void => navigate(to, options);
  const [ask] = questions;
  if (ask === undefined || isHere(to)) go();
  else ask(go);
};

/** Sets who is asked before the screen is left. Returns a function that ends it. */
export function askBeforeLeaving(question: Question): () => void {
  questions.add(question);
  // Browsers without it go back unasked. Adding the same listener again does nothing.
  if ('navigation' in window) navigation.addEventListener('navigate', askBeforeTraversing);
  return () => questions.delete(question);
}

/** The person has answered that they leave. */
export function leaveUnasked(): void {
  questions.clear();
}

/** Back and forward, by any number of screens. */
function askBeforeTraversing(event: NavigateEvent): void {
  const { navigationType, cancelable, destination } = event;
  const [ask] = questions;
  if (ask === undefined || navigationType !== 'traverse' || !cancelable || isHere(destination.url)) return;
  event.preventDefault();
  ask(() => navigation.traverseTo(destination.key));
}

function isHere(to: string): boolean {
  return new URL(to, location.href).pathname === location.pathname;
}
