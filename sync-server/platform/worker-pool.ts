import { fork, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

import { busy, FairQueue } from './fair-queue.ts';

interface Budget {
  /** Processor time that one piece of work may take, ms. */
  ms: number;
  /** Heap size of a worker, megabytes. */
  megabytes: number;
}

interface WorkerPoolOptions {
  /** The program of a worker, which calls `serveWork`. */
  program: URL;
  /** Maximum number of workers. Each starts when it is first needed. */
  workers: number;
  budget: Budget;
  mostWaiting: number;
  mostOfOne: number;
}

/** Work exceeded its budget of time or memory; its worker was ended. */
export class OverBudget extends Error {
  override name = 'OverBudget';
}

/** Work threw an error in its worker, which continues. The message is that of the error. */
export class WorkFailed extends Error {
  override name = 'WorkFailed';
}

/** Wall clock time that a worker may take, ms. On an overloaded machine, the work is then refused for now. */
const patienceMs = 120_000;

/** The answer of a worker. */
export type WorkAnswer = { done: unknown } | { failed: string };

/**
 * Runs work in separate processes, within a budget of time and memory. Work that exceeds the budget is ended together
 * with its worker, and the next piece gets a new worker. Processes and not threads: a thread that allocates too much
 * memory at once ends the whole process, whatever its `resourceLimits` are.
 *
 * - BUDGET-3 Work whose size the sender decides (scoring a quiz, the response of an identity provider) is done by a
 *   worker within a budget of processor time and memory. Beyond the budget, the worker is ended and the call refused.
 *   Because the budget is processor time, a busy machine does not make work exceed it. The image library processes
 *   pictures in threads of its own, in the server's process, and a thread of the server decodes BMPs. Their cost is
 *   limited by checking for 50 megapixels before decoding, by processing two at a time, and by 20 seconds for each.
 *   Uploads are hashed on the event loop, a megabyte at a time. `media/README.md` has figures.
 */
export class WorkerPool<Work extends object, Done> implements AsyncDisposable {
  readonly #options: WorkerPoolOptions;
  readonly #queue: FairQueue;
  /** Idle workers. */
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    const { workers, mostWaiting, mostOfOne } = options;
    this.#queue = new FairQueue({ parallel: workers, mostWaiting, mostOfOne, retryAfterSeconds: 5 });
  }

  /**
   * Performs `work`, which must be JSON, for `caller`; callers take turns.
   * @throws OverBudget; WorkFailed; Problem 503 if too much work is waiting, or the machine is overloaded
   */
  do(caller: string, work: Work): Promise<Done> {
    return this.#queue.run(caller, () => this.#perform(work));
  }

  /** Process ids of the workers, for measurements. */
  get pids(): number[] {
    return [...this.#all].flatMap(({ pid }) => pid ?? []);
  }

  /** Starts a worker if there is none, so that the next work need not wait for that. */
  prepare(): void {
    if (this.#all.size === 0) this.#idle.push(this.#start());
  }

  async #perform(work: Work): Promise<Done> {
    const worker = this.#idle.pop() ?? this.#start();
    const answer = await answerOf(worker, work);
    if (answer === 'late') {
      await end(worker);
      throw busy(60);
    }
    if (answer === 'ended') throw new OverBudget('The work took more time or memory than it may');
    if (worker.connected) this.#idle.push(worker);
    if ('failed' in answer) throw new WorkFailed(answer.failed);
    // The program of the pool returns this type.
    return answer.done as Done;
  }

  #start(): ChildProcess {
    const { program, budget } = this.#options;
    const worker = fork(fileURLToPath(program), [String(budget.ms)], {
      execArgv: [
        `--max-old-space-size=${budget.megabytes}`,
        // The young generation comes on top, three times this.
        '--max-semi-space-size=8',
        '--disable-warning=ExperimentalWarning',
      ],
      // Workers need no secrets of the environment. Windows cannot start programs without SystemRoot.
      env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    lowerPriority(worker);
    // Idle workers do not keep the server process alive.
    worker.unref();
    worker.channel?.unref();
    worker.on('error', () => undefined);
    this.#all.add(worker);
    worker.once('exit', () => {
      this.#all.delete(worker);
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return worker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#all].map(end));
  }
}

/** Lowers the priority of a worker, because requests are more urgent. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The worker may have ended already, which its answer will show, or priorities cannot be set.
  }
}

async function end(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null || worker.pid === undefined) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.ref();
  worker.kill('SIGKILL');
  await ended;
}

/** Sends `work` and returns the worker's answer, or `ended`, or `late` after `patienceMs`. */
async function answerOf(worker: ChildProcess, work: object): Promise<WorkAnswer | 'ended' | 'late'> {
  const { promise, resolve } = Promise.withResolvers<WorkAnswer | 'ended' | 'late'>();
  const isDone = (answer: unknown): void => resolve(answer as WorkAnswer);
  const isOver = (): void => resolve('ended');
  const timer = setTimeout(() => resolve('late'), patienceMs);
  worker.once('message', isDone).once('error', isOver).once('exit', isOver);
  worker.send(work, (error) => {
    if (error !== null) isOver();
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', isDone).off('error', isOver).off('exit', isOver);
  }
}
