import { GraduationCap, Plus } from 'lucide-react';
import { Link } from 'react-aria-components';

import type { Actions } from '#desktop/engine/api.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';

import { useServerValue } from '../site/use-server-value.ts';
import { FromServer } from './from-server.tsx';
import { TrainingPage } from './training-page.tsx';
import styles from './training.module.css';

const readCourses = (actions: Actions) => actions.listCourses();

/** Which course do I plan? */
export function PlansScreen() {
  const courses = useServerValue(readCourses);
  return (
    <TrainingPage
      title={text.training.sections.manage}
      actions={
        <ButtonLink tone="primary" icon={<Plus aria-hidden="true" />} href="/training/plans/new">
          {text.courses.make}
        </ButtonLink>
      }
    >
      <FromServer from={courses}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={<GraduationCap />} title={text.courses.managedEmpty}>
              {text.courses.managedEmptyHint}
            </EmptyState>
          ) : (
            <ul className={classNames(styles, 'list')}>
              {list.map(({ courseid, title, description, stages }) => (
                <li key={courseid} className={classNames(styles, 'row')}>
                  <span className={classNames(styles, 'words')}>
                    <Link className={classNames(styles, 'link', 'name')} href={`/training/plans/${courseid}`}>
                      {title}
                    </Link>
                    <span className={classNames(styles, 'note')}>
                      {[text.courses.stageCount(stages.length), description]
                        .filter((one) => one !== '')
                        .join(' · ')}
                    </span>
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
