import { Package } from 'lucide-react';

import type { Actions } from '#desktop/engine/engine.ts';
import type { TrainingModule } from '#shared/model/training.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { moduleText } from '#desktop/renderer/text/en/courses.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';

import { useServerValue } from '../site/use-server-value.ts';
import { FromServer } from './from-server.tsx';
import { ImportModule } from './import-module.tsx';
import { TrainingPage } from './training-page.tsx';

const readModules = (actions: Actions) => actions.listModules();

/** The modules of the site. */
export function ModulesScreen() {
  const modules = useServerValue(readModules);
  return (
    <TrainingPage
      title={text.training.sections.modules}
      lead={moduleText.lead}
      actions={<ImportModule label={moduleText.newModule} onDone={modules.reload} />}
    >
      <FromServer from={modules}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={<Package />} title={moduleText.emptyTitle}>
              {moduleText.empty}
            </EmptyState>
          ) : (
            <RowList>
              {list.map((module) => (
                <ModuleRow key={module.external_training_moduleid} module={module} />
              ))}
            </RowList>
          )
        }
      </FromServer>
    </TrainingPage>
  );
}

function ModuleRow({ module }: { module: TrainingModule }) {
  const { external_training_moduleid, title, standard, current_importid, draft_importid } = module;
  return (
    <ListRow
      end={
        <>
          {current_importid !== null && <Badge tone="ok">{moduleText.current}</Badge>}
          {draft_importid !== null && <Badge tone="accent">{moduleText.draft}</Badge>}
        </>
      }
    >
      <RowTitle href={`/training/modules/${external_training_moduleid}`}>{title}</RowTitle>
      <Note>{standard === null ? moduleText.unknownStandard : moduleText.standards[standard]}</Note>
    </ListRow>
  );
}
