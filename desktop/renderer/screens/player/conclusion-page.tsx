import { CircleCheckBig } from 'lucide-react';

import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { Comments } from './comments.tsx';
import styles from './conclusion-page.module.css';
import { QuizAfterGuide } from './guide-quizzes.tsx';

/** The last page of the player: conclusion and next actions. */
export function ConclusionPage({ guide }: { guide: PlayableGuide }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  return (
    <div className={classNames(styles, 'conclusion')}>
      <h1>{text.player.conclusion}</h1>
      {guide.conclusionHtml === '' ? (
        <p>{text.player.noConclusion}</p>
      ) : (
        <RichHtml html={guide.conclusionHtml} size="line" />
      )}
      <Row>
        {guide.archive === null && <QuizAfterGuide guideid={guide.guideid} />}
        {guide.archive === null && (
          <Button
            icon={<CircleCheckBig aria-hidden="true" />}
            onPress={() => act(() => actions.complete(guide.guideid, !guide.completed))}
          >
            {guide.completed ? text.player.completed : text.player.markCompleted}
          </Button>
        )}
        {guide.archive === null ? (
          <ButtonLink href="/">{text.app.toLibrary}</ButtonLink>
        ) : (
          <ButtonLink href={`/archives/${guide.archive.archiveid}`}>{guide.archive.title}</ButtonLink>
        )}
      </Row>
      {guide.archive === null && (
        <Comments context="guide" contextid={guide.guideid} comments={guide.comments} />
      )}
    </div>
  );
}
