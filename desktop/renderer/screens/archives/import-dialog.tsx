import { useState } from 'react';

import type { ImportRules } from '#desktop/engine/api/archives.ts';
import type { ArchiveCard } from '#desktop/engine/api/archive-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

const words = text.archives;
const existing = ['skip', 'new', 'revision'] as const;
const authors = ['importer', 'name'] as const;
const visibility = ['archived', 'private', 'public'] as const;

interface ImportDialogProps {
  archive: ArchiveCard;
  isOpen: boolean;
  onClose: () => void;
}

/** Dialog with the options of an import. The primary action is a trial run. */
export function ImportDialog({ archive, isOpen, onClose }: ImportDialogProps) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const isOnline = useLive('syncState').connection === 'online';
  const [rules, setRules] = useState<ImportRules>({
    existing: 'skip',
    visibility: 'archived',
    author: 'importer',
  });
  const { archiveid } = archive;
  const begin = async () => {
    await actions.importArchive(archiveid, rules);
    showToast(isOnline ? words.importBegun : words.importWaits);
  };
  const tryOut = async () => {
    await actions.tryImport(archiveid, rules);
    showToast(isOnline ? words.trialBegun : words.trialWaits);
  };
  const doing = (action: () => Promise<void>) => () => {
    onClose();
    act(action);
  };
  return (
    <Dialog
      title={words.importTitle(archive.title)}
      isOpen={isOpen}
      onClose={onClose}
      closeLabel={text.app.cancel}
      actions={
        <>
          <Button onPress={doing(begin)}>{isOnline ? words.importNow : words.importLater}</Button>
          <Button tone="primary" onPress={doing(tryOut)} autoFocus>
            {isOnline ? words.tryFirst : words.tryLater}
          </Button>
        </>
      }
    >
      <Stack gap="l">
        <p>{isOnline ? words.importHint : words.importOffline}</p>
        <RuleFields rules={rules} onChange={(change) => setRules({ ...rules, ...change })} />
      </Stack>
    </Dialog>
  );
}

interface RuleFieldsProps {
  rules: ImportRules;
  onChange: (change: Partial<ImportRules>) => void;
}

function RuleFields({ rules, onChange }: RuleFieldsProps) {
  const isAdmin = useLive('session').user?.privileges.includes('Admin') === true;
  return (
    <>
      <SelectField
        label={words.existing}
        choices={existing.map((id) => ({ id, name: words.existingRules[id] }))}
        placeholder=""
        value={rules.existing}
        onChange={(id) => onChange({ existing: existing.find((one) => one === id) ?? 'skip' })}
      />
      <SelectField
        label={words.visibility}
        choices={visibility.map((id) => ({ id, name: words.visibilityRules[id] }))}
        placeholder=""
        value={rules.visibility}
        onChange={(id) => onChange({ visibility: visibility.find((one) => one === id) ?? 'archived' })}
      />
      {isAdmin && (
        <SelectField
          label={words.author}
          choices={authors.map((id) => ({ id, name: words.authorRules[id] }))}
          placeholder=""
          value={rules.author}
          onChange={(id) => onChange({ author: authors.find((one) => one === id) ?? 'importer' })}
        />
      )}
    </>
  );
}
