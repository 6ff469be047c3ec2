import { FileUp } from 'lucide-react';
import { FileTrigger } from 'react-aria-components';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraft } from '#desktop/renderer/use-form-draft.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { FormNotices } from '../pages/form-notices.tsx';
import { DiscardButton } from './discard-button.tsx';
import { planFileId } from './left-plans.tsx';
import { planColumns, readPlans, type PlanRow } from './plan-csv.ts';
import styles from './planned.module.css';
import { typedCsv, type TypedCsv } from './typed-plan.ts';

const noCsv: TypedCsv = { csv: null };

/** Reads orders from a CSV file, shows what it would plan and which rows have errors, and plans the rows without. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const targets = useLive('planningFor');
  const { guides } = useLive('library', { category: null });
  const releases = useLive('releases');
  const { user } = useLive('session');
  const draft = useFormDraft({
    id: planFileId(user?.userid),
    schema: typedCsv,
    start: noCsv,
  });
  const { csv } = draft.text;
  const { rows, fault } =
    csv === null ? { rows: [], fault: null } : readPlans(csv, { guides, releases, targets });
  const plans = rows.flatMap(({ plan }) => plan ?? []);
  const choose = (files: FileList | null) =>
    act(async () => {
      const file = files?.item(0);
      if (file) draft.change({ csv: await file.text() });
    });
  const plan = () =>
    act(async () => {
      await actions.planOrders(plans);
      draft.forget();
      onClose();
    });
  return (
    <Dialog
      title={text.planned.csv.title}
      size="medium"
      isOpen
      onClose={onClose}
      closeLabel={text.app.close}
      actions={
        <>
          <DiscardButton draft={draft} onClose={onClose} />
          <Button tone="primary" onPress={plan} isPending={busy} isDisabled={plans.length === 0}>
            {text.planned.csv.plan(plans.length)}
          </Button>
        </>
      }
    >
      <Stack>
        <FormNotices typed={draft} />
        <p>{text.planned.csv.hint(planColumns.join(', '))}</p>
        <FileTrigger acceptedFileTypes={['.csv', 'text/csv']} onSelect={choose}>
          <Button icon={<FileUp aria-hidden="true" />}>{text.planned.csv.choose}</Button>
        </FileTrigger>
        {fault !== null && <Notice tone="danger" title={fault} />}
        <Faults rows={rows.filter(({ errors }) => errors.length > 0)} />
        <Preview rows={rows} />
      </Stack>
    </Dialog>
  );
}

/** The rows with errors, and what is wrong with each. */
function Faults({ rows }: { rows: readonly PlanRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Notice tone="warn" title={text.planned.csv.faults(rows.length)}>
      <ul>
        {rows.map(({ line, errors }) => (
          <li key={line}>{text.planned.csv.fault(line, errors.join(' '))}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** What is planned. */
function Preview({ rows }: { rows: readonly PlanRow[] }) {
  const { people, teams } = useLive('planningFor');
  const { guides } = useLive('library', { category: null });
  const titles = new Map(guides.map(({ guideid, title }) => [guideid, title]));
  const plans = rows.flatMap(({ line, plan }) => (plan === null ? [] : [{ line, ...plan }]));
  if (plans.length === 0) return null;
  return (
    <div className={classNames(styles, 'preview')}>
      <table>
        <caption>{text.planned.csv.preview}</caption>
        <thead>
          <tr>
            <th scope="col">{text.planned.number}</th>
            <th scope="col">{text.planned.guide}</th>
            <th scope="col">{text.planned.who}</th>
            <th scope="col">{text.planned.day}</th>
            <th scope="col">{text.planned.priority}</th>
          </tr>
        </thead>
        <tbody>
          {plans.map(({ line, workorderid, guideid, assignee, due, priority }) => (
            <tr key={line}>
              <th scope="row">{workorderid}</th>
              <td>{titles.get(guideid)}</td>
              <td>
                {assignee.kind === 'team'
                  ? teams.find(({ teamid }) => teamid === assignee.id)?.name
                  : people.find(({ userid }) => userid === assignee.id)?.username}
              </td>
              <td>{due === null ? text.planned.noDue : formatDate(due)}</td>
              <td>{text.planned.priorities[priority]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
