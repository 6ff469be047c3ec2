import { useState } from 'react';

import type { DeviceCheck } from '#desktop/engine/views/sync-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Disclosure } from '#desktop/renderer/ui/disclosure.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';

import styles from './device-tools.module.css';

const words = text.sync.device;

/** What helps when somebody doubts that this device is right. */
export function DeviceTools() {
  return (
    <div className={classNames(styles, 'place')}>
      <Disclosure summary={words.title}>
        <div className={classNames(styles, 'tools')}>
          <CheckDevice />
        </div>
      </Disclosure>
    </div>
  );
}

function CheckDevice() {
  const actions = useActions();
  const { act, busy } = useAct();
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

/** More names than this help nobody. */
const mostListed = 20;
