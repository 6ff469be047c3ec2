import { useEffect, useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import type { TrainingImport } from '#shared/model/training.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { moduleText } from '#desktop/renderer/text/en/courses.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { ProgressBar } from '#desktop/renderer/ui/progress-bar.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction, errorMessage } from '#desktop/renderer/use-async-action.ts';

import styles from './training.module.css';

type Run =
  | { state: 'running'; progress: number; message: string }
  | { state: 'over'; import: TrainingImport }
  | { state: 'unknown'; message: string };

/** Interval at which the server is asked for progress, ms. */
const pollMs = 1000;

async function ask(actions: Actions, importid: number): Promise<Run> {
  const progress = await actions.importProgress(importid);
  if (progress !== null) return { state: 'running', progress: progress.progress, message: progress.message };
  return { state: 'over', import: await actions.readImport(importid) };
}

/** Progress and result of an import. The server continues when this is closed. */
export function ImportRun({ importid, onClose }: { importid: number; onClose: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [run, setRun] = useState<Run>({ state: 'running', progress: 0, message: '' });
  const isRunning = run.state === 'running';
  useEffect(() => {
    if (!isRunning) return;
    let isHere = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      const next = await ask(actions, importid).catch((error: unknown): Run => ({
        state: 'unknown',
        message: errorMessage(error),
      }));
      if (!isHere) return;
      setRun(next);
      timer = setTimeout(() => void look(), pollMs);
    };
    void look();
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [actions, importid, isRunning]);
  return (
    <Stack>
      <div role="status">
        <Words run={run} />
      </div>
      <div className={classNames(styles, 'bar')}>
        {run.state === 'running' ? (
          <Button
            isPending={busy}
            onPress={() =>
              act(async () => setRun({ state: 'over', import: await actions.cancelImport(importid) }))
            }
          >
            {moduleText.cancelImport}
          </Button>
        ) : (
          <Ending run={run} onClose={onClose} />
        )}
      </div>
    </Stack>
  );
}

/**
 * What can be done after an import.
 *
 * - TRAINING-UI-1 An import ends with "Publish", since until then nobody can take the version.
 */
function Ending({ run, onClose }: { run: Run; onClose: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  if (run.state !== 'over' || run.import.status !== 'complete' || run.import.is_current)
    return (
      <Button tone="primary" onPress={onClose}>
        {text.app.close}
      </Button>
    );
  const { external_training_moduleid: moduleid, importid } = run.import;
  return (
    <>
      <Button onPress={onClose}>{moduleText.later}</Button>
      <Button
        tone="primary"
        isPending={busy}
        onPress={() =>
          act(async () => {
            await actions.makeCurrent(moduleid, importid);
            showToast(moduleText.published);
            onClose();
          })
        }
      >
        {moduleText.publish}
      </Button>
    </>
  );
}

function Words({ run }: { run: Run }) {
  if (run.state === 'running')
    return (
      <ProgressBar label={moduleText.progress(refusedWords(run.message))} value={run.progress} of={100} />
    );
  if (run.state === 'unknown') return <Notice tone="warn" title={refusedWords(run.message)} />;
  const { status, message, is_current } = run.import;
  if (status === 'error')
    return (
      <Notice tone="danger" title={moduleText.statuses.error}>
        {refusedWords(message ?? '')}
      </Notice>
    );
  return (
    <Notice tone="info" title={moduleText.statuses[status]}>
      {status === 'complete' && !is_current && moduleText.publishHint}
    </Notice>
  );
}
