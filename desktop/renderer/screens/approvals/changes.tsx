import { useCallback } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import { useServerValue } from '../site/use-server-value.ts';
import { FromServer } from '../training/from-server.tsx';
import styles from './approvals.module.css';
import { Difference } from '../history/difference.tsx';

/** The changes of the requested version against the published one. */
export function Changes({ requestid }: { requestid: number }) {
  return (
    <section className={classNames(styles, 'group')}>
      <h2>{text.approvals.changes}</h2>
      <Compared requestid={requestid} />
    </section>
  );
}

function Compared({ requestid }: { requestid: number }) {
  const read = useCallback(
    async (actions: Actions) => ({ difference: await actions.compareApproval(requestid) }),
    [requestid],
  );
  const from = useServerValue(read);
  return <FromServer from={from}>{({ difference }) => <Difference difference={difference} />}</FromServer>;
}
