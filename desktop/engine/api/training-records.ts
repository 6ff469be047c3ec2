import type { StageDoctype } from '#shared/model/course.ts';
import type { SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';

/**
 * How an attempt stands. `open`: being answered; `waiting`: handed in on this device, the server has yet to score it;
 * `refused`: the server did not take it, the answers are kept here; `done`: it has no correct answers to score.
 */
export type AttemptState = 'open' | 'waiting' | 'refused' | 'passed' | 'failed' | 'done' | 'cancelled';

/** One attempt of the signed-in person at a quiz. */
export interface AttemptCard {
  /** The server's number, or `tmp:…` until it has one. */
  sessionid: string;
  quizid: number;
  title: string;
  guideid: string | null;
  state: AttemptState;
  /** Percent; null until it is scored, and where nothing has a correct answer. */
  score: number | null;
  passingScore: number;
  /** ms since 1970. */
  startedAt: number;
  endedAt: number | null;
  /** Something of it is not yet on the server. */
  pending: boolean;
  /** The call that was refused, and the server's words. */
  refusal: { callid: string; message: string } | null;
}

/** An attempt with what was answered. */
export interface Attempt extends AttemptCard {
  answers: SurveyAnswers;
  /** Question by question, once it is scored. */
  results: { title: string; answer: unknown; correct: boolean | null }[] | null;
}

/** A quiz in a list. */
export interface QuizCard {
  quizid: number;
  title: string;
  questions: number;
  passingScore: number;
  /** The attempt that is open, else the latest; null: never taken. */
  latest: AttemptCard | null;
}

/** What to take: a quiz alone, or as a guide or the stage of a course has it. */
export interface QuizPlace {
  quizid: number;
  guideid?: string;
  courseStageid?: number;
}

/** A quiz that can be taken. */
export interface Quiz extends QuizCard {
  revisionid: number;
  survey: SurveyJson;
  attempts: AttemptCard[];
}

export interface QuizShelf {
  quizzes: QuizCard[];
  /** The latest first. */
  attempts: AttemptCard[];
}

/** A stage of a course as the person has it before them. */
export interface StageCard {
  course_stageid: number;
  title: string;
  doctype: StageDoctype;
  docid: number;
  /** Percent; null: the document's own rule. */
  passingScore: number | null;
  /** ms since 1970; null: not done. */
  doneAt: number | null;
  score: number | null;
}

/** A course that the person is to take. */
export interface CourseCard {
  courseid: number;
  title: string;
  description: string;
  /** ms since 1970. */
  dueAt: number | null;
  completedAt: number | null;
  stages: StageCard[];
}
