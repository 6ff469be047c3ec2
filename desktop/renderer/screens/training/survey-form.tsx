import 'survey-core/survey-core.fontless.css';
import './survey-form.css';

import { useEffect, useEffectEvent, useState } from 'react';
import { Model } from 'survey-core';
import { Survey } from 'survey-react-ui';

import type { SurveyAnswers, SurveyJson } from '#shared/model/quiz.ts';
import { text } from '#desktop/renderer/text/en.ts';

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
