import type { IpcHandlers } from './ipc.ts';

type NoticeCalls = Pick<IpcHandlers, 'notice' | 'readyToClose'>;
type Notice = Awaited<ReturnType<NoticeCalls['notice']>>;
type Decision = Awaited<ReturnType<NoticeCalls['readyToClose']>>;

/** A page asks again after this time, ms. */
const longestWait = 10 * 60_000;
/** A page that is not ready by then is closed anyway, ms. */
const longestClose = 15_000;

/** Tells the page what happens to the window and the computer. The page waits with a call for the next notice. */
export class Notices {
  #answer: ((notice: Notice) => void) | undefined;
  /** There is a page that asks for notices. It does not wait for one at every moment. */
  #isListening = false;
  /** The next question is answered with `close`. */
  #isClosing = false;
  /** Undefined while the window does not wait to be closed. */
  #ready: ((isSaved: boolean) => void) | undefined;
  #decide: (decision: Decision) => void = () => undefined;
  readonly #report: (line: string) => void;

  /** `report`: writes one line to the log. */
  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  readonly handlers: NoticeCalls = {
    notice: async () => {
      // A reloaded page asks again. The waiting call of the previous page must not take the notice.
      this.#answer?.('none');
      this.#isListening = true;
      if (this.#isClosing) {
        this.#isClosing = false;
        return 'close';
      }
      const { promise, resolve } = Promise.withResolvers<Notice>();
      this.#answer = resolve;
      const timer = setTimeout(() => resolve('none'), longestWait);
      const notice = await promise;
      clearTimeout(timer);
      return notice;
    },
    readyToClose: async (isSaved) => {
      const ready = this.#ready;
      this.#ready = undefined;
      const { promise, resolve } = Promise.withResolvers<Decision>();
      this.#decide = resolve;
      // Nobody decides about a window that is not closed.
      if (ready === undefined || isSaved) resolve(isSaved ? 'close' : 'stay');
      ready?.(isSaved);
      return promise;
    },
  };

  /** The computer woke up or was unlocked. */
  wake(): void {
    this.#send('wake');
  }

  /**
   * Resolves when the page has saved everything, or does not listen, or does not answer in time. False: it could not save
   * everything, and waits for `keepOpen` or its end.
   */
  async close(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    if (!this.#send('close')) {
      if (!this.#isListening) return true;
      this.#isClosing = true;
    }
    this.#ready = resolve;
    const timer = setTimeout(() => {
      this.#report('close: the page did not save in time');
      resolve(true);
    }, longestClose);
    const isSaved = await promise;
    clearTimeout(timer);
    this.#ready = undefined;
    this.#isClosing = false;
    return isSaved;
  }

  /** The page that could not save everything goes on. */
  keepOpen(): void {
    this.#decide('stay');
  }

  /** Ends a waiting call, because its page has ended or the program closes. */
  end(): void {
    this.#send('none');
    this.#isListening = false;
    this.#ready?.(true);
    this.#decide('close');
  }

  /** Whether a page was waiting. */
  #send(notice: Notice): boolean {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(notice);
    return answer !== undefined;
  }
}
