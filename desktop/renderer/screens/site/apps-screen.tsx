import { AppWindow, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDay } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import type { AppId } from '#shared/model/site.ts';

import styles from '../settings/settings-screen.module.css';
import { AdminPage } from './admin-page.tsx';
import { useServerValue } from './use-server-value.ts';

const listAppIds = (actions: Actions) => actions.listAppIds();

/** The apps that may register people and sign them in. */
export function AppsScreen() {
  const from = useServerValue(listAppIds);
  return (
    <AdminPage title={text.site.appsTitle} lead={text.site.appsLead} from={from}>
      {(apps) => (
        <div className={classNames(styles, 'settings')}>
          {apps.length === 0 && (
            <EmptyState icon={<AppWindow />} title={text.site.noApps}>
              {text.site.noAppsHint}
            </EmptyState>
          )}
          {apps.map((app) => (
            <AppCard key={app.appid} app={app} onChanged={from.reload} />
          ))}
          <NewApp onAdded={from.reload} />
        </div>
      )}
    </AdminPage>
  );
}

function AppCard({ app, onChanged }: { app: AppId; onChanged: () => void }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const [isAsking, setIsAsking] = useState(false);
  const { appid, name, created_date, revoked_date } = app;
  return (
    <Card as="section" pad="roomy">
      <Stack>
        <h2>{name}</h2>
        <code className={classNames(styles, 'address')}>{appid}</code>
        <p>
          {revoked_date === null
            ? text.site.issued(formatDay(created_date * 1000))
            : text.site.revoked(formatDay(revoked_date * 1000))}
        </p>
        {revoked_date === null && (
          <div>
            <Button icon={<Trash2 aria-hidden="true" />} onPress={() => setIsAsking(true)}>
              {text.site.revoke}
            </Button>
          </div>
        )}
      </Stack>
      <ConfirmDialog
        title={text.site.revokeTitle(name)}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirmLabel={text.site.revoke}
        cancelLabel={text.app.cancel}
        onConfirm={() =>
          act(async () => {
            await actions.revokeAppId(appid);
            onChanged();
          })
        }
      >
        {text.site.revokeBody}
      </ConfirmDialog>
    </Card>
  );
}

function NewApp({ onAdded }: { onAdded: () => void }) {
  const actions = useActions();
  const { once, busy } = useAsyncAction();
  const [name, setName] = useState('');
  const [asked, setAsked] = useState(false);
  const issue = () => {
    setAsked(true);
    if (name.trim() === '') return;
    once(async () => {
      await actions.issueAppId(name.trim());
      setName('');
      setAsked(false);
      onAdded();
    });
  };
  return (
    <Card as="section" pad="roomy">
      <Stack>
        <h2>{text.site.issueApp}</h2>
        <TextField
          label={text.site.appName}
          isRequired
          value={name}
          onChange={setName}
          error={asked && name.trim() === '' ? text.site.needAppName : undefined}
        />
        <div>
          <Button icon={<Plus aria-hidden="true" />} onPress={issue} isPending={busy}>
            {text.site.issueApp}
          </Button>
        </div>
      </Stack>
    </Card>
  );
}
