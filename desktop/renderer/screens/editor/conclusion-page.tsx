import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './about-page.module.css';
import { WikiText } from './wiki-text.tsx';

/** What stands after the last step. */
export function ConclusionPage() {
  return (
    <div className={classNames(styles, 'single')}>
      <h1 className={classNames(styles, 'name')}>{text.editor.conclusion}</h1>
      <WikiText
        field="conclusion_raw"
        label={text.editor.conclusionField}
        hint={text.editor.conclusionHint}
      />
    </div>
  );
}
