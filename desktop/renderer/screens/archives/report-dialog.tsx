import type { ArchiveFinding } from '#desktop/engine/api/archive-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import styles from './archives.module.css';

const kinds = ['unresolved', 'dropped', 'guessed', 'repaired'] as const;

interface ReportDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The findings of reading an archive. */
export function ReportDialog({ archiveid, isOpen, onClose }: ReportDialogProps & { archiveid: string }) {
  return isOpen ? <OfArchive archiveid={archiveid} onClose={onClose} /> : null;
}

function OfArchive({ archiveid, onClose }: { archiveid: string; onClose: () => void }) {
  const report = useLiveSoon('archive', { archiveid, category: null })?.report ?? [];
  return <FindingsDialog report={report} isOpen onClose={onClose} />;
}

/** What was dropped, guessed, repaired and left unresolved, each with its place in the file. */
export function FindingsDialog({
  report,
  isOpen,
  onClose,
}: ReportDialogProps & { report: readonly ArchiveFinding[] }) {
  return (
    <Dialog
      title={text.archives.reportTitle}
      isOpen={isOpen}
      onClose={onClose}
      closeLabel={text.app.close}
      size="medium"
    >
      {report.length === 0 && <p>{text.archives.noFindings}</p>}
      {kinds.map((kind) => (
        <FindingGroup key={kind} kind={kind} findings={report.filter((one) => one.kind === kind)} />
      ))}
    </Dialog>
  );
}

function FindingGroup({
  kind,
  findings,
}: {
  kind: ArchiveFinding['kind'];
  findings: readonly ArchiveFinding[];
}) {
  if (findings.length === 0) return null;
  return (
    <section className={classNames(styles, 'findings')}>
      <h3>{text.archives.findingKinds[kind]}</h3>
      <ul>
        {findings.map(({ message, place }, index) => (
          // Findings have no ids and never change.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            {refusedWords(message)}
            {place !== '' && <span className={classNames(styles, 'place')}>{place}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
