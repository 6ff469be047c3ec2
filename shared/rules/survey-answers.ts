import type { SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';

import { quizLimits } from './quiz-limits.ts';
import { isRecord, listOf } from './quiz-survey.ts';
import { elementsOf, maximumEntries, repeatedIn, type SurveyRecord } from './survey-elements.ts';

/** Why answers are refused: they have more entries than a question lets people add. Null when none has. */
export function answersFlaw(survey: SurveyJson, answers: SurveyAnswers): string | null {
  for (const element of elementsOf(survey)) {
    const flaw = answerFlaw(element, answers);
    if (flaw !== null) return flaw;
  }
  return null;
}

function answerFlaw(element: SurveyRecord, answers: SurveyRecord): string | null {
  const name = valueNameOf(element);
  const value = Object.hasOwn(answers, name) ? answers[name] : undefined;
  const most = maximumEntries(element);
  if (!Array.isArray(value)) return null;
  if (most === null)
    return value.length > quizLimits.questions
      ? `${name} takes at most ${quizLimits.questions} entries`
      : null;
  if (value.length > most) return `${name} takes at most ${most} entries`;
  for (const entry of value.filter(isRecord))
    for (const inner of repeatedIn(element)) {
      const flaw = answerFlaw(inner, entry);
      if (flaw !== null) return flaw;
    }
  return null;
}

/** The largest possible answers to a survey: every list has all the entries that people may add. */
export function fullestAnswers(survey: SurveyJson): SurveyAnswers {
  return fullest(elementsOf(survey));
}

function fullest(elements: SurveyRecord[]): SurveyRecord {
  return Object.fromEntries(elements.map((element) => [valueNameOf(element), fullestValue(element)]));
}

function fullestValue(element: SurveyRecord): unknown {
  const inner = [...repeatedIn(element), ...listOf(element['columns']).filter(isRecord)];
  const most = maximumEntries(element);
  if (most !== null) return Array.from({ length: most }, () => fullest(inner));
  return element['correctAnswer'] ?? 'x';
}

function valueNameOf(element: SurveyRecord): string {
  return String(element['valueName'] ?? element['name']);
}
