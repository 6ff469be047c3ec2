import { GraduationCap, Plus } from 'lucide-react';

import type { Actions } from '#desktop/engine/engine.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { courseText } from '#desktop/renderer/text/en/courses.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';

import { useServerValue } from '../site/use-server-value.ts';
import { FromServer } from './from-server.tsx';
import { TrainingPage } from './training-page.tsx';

const readCourses = (actions: Actions) => actions.listCourses();

/** The courses for their managers. */
export function PlansScreen() {
  const courses = useServerValue(readCourses);
  return (
    <TrainingPage
      title={text.training.sections.manage}
      actions={
        <ButtonLink tone="primary" icon={<Plus aria-hidden="true" />} href="/training/plans/new">
          {courseText.make}
        </ButtonLink>
      }
    >
      <FromServer from={courses}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={<GraduationCap />} title={courseText.managedEmpty}>
              {courseText.managedEmptyHint}
            </EmptyState>
          ) : (
            <RowList>
              {list.map(({ courseid, title, description, stages }) => (
                <ListRow key={courseid}>
                  <RowTitle href={`/training/plans/${courseid}`}>{title}</RowTitle>
                  <Note>
                    {[courseText.stageCount(stages.length), description]
                      .filter((one) => one !== '')
                      .join(' · ')}
                  </Note>
                </ListRow>
              ))}
            </RowList>
          )
        }
      </FromServer>
    </TrainingPage>
  );
}
