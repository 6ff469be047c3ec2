import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';

import styles from './key-help.module.css';

export function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={text.player.keysTitle} isOpen={isOpen} onClose={onClose} closeLabel={text.app.close}>
      <dl className={classNames(styles, 'keys')}>
        {text.player.keyList.map(([key, meaning]) => (
          <div key={key} className={classNames(styles, 'row')}>
            <dt>
              <kbd className={classNames(styles, 'key')}>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
