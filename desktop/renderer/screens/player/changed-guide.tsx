import { useState } from 'react';

import type { OrderRevisionView } from '#desktop/engine/areas/order-revisions.ts';
import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { Difference } from '../history/difference.tsx';
import { revisionName, revisionWords } from '../work-orders/revision-words.ts';
import styles from './changed-guide.module.css';

interface ChangedGuideProps {
  order: WorkOrder;
  view: OrderRevisionView;
}

/**
 * Says that the guide changed while the order runs, and lets the person decide. After the decision to keep the earlier
 * revision, a short line offers the change. An order that was planned for a release stays with it (PLANNED-11).
 */
export function ChangedGuide({ order, view }: ChangedGuideProps) {
  const [isOpen, setIsOpen] = useState(false);
  const name = revisionName(view.present);
  if (view.release !== null)
    return (
      <div className={classNames(styles, 'changed')}>
        <Notice tone="info" title={text.revisions.planned(view.release, revisionName(view.bound))}>
          {view.guide === null ? text.revisions.plannedMissing : text.revisions.plannedHint}
        </Notice>
      </div>
    );
  return (
    <div className={classNames(styles, 'changed')}>
      {view.isUndecided ? (
        <Notice
          tone="warn"
          title={text.revisions.changedTitle(name)}
          action={<Button onPress={() => setIsOpen(true)}>{text.revisions.look}</Button>}
        >
          {view.guide === null
            ? text.revisions.missing(revisionName(view.bound))
            : text.revisions.still(revisionName(view.bound))}
        </Notice>
      ) : (
        <Notice
          tone="info"
          title={text.revisions.kept(revisionName(view.bound))}
          action={
            <Button tone="quiet" onPress={() => setIsOpen(true)}>
              {text.revisions.look}
            </Button>
          }
        >
          {text.revisions.newer(name)}
        </Notice>
      )}
      <Dialog
        title={text.revisions.changedTitle(name)}
        size="medium"
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        closeLabel={text.app.close}
      >
        <Decision order={order} view={view} onDecided={() => setIsOpen(false)} />
      </Dialog>
    </div>
  );
}

/** What changed, and the two ways to go on. */
function Decision({ order, view, onDecided }: ChangedGuideProps & { onDecided: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const decide = (decision: 'switch' | 'keep') =>
    act(async () => {
      await actions.decideRevision(order.entryid, decision);
      showToast(text.revisions.decided[decision]);
      onDecided();
    });
  return (
    <Stack>
      <p>{revisionWords(view.present)}</p>
      {view.difference === null ? (
        <p>{text.revisions.noDifference}</p>
      ) : (
        <Difference difference={view.difference} />
      )}
      <p>{text.revisions.valuesStay}</p>
      <Row>
        <Button onPress={() => decide('keep')} isPending={busy}>
          {text.revisions.keep(view.bound.counted?.number ?? null)}
        </Button>
        <Button tone="primary" onPress={() => decide('switch')} isPending={busy}>
          {text.revisions.change(view.present.counted?.number ?? null)}
        </Button>
      </Row>
    </Stack>
  );
}
