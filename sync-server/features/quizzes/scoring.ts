import { invalid, type Problem } from '#shared/api/problem.ts';
import type { SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';
import { OverBudget, WorkerPool, WorkFailed } from '#server/platform/worker-pool.ts';

import type { Marks } from './survey-model.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** Reads and scores quizzes, in workers. */
    scoring: Scoring;
  }
}

/** A task for a worker; surveys and answers as JSON. */
export type SurveyWork =
  | { what: 'check'; survey: string; questions: number }
  | { what: 'mark'; survey: string; answers: string };

/** The result of a check; `ms`: the processor time that it took. */
export interface Checked {
  flaw: string | null;
  ms: number;
}

/** Processor time and memory of a task; a quiz within its limits takes a tenth of this on a slow machine. */
const budget = { ms: 10_000, megabytes: 256 };

/**
 * Runs survey-core in workers, because its cost depends on what authors write and people answer. Loading it takes half
 * a second and tens of megabytes, so workers are started only on servers with quizzes.
 *
 * - QUIZ-18 survey-core runs in workers with a budget of 10 seconds of processor time and 256 MB, before the
 *   transaction, so that others can read and write meanwhile. If the quiz changes during that time, it is scored again,
 *   at most three times, then the answer is 503. Results that were never sent to devices are scored after the start,
 *   one by one. A quiz stored before the limits that needs more is 422, and the session stays open with its answers;
 *   the same applies to answers that survey-core cannot score. Ten calls of one person can wait, and a hundred in
 *   total.
 */
export class Scoring implements AsyncDisposable {
  readonly #budget: { ms: number; megabytes: number };
  readonly #pool: WorkerPool<SurveyWork, string>;

  /** `overrides` lower the budget in tests. */
  constructor(overrides: Partial<typeof budget> = {}) {
    this.#budget = { ...budget, ...overrides };
    this.#pool = new WorkerPool({
      program: new URL('scoring-worker.ts', import.meta.url),
      workers: 2,
      budget: this.#budget,
      mostWaiting: 100,
      mostOfOne: 10,
    });
  }

  /**
   * What survey-core rejects in a survey with this number of questions; null if nothing. Throws 422, named by `field`,
   * for a survey that it cannot open, and score with the longest possible answers, within half of the budget. So a
   * stored quiz can be submitted on a slower machine too.
   */
  async flaw(caller: number, survey: SurveyJson, questions: number, field: string): Promise<string | null> {
    const work = { what: 'check', survey: JSON.stringify(survey), questions } as const;
    const { flaw, ms } = await this.#do<Checked>(caller, work, field);
    if (ms > this.#budget.ms / 2) throw this.#tooLarge(work, field);
    return flaw;
  }

  /** Scores answers. Throws 422 if the quiz exceeds the budget or survey-core cannot score the answers. */
  marks(caller: number, survey: SurveyJson, answers: SurveyAnswers): Promise<Marks> {
    const work = {
      what: 'mark',
      survey: JSON.stringify(survey),
      answers: JSON.stringify(answers),
    } as const;
    return this.#do(caller, work, 'quizid');
  }

  /** `field`: the field of the body that names the quiz. */
  async #do<T>(caller: number, work: SurveyWork, field: string): Promise<T> {
    const isCheck = work.what === 'check';
    try {
      return JSON.parse(await this.#pool.do(`user ${caller}`, work)) as T;
    } catch (error) {
      if (error instanceof WorkFailed) {
        // survey-core throws for unexpected input. A stored quiz passed the check, so here the answers are the cause.
        const [named, said] = isCheck ? [field, 'read the quiz'] : ['response_json', 'score these answers'];
        throw invalid(named, `SurveyJS cannot ${said}: ${error.message.slice(0, 200)}`);
      }
      if (!(error instanceof OverBudget)) throw error;
      throw this.#tooLarge(work, field);
    }
  }

  #tooLarge({ what }: SurveyWork, field: string): Problem {
    const { ms, megabytes } = this.#budget;
    const [most, seconds] =
      what === 'check' ? [', with all that people may add,', ms / 2000] : ['', ms / 1000];
    return invalid(
      field,
      `The quiz cannot be scored${most} within ${seconds} seconds of processor time and ${megabytes} MB. Its author can make it smaller: fewer expressions, choices and repeated questions`,
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool[Symbol.asyncDispose]();
  }
}
