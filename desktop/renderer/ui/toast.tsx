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

let messages: readonly ToastMessage[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly ToastMessage[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

/** Shows a message for a few seconds; screen readers announce it politely. */
export function showToast(words: string, tone: 'plain' | 'danger' = 'plain'): void {
  lastId += 1;
  const id = lastId;
  set([...messages.slice(-2), { id, words, tone }]);
  setTimeout(() => set(messages.filter((message) => message.id !== id)), shownMs);
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
      {shown.map((message) => (
        <p key={message.id} className={classNames(styles, 'toast', message.tone)}>
          {message.words}
        </p>
      ))}
    </div>
  );
}
