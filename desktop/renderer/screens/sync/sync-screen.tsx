import { History } from 'lucide-react';
import { useLocation, useSearch } from 'wouter';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { ActivityDetail } from './activity-detail.tsx';
import { ActivityList } from './activity-list.tsx';
import { SafetyAnswer } from './safety-answer.tsx';
import styles from './sync-screen.module.css';

/** Is my work safe? */
export function SyncScreen() {
  const items = useLive('activity');
  const [, navigate] = useLocation();
  const wanted = new URLSearchParams(useSearch()).get('item');
  const chosen = items.find(({ id }) => id === wanted) ?? null;
  const choose = (id: string | null) =>
    navigate(id === null ? '/sync' : `/sync?${new URLSearchParams({ item: id }).toString()}`, {
      replace: true,
    });
  const shown = chosen ?? items[0] ?? null;
  return (
    <div className={classNames(styles, 'screen')}>
      <title>{text.app.title(text.sync.title)}</title>
      <SafetyAnswer isShort={chosen !== null} />
      {shown === null ? (
        <div>
          <EmptyState icon={<History />} title={text.sync.emptyTitle}>
            {text.sync.empty}
          </EmptyState>
        </div>
      ) : (
        <div className={classNames(styles, 'body', chosen !== null && 'isChosen')}>
          <div className={classNames(styles, 'list')}>
            <ActivityList items={items} chosen={shown.id} onChoose={choose} />
          </div>
          <div className={classNames(styles, 'detail')}>
            <ActivityDetail
              key={shown.id}
              item={shown}
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
