import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

/** Says that a part of this device's store was cleared, and what came back, until a person has read it. */
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
