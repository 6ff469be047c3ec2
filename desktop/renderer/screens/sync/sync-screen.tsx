import { CloudCheck, RefreshCw } from 'lucide-react';

import type { ActivityItem } from '#desktop/engine/views/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { Page } from '../shell/page.tsx';

const tones: Record<ActivityItem['state'], Tone> = {
  queued: 'warn',
  sending: 'accent',
  'on-the-server': 'ok',
  parked: 'danger',
  'needs-decision': 'danger',
  'waits-for-sign-in': 'warn',
};

/** Is my work safe? */
export function SyncScreen() {
  const items = useLive('activity');
  const actions = useActions();
  return (
    <Page
      title={text.sync.title}
      actions={
        <Button icon={<RefreshCw aria-hidden="true" />} onPress={() => actions.syncNow()}>
          {text.sync.syncNow}
        </Button>
      }
    >
      {items.length === 0 ? (
        <EmptyState icon={<CloudCheck />} title={text.sync.emptyTitle}>
          {text.sync.empty}
        </EmptyState>
      ) : (
        <Stack gap="s">
          {items.map((item) => (
            <Item key={item.id} item={item} />
          ))}
        </Stack>
      )}
    </Page>
  );
}

function Item({ item }: { item: ActivityItem }) {
  const actions = useActions();
  const { act } = useAct();
  const now = useNow();
  return (
    <Card as="article">
      <Row justify="between">
        <Stack gap="xs" align="start">
          <Badge tone={tones[item.state]}>{text.sync.states[item.state]}</Badge>
          <h2>{item.subject}</h2>
          <p>
            {item.refusal?.message ??
              [item.detail, formatSince(item.at, now)].filter((part) => part !== '').join(' · ')}
          </p>
        </Stack>
        {item.state === 'needs-decision' && item.guideid !== null && (
          <ButtonLink href={`/sync/conflicts/${item.guideid}`}>{text.sync.decide}</ButtonLink>
        )}
        {item.state === 'parked' && (
          <Button onPress={() => act(() => actions.retryCall(item.id))}>{text.sync.retry}</Button>
        )}
      </Row>
    </Card>
  );
}
