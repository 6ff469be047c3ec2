import type { ByteSource } from '#shared/formats/omanual/source.ts';

import { findBridge } from './bridge.ts';

/** A file that a person opened with the app. */
export interface HandedFile {
  name: string;
  source: ByteSource;
  /** Called when the file has been read. */
  done: () => void;
}

const retryMs = 5000;

/**
 * Calls `open` for each file that was opened with the app, by double click or on the command line. Returns a function
 * that stops it.
 */
export function followOpenedFiles(open: (file: HandedFile) => void): () => void {
  const bridge = findBridge();
  if (bridge === undefined) return () => undefined;
  let isStopped = false;
  const follow = async (): Promise<void> => {
    let seen = 0;
    while (!isStopped) {
      try {
        for (const { ticket, name, size } of await bridge.openedFiles(seen)) {
          seen = Math.max(seen, ticket);
          if (isStopped) return;
          const read = (offset: number, length: number) => bridge.openedFileRead(ticket, offset, length);
          open({
            name,
            source: { size, read },
            done: () => void bridge.openedFileDone(ticket).catch(() => undefined),
          });
        }
      } catch {
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  };
  void follow();
  return () => {
    isStopped = true;
  };
}
