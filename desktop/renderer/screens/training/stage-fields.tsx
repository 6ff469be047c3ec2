import { ArrowUp, X } from 'lucide-react';

import { stageDoctype } from '#shared/model/course.ts';
import type { TrainingModule } from '#shared/model/training.ts';
import { courseText } from '#desktop/renderer/text/en/courses.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { GuideField } from './guide-field.tsx';
import type { TypedStage } from './typed-stage.ts';
import styles from './training.module.css';

interface StageFieldsProps {
  number: number;
  stage: TypedStage;
  modules: readonly TrainingModule[];
  onChange: (change: Partial<TypedStage>) => void;
  onRemove: () => void;
  onUp?: () => void;
}

/** Fields of one stage of a course: document and passing score. */
export function StageFields({ number, stage, modules, onChange, onRemove, onUp }: StageFieldsProps) {
  return (
    <li className={classNames(styles, 'stageEdit')}>
      <SelectField
        label={`${number}. ${courseText.stageKind}`}
        choices={stageDoctype.options.map((id) => ({ id, name: courseText.kinds[id] }))}
        value={stage.doctype}
        onChange={(id) => onChange({ doctype: stageDoctype.parse(id), docid: null, title: '' })}
        placeholder={courseText.choose}
      />
      <DocumentField stage={stage} modules={modules} onChange={onChange} />
      <TextField
        label={courseText.percent}
        kind="numeric"
        value={stage.passing}
        onChange={(passing) => onChange({ passing })}
        suffix="%"
        isDisabled={stage.doctype === 'guide'}
      />
      <Row wrap={false}>
        {onUp !== undefined && <IconButton label={courseText.moveUp} icon={<ArrowUp />} onPress={onUp} />}
        <IconButton label={courseText.removeStage} icon={<X />} onPress={onRemove} />
      </Row>
    </li>
  );
}

function DocumentField({
  stage,
  modules,
  onChange,
}: Pick<StageFieldsProps, 'stage' | 'modules' | 'onChange'>) {
  const { quizzes } = useLive('quizzes');
  if (stage.doctype === 'guide')
    return (
      <GuideField
        label={courseText.stageDocument}
        begin={stage.title}
        onChoose={(guideid) => onChange({ docid: guideid === null ? null : Number(guideid), title: '' })}
      />
    );
  const choices =
    stage.doctype === 'quiz'
      ? quizzes.map(({ quizid, title }) => ({ id: String(quizid), name: title }))
      : modules.map(({ external_training_moduleid: id, title }) => ({ id: String(id), name: title }));
  return (
    <SelectField
      label={courseText.stageDocument}
      choices={choices}
      value={stage.docid === null ? null : String(stage.docid)}
      onChange={(id) => onChange({ docid: Number(id), title: '' })}
      placeholder={courseText.choose}
    />
  );
}
