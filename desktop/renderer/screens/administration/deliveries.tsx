import { RotateCcw } from 'lucide-react';
import { useCallback } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { jobsText } from '#desktop/renderer/text/en/jobs.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { formatLocale } from '#desktop/renderer/text/language.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useNow } from '#desktop/renderer/use-now.ts';
import { webhookEventNames, webhookEvents, type WebhookDelivery } from '#shared/model/webhook.ts';

import { useServerValue } from '../site/use-server-value.ts';
import { answerWords } from './answer-words.ts';

const tones: Record<WebhookDelivery['status'], Tone> = { waiting: 'accent', delivered: 'ok', dead: 'danger' };

/**
 * What was sent to a webhook.
 *
 * - ADMIN-14 Of each delivery, administrators read its state and what the receiver answered in words, and send one again.
 */
export function Deliveries({ webhookid, onChanged }: { webhookid: number; onChanged: () => void }) {
  const read = useCallback((actions: Actions) => actions.listDeliveries(webhookid), [webhookid]);
  const { value, failure, reload } = useServerValue(read);
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const now = useNow();
  if (failure !== null)
    return (
      <Notice
        tone="warn"
        title={jobsText.deliveriesFailed}
        action={<Button onPress={reload}>{text.site.again}</Button>}
      >
        {failure}
      </Notice>
    );
  if (value === null) return <Loading label={text.site.loading} />;
  if (value.length === 0) return <Note>{jobsText.noDeliveries}</Note>;
  const retry = (deliveryid: number) =>
    act(async () => {
      await actions.replayDelivery(webhookid, deliveryid);
      showToast(jobsText.retried);
      reload();
      onChanged();
    });
  return (
    <RowList>
      {value.map((delivery) => {
        const name = eventName(delivery.event);
        return (
          <ListRow
            key={delivery.deliveryid}
            end={
              <>
                <Badge tone={tones[delivery.status]}>{jobsText.deliveryStates[delivery.status]}</Badge>
                {delivery.status !== 'waiting' && (
                  <Button
                    icon={<RotateCcw aria-hidden="true" />}
                    isDisabled={busy}
                    label={jobsText.retryOf(name)}
                    onPress={() => retry(delivery.deliveryid)}
                  >
                    {jobsText.retry}
                  </Button>
                )}
              </>
            }
          >
            <RowTitle>{name}</RowTitle>
            <Note>{factsOf(delivery, now)}</Note>
          </ListRow>
        );
      })}
    </RowList>
  );
}

function eventName(event: string): string {
  const known = webhookEventNames.find((name) => name === event);
  return known === undefined ? event : webhookEvents[known].title;
}

function factsOf(delivery: WebhookDelivery, now: number): string {
  const { attempts, next_date, created_date } = delivery;
  return [
    formatSince(created_date * 1000, now),
    attempts > 0 ? jobsText.attempts(attempts) : '',
    attempts > 0 ? answerWords(delivery) : '',
    next_date === null || next_date * 1000 <= now ? '' : jobsText.nextTry(formatSoon(next_date * 1000, now)),
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
}

const relative = new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' });

function formatSoon(at: number, now: number): string {
  const minutes = Math.max(1, Math.round((at - now) / 60_000));
  return minutes < 90
    ? relative.format(minutes, 'minute')
    : relative.format(Math.round(minutes / 60), 'hour');
}
