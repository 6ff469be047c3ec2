import { FileDown, Undo2 } from 'lucide-react';
import { useState } from 'react';

import type { ImportCard } from '#desktop/engine/api/archive-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatNumber, formatSince } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { ProgressBar } from '#desktop/renderer/ui/progress-bar.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import styles from './archives.module.css';
import { ItemsDialog } from './items-dialog.tsx';
import { FindingsDialog } from './report-dialog.tsx';
import { useWaitingImports, WaitingImportRow } from './waiting-imports.tsx';

const words = text.archives;

const tones: Record<ImportCard['state'], Tone> = {
  uploading: 'neutral',
  waiting: 'neutral',
  running: 'neutral',
  done: 'ok',
  failed: 'danger',
  cancelled: 'warn',
  undoing: 'neutral',
  undone: 'neutral',
};

/**
 * Waiting imports of this device and recent imports on the server. The latter are hidden while the server cannot be
 * reached.
 */
export function Imports() {
  const waiting = useWaitingImports();
  const isOnItsWay = (one: ImportCard) =>
    one.state === 'uploading' && waiting.some(({ subject }) => subject === one.filename);
  const imports = (useLiveSoon('archiveImports') ?? []).filter((one) => !isOnItsWay(one));
  if (waiting.length + imports.length === 0) return null;
  return (
    <Section title={words.imports}>
      <RowList>
        {waiting.map((one) => (
          <WaitingImportRow key={one.id} one={one} />
        ))}
        {imports.map((one) => (
          <ImportRow key={one.importid} one={one} />
        ))}
      </RowList>
    </Section>
  );
}

function ImportRow({ one }: { one: ImportCard }) {
  const now = useNow();
  const { filename, isTrial, at, state, result, problem, progress } = one;
  const note = fileNote(one);
  return (
    <ListRow icon={<FileDown />} end={<ImportActions one={one} />}>
      <RowTitle as="heading">{filename}</RowTitle>
      <Note>{[isTrial ? words.trial : words.imported, formatSince(at, now)].join(' · ')}</Note>
      {result !== null && <p>{resultWords(one, result)}</p>}
      {note !== null && <Note>{note}</Note>}
      {problem !== null && <p className={classNames(styles, 'problem')}>{refusedWords(problem)}</p>}
      {progress !== null && (
        <ProgressBar
          label={words.progressItems(formatNumber(progress.done), formatNumber(progress.total))}
          value={progress.done}
          of={progress.total}
        />
      )}
      <div className={classNames(styles, 'marks')}>
        <Badge tone={tones[state]} look="dot">
          {words.importStates[state]}
        </Badge>
      </div>
    </ListRow>
  );
}

/** A note if the file of a finished import is gone. */
function fileNote({ isFileGone, isTrial, state }: ImportCard): string | null {
  if (!isFileGone || state !== 'done') return null;
  return isTrial ? words.trialGone : words.importGone;
}

function resultWords({ isTrial }: ImportCard, result: NonNullable<ImportCard['result']>): string {
  const { created, changed, skipped, media } = result;
  return (isTrial ? words.wouldDo : words.did)(created, changed, skipped, media);
}

function ImportActions({ one }: { one: ImportCard }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [shown, setShown] = useState<'report' | 'items' | 'undo' | null>(null);
  const close = () => setShown(null);
  const { importid, filename, isTrial, isFileGone, state, items, report, rules } = one;
  const isDone = state === 'done';
  return (
    <>
      {isDone && items.length > 0 && (
        <Button tone="quiet" onPress={() => setShown('items')}>
          {words.items(items.length)}
        </Button>
      )}
      {report.length > 0 && (
        <Button tone="quiet" onPress={() => setShown('report')}>
          {words.findings(report.length)}
        </Button>
      )}
      {isDone && isTrial && !isFileGone && (
        <Button tone="primary" onPress={() => act(() => actions.runImport(importid, rules))} isPending={busy}>
          {words.importNow}
        </Button>
      )}
      {isDone && !isTrial && (
        <Button icon={<Undo2 aria-hidden="true" />} onPress={() => setShown('undo')} isPending={busy}>
          {words.undo}
        </Button>
      )}
      <ItemsDialog one={one} isOpen={shown === 'items'} onClose={close} />
      <FindingsDialog report={report} isOpen={shown === 'report'} onClose={close} />
      <ConfirmDialog
        title={words.undoTitle(filename)}
        isOpen={shown === 'undo'}
        onClose={close}
        confirmLabel={words.undo}
        cancelLabel={text.app.cancel}
        onConfirm={() => act(() => actions.undoImport(importid))}
      >
        <p>{words.undoHint}</p>
      </ConfirmDialog>
    </>
  );
}
