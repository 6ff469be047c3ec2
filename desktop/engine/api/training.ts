import type { NewCourse } from '#shared/api/courses.ts';
import type { Course, CourseAssignment, CourseProgress } from '#shared/model/course.ts';
import type { Quiz, QuizSession, QuizSubmission, SurveyJson } from '#shared/model/quiz.ts';
import type {
  ImportProgress,
  TrainingImport,
  TrainingModule,
  TrainingPlayer,
  TrainingUsage,
} from '#shared/model/training.ts';

import type { Live } from './engine.ts';
import type * as records from './training-records.ts';

/** Live reads of courses, from what is on this device. */
export interface TrainingViews {
  /** The courses that the person has to take: open ones first, by due date. */
  courses(): Live<records.CourseCard[]>;
}

/** Management of training by authors, team owners and administrators. It needs the network: each call asks the server and throws its `Problem`. */
export interface TrainingServerActions {
  /** A quiz with its correct answers, for people who manage quizzes. */
  readSurvey(quizid: number): Promise<SurveyJson>;
  importQuiz(quiz: { title?: string; passing_score: number; surveyjs: SurveyJson }): Promise<Quiz>;
  /** Deletes quizzes that are not in use; returns which were deleted and which were kept. */
  removeQuizzes(quizids: number[]): Promise<{ deleted: number[]; kept: number[] }>;
  /** Attaches the present version of a quiz as a new revision of the guide; null detaches it. */
  attachQuiz(guideid: string, quizid: number | null): Promise<void>;
  /** Sessions that the person may see, latest first. */
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

  /** Modules with a current version; for people who manage modules, also those with only a draft. */
  listModules(): Promise<TrainingModule[]>;
  moduleImports(moduleid: number): Promise<TrainingImport[]>;
  moduleUsage(moduleid: number): Promise<TrainingUsage[]>;
  /** Begins an import of a new module (by its title) or of a new version (by its number). */
  beginImport(of: { title: string } | { external_training_moduleid: number }): Promise<TrainingImport>;
  importFromAddress(importid: number, url: string): Promise<TrainingImport>;
  importFromFile(importid: number, file: Blob): Promise<TrainingImport>;
  /** Progress of an import; null: it has ended. */
  importProgress(importid: number): Promise<ImportProgress | null>;
  readImport(importid: number): Promise<TrainingImport>;
  cancelImport(importid: number): Promise<TrainingImport>;
  makeCurrent(moduleid: number, importid: number): Promise<TrainingModule>;
  makeDraft(moduleid: number, importid: number): Promise<TrainingModule>;
  /** Deletes a version, or a module with all its versions; results of people stay. */
  removeImport(importid: number): Promise<void>;
  removeModule(moduleid: number): Promise<void>;
  previewImport(importid: number): Promise<TrainingPlayer>;
  playModule(moduleid: number): Promise<TrainingPlayer>;
}
