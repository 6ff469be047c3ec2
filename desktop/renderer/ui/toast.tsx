import { useSyncExternalStore } from 'react';

import { classNames } from './class-names.ts';
import styles from './toast.module.css';

interface ToastMessage {
  id: number;
  words: string;
  tone: 'plain' | 'danger';
}

/** Long enough to read. Toasts never carry anything that needs an action. */
const shownMs = 6000;
/** How long a toast stays while others wait. */
const shownBriefly = 2500;

let messages: readonly ToastMessage[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly ToastMessage[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

/**
 * Shows a message for a few seconds, after those before it: one at a time, so that no toast covers another. Screen readers
 * announce it politely.
 */
export function showToast(words: string, tone: 'plain' | 'danger' = 'plain'): void {
  // What is shown or waits already is not said twice.
  if (messages.some((message) => message.words === words && message.tone === tone)) return;
  lastId += 1;
  const [now, ...later] = messages;
  const next = { id: lastId, words, tone };
  // What went wrong does not wait for good news.
  const queued = tone === 'danger' ? [next, ...later] : [...later, next];
  set(now === undefined ? [next] : [now, ...queued]);
  if (messages.length === 1) startFirst();
  else if (waiting !== null) schedule(Math.max(0, shownAt + shownBriefly - Date.now()));
}

let shownAt = 0;
let waiting: ReturnType<typeof setTimeout> | null = null;

function startFirst(): void {
  if (messages.length === 0) return;
  shownAt = Date.now();
  schedule(messages.length === 1 ? shownMs : shownBriefly);
}

function schedule(ms: number): void {
  if (waiting !== null) clearTimeout(waiting);
  waiting = setTimeout(() => {
    waiting = null;
    set(messages.slice(1));
    startFirst();
  }, ms);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The container of the toasts: a polite live region. React Aria hides everything outside an open dialog from screen
 * readers, except elements with `data-react-aria-top-layer`.
 */
export function ToastRegion() {
  const shown = useSyncExternalStore(subscribe, () => messages);
  return (
    <div
      className={classNames(styles, 'region')}
      role="status"
      aria-live="polite"
      data-react-aria-top-layer="true"
    >
      {shown.slice(0, 1).map((message) => (
        <p key={message.id} className={classNames(styles, 'toast', message.tone)}>
          {message.words}
        </p>
      ))}
    </div>
  );
}
