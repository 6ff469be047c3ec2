import { parentPort, Worker } from 'node:worker_threads';

import { must } from '#shared/must.ts';

interface Call {
  id: number;
  name: string;
  args: unknown[];
}
type Answer = { id: number; value: unknown } | { id: number; error: string };

type Methods = { [name: string]: (...args: unknown[]) => Promise<unknown> };
export type Remote<T> = { [K in keyof T]: T[K] };

/** Serves the methods of `target` to the parent thread. */
export function serveCalls(target: object): void {
  const port = must(parentPort, 'a thread that started this one');
  port.on('message', ({ id, name, args }: Call) => {
    const method = must((target as Methods)[name], `method ${name}`);
    Promise.resolve(Reflect.apply(method, target, args)).then(
      (value) => port.postMessage({ id, value } satisfies Answer),
      (error: unknown) => port.postMessage({ id, error: textOf(error) } satisfies Answer),
    );
  });
}

/** Starts a thread; its methods can be called like local ones. */
export function startThread<T extends object>(
  file: URL,
  data: unknown,
): { thread: T; end: () => Promise<void> } {
  const worker = new Worker(file, { workerData: data, execArgv: ['--disable-warning=ExperimentalWarning'] });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  let failure: Error | null = null;
  worker.on('message', (answer: Answer) => {
    const call = must(waiting.get(answer.id), 'a call that waits');
    waiting.delete(answer.id);
    if ('error' in answer) call.reject(new Error(answer.error));
    else call.resolve(answer.value);
  });
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error));
    for (const call of waiting.values()) call.reject(failure);
    waiting.clear();
  });
  const thread = new Proxy({} as T, {
    get: (_, name) => {
      if (name === 'then') return undefined;
      return (...args: unknown[]) => {
        const call = Promise.withResolvers<unknown>();
        if (failure !== null) call.reject(failure);
        else {
          last += 1;
          waiting.set(last, call);
          worker.postMessage({ id: last, name: String(name), args } satisfies Call);
        }
        return call.promise;
      };
    },
  });
  return { thread, end: async () => void (await worker.terminate()) };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${textOf(error.cause)}`;
  const details = 'errors' in error ? ` ${JSON.stringify(error.errors)}` : '';
  return `${error.stack ?? error.message}${details}${cause}`;
}
