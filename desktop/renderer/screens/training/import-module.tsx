import { Upload } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';

import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { moduleText } from '#desktop/renderer/text/en/courses.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';

import { ImportRun } from './import-run.tsx';

interface ImportModuleProps {
  label: string;
  /** The module that gets a new version; absent: a new module is created. */
  moduleid?: number;
  /** Called when the import has ended, whatever the result. */
  onDone: () => void;
}

/** Dialog that imports a package, from a file or from an address that the server fetches. */
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

/** The source of a package, as far as it is filled in. */
interface Source {
  way: Way;
  address: string;
  file: File | null;
}

/** The file or address; null if it is missing. */
function givenBy({ way, address, file }: Source): File | string | null {
  if (way === 'file') return file;
  return address.trim() === '' ? null : address.trim();
}

interface ImportDialogProps {
  label: string;
  moduleid?: number;
  onClose: () => void;
}

function ImportDialog({ label, moduleid, onClose }: ImportDialogProps) {
  const actions = useActions();
  const [title, setTitle] = useState('');
  const [source, setSource] = useState<Source>({ way: 'file', address: '', file: null });
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [importid, setImportid] = useState<number | null>(null);
  const given = givenBy(source);
  const isNamed = moduleid !== undefined || title.trim() !== '';
  const start = () => {
    if (given === null) return;
    setFailure(null);
    setIsBusy(true);
    begin(actions, { title: title.trim(), ...(moduleid === undefined ? {} : { moduleid }) }, given)
      .then(setImportid)
      .catch((error: unknown) => setFailure(errorMessage(error)))
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
            <Button tone="primary" onPress={start} isPending={isBusy} isDisabled={!isNamed || given === null}>
              {moduleText.start}
            </Button>
          </>
        )
      }
    >
      {importid === null ? (
        <Stack>
          {failure !== null && <Notice tone="danger" title={failure} />}
          {moduleid === undefined && (
            <TextField label={moduleText.name} value={title} onChange={setTitle} isRequired />
          )}
          <SourceFields source={source} onChange={(change) => setSource((now) => ({ ...now, ...change }))} />
        </Stack>
      ) : (
        <ImportRun importid={importid} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface SourceFieldsProps {
  source: Source;
  onChange: (change: Partial<Source>) => void;
}

function SourceFields({ source: { way, address, file }, onChange }: SourceFieldsProps) {
  return (
    <>
      <SegmentedField
        label={moduleText.way}
        segments={[
          { id: 'file', name: moduleText.byFile },
          { id: 'address', name: moduleText.byAddress },
        ]}
        value={way}
        onChange={(id) => onChange({ way: id as Way })}
      />
      {way === 'file' ? (
        <FileTrigger
          acceptedFileTypes={['.zip', 'application/zip']}
          onSelect={(files) => onChange({ file: files?.[0] ?? null })}
        >
          <Button>{file === null ? moduleText.chooseFile : file.name}</Button>
        </FileTrigger>
      ) : (
        <TextField
          label={moduleText.address}
          hint={moduleText.addressHint}
          kind="url"
          value={address}
          onChange={(next) => onChange({ address: next })}
        />
      )}
    </>
  );
}

/** Starts the import and uploads the package. If the upload fails, the import is cancelled. */
async function begin(
  actions: Actions,
  of: { title: string; moduleid?: number },
  source: File | string,
): Promise<number> {
  const { importid } = await actions.beginImport(
    of.moduleid === undefined ? { title: of.title } : { external_training_moduleid: of.moduleid },
  );
  try {
    if (typeof source === 'string') await actions.importFromAddress(importid, source);
    else await actions.importFromFile(importid, source);
  } catch (error) {
    await actions.cancelImport(importid).catch(() => undefined);
    throw error;
  }
  return importid;
}
