import { useCallback } from 'react';
import { useLocation } from 'wouter';

import type { Actions } from '#desktop/engine/api.ts';
import type { TrainingImport } from '#shared/model/training.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useAct } from '#desktop/renderer/use-act.ts';

import { useServerValue } from '../site/use-server-value.ts';
import { DeleteButton } from './delete-button.tsx';
import { FromServer } from './from-server.tsx';
import { ImportModule } from './import-module.tsx';
import { OpenPlayer } from './play-module.tsx';
import { TrainingPage } from './training-page.tsx';
import styles from './training.module.css';

/** Which version do learners play? */
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
            words={text.modules.remove}
            title={text.modules.removeTitle(found.value?.title ?? '')}
            hint={text.modules.removeHint}
            onDelete={async () => {
              await actions.removeModule(moduleid);
              navigate('/training/modules');
            }}
          />
          <ImportModule label={text.modules.newVersion} moduleid={moduleid} onDone={found.again} />
        </>
      }
    >
      <FromServer from={found}>
        {({ imports, usage }) => (
          <>
            <section className={classNames(styles, 'group')} aria-labelledby="versions">
              <h2 id="versions">{text.modules.versions}</h2>
              <ul className={classNames(styles, 'list')}>
                {imports.map((one) => (
                  <Version key={one.importid} version={one} moduleid={moduleid} onChange={found.again} />
                ))}
              </ul>
            </section>
            <section className={classNames(styles, 'group')} aria-labelledby="usage">
              <h2 id="usage">{text.modules.usage}</h2>
              {usage.length === 0 ? (
                <p className={classNames(styles, 'note')}>{text.modules.unused}</p>
              ) : (
                <ul className={classNames(styles, 'list')}>
                  {usage.map((place) => (
                    <li key={place.course_stageid} className={classNames(styles, 'row')}>
                      <span className={classNames(styles, 'words')}>
                        <strong>{place.title}</strong>
                        <span className={classNames(styles, 'note')}>
                          {`${place.stage_title} · ${text.modules.used(place.assignments)}`}
                        </span>
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </section>
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
  const { act, busy } = useAct();
  const { importid, status, is_current, is_draft } = version;
  const change = (make: () => Promise<unknown>) =>
    act(async () => {
      await make();
      onChange();
    });
  return (
    <li className={classNames(styles, 'row')}>
      <span className={classNames(styles, 'words')}>
        <strong>{text.modules.version(version.vendor_version_number)}</strong>
        <span className={classNames(styles, 'note')}>{noteOf(version)}</span>
      </span>
      <span className={classNames(styles, 'marks')}>
        {is_current && <Badge tone="ok">{text.modules.current}</Badge>}
        {is_draft && <Badge tone="accent">{text.modules.draft}</Badge>}
        {status !== 'complete' && (
          <Badge tone={status === 'error' ? 'danger' : 'neutral'}>{text.modules.statuses[status]}</Badge>
        )}
      </span>
      {status === 'complete' && (
        <span className={classNames(styles, 'marks')}>
          <OpenPlayer words={text.modules.preview} ask={() => actions.previewImport(importid)} />
          {!is_current && (
            <Button isPending={busy} onPress={() => change(() => actions.makeCurrent(moduleid, importid))}>
              {text.modules.makeCurrent}
            </Button>
          )}
          {!is_current && !is_draft && (
            <Button isPending={busy} onPress={() => change(() => actions.makeDraft(moduleid, importid))}>
              {text.modules.makeDraft}
            </Button>
          )}
          {!is_current && (
            <DeleteButton
              words={text.modules.removeVersion}
              title={text.modules.removeVersionTitle(version.vendor_version_number)}
              hint={text.modules.removeHint}
              onDelete={async () => {
                await actions.removeImport(importid);
                onChange();
              }}
            />
          )}
        </span>
      )}
    </li>
  );
}

function noteOf({ title, standard, message, init_date }: TrainingImport): string {
  const parts = [
    title,
    standard === null ? null : text.modules.standards[standard],
    formatDate(init_date * 1000),
    message,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}
