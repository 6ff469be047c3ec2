import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

/**
 * Reports that a part of this device's storage was cleared, and what was restored, until the person has confirmed it.
 */
export function LossNotice() {
  const { loss, status } = useLive('session');
  const actions = useActions();
  const { act } = useAsyncAction();
  if (loss === null) return null;
  const words = text.loss[loss];
  return (
    <Notice
      tone="warn"
      title={words.title}
      action={<Button onPress={() => act(() => actions.noteLossSeen())}>{text.loss.seen}</Button>}
    >
      {status === 'signed-out' ? words.signedOut : words.hint}
    </Notice>
  );
}
