import type { ImportCard } from '#desktop/engine/api/archive-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';

import styles from './archives.module.css';

const words = text.archives;
const actions = ['created', 'changed', 'skipped'] as const;

/** The result of an import or trial run for each guide and category. */
export function ItemsDialog({
  one: { items, isTrial },
  isOpen,
  onClose,
}: {
  one: ImportCard;
  isOpen: boolean;
  onClose: () => void;
}) {
  const titles = isTrial ? words.itemActions.wouldBe : words.itemActions.were;
  const groups = actions
    .map((action) => ({ action, members: items.filter((item) => item.action === action) }))
    .filter(({ members }) => members.length > 0);
  return (
    <Dialog
      title={words.itemsTitle}
      isOpen={isOpen}
      onClose={onClose}
      closeLabel={text.app.close}
      size="medium"
    >
      {groups.map(({ action, members }) => (
        <section key={action} className={classNames(styles, 'findings')}>
          <h3>{titles[action]}</h3>
          <ul>
            {members.map(({ kind, title }, index) => (
              // Titles may occur twice, and the list never changes.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>
                {title}
                {kind === 'category' && (
                  <span className={classNames(styles, 'place')}>{words.isCategory}</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}
