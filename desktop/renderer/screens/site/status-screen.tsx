import type { Actions } from '#desktop/engine/engine.ts';
import type { ServerStatus } from '#shared/model/site.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatBytes, formatDate, formatEstimate, formatNumber } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Note } from '#desktop/renderer/ui/note.tsx';

import settingsStyles from '../settings/settings-screen.module.css';
import { AdminPage } from './admin-page.tsx';
import { Backups } from './backups-card.tsx';
import styles from './status.module.css';
import { useServerValue } from './use-server-value.ts';

const words = text.serverStatus;
const tones: Record<ServerStatus['findings'][number]['level'], Tone> = {
  ok: 'ok',
  warning: 'warn',
  error: 'danger',
};

const readStatus = (actions: Actions) => actions.readStatus();
const time = (seconds: number) => formatDate(seconds * 1000);
const daySeconds = 86_400;

/** From two days on in whole days. */
function age(seconds: number): string {
  const days = Math.round(seconds / daySeconds);
  return formatEstimate(days >= 2 ? days * daySeconds : Math.max(60, seconds));
}

/** The state of the server, for administrators. */
export function StatusScreen() {
  const from = useServerValue(readStatus);
  return (
    <AdminPage
      title={words.title}
      lead={words.lead}
      from={from}
      failedTitle={words.failed}
      actions={<Button onPress={from.reload}>{words.refresh}</Button>}
    >
      {(status) => (
        <div className={classNames(settingsStyles, 'settings')}>
          <Checks findings={status.findings} />
          <Backups backup={status.backup} />
          <Devices devices={status.devices} />
          <SectionCard title={words.jobs}>
            {status.jobs.length === 0 && <p>{words.noJobs}</p>}
            {status.jobs.map(({ kind, state, count }) => (
              <p key={`${kind} ${state}`}>{words.job(kind, formatNumber(count), words.jobStates[state])}</p>
            ))}
          </SectionCard>
          <SectionCard title={words.server}>
            <p>{words.version(status.program)}</p>
            <p>{words.since(time(status.started_date))}</p>
            <p>
              {words.sizes(
                formatBytes(status.database_size),
                formatBytes(status.free_size),
                formatBytes(status.memory_size),
              )}
            </p>
          </SectionCard>
        </div>
      )}
    </AdminPage>
  );
}

function Checks({ findings }: Pick<ServerStatus, 'findings'>) {
  const problems = findings.filter(({ level }) => level !== 'ok').length;
  return (
    <SectionCard title={words.checks}>
      <p>{problems === 0 ? words.allWell : words.problems(problems)}</p>
      <ul className={classNames(styles, 'checks')}>
        {findings.map(({ check, level, message, advice }) => (
          <li key={`${check} ${message}`} className={classNames(styles, 'check')}>
            <Badge tone={tones[level]} look="dot">
              {words.levels[level]}
            </Badge>
            <div>
              <p>{refusedWords(message)}</p>
              {advice !== null && <Note>{refusedWords(advice)}</Note>}
            </div>
          </li>
        ))}
      </ul>
      <Note>{words.doctor}</Note>
    </SectionCard>
  );
}

function Devices({ devices }: Pick<ServerStatus, 'devices'>) {
  const { connected, current, behind, waiting, oldest_seconds } = devices;
  return (
    <SectionCard title={words.devices}>
      <ul className={classNames(styles, 'facts')}>
        <li>{words.connected(formatNumber(connected))}</li>
        <li>{words.current(formatNumber(current))}</li>
        <li>{words.behind(formatNumber(behind))}</li>
      </ul>
      <p>{oldest_seconds === null ? words.nothingWaits : words.waits(waiting, age(oldest_seconds))}</p>
      <Note>{words.devicesHint}</Note>
    </SectionCard>
  );
}
