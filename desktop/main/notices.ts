import type { IpcHandlers } from './ipc.ts';

type NoticeCalls = Pick<IpcHandlers, 'notice' | 'readyToClose'>;
type Notice = Awaited<ReturnType<NoticeCalls['notice']>>;

/** A page asks again after this time, ms. */
const longestWait = 10 * 60_000;
/** A page that is not ready by then is closed anyway, ms. */
const longestClose = 15_000;

/** Tells the page what happens to the window and the computer. The page waits with a call for the next notice. */
export class Notices {
  #answer: ((notice: Notice) => void) | undefined;
  #ready: () => void = () => undefined;
  readonly #report: (line: string) => void;

  /** `report`: writes one line to the log. */
  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  readonly handlers: NoticeCalls = {
    notice: async () => {
      // A reloaded page asks again. The waiting call of the previous page must not take the notice.
      this.#answer?.('none');
      const { promise, resolve } = Promise.withResolvers<Notice>();
      this.#answer = resolve;
      const timer = setTimeout(() => resolve('none'), longestWait);
      const notice = await promise;
      clearTimeout(timer);
      return notice;
    },
    readyToClose: async () => {
      this.#ready();
      return undefined;
    },
  };

  /** The computer woke up or was unlocked. */
  wake(): void {
    this.#send('wake');
  }

  /** Resolves when the page has saved everything, or does not listen, or does not answer in time. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ready = resolve;
    if (!this.#send('close')) return;
    const timer = setTimeout(() => {
      this.#report('close: the page did not save in time');
      resolve();
    }, longestClose);
    await promise;
    clearTimeout(timer);
  }

  /** Ends a waiting call, because its page has ended or the program closes. */
  end(): void {
    this.#send('none');
    this.#ready();
  }

  /** Whether a page was waiting. */
  #send(notice: Notice): boolean {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(notice);
    return answer !== undefined;
  }
}
