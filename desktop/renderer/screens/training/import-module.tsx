import { Upload } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';

import type { Actions } from '#desktop/engine/api.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { wordsOf } from '#desktop/renderer/use-act.ts';

import { ImportRun } from './import-run.tsx';
import styles from './training.module.css';

interface ImportModuleProps {
  label: string;
  /** The module that gets a new version; without it a new module begins. */
  moduleid?: number;
  /** The import is over, whatever came of it. */
  onDone: () => void;
}

/** Lets somebody who manages modules bring a package in: from a file, or from an address that the server fetches. */
export function ImportModule({ label, moduleid, onDone }: ImportModuleProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => {
    setIsOpen(false);
    onDone();
  };
  return (
    <>
      <Button tone="primary" icon={<Upload aria-hidden="true" />} onPress={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <ImportDialog label={label} onClose={close} {...(moduleid === undefined ? {} : { moduleid })} />
      )}
    </>
  );
}

type Way = 'file' | 'address';

function ImportDialog({
  label,
  moduleid,
  onClose,
}: {
  label: string;
  moduleid?: number;
  onClose: () => void;
}) {
  const actions = useActions();
  const [title, setTitle] = useState('');
  const [way, setWay] = useState<Way>('file');
  const [address, setAddress] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [importid, setImportid] = useState<number | null>(null);
  const isNamed = moduleid !== undefined || title.trim() !== '';
  const isReady = isNamed && (way === 'file' ? file !== null : address.trim() !== '');
  const start = () => {
    setFailure(null);
    setIsBusy(true);
    begin(
      actions,
      { title: title.trim(), ...(moduleid === undefined ? {} : { moduleid }) },
      way === 'file' ? file : address.trim(),
    )
      .then(setImportid)
      .catch((error: unknown) => setFailure(wordsOf(error)))
      .finally(() => setIsBusy(false));
  };
  return (
    <Dialog
      title={label}
      size="medium"
      isOpen
      onClose={onClose}
      closeLabel={text.app.close}
      actions={
        importid === null && (
          <>
            <Button onPress={onClose}>{text.app.cancel}</Button>
            <Button tone="primary" onPress={start} isPending={isBusy} isDisabled={!isReady}>
              {text.modules.start}
            </Button>
          </>
        )
      }
    >
      {importid === null ? (
        <div className={classNames(styles, 'form')}>
          {failure !== null && <Notice tone="danger" title={failure} />}
          {moduleid === undefined && (
            <TextField label={text.modules.name} value={title} onChange={setTitle} isRequired />
          )}
          <SegmentedField
            label={text.modules.way}
            segments={[
              { id: 'file', name: text.modules.byFile },
              { id: 'address', name: text.modules.byAddress },
            ]}
            value={way}
            onChange={(id) => setWay(id as Way)}
          />
          {way === 'file' ? (
            <FileTrigger
              acceptedFileTypes={['.zip', 'application/zip']}
              onSelect={(files) => setFile(files?.[0] ?? null)}
            >
              <Button>{file === null ? text.modules.chooseFile : file.name}</Button>
            </FileTrigger>
          ) : (
            <TextField
              label={text.modules.address}
              hint={text.modules.addressHint}
              kind="url"
              value={address}
              onChange={setAddress}
            />
          )}
        </div>
      ) : (
        <ImportRun importid={importid} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Begins the import and hands the package over; what could not be handed over is cancelled. */
async function begin(
  actions: Actions,
  of: { title: string; moduleid?: number },
  source: File | string | null,
): Promise<number> {
  const { importid } = await actions.beginImport(
    of.moduleid === undefined ? { title: of.title } : { external_training_moduleid: of.moduleid },
  );
  try {
    if (typeof source === 'string') await actions.importFromAddress(importid, source);
    else if (source !== null) await actions.importFromFile(importid, source);
  } catch (error) {
    await actions.cancelImport(importid).catch(() => undefined);
    throw error;
  }
  return importid;
}
