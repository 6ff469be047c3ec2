import type { ArchivedIn, ReleaseView, WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink, Button } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useNow } from '#desktop/renderer/use-now.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Panel, panelNote } from '#desktop/renderer/ui/panel.tsx';

import { guideHref } from '../library/guide-address.ts';

/** A prerequisite as it was released: who asks for that, and the way to the guide as it is now. */
export function ReleaseNote({ guideid, release }: { guideid: string; release: ReleaseView }) {
  return (
    <Notice
      tone="info"
      title={text.player.releaseTitle(release.title)}
      action={<ButtonLink href={guideHref(guideid)}>{text.player.openPresent}</ButtonLink>}
    >
      {text.player.releaseHint(release.by.title)}
    </Notice>
  );
}

/** A guide of an archive that is in the library too: the same thing, and the better place for work. */
export function ArchiveNote({ archive: { same } }: { archive: ArchivedIn }) {
  if (same === null) return null;
  return (
    <Notice
      tone="info"
      title={text.archives.inLibrary}
      action={<ButtonLink href={`/guides/${same}`}>{text.archives.openInLibrary}</ButtonLink>}
    >
      {text.archives.inLibraryHint}
    </Notice>
  );
}

/** Work orders on this guide that somebody left for others. */
export function SuspendedOrders({ orders }: { orders: readonly WorkOrder[] }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const now = useNow();
  return orders.map((order) => (
    <Notice
      key={order.entryid}
      tone="info"
      title={text.player.order(order.workorderid)}
      action={
        <Button onPress={() => act(() => actions.moveWorkOrder(order.entryid, 'assume'))}>
          {text.player.takeOver}
        </Button>
      }
    >
      {text.player.suspendedBy(
        order.mine ? text.workOrders.you : order.username,
        formatSince(order.statusSince, now),
      )}
    </Notice>
  ));
}

/** Who signed a guide of an archive on the site that it comes from, as the archive tells it. */
export function ArchivedSignatures({ archive: { signatures, isUnapproved } }: { archive: ArchivedIn }) {
  if (signatures === '' && !isUnapproved) return null;
  return (
    <Panel title={text.approvals.signatures}>
      {isUnapproved && (
        <div>
          <Badge tone="warn">{text.approvals.states.unapproved}</Badge>
        </div>
      )}
      {signatures !== '' && <p>{signatures}</p>}
      <p className={panelNote}>{text.archives.signaturesHint}</p>
    </Panel>
  );
}
