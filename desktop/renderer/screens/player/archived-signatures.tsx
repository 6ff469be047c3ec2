import type { ArchivedIn } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Panel, panelNote } from '#desktop/renderer/ui/panel.tsx';

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
