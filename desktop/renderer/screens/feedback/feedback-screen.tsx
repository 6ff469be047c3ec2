import { MessageSquareWarning } from 'lucide-react';

import type { FeedbackTask } from '#desktop/engine/api/feedback-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { Shortened } from '#desktop/renderer/ui/shortened.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { Page } from '../shell/page.tsx';
import { CloseButton } from './close-dialog.tsx';
import { doneWords, reasonName } from './feedback-words.ts';
import styles from './feedback.module.css';

/** Most tasks of a list that are shown until the person asks for all. */
const mostShown = 20;

/** Feedback on guides that this person may edit: their tasks, those of other authors, and what is done. */
export function FeedbackScreen() {
  const all = useLive('feedback');
  const open = all.filter(({ done }) => done === null);
  return (
    <Page title={text.feedback.title} lead={text.feedback.lead}>
      {all.length === 0 ? (
        <EmptyState icon={<MessageSquareWarning />} title={text.feedback.none}>
          {text.feedback.noneHint}
        </EmptyState>
      ) : (
        <div className={classNames(styles, 'page')}>
          <Tasks title={text.feedback.yours} tasks={open.filter(({ mine }) => mine)} />
          <Tasks title={text.feedback.others} tasks={open.filter(({ mine }) => !mine)} />
          <Tasks title={text.feedback.closed} tasks={all.filter(({ done }) => done !== null)} />
        </div>
      )}
    </Page>
  );
}

function Tasks({ title, tasks }: { title: string; tasks: readonly FeedbackTask[] }) {
  if (tasks.length === 0) return null;
  return (
    <Section title={title} count={tasks.length}>
      <Shortened all={tasks} most={mostShown}>
        {(shown) => (
          <RowList>
            {shown.map((task) => (
              <Task key={task.commentid} task={task} />
            ))}
          </RowList>
        )}
      </Shortened>
    </Section>
  );
}

/** The guide and the step that feedback is about. */
function placeOf({ guideTitle, stepNumber, stepTitle }: FeedbackTask): string {
  if (stepNumber === null) return guideTitle;
  return text.feedback.place(guideTitle, text.player.numberedStep(stepNumber, stepTitle));
}

function Task({ task }: { task: FeedbackTask }) {
  const now = useNow();
  const since = formatSince(task.at, now);
  const from = task.own ? text.feedback.fromYou(since) : text.feedback.from(task.username, since);
  const facts = [from, ...(task.pending ? [text.app.savedOnDevice] : [])];
  const done = doneWords(task, now);
  return (
    <ListRow
      end={
        <>
          <Badge tone={task.reason === 'unsafe' && task.done === null ? 'danger' : 'neutral'}>
            {reasonName(task.reason)}
          </Badge>
          {task.done === null ? (
            <CloseButton task={task} place={placeOf(task)} />
          ) : (
            <ReopenButton task={task} />
          )}
        </>
      }
    >
      <RowTitle as="heading" href={`/guides/${task.guideid}/edit#s${encodeURIComponent(task.stepKey)}`}>
        {placeOf(task)}
      </RowTitle>
      <Note>{facts.join(' · ')}</Note>
      {task.words.length > 0 && (
        <ul className={classNames(styles, 'words')}>
          {task.words.map(({ id, own, username, text: words }) => (
            <li key={id}>{text.feedback.says(own ? text.feedback.you : username, words)}</li>
          ))}
        </ul>
      )}
      {done !== null && <Note>{done}</Note>}
    </ListRow>
  );
}

function ReopenButton({ task }: { task: FeedbackTask }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  return (
    <Button
      label={text.feedback.reopenAbout(placeOf(task))}
      onPress={() => act(() => actions.reopenFeedback(task.commentid))}
      isPending={busy}
    >
      {text.feedback.reopen}
    </Button>
  );
}
