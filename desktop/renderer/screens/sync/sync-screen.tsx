import { History } from 'lucide-react';
import { useLocation, useSearch } from 'wouter';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import { ActivityDetail } from './activity-detail.tsx';
import { activityGroups } from './activity-groups.ts';
import { ActivityList } from './activity-list.tsx';
import { DeviceTools } from './device-tools.tsx';
import { KeptWords } from './kept-words.tsx';
import { SafetyAnswer } from './safety-answer.tsx';
import styles from './sync-screen.module.css';

/** The sync screen: safety of the person's work, and all entries of the outbox. */
export function SyncScreen() {
  const items = useLive('activity');
  const [, navigate] = useLocation();
  const wanted = new URLSearchParams(useSearch()).get('item');
  const groups = activityGroups(items);
  const chosen = items.find(({ id }) => id === wanted) ?? null;
  const choose = (id: string | null) =>
    navigate(id === null ? '/sync' : `/sync?${new URLSearchParams({ item: id }).toString()}`, {
      replace: true,
    });
  const shown = chosen ?? groups[0]?.foremost ?? null;
  const group = groups.find((one) => one.items.some(({ id }) => id === shown?.id));
  return (
    <div className={classNames(styles, 'screen')}>
      <title>{text.app.title(text.sync.title)}</title>
      <div>
        <SafetyAnswer isShort={chosen !== null} />
        {chosen === null && <KeptWords />}
      </div>
      {shown === null || group === undefined ? (
        <div>
          <EmptyState icon={<History />} title={text.sync.emptyTitle}>
            {text.sync.empty}
          </EmptyState>
          <DeviceTools />
        </div>
      ) : (
        <div className={classNames(styles, 'body', chosen !== null && 'isChosen')}>
          <div className={classNames(styles, 'list')}>
            <SendAllAgain items={items} />
            <ActivityList groups={groups} items={items} chosen={shown.id} onChoose={choose} />
            <DeviceTools />
          </div>
          <div className={classNames(styles, 'detail')}>
            <ActivityDetail
              key={shown.id}
              item={shown}
              group={group}
              items={items}
              onChoose={choose}
              onBack={() => choose(null)}
            />
          </div>
        </div>
      )}
    </div>
  );
}

/** Button that sends all refused calls again, except those with newer texts (409). */
function SendAllAgain({ items }: { items: readonly ActivityItem[] }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const parked = items.filter(
    ({ state, isUnreadable, refusal }) => state === 'parked' && !isUnreadable && refusal?.status !== 409,
  ).length;
  if (parked < 2) return null;
  const send = () =>
    act(async () => {
      showToast(text.sync.allSentAgain(await actions.sendAllAgain()));
    });
  return (
    <div className={classNames(styles, 'all')}>
      <Button onPress={send} isPending={busy}>
        {text.sync.sendAll(parked)}
      </Button>
    </div>
  );
}
