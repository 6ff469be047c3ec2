import { Plus, RotateCcw, Send, Trash2, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { jobsText } from '#desktop/renderer/text/en/jobs.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Disclosure } from '#desktop/renderer/ui/disclosure.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { webhookEventNames, webhookEvents, type Webhook, type WebhookEvent } from '#shared/model/webhook.ts';

import styles from '../settings/settings-screen.module.css';
import { Deliveries } from '../administration/deliveries.tsx';
import { AdminPage } from './admin-page.tsx';
import { useServerValue } from './use-server-value.ts';

const listWebhooks = (actions: Actions) => actions.listWebhooks();

/** The webhooks of the site. */
export function WebhooksScreen() {
  const from = useServerValue(listWebhooks);
  return (
    <AdminPage title={text.site.hooksTitle} lead={text.site.hooksLead} from={from}>
      {(hooks) => (
        <div className={classNames(styles, 'settings')}>
          {hooks.length === 0 && (
            <EmptyState icon={<WebhookIcon />} title={text.site.noHooks}>
              {text.site.noHooksHint}
            </EmptyState>
          )}
          {hooks.map((hook) => (
            <HookCard key={hook.webhookid} hook={hook} onChanged={from.reload} />
          ))}
          <NewHook onAdded={from.reload} />
        </div>
      )}
    </AdminPage>
  );
}

function HookCard({ hook, onChanged }: { hook: Webhook; onChanged: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [isAsking, setIsAsking] = useState(false);
  const { webhookid, url, description, events, enabled, waiting, dead } = hook;
  const run = (work: () => Promise<unknown>, said?: string) =>
    act(async () => {
      await work();
      if (said !== undefined) showToast(said);
      onChanged();
    });
  const states = [waiting > 0 && text.site.waiting(waiting), dead > 0 && text.site.dead(dead)];
  const state = states.filter((part) => part !== false).join(' · ');
  return (
    <Card as="section" pad="roomy">
      <Stack>
        <h2 className={classNames(styles, 'address')}>{url}</h2>
        {description !== '' && <p>{description}</p>}
        <p>{events.map((event) => webhookEvents[event].title).join(', ')}</p>
        <p>{state === '' ? text.site.allDelivered : state}</p>
        <CheckboxField
          label={text.site.enabled}
          value={enabled}
          onChange={(on) => run(() => actions.changeWebhook(webhookid, { enabled: on }))}
        />
        <Row>
          <Button
            icon={<Send aria-hidden="true" />}
            isPending={busy}
            onPress={() => run(() => actions.testWebhook(webhookid), text.site.tested)}
          >
            {text.site.test}
          </Button>
          {dead > 0 && (
            <Button
              icon={<RotateCcw aria-hidden="true" />}
              onPress={() => run(() => actions.replayWebhook(webhookid), text.site.replayed(dead))}
            >
              {text.site.replay}
            </Button>
          )}
          <Button icon={<Trash2 aria-hidden="true" />} onPress={() => setIsAsking(true)}>
            {text.site.remove}
          </Button>
        </Row>
        <Disclosure summary={jobsText.showDeliveries} label={`${jobsText.showDeliveries}: ${url}`}>
          <Deliveries webhookid={webhookid} onChanged={onChanged} />
        </Disclosure>
      </Stack>
      <ConfirmDialog
        title={text.site.removeTitle(url)}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirmLabel={text.site.remove}
        cancelLabel={text.app.cancel}
        onConfirm={() => run(() => actions.removeWebhook(webhookid))}
      >
        {text.site.removeBody}
      </ConfirmDialog>
    </Card>
  );
}

function NewHook({ onAdded }: { onAdded: () => void }) {
  const actions = useActions();
  const { once, busy } = useAsyncAction();
  const [url, setUrl] = useState('');
  const [what, setWhat] = useState('');
  const [events, setEvents] = useState<WebhookEvent[]>([]);
  const [asked, setAsked] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const isUrl = /^https?:\/\//.test(url.trim()) && URL.canParse(url.trim());
  const add = () => {
    setAsked(true);
    if (!isUrl || events.length === 0) return;
    once(async () => {
      const made = await actions.addWebhook(url.trim(), events, what.trim());
      setSecret(made.secret ?? null);
      setUrl('');
      setWhat('');
      setEvents([]);
      setAsked(false);
      onAdded();
    });
  };
  return (
    <Card as="section" pad="roomy">
      <Stack>
        <h2>{text.site.add}</h2>
        <div role="status">
          {secret !== null && (
            <Notice tone="info" title={text.site.secretTitle}>
              <p>{text.site.secretHint}</p>
              <code className={classNames(styles, 'address')}>{secret}</code>
            </Notice>
          )}
        </div>
        <TextField
          label={text.site.url}
          kind="url"
          isRequired
          value={url}
          onChange={setUrl}
          error={asked && !isUrl ? text.site.needUrl : undefined}
        />
        <TextField label={text.site.what} value={what} onChange={setWhat} />
        <h3>{text.site.events}</h3>
        {webhookEventNames.map((event) => (
          <CheckboxField
            key={event}
            label={webhookEvents[event].title}
            value={events.includes(event)}
            onChange={(on) =>
              setEvents((now) => (on ? [...now, event] : now.filter((other) => other !== event)))
            }
          />
        ))}
        {asked && events.length === 0 && <Notice tone="danger" title={text.site.needEvents} />}
        <div>
          <Button icon={<Plus aria-hidden="true" />} onPress={add} isPending={busy}>
            {text.site.add}
          </Button>
        </div>
      </Stack>
    </Card>
  );
}
