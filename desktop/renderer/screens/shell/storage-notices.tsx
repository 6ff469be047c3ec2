import type { Damage } from '#desktop/engine/api/sync-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { saveFile } from '#desktop/renderer/platform/save-file.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

const damageWords = text.loss.damage;

/** Reports work that could not be read on this device, until the person has confirmed it. */
export function DamageNotice() {
  const { damage } = useLive('session');
  const actions = useActions();
  const { act } = useAsyncAction();
  if (damage === null) return null;
  return (
    <Notice
      tone="warn"
      title={damageWords.title}
      action={
        <>
          <Button onPress={() => act(async () => saveFile(await actions.supportFile()))}>
            {damageWords.exporting}
          </Button>
          <Button onPress={() => act(() => actions.noteLossSeen())}>{text.loss.seen}</Button>
        </>
      }
    >
      {sentences(damage).join(' ')}
    </Notice>
  );
}

function sentences({ since, until, subjects, hasCopies }: Damage): string[] {
  return [
    ...timeOf(since, until),
    ...(hasCopies === null ? [] : [hasCopies ? damageWords.restored : damageWords.gone]),
    ...(hasCopies === false && subjects.length > 0 ? [damageWords.about(subjects.join(', '))] : []),
  ];
}

function timeOf(since: number | null, until: number | null): string[] {
  if (since !== null && until !== null) return [damageWords.between(formatDate(since), formatDate(until))];
  if (since !== null) return [damageWords.since(formatDate(since))];
  return until === null ? [] : [damageWords.until(formatDate(until))];
}

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
