import { useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { typedNumber } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { Problem } from '#shared/api/problem.ts';
import type { ApprovalProcess } from '#shared/model/approval.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { useLeaveGuard } from '../administration/use-leave-guard.tsx';
import styles from './approvals.module.css';
import { blankStage, StageFields, typedStage, type TypedStage } from './stage-fields.tsx';

interface EditorProps {
  /** As it is on the server; null: a new one. */
  process: ApprovalProcess | null;
  onDone: () => void;
  /** Called when somebody else has changed the process. */
  onStale: () => void;
}

/** Form for a new or an existing process. */
export function ProcessEditor({ process, onDone, onStale }: EditorProps) {
  const actions = useActions();
  const { once, busy } = useAsyncAction();
  const [name, setName] = useState(process?.name ?? '');
  const [description, setDescription] = useState(process?.description ?? '');
  const [stages, setStages] = useState<TypedStage[]>(() => process?.stages.map(typedStage) ?? [blankStage()]);
  const [errors, setErrors] = useState<{ name?: string; stages?: string }>({});
  const [start] = useState({ name, description, stages });
  const guard = useLeaveGuard(
    [name !== start.name, description !== start.description, !sameValue(stages, start.stages)].filter(Boolean)
      .length,
  );
  const change = (key: string, part: Partial<TypedStage>) =>
    setStages((now) => now.map((stage) => (stage.key === key ? { ...stage, ...part } : stage)));
  const save = () => {
    const isWhole = stages.every(
      ({ name: words, userids, teamids }) => words.trim() !== '' && userids.length + teamids.length > 0,
    );
    const found = {
      ...(name.trim() === '' && { name: text.approvals.needName }),
      ...(!isWhole && { stages: text.approvals.needStages }),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    once(async () => {
      const typed = {
        name: name.trim(),
        description,
        stages: stages.map(({ key: _key, needed, id, ...stage }) => ({
          ...stage,
          ...(id !== null && { approval_stageid: id }),
          required_approvals: Math.max(1, Math.trunc(typedNumber(needed)) || 1),
        })),
      };
      try {
        await actions.saveProcess(process, typed);
      } catch (error) {
        if (!(error instanceof Problem) || error.kind !== 'conflict') throw error;
        onStale();
        setErrors({ stages: text.approvals.notSaved });
        return;
      }
      showToast(text.approvals.saved);
      onDone();
    });
  };
  return (
    <div className={classNames(styles, 'editor')}>
      <TextField
        label={text.approvals.name}
        value={name}
        onChange={setName}
        isRequired
        {...(errors.name !== undefined && { error: errors.name })}
      />
      <TextField
        kind="long"
        label={text.approvals.description}
        value={description}
        onChange={setDescription}
      />
      {stages.map((stage, index) => (
        <StageFields
          key={stage.key}
          stage={stage}
          number={index + 1}
          onChange={(part) => change(stage.key, part)}
          {...(stages.length > 1 && {
            onRemove: () => setStages((now) => now.filter((one) => one.key !== stage.key)),
          })}
        />
      ))}
      {errors.stages !== undefined && <p role="alert">{errors.stages}</p>}
      <Row>
        <Button onPress={() => setStages((now) => [...now, blankStage()])}>{text.approvals.addStage}</Button>
        <Button onPress={onDone}>{text.app.cancel}</Button>
        <Button tone="primary" onPress={save} isPending={busy}>
          {text.approvals.save}
        </Button>
      </Row>
      {guard}
    </div>
  );
}
