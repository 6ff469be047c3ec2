import { UserCheck } from 'lucide-react';

import type { RecordedValue, WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { Problem } from '#shared/api/problem.ts';

import { useProof } from '../account/use-proof.tsx';
import { StepValues } from './step-values.tsx';

interface VerifyButtonProps {
  order: WorkOrder;
  fieldRevisionid: number;
  value: RecordedValue;
}

/** This person confirms a step in their own session, with their password or a single sign-on. */
export function VerifyButton({ order, fieldRevisionid, value: { label, stepid } }: VerifyButtonProps) {
  const actions = useActions();
  const proof = useProof();
  const ask = () =>
    proof.ask(
      async (given) => {
        await actions.confirmStep(order.entryid, { field_revisionid: fieldRevisionid, stepid }, given);
        showToast(text.secondPerson.verified);
      },
      (error) =>
        showToast(
          error instanceof Problem && error.kind === 'conflict'
            ? text.secondPerson.changed
            : errorMessage(error),
          'danger',
        ),
      {
        title: text.secondPerson.verifyTitle(label),
        lead: (
          <Stack>
            <p>{text.secondPerson.lead}</p>
            <StepValues order={order} stepid={stepid} />
          </Stack>
        ),
        confirm: text.secondPerson.confirm,
        offline: text.secondPerson.offline,
      },
    );
  return (
    <div>
      <Button
        icon={<UserCheck aria-hidden="true" />}
        onPress={ask}
        label={text.secondPerson.verifyTitle(label)}
      >
        {text.secondPerson.confirm}
      </Button>
      {proof.question}
    </div>
  );
}
