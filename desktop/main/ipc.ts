import {
  IpcError,
  type IpcAnswer,
  type IpcArgs,
  type IpcCall,
  ipcCallName,
  ipcCalls,
  type IpcResult,
} from '#desktop/ipc.ts';
import { ipcChannel } from '#desktop/preload/bridge.ts';

import type { IpcEvent, IpcMain } from './electron.ts';
import { isAppUrl } from './origin.ts';

/** The implementation of each call of the table. */
export type IpcHandlers = { [C in IpcCall]: (...args: IpcArgs<C>) => Promise<IpcResult<C>> };

const LONGEST_DRAIN = 30_000;

/**
 * Answers the calls of the page. It never throws, because a thrown error would reach the page without its kind.
 */
export class IpcRouter {
  readonly #handlers: IpcHandlers;
  readonly #timeouts: (ms: number) => { elapsed: Promise<void>; cancel(): void };
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #report: (call: unknown, error: unknown) => void;
  #closing = false;

  /** `report` gets the full error; the page gets only its kind and a short message. */
  constructor(
    handlers: IpcHandlers,
    report: (call: unknown, error: unknown) => void,
    timeouts = realTimeout,
  ) {
    this.#handlers = handlers;
    this.#report = report;
    this.#timeouts = timeouts;
  }

  register(ipcMain: IpcMain): void {
    ipcMain.handle(ipcChannel, (event, name, args) => this.answer(event, name, args));
  }

  /** Refuses new calls. Resolves when running calls have ended, at the latest after `LONGEST_DRAIN`. */
  async drain(): Promise<void> {
    this.#closing = true;
    const limit = this.#timeouts(LONGEST_DRAIN);
    await Promise.race([Promise.allSettled(this.#underWay), limit.elapsed]);
    limit.cancel();
  }

  async answer(event: IpcEvent, name: unknown, args: unknown): Promise<IpcAnswer> {
    try {
      assertOurPage(event);
      const call = ipcCallName.safeParse(name);
      if (!call.success) throw new IpcError('refused', 'There is no such call');
      if (this.#closing) throw new IpcError('closing', 'Benchbook is closing');
      return { ok: true, result: await this.#run(call.data, args) };
    } catch (error) {
      this.#report(name, error);
      if (error instanceof IpcError) return { ok: false, kind: error.kind, message: error.message };
      // System messages contain paths, which the page must not see.
      return { ok: false, kind: 'unavailable', message: 'The call failed' };
    }
  }

  async #run(call: IpcCall, given: unknown): Promise<unknown> {
    const { args, result, timeout } = ipcCalls[call];
    const parsed = args.safeParse(given);
    if (!parsed.success)
      throw new IpcError('invalid', `Not the arguments of ${call}`, { cause: parsed.error });
    // The arguments were validated for this call. TypeScript cannot express that for the union of all calls.
    const handler = this.#handlers[call] as (...args: unknown[]) => Promise<unknown>;
    const work = Promise.resolve().then(() => handler(...parsed.data));
    this.#underWay.add(work);
    const forget = (): void => void this.#underWay.delete(work);
    work.then(forget, forget);
    const timer = this.#timeouts(timeout);
    const tooLate = timer.elapsed.then(() => {
      throw new IpcError('timeout', `${call} gave no answer in time`);
    });
    try {
      return result.parse(await Promise.race([work, tooLate]));
    } finally {
      timer.cancel();
    }
  }
}

/** Only the top frame of the app's own page may call; embedded frames and other pages may not. */
function assertOurPage({ senderFrame }: IpcEvent): void {
  if (senderFrame === null || senderFrame.parent !== null || !isAppUrl(senderFrame.url)) {
    throw new IpcError('refused', 'Only the app itself may call');
  }
}

function realTimeout(ms: number): { elapsed: Promise<void>; cancel(): void } {
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(done.resolve, ms);
  return { elapsed: done.promise, cancel: () => clearTimeout(timer) };
}
