import { ListTodo } from 'lucide-react';

import type { Actions } from '#desktop/engine/engine.ts';
import { jobsText } from '#desktop/renderer/text/en/jobs.ts';
import { formatNumber, formatSince } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { useNow } from '#desktop/renderer/use-now.ts';
import type { SiteJob } from '#shared/model/site.ts';

import { AdminPage } from '../site/admin-page.tsx';
import { useServerValue } from '../site/use-server-value.ts';

const listJobs = (actions: Actions) => actions.listJobs();

const tones: Record<SiteJob['state'], Tone> = {
  waiting: 'neutral',
  running: 'accent',
  done: 'ok',
  failed: 'danger',
  cancelled: 'neutral',
};

/**
 * The jobs of the server.
 *
 * - ADMIN-11 Administrators read what the server does in the background, for whom, how far it is, and why it failed.
 */
export function JobsScreen() {
  const from = useServerValue(listJobs);
  const now = useNow();
  return (
    <AdminPage
      title={jobsText.title}
      lead={jobsText.lead}
      from={from}
      failedTitle={jobsText.failed}
      actions={<Button onPress={from.reload}>{jobsText.refresh}</Button>}
    >
      {(jobs) =>
        jobs.length === 0 ? (
          <EmptyState icon={<ListTodo />} title={jobsText.none}>
            {jobsText.noneHint}
          </EmptyState>
        ) : (
          <RowList>
            {jobs.map((job) => (
              <ListRow
                key={job.jobid}
                icon={<ListTodo />}
                end={<Badge tone={tones[job.state]}>{jobsText.states[job.state]}</Badge>}
              >
                <RowTitle>{jobsText.kinds[job.kind] ?? job.kind}</RowTitle>
                <Note>{factsOf(job, now)}</Note>
                {job.error !== null && <p>{refusedWords(job.error)}</p>}
              </ListRow>
            ))}
          </RowList>
        )
      }
    </AdminPage>
  );
}

function factsOf({ state, username, done, of, created_date, finished_date }: SiteJob, now: number): string {
  return [
    finished_date === null
      ? jobsText.began(formatSince(created_date * 1000, now))
      : jobsText.ended(formatSince(finished_date * 1000, now)),
    username === null ? jobsText.server : jobsText.by(username),
    state === 'running' && of > 0 ? jobsText.progress(formatNumber(done), formatNumber(of)) : '',
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
}
