import { FileSignature } from 'lucide-react';
import { useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { ApprovalProcess } from '#shared/model/approval.ts';

import { AdminPage } from '../site/admin-page.tsx';
import { useServerValue } from '../site/use-server-value.ts';
import styles from './approvals.module.css';
import { Categories } from './categories.tsx';
import { ProcessEditor } from './process-editor.tsx';

const listProcesses = (actions: Actions) => actions.listProcesses();

/** The approval processes of the site. */
export function ProcessesScreen() {
  const from = useServerValue(listProcesses);
  const [isNew, setIsNew] = useState(false);
  const done = () => {
    setIsNew(false);
    from.reload();
  };
  return (
    <AdminPage title={text.approvals.settings} lead={text.approvals.settingsLead} from={from}>
      {(processes) => (
        <div className={classNames(styles, 'page')}>
          {processes.length === 0 && !isNew && (
            <EmptyState icon={<FileSignature />} title={text.approvals.noProcesses}>
              {text.approvals.noProcessesHint}
            </EmptyState>
          )}
          {processes.map((process) => (
            <ProcessCard key={process.approval_processid} process={process} onChanged={from.reload} />
          ))}
          {isNew ? (
            <Card as="section" pad="roomy">
              <ProcessEditor process={null} onDone={done} onStale={from.reload} />
            </Card>
          ) : (
            <div>
              <Button tone="primary" onPress={() => setIsNew(true)}>
                {text.approvals.newProcess}
              </Button>
            </div>
          )}
        </div>
      )}
    </AdminPage>
  );
}

function ProcessCard({ process, onChanged }: { process: ApprovalProcess; onChanged: () => void }) {
  const [isEdited, setIsEdited] = useState(false);
  const nameOf = useSignerNames();
  const done = () => {
    setIsEdited(false);
    onChanged();
  };
  return (
    <Card as="section" pad="roomy">
      {isEdited ? (
        <ProcessEditor process={process} onDone={done} onStale={onChanged} />
      ) : (
        <Stack>
          <h2>{process.name}</h2>
          {process.description !== '' && <p>{process.description}</p>}
          <ol className={classNames(styles, 'stages')}>
            {process.stages.map((stage) => (
              <li key={stage.approval_stageid} className={classNames(styles, 'stage')}>
                <strong>{text.approvals.stage(stage.orderby, stage.name)}</strong>
                <span className={classNames(styles, 'note')}>
                  {`${text.approvals.meanings[stage.meaning]} · ${text.approvals.needs(stage.required_approvals, nameOf(stage))}`}
                </span>
              </li>
            ))}
          </ol>
          <Categories process={process} onChanged={onChanged} />
          <div>
            <Button onPress={() => setIsEdited(true)}>{text.approvals.edit}</Button>
          </div>
        </Stack>
      )}
    </Card>
  );
}

/** Returns a function that names the people and teams of a stage. */
function useSignerNames(): (stage: { userids: number[]; teamids: number[] }) => string {
  const { people, teams } = useLive('directory');
  return ({ userids, teamids }) =>
    [
      ...people.filter(({ userid }) => userids.includes(userid)),
      ...teams.filter(({ teamid }) => teamids.includes(teamid)),
    ]
      .map(({ name }) => name)
      .join(', ');
}
