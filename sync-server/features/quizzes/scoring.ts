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

/** What a worker is asked; surveys and answers as JSON. */
export type SurveyWork =
  | { what: 'check'; survey: string; questions: number }
  | { what: 'mark'; survey: string; answers: string };

/** What a check found; `ms`: the processor time that it took. */
export interface Checked {
  flaw: string | null;
  ms: number;
}

/** Processor time and memory; a quiz within its limits takes a tenth of this on a slow machine. */
const budget = { ms: 10_000, megabytes: 256 };

/**
 * Has survey-core read and score quizzes in workers: what an author writes and a person answers decides how much it has
 * to do. It takes half a second and tens of megabytes to load, so that only a server with quizzes pays for it.
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
   * What survey-core says against a survey of so many questions; null: nothing. 422, named by `field`, for one that it
   * cannot open, and score with the most that people may answer, within half of the budget: what is stored can be handed in,
   * also on a day on which the machine is slower.
   */
  async flaw(caller: number, survey: SurveyJson, questions: number, field: string): Promise<string | null> {
    const work = { what: 'check', survey: JSON.stringify(survey), questions } as const;
    const { flaw, ms } = await this.#do<Checked>(caller, work, field);
    if (ms > this.#budget.ms / 2) throw this.#tooLarge(work, field);
    return flaw;
  }

  /** Scores answers; 422 for a quiz that takes more than the budget, and for answers that survey-core cannot score. */
  marks(caller: number, survey: SurveyJson, answers: SurveyAnswers): Promise<Marks> {
    const work = {
      what: 'mark',
      survey: JSON.stringify(survey),
      answers: JSON.stringify(answers),
    } as const;
    return this.#do(caller, work, 'quizid');
  }

  /** `field`: what of the body names the quiz. */
  async #do<T>(caller: number, work: SurveyWork, field: string): Promise<T> {
    const isCheck = work.what === 'check';
    try {
      return JSON.parse(await this.#pool.do(`user ${caller}`, work)) as T;
    } catch (error) {
      if (error instanceof WorkFailed) {
        // survey-core throws at what it does not expect. A quiz that was stored could be scored without an answer.
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
