import { ListChecks } from 'lucide-react';
import { Link } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Panel, PanelList, panelItem, panelNote } from '#desktop/renderer/ui/panel.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { useLearns } from '../training/training-page.tsx';

/** Panel with the quizzes of a guide and the person's results. */
export function GuideQuizzes({ guideid }: { guideid: string }) {
  const quizzes = useQuizzes(guideid);
  if (quizzes.length === 0) return null;
  return (
    <Panel title={text.quizzes.ofGuide}>
      <PanelList>
        {quizzes.map(({ quizid, title, questions, latest }) => (
          <li key={quizid}>
            <Link className={panelItem} href={`/guides/${guideid}/quizzes/${quizid}`}>
              <span>{title}</span>
              <span className={panelNote}>
                {latest === null ? text.quizzes.questions(questions) : text.quizzes.states[latest.state]}
              </span>
            </Link>
          </li>
        ))}
      </PanelList>
    </Panel>
  );
}

/** After the last step: link to the first quiz that the person has not passed. */
export function QuizAfterGuide({ guideid }: { guideid: string }) {
  const quizzes = useQuizzes(guideid);
  const next = quizzes.find(({ latest }) => latest?.state !== 'passed') ?? quizzes[0];
  if (next === undefined) return null;
  return (
    <ButtonLink
      tone="primary"
      icon={<ListChecks aria-hidden="true" />}
      href={`/guides/${guideid}/quizzes/${next.quizid}`}
    >
      {text.quizzes.takeQuiz(next.title)}
    </ButtonLink>
  );
}

function useQuizzes(guideid: string) {
  const quizzes = useLiveSoon('guideQuizzes', guideid);
  const learns = useLearns();
  return learns && quizzes !== undefined ? quizzes : [];
}
