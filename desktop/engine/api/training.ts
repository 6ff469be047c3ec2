import type { NewCourse } from '#shared/api/courses.ts';
import type { Course, CourseAssignment, CourseProgress } from '#shared/model/course.ts';
import type { Quiz, QuizSession, QuizSubmission, SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';
import type {
  ImportProgress,
  TrainingImport,
  TrainingModule,
  TrainingPlayer,
  TrainingUsage,
} from '#shared/model/training.ts';

import type { Live } from './engine.ts';
import type * as records from './training-records.ts';

/** Live reads of quizzes and courses, from what is on this device. */
export interface TrainingViews {
  /** Quizzes by title, and the person's own attempts. */
  quizzes(): Live<records.QuizShelf>;
  /** The quizzes that belong to a guide: the one it carries first. */
  guideQuizzes(guideid: string): Live<records.QuizCard[]>;
  /** A quiz to take; null: not on this device. */
  quiz(place: records.QuizPlace): Live<records.Quiz | null>;
  attempt(sessionid: string): Live<records.Attempt | null>;
  /** The courses that the person is to take: those to do first, what is due soonest before the rest. */
  courses(): Live<records.CourseCard[]>;
}

/** Taking a quiz: each resolves when it is journalled, and reaches the server through the outbox. */
export interface QuizActions {
  /** Begins an attempt; one that was open ends and keeps its answers. Returns the (temporary) sessionid. */
  beginQuiz(place: records.QuizPlace): Promise<string>;
  saveAnswers(sessionid: string, answers: SurveyAnswers): Promise<void>;
  submitAnswers(sessionid: string, answers: SurveyAnswers): Promise<void>;
  cancelQuiz(sessionid: string): Promise<void>;
  /** Answers that the server refused: handed in as an attempt of their own. Returns its sessionid. */
  handInAnew(callid: string): Promise<string>;
}

/** What authors, team owners and administrators do about training. It needs the network: each asks the server and throws its `Problem`. */
export interface TrainingServerActions {
  /** Correct answers included, for those who manage quizzes. */
  readSurvey(quizid: number): Promise<SurveyJson>;
  importQuiz(quiz: { title?: string; passing_score: number; surveyjs: SurveyJson }): Promise<Quiz>;
  /** Returns which were deleted; those in use are kept. */
  removeQuizzes(quizids: number[]): Promise<{ deleted: number[]; kept: number[] }>;
  /** Attaches the present version of a quiz as a new revision of the guide; null takes it off. */
  attachQuiz(guideid: string, quizid: number | null): Promise<void>;
  /** Sessions that the person sees, the latest first. */
  listSessions(filter: { query?: string; quizid?: number }): Promise<QuizSession[]>;
  readSubmission(sessionid: number): Promise<QuizSubmission>;

  listCourses(): Promise<Course[]>;
  saveCourse(courseid: number | null, course: NewCourse): Promise<Course>;
  removeCourse(courseid: number): Promise<void>;
  listAssignments(courseid: number): Promise<CourseAssignment[]>;
  assignCourse(
    courseid: number,
    whom: { teamid?: number; userid?: number; due_date: number | null },
  ): Promise<CourseAssignment>;
  unassignCourse(courseid: number, course_assignmentid: number): Promise<void>;
  courseCompletions(courseid: number): Promise<CourseProgress[]>;

  /** Modules with a current version; for those who manage modules, those with a draft alone too. */
  listModules(): Promise<TrainingModule[]>;
  moduleImports(moduleid: number): Promise<TrainingImport[]>;
  moduleUsage(moduleid: number): Promise<TrainingUsage[]>;
  /** Begins an import of a new module (by its title) or of a new version (by its number). */
  beginImport(of: { title: string } | { external_training_moduleid: number }): Promise<TrainingImport>;
  importFromAddress(importid: number, url: string): Promise<TrainingImport>;
  importFromFile(importid: number, file: Blob): Promise<TrainingImport>;
  /** Null: it is over. */
  importProgress(importid: number): Promise<ImportProgress | null>;
  readImport(importid: number): Promise<TrainingImport>;
  cancelImport(importid: number): Promise<TrainingImport>;
  makeCurrent(moduleid: number, importid: number): Promise<TrainingModule>;
  makeDraft(moduleid: number, importid: number): Promise<TrainingModule>;
  /** Deletes a version, or a module with all its versions; what people achieved stays. */
  removeImport(importid: number): Promise<void>;
  removeModule(moduleid: number): Promise<void>;
  previewImport(importid: number): Promise<TrainingPlayer>;
  playModule(moduleid: number): Promise<TrainingPlayer>;
}
