import { Package } from 'lucide-react';
import { Link } from 'react-aria-components';

import type { Actions } from '#desktop/engine/api.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';

import { useServerValue } from '../site/use-server-value.ts';
import { FromServer } from './from-server.tsx';
import { ImportModule } from './import-module.tsx';
import { TrainingPage } from './training-page.tsx';
import styles from './training.module.css';

const readModules = (actions: Actions) => actions.listModules();

/** Which module? */
export function ModulesScreen() {
  const modules = useServerValue(readModules);
  return (
    <TrainingPage
      title={text.training.sections.modules}
      lead={text.modules.lead}
      actions={<ImportModule label={text.modules.newModule} onDone={modules.again} />}
    >
      <FromServer from={modules}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={<Package />} title={text.modules.emptyTitle}>
              {text.modules.empty}
            </EmptyState>
          ) : (
            <ul className={classNames(styles, 'list')}>
              {list.map((module) => (
                <li key={module.external_training_moduleid} className={classNames(styles, 'row')}>
                  <span className={classNames(styles, 'words')}>
                    <Link
                      className={classNames(styles, 'link', 'name')}
                      href={`/training/modules/${module.external_training_moduleid}`}
                    >
                      {module.title}
                    </Link>
                    <span className={classNames(styles, 'note')}>
                      {module.standard === null
                        ? text.modules.unknownStandard
                        : text.modules.standards[module.standard]}
                    </span>
                  </span>
                  <span className={classNames(styles, 'marks')}>
                    {module.current_importid !== null && <Badge tone="ok">{text.modules.current}</Badge>}
                    {module.draft_importid !== null && <Badge tone="accent">{text.modules.draft}</Badge>}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </FromServer>
    </TrainingPage>
  );
}
