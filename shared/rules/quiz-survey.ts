import type { NewQuestion } from '#shared/api/quizzes.ts';
import type { SurveyJson } from '#shared/model/quiz.ts';

type Json = Record<string, unknown>;

/** Elements of SurveyJS that are no questions. */
const mute = new Set(['html', 'image', 'expression']);

/** The questions of a quiz in order, including those in panels, as the survey stores them (QUIZ-3). */
export function questionsOf(survey: SurveyJson): Json[] {
  const pages = Array.isArray(survey['pages']) ? survey['pages'] : [];
  return [...elementsOf(survey), ...pages.filter(isRecord).flatMap(elementsOf)];
}

function elementsOf(container: Json): Json[] {
  const elements = listOf(container['elements'] ?? container['questions']);
  return elements
    .filter(isRecord)
    .flatMap((element) =>
      element['type'] === 'panel' ? elementsOf(element) : mute.has(String(element['type'])) ? [] : [element],
    );
}

/** The value if it is a list, else an empty list. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a value is an object and no list. */
export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A survey for learners and devices: without any `correctAnswer` (QUIZ-5). */
export function withoutCorrectAnswers(survey: SurveyJson): SurveyJson {
  return stripped(survey) as SurveyJson;
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'correctAnswer')
      .map(([name, inner]) => [name, stripped(inner)]),
  );
}

/** The survey with these questions. A known question gets the new title; others are added at the end (spec; QUIZ-4). */
export function withQuestions(survey: SurveyJson, questions: readonly NewQuestion[]): SurveyJson {
  const next = structuredClone(survey);
  for (const question of questions) {
    const known = questionsOf(next).find((one) => one['name'] === question.vendor_question_uid);
    if (known === undefined) lastElements(next).push(elementOf(question));
    else known['title'] = question.title;
  }
  return next;
}

/** The list to which new questions are added: the elements of the last page. */
function lastElements(survey: SurveyJson): unknown[] {
  const page = listOf(survey['pages']).filter(isRecord).at(-1);
  const container = page ?? survey;
  const name = Array.isArray(container['questions']) ? 'questions' : 'elements';
  const elements = listOf(container[name]);
  container[name] = elements;
  return elements;
}

function elementOf(question: NewQuestion): Json {
  const { vendor_question_uid: name, title, type, choices, correct_answer, is_required } = question;
  return {
    type,
    name,
    title,
    ...(choices === undefined ? {} : { choices }),
    ...(correct_answer === undefined ? {} : { correctAnswer: correct_answer }),
    ...(is_required ? { isRequired: true } : {}),
  };
}

/** The score in percent, rounded down; null when the quiz has no questions that count (QUIZ-8). */
export function scoreOf({ correct, all }: { correct: number; all: number }): number | null {
  return all === 0 ? null : Math.floor((correct * 100) / all);
}

/** Whether a score passes. A quiz without questions that count is passed only if it requires no score (QUIZ-8). */
export function isPassed(score: number | null, passingScore: number): boolean {
  return (score ?? 0) >= passingScore;
}
