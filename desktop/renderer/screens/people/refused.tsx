import { text } from '#desktop/renderer/text/en.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';

/** The server's refusal, with a link to what it is about. */
export function Refused({ words }: { words: string }) {
  return (
    <Notice
      tone="danger"
      title={text.people.refused}
      action={<ButtonLink href="/sync">{text.pages.lookAtIt}</ButtonLink>}
    >
      {refusedWords(words, 'invalid')}
    </Notice>
  );
}
