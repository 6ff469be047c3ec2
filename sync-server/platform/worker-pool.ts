import { fork, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

import { busy, FairQueue } from './fair-queue.ts';

interface Budget {
  /** Processor time that one piece of work may take, ms: how busy the machine is otherwise does not count. */
  ms: number;
  /** Memory that the objects of a worker may take, megabytes. */
  megabytes: number;
}

interface WorkerPoolOptions {
  /** The program of a worker, which calls `serveWork`. */
  program: URL;
  /** Workers at the same time; each starts at first need. */
  workers: number;
  budget: Budget;
  mostWaiting: number;
  mostOfOne: number;
}

/** Work that took more time or memory than it may; its worker was ended. */
export class OverBudget extends Error {
  override name = 'OverBudget';
}

/** Work that threw in its worker, which continues; the message is the one thrown. */
export class WorkFailed extends Error {
  override name = 'WorkFailed';
}

/** So long a worker may take by the clock, ms: on a machine that gives it no time the work is refused for now. */
const patienceMs = 120_000;

/** What a worker answers. */
export type WorkAnswer = { done: unknown } | { failed: string };

/**
 * Has work done in processes of its own, never in the loop that answers requests, within a budget of time and memory:
 * what goes beyond is ended with its worker, and the next piece of work gets a new one. Processes, since a thread that
 * asks for too much memory at once ends the whole process, whatever its limits (`resourceLimits`) say.
 */
export class WorkerPool<Work extends object, Done> implements AsyncDisposable {
  readonly #options: WorkerPoolOptions;
  readonly #queue: FairQueue;
  /** Workers that wait for work. */
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    const { workers, mostWaiting, mostOfOne } = options;
    this.#queue = new FairQueue({ parallel: workers, mostWaiting, mostOfOne, retryAfterSeconds: 5 });
  }

  /**
   * Has `work`, which must be JSON, done for `caller`; callers take turns.
   * @throws OverBudget; WorkFailed; Problem 503 when too much waits already, or the machine has no time for it
   */
  do(caller: string, work: Work): Promise<Done> {
    return this.#queue.run(caller, () => this.#perform(work));
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
    // The program of the pool answers this kind of work so.
    return answer.done as Done;
  }

  #start(): ChildProcess {
    const { program, budget } = this.#options;
    const worker = fork(fileURLToPath(program), [String(budget.ms)], {
      execArgv: [`--max-old-space-size=${budget.megabytes}`, '--disable-warning=ExperimentalWarning'],
      // It needs none of the server's secrets; Windows starts no program without its own folder.
      env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    lowerPriority(worker);
    // A worker that waits does not keep the server from ending.
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

/** What answers requests goes first. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A worker that ended at once shows in its answer; where priorities cannot be set, all are equal.
  }
}

async function end(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null || worker.pid === undefined) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.ref();
  worker.kill('SIGKILL');
  await ended;
}

/** The answer of a worker, unless it ended or took too long. */
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
