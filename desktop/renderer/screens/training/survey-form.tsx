import 'survey-core/survey-core.fontless.css';
import './survey-form.css';

import { useEffect, useEffectEvent, useState } from 'react';
import {
  type LocalizableString,
  Model,
  type QuestionHtmlModel,
  RegexValidator,
  Serializer,
  SvgRegistry,
  type ValidatorResult,
} from 'survey-core';
import { ReactQuestionFactory, Survey } from 'survey-react-ui';

import type { SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';
import { isCostlyPattern, longestMatchedText } from '#shared/rules/pattern-effort.ts';
import { trustOwnMarkup } from '#desktop/renderer/platform/trusted-types.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';

// SurveyJS inserts its icons as markup. Texts of authors never become markup.
trustOwnMarkup(SvgRegistry.iconsRenderedHtml());
// SurveyJS passes the question itself, although the type says that it is a name.
ReactQuestionFactory.Instance.registerQuestion('html', (props: string | { question: QuestionHtmlModel }) =>
  typeof props === 'string' ? <></> : <RichHtml html={htmlOf(props.question)} />,
);

/**
 * Matches an answer against a pattern only if the answer is short enough not to block the app; otherwise the answer
 * is accepted.
 */
class BoundedRegexValidator extends RegexValidator {
  override validate(value: unknown, name?: string, properties?: object): ValidatorResult {
    const isBounded = String(value).length <= longestMatchedText && !isCostlyPattern(String(this.regex));
    // SurveyJS itself returns null for answers without errors.
    return isBounded ? super.validate(value, name, properties) : (null as unknown as ValidatorResult);
  }
}
Serializer.overrideClassCreator('regexvalidator', () => new BoundedRegexValidator());

function htmlOf(question: QuestionHtmlModel): string {
  const { renderedHtml } = question['locHtml'] as LocalizableString;
  return renderedHtml;
}

interface SurveyFormProps {
  survey: SurveyJson;
  answers: SurveyAnswers;
  /** Called shortly after the last change. */
  onSave: (answers: SurveyAnswers) => void;
  onSubmit: (answers: SurveyAnswers) => void;
}

/** Pause in typing after which the answers are saved, ms. */
const pauseMs = 600;

/** A quiz form by SurveyJS, in the colours of the app. */
export function SurveyForm({ survey, answers, onSave, onSubmit }: SurveyFormProps) {
  const [model] = useState(() => modelOf(survey, answers));
  const save = useEffectEvent(onSave);
  const submit = useEffectEvent(onSubmit);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const saveNow = (): void => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      save(answersOf(model));
    };
    const changed = (): void => {
      clearTimeout(timer);
      timer = setTimeout(saveNow, pauseMs);
    };
    const completed = (): void => {
      clearTimeout(timer);
      timer = undefined;
      submit(answersOf(model));
    };
    model.onValueChanged.add(changed);
    model.onComplete.add(completed);
    window.addEventListener('pagehide', saveNow);
    return () => {
      model.onValueChanged.remove(changed);
      model.onComplete.remove(completed);
      window.removeEventListener('pagehide', saveNow);
      // Saves what was typed last when the form is left.
      saveNow();
    };
  }, [model]);
  return <Survey model={model} />;
}

function modelOf(survey: SurveyJson, answers: SurveyAnswers): Model {
  const model = new Model(structuredClone(survey));
  model.data = structuredClone(answers);
  model.showTitle = false;
  model.showCompletePage = false;
  model.showPreviewBeforeComplete = false;
  model.textUpdateMode = 'onTyping';
  model.completeText = text.quizzes.handIn;
  model.width = '100%';
  return model;
}

function answersOf(model: Model): SurveyAnswers {
  return structuredClone(model.data as SurveyAnswers);
}
