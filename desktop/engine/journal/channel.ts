import { tabMessage, type TabMessage } from './calls.ts';

/** A message channel to all other tabs, or, over a port, to one. */
export interface TabChannel {
  post(message: TabMessage): void;
  /** Returns a function that ends listening. */
  listen(listener: (message: TabMessage) => void): () => void;
}

/** The channel over a BroadcastChannel or a started MessagePort; messages of other versions are ignored. */
export function tabChannel(port: BroadcastChannel | MessagePort): TabChannel {
  return {
    post: (message) => port.postMessage(message),
    listen: (listener) => {
      const receive = (event: Event): void => {
        const parsed = tabMessage.safeParse(event instanceof MessageEvent ? event.data : undefined);
        if (parsed.success) listener(parsed.data);
      };
      port.addEventListener('message', receive);
      return () => port.removeEventListener('message', receive);
    },
  };
}
