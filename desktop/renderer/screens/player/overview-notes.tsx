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

/** Notice on a released version: the guide that requires it, and a link to the current version. */
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

/** Notices on a guide of an archive: what would be loaded from elsewhere, and that the guide is also in the library. */
export function ArchiveNote({ archive }: { archive: ArchivedIn }) {
  return (
    <>
      <OutsideNote archive={archive} />
      <InLibraryNote same={archive.same} />
    </>
  );
}

/** Asks before pictures, videos and pages are loaded from sites that the archive names, which then see the reader. */
function OutsideNote({ archive: { archiveid, outside } }: { archive: ArchivedIn }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  if (outside.length === 0) return null;
  return (
    <Notice
      tone="info"
      title={text.archives.outside}
      action={
        <Button onPress={() => act(() => actions.allowArchiveLinks(archiveid))} isPending={busy}>
          {text.archives.loadOutside}
        </Button>
      }
    >
      {text.archives.outsideHint(outside.slice(0, 5).join(', '))}
    </Notice>
  );
}

/** Notice on a guide of an archive that is also in the library, where work should be done. */
function InLibraryNote({ same }: Pick<ArchivedIn, 'same'>) {
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

/** Suspended work orders on this guide, which can be taken over. */
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
          {order.mine ? text.player.continueOrder : text.player.takeOver}
        </Button>
      }
    >
      {text.player.suspendedBy(
        order.mine ? text.workOrders.you : order.username,
        formatSince(order.statusSince, now),
      )}
      {order.handover !== null && <p>{order.handover.note}</p>}
    </Notice>
  ));
}

/** The note of the person who suspended the order, for the person who continues it. */
export function HandoverNote({ order: { handover } }: { order: WorkOrder }) {
  const now = useNow();
  if (handover === null) return null;
  return (
    <Notice tone="info" title={text.player.handoverBy(handover.username, formatSince(handover.at, now))}>
      {handover.note}
    </Notice>
  );
}

/** The signatures of an archived guide, as the archive states them. */
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
