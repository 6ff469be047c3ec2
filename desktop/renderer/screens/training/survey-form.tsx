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

// SurveyJS writes its icons into the page; what authors write is never markup here, as everywhere in the app.
trustOwnMarkup(SvgRegistry.iconsRenderedHtml());
// SurveyJS hands over what a question is drawn from, and calls it a name.
ReactQuestionFactory.Instance.registerQuestion('html', (props: string | { question: QuestionHtmlModel }) =>
  typeof props === 'string' ? <></> : <RichHtml html={htmlOf(props.question)} />,
);

/** Holds an answer against a pattern only where that cannot stop the app; the answer is taken as it is otherwise. */
class BoundedRegexValidator extends RegexValidator {
  override validate(value: unknown, name?: string, properties?: object): ValidatorResult {
    const isBounded = String(value).length <= longestMatchedText && !isCostlyPattern(String(this.regex));
    // SurveyJS itself says so of what no pattern stands against.
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
  /** Some moments after the last answer. */
  onSave: (answers: SurveyAnswers) => void;
  onSubmit: (answers: SurveyAnswers) => void;
}

/** How long typing may pause before it is saved, ms. */
const pauseMs = 600;

/** A quiz to answer, by SurveyJS in the app's own colours. */
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
      // Whoever leaves in the middle of a word keeps the word.
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
