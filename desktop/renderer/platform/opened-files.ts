import type { ByteSource } from '#shared/formats/omanual/source.ts';

import { findBridge } from './bridge.ts';

/** A file that a person handed to the app. */
export interface HandedFile {
  name: string;
  source: ByteSource;
  /** Nothing is read from it any more. */
  done: () => void;
}

const retryMs = 5000;

/** Tells of files that were opened with the app: by double click, or by starting it with their names. Returns what stops it. */
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
