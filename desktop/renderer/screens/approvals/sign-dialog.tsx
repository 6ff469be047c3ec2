import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { Proof, ProveButton } from './proof.tsx';
import { useOffersSignOn } from './use-sign-on.ts';
import { decisionOf, useSigning, type AskedSignature } from './use-signing.ts';

interface SignDialogProps {
  title: string;
  mine: AskedSignature;
  onClose: () => void;
}

/**
 * Signs with the password, or with a single sign-on where the site has one. A signature can be prepared offline and
 * signed later.
 *
 * - APPROVAL-APP-1 No decision is chosen beforehand, and nothing is signed without one.
 */
export function SignDialog({ title, mine, onClose }: SignDialogProps) {
  const isOffline = useLive('syncState').connection === 'offline';
  const offersSignOn = useOffersSignOn(isOffline);
  const signing = useSigning(mine, onClose);
  const { decided, change, isRejection, errors, signOn } = signing;
  return (
    <Dialog
      title={text.approvals.signTitle(title)}
      isOpen
      onClose={onClose}
      size="medium"
      closeLabel={text.app.cancel}
      actions={
        <>
          <Button onPress={onClose}>{text.approvals.keep}</Button>
          <ProveButton
            signOn={signOn}
            isOffline={isOffline}
            tone={isRejection ? 'danger' : 'primary'}
            onPress={signing.sign}
            isPending={signing.busy}
          >
            {text.approvals.sign}
          </ProveButton>
        </>
      }
    >
      <Stack>
        {isOffline && (
          <Notice tone="info" title={text.approvals.offline}>
            {text.approvals.offlineHint}
          </Notice>
        )}
        <p>{text.approvals.signFor(mine.stage)}</p>
        <SegmentedField
          label={text.approvals.decision}
          segments={[
            {
              id: decisionOf[mine.meaning],
              name: text.approvals.decisions[decisionOf[mine.meaning]],
              meaning: 'good',
            },
            { id: 'reject', name: text.approvals.decisions.reject, meaning: 'bad' },
          ]}
          value={decided.decision}
          isRequired
          {...(errors.decision !== undefined && { error: errors.decision })}
          onChange={(id) => change({ decision: id === 'reject' ? 'reject' : decisionOf[mine.meaning] })}
        />
        <TextField
          kind="long"
          label={isRejection ? text.approvals.commentNeeded : text.approvals.comment}
          hint={text.approvals.commentHint}
          value={decided.comment}
          onChange={(comment) => change({ comment })}
          isRequired={isRejection}
          {...(errors.comment !== undefined && { error: errors.comment })}
        />
        <Proof
          password={signing.password}
          onPassword={signing.setPassword}
          error={errors.password}
          isOffline={isOffline}
          signOn={signOn}
          offersSignOn={offersSignOn}
          onSignOn={signing.beginSignOn}
        />
      </Stack>
    </Dialog>
  );
}
