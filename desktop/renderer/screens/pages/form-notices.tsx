import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import type { FormDraft } from '#desktop/renderer/use-form-draft.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

interface FormNoticesProps {
  typed: Pick<FormDraft<unknown>, 'restoredFrom' | 'isDirty'>;
  /** What the person has to check in the restored text. */
  warning?: string | undefined;
}

/** Says that the text of a form was restored, and that it cannot be stored at present. */
export function FormNotices({ typed, warning }: FormNoticesProps) {
  const { journal } = useLive('storage');
  return (
    <>
      {typed.restoredFrom !== null && (
        <Notice
          tone={warning === undefined ? 'info' : 'warn'}
          title={text.pages.kept(formatDate(typed.restoredFrom))}
        >
          {warning}
        </Notice>
      )}
      {typed.isDirty && journal === 'full' && (
        <Notice tone="danger" title={text.sync.safety.diskFull}>
          {text.sync.safety.diskFullHint}
        </Notice>
      )}
    </>
  );
}
