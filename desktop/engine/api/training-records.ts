import type { StageDoctype } from '#shared/model/course.ts';
import type { SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';

/**
 * State of an attempt. `open`: being answered; `waiting`: handed in on this device, not scored by the server yet;
 * `refused`: the server refused it, the answers are stored here; `done`: its questions have no correct answers.
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
  /** Percent; null until it is scored, and if no question has a correct answer. */
  score: number | null;
  passingScore: number;
  /** ms since 1970. */
  startedAt: number;
  endedAt: number | null;
  /** A part of it is not on the server yet. */
  pending: boolean;
  /** The refused call, and the server's message. */
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
  /** The open attempt, or else the latest; null: never taken. */
  latest: AttemptCard | null;
}

/** A quiz to take: alone, of a guide, or of a stage of a course. */
export interface QuizUse {
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

/** A stage of a course, with the person's progress. */
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

/** A course that the person has to take. */
export interface CourseCard {
  courseid: number;
  title: string;
  description: string;
  /** ms since 1970. */
  dueAt: number | null;
  completedAt: number | null;
  stages: StageCard[];
}
