import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';

import type { DeviceCheck } from '#desktop/engine/api/sync-records.ts';
import type { ImportedWork, ExportedWork } from '#desktop/engine/api/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { saveFile } from '#desktop/renderer/platform/save-file.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Disclosure } from '#desktop/renderer/ui/disclosure.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction, errorMessage } from '#desktop/renderer/use-async-action.ts';

import styles from './device-tools.module.css';

const words = text.sync.device;

/** Tools to check and export the data of this device. */
export function DeviceTools() {
  return (
    <div className={classNames(styles, 'place')}>
      <Disclosure summary={words.title}>
        <div className={classNames(styles, 'tools')}>
          <ExportWaiting hint={words.exportHint} />
          <ImportWaiting />
          <CheckDevice />
          <SupportLog />
        </div>
      </Disclosure>
    </div>
  );
}

/** Button that exports all waiting work as a file. `hint`: its purpose on this screen. */
export function ExportWaiting({ hint }: { hint: string }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [result, setResult] = useState<ExportedWork | null>(null);
  return (
    <section className={classNames(styles, 'tool')}>
      <p>{hint}</p>
      <div>
        <Button
          onPress={() => act(async () => setResult(await actions.exportWaiting(words.export)))}
          isPending={busy}
        >
          {words.export}
        </Button>
      </div>
      {result !== null && (
        <Notice tone={result.left > 0 ? 'warn' : 'info'} title={words.exported(result.calls + result.drafts)}>
          {result.left > 0 && words.left(result.left)}
        </Notice>
      )}
    </section>
  );
}

function ImportWaiting() {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [outcome, setOutcome] = useState<{ result: ImportedWork } | { failure: string } | null>(null);
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    setOutcome(null);
    act(async () => {
      try {
        setOutcome({ result: await actions.importWaiting(file) });
      } catch (error) {
        setOutcome({ failure: errorMessage(error) });
      }
    });
  };
  return (
    <section className={classNames(styles, 'tool')}>
      <p>{words.importHint}</p>
      <div>
        <FileTrigger acceptedFileTypes={['.jsonl']} onSelect={(files) => take(files?.[0])}>
          <Button isPending={busy}>{words.import}</Button>
        </FileTrigger>
      </div>
      {outcome !== null && 'failure' in outcome && (
        <Notice tone="danger" title={words.importFailed}>
          {outcome.failure}
        </Notice>
      )}
      {outcome !== null && 'result' in outcome && <Imported {...outcome.result} />}
    </section>
  );
}

function Imported({ calls, drafts, known, unreadable, isCut }: ImportedWork) {
  const sentences = [
    ...(known > 0 ? [words.known(known)] : []),
    ...(unreadable > 0 ? [words.unreadable(unreadable)] : []),
    ...(isCut ? [words.cut] : []),
  ];
  const isWhole = unreadable === 0 && !isCut;
  return (
    <Notice tone={isWhole ? 'info' : 'warn'} title={words.imported(calls + drafts)}>
      {sentences.join(' ')}
    </Notice>
  );
}

function SupportLog() {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  return (
    <section className={classNames(styles, 'tool')}>
      <p>{words.logHint}</p>
      <div>
        <Button onPress={() => act(async () => saveFile(await actions.supportLog()))} isPending={busy}>
          {words.log}
        </Button>
      </div>
    </section>
  );
}

function CheckDevice() {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [result, setResult] = useState<DeviceCheck | null>(null);
  const check = () => {
    setResult(null);
    return act(async () => setResult(await actions.checkDevice()));
  };
  return (
    <section className={classNames(styles, 'tool')}>
      <p>{words.checkHint}</p>
      <div>
        <Button onPress={check} isPending={busy}>
          {words.check}
        </Button>
      </div>
      {result !== null && <CheckResult {...result} />}
    </section>
  );
}

function CheckResult({ records, differences }: DeviceCheck) {
  if (differences.length === 0) return <Notice tone="info" title={words.equal(records)} />;
  return (
    <Notice tone="warn" title={words.mended(differences.length, records)}>
      <ul>
        {differences.slice(0, mostListed).map(({ c, id, kind, title }) => (
          <li key={`${c}/${id}`}>{words.differences[kind](title === '' ? words.record : title)}</li>
        ))}
        {differences.length > mostListed && <li>{words.more(differences.length - mostListed)}</li>}
      </ul>
    </Notice>
  );
}

/** Maximum number of names that are listed. */
const mostListed = 20;
