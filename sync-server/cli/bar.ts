import { SingleBar } from 'cli-progress';

import type { JobProgress } from '#server/jobs/store.ts';

import type { Terminal } from './answers.ts';

/** A progress bar. */
export interface Bar extends Disposable {
  show(progress: JobProgress): void;
}

/** A progress bar on the error output of a terminal. In scripts and with `--json` it shows nothing. */
export function barOf(terminal: Terminal, isJson: boolean): Bar {
  if (terminal.screen === undefined || isJson)
    return { show: () => undefined, [Symbol.dispose]: () => undefined };
  const bar = new SingleBar({
    format: '{phase} [{bar}] {value}/{total}',
    stream: terminal.screen,
    clearOnComplete: true,
    hideCursor: true,
  });
  let isShown = false;
  return {
    show({ done, total, phase }) {
      if (total === 0) return;
      if (isShown) bar.setTotal(total);
      else bar.start(total, done, { phase });
      isShown = true;
      bar.update(done, { phase });
    },
    [Symbol.dispose]: () => bar.stop(),
  };
}
