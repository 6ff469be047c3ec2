import { X } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { ApprovalStage } from '#shared/model/approval.ts';

import styles from './approvals.module.css';

/** A stage in the form. `id` is null for a new one. */
export interface TypedStage {
  key: string;
  id: number | null;
  name: string;
  meaning: 'approved' | 'reviewed';
  needed: string;
  userids: number[];
  teamids: number[];
}

/** A new stage. */
export function blankStage(): TypedStage {
  const key = crypto.randomUUID();
  return { key, id: null, name: '', meaning: 'approved', needed: '1', userids: [], teamids: [] };
}

/** The form contents for an existing stage. */
export function typedStage(stage: ApprovalStage): TypedStage {
  const { approval_stageid: id, name, meaning, required_approvals, userids, teamids } = stage;
  return { key: String(id), id, name, meaning, needed: String(required_approvals), userids, teamids };
}

interface StageFieldsProps {
  stage: TypedStage;
  number: number;
  onChange: (part: Partial<TypedStage>) => void;
  onRemove?: () => void;
}

/** Fields of one stage: name, meaning, number of signatures and signers. */
export function StageFields({ stage, number, onChange, onRemove }: StageFieldsProps) {
  const { people, teams } = useLive('directory');
  const signers = [
    ...people
      .filter(({ userid }) => stage.userids.includes(userid))
      .map(({ userid, name }) => ({ id: `user:${userid}`, name })),
    ...teams
      .filter(({ teamid }) => stage.teamids.includes(teamid))
      .map(({ teamid, name }) => ({ id: `team:${teamid}`, name })),
  ];
  const choices = [
    ...teams
      .filter(({ teamid }) => !stage.teamids.includes(teamid))
      .map(({ teamid, name }) => ({ id: `team:${teamid}`, name })),
    ...people
      .filter(({ userid }) => !stage.userids.includes(userid))
      .map(({ userid, name }) => ({ id: `user:${userid}`, name })),
  ];
  const name = (id: string, isNamed: boolean) => {
    const [kind, number = ''] = id.split(':');
    const field = kind === 'team' ? 'teamids' : 'userids';
    const others = stage[field].filter((one) => one !== Number(number));
    onChange({ [field]: isNamed ? [...others, Number(number)] : others });
  };
  return (
    <section className={classNames(styles, 'stage')} aria-label={text.approvals.stage(number, stage.name)}>
      <TextField
        label={text.approvals.stageName}
        value={stage.name}
        onChange={(words) => onChange({ name: words })}
        isRequired
      />
      <SegmentedField
        look="compact"
        label={text.approvals.asks}
        segments={[
          { id: 'approved', name: text.approvals.meanings.approved },
          { id: 'reviewed', name: text.approvals.meanings.reviewed },
        ]}
        value={stage.meaning}
        onChange={(id) => onChange({ meaning: id === 'reviewed' ? 'reviewed' : 'approved' })}
      />
      <TextField
        kind="numeric"
        label={text.approvals.needed}
        value={stage.needed}
        onChange={(needed) => onChange({ needed })}
      />
      {signers.map((signer) => (
        <Row key={signer.id}>
          <span>{signer.name}</span>
          <IconButton
            label={text.approvals.removeSigner(signer.name)}
            icon={<X />}
            onPress={() => name(signer.id, false)}
          />
        </Row>
      ))}
      <SelectField
        label={text.approvals.addSigner}
        choices={choices}
        value={null}
        placeholder={text.approvals.chooseSigner}
        onChange={(id) => name(id, true)}
      />
      {onRemove !== undefined && (
        <div>
          <Button onPress={onRemove}>{text.approvals.removeStage(stage.name)}</Button>
        </div>
      )}
    </section>
  );
}
