import { useCallback } from 'react';
import { useLocation } from 'wouter';

import type { Actions } from '#desktop/engine/engine.ts';
import type { TrainingImport } from '#shared/model/training.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { moduleText } from '#desktop/renderer/text/en/courses.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { useServerValue } from '../site/use-server-value.ts';
import { DeleteButton } from './delete-button.tsx';
import { FromServer } from './from-server.tsx';
import { ImportModule } from './import-module.tsx';
import { OpenPlayer } from './play-module.tsx';
import { TrainingPage } from './training-page.tsx';

/** A module and its versions. */
export function ModuleScreen({ moduleid }: { moduleid: number }) {
  const read = useCallback((actions: Actions) => readModule(actions, moduleid), [moduleid]);
  const found = useServerValue(read);
  const actions = useActions();
  const [, navigate] = useLocation();
  return (
    <TrainingPage
      title={found.value?.title ?? text.training.sections.modules}
      actions={
        <>
          <DeleteButton
            words={moduleText.remove}
            title={moduleText.removeTitle(found.value?.title ?? '')}
            hint={moduleText.removeHint}
            onDelete={async () => {
              await actions.removeModule(moduleid);
              navigate('/training/modules');
            }}
          />
          <ImportModule label={moduleText.newVersion} moduleid={moduleid} onDone={found.reload} />
        </>
      }
    >
      <FromServer from={found}>
        {({ imports, usage }) => (
          <>
            <Section title={moduleText.versions}>
              <RowList>
                {imports.map((one) => (
                  <Version key={one.importid} version={one} moduleid={moduleid} onChange={found.reload} />
                ))}
              </RowList>
            </Section>
            <Section title={moduleText.usage}>
              {usage.length === 0 && <Note>{moduleText.unused}</Note>}
              <RowList>
                {usage.map((place) => (
                  <ListRow key={place.course_stageid}>
                    <RowTitle>{place.title}</RowTitle>
                    <Note>{`${place.stage_title} · ${moduleText.used(place.assignments)}`}</Note>
                  </ListRow>
                ))}
              </RowList>
            </Section>
          </>
        )}
      </FromServer>
    </TrainingPage>
  );
}

async function readModule(actions: Actions, moduleid: number) {
  const [modules, imports, usage] = await Promise.all([
    actions.listModules(),
    actions.moduleImports(moduleid),
    actions.moduleUsage(moduleid),
  ]);
  const found = modules.find((one) => one.external_training_moduleid === moduleid);
  return { title: found?.title ?? text.training.sections.modules, imports, usage };
}

interface VersionProps {
  version: TrainingImport;
  moduleid: number;
  onChange: () => void;
}

function Version({ version, moduleid, onChange }: VersionProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const { importid, status, is_current, is_draft } = version;
  const change = (make: () => Promise<unknown>) =>
    act(async () => {
      await make();
      onChange();
    });
  return (
    <ListRow
      end={
        <>
          {is_current && <Badge tone="ok">{moduleText.current}</Badge>}
          {is_draft && <Badge tone="accent">{moduleText.draft}</Badge>}
          {status === 'complete' ? (
            <OpenPlayer words={moduleText.preview} ask={() => actions.previewImport(importid)} />
          ) : (
            <Badge tone={status === 'error' ? 'danger' : 'neutral'}>{moduleText.statuses[status]}</Badge>
          )}
          {status === 'complete' && !is_current && (
            <>
              <Button
                tone="primary"
                isPending={busy}
                onPress={() => change(() => actions.makeCurrent(moduleid, importid))}
              >
                {moduleText.publish}
              </Button>
              {!is_draft && (
                <Button isPending={busy} onPress={() => change(() => actions.makeDraft(moduleid, importid))}>
                  {moduleText.makeDraft}
                </Button>
              )}
              <DeleteButton
                words={moduleText.removeVersion}
                title={moduleText.removeVersionTitle(version.vendor_version_number)}
                hint={moduleText.removeHint}
                onDelete={async () => {
                  await actions.removeImport(importid);
                  onChange();
                }}
              />
            </>
          )}
        </>
      }
    >
      <RowTitle>{moduleText.version(version.vendor_version_number)}</RowTitle>
      <Note>{noteOf(version)}</Note>
    </ListRow>
  );
}

function noteOf({ title, standard, message, init_date }: TrainingImport): string {
  const parts = [
    title,
    standard === null ? null : moduleText.standards[standard],
    formatDate(init_date * 1000),
    message,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}
