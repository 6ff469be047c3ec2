import { useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { wikiLimits } from '#shared/api/wikis.ts';
import { templateLookup } from '#shared/rules/wiki-templates.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import { useWikiContext } from '../editor/use-wiki-context.ts';
import { FormNotices } from './form-notices.tsx';
import { WikiTextField } from '../editor/wiki-text-field.tsx';
import styles from './pages.module.css';
import type { TypedPage } from './use-typed-page.ts';

interface PageFormProps {
  typed: TypedPage;
  saveLabel: string;
  onSave: () => Promise<void>;
  back: string;
  isIncomplete?: boolean;
  /** The title fields. */
  children: ReactNode;
  /** Further parts beside the text. */
  parts?: ReactNode;
}

/** The text of a page with its preview and actions. */
export function PageForm({
  typed,
  saveLabel,
  onSave,
  back,
  isIncomplete = false,
  children,
  parts,
}: PageFormProps) {
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  const [isAsking, setIsAsking] = useState(false);
  const wiki = usePageContext();
  const { description, contents } = typed.text;
  const leave = () => {
    typed.forget();
    navigate(back);
  };
  return (
    <div className={classNames(styles, 'form')}>
      <FormNotices typed={typed} />
      {children}
      <TextField
        label={text.pages.description}
        hint={text.pages.descriptionHint}
        kind="long"
        value={description}
        onChange={(next) => typed.change({ description: next })}
        error={tooLong(description, wikiLimits.description)}
      />
      <WikiTextField
        label={text.pages.contents}
        hint={text.pages.contentsHint}
        value={contents}
        onChange={(next) => typed.change({ contents: next })}
        error={tooLong(contents, wikiLimits.text)}
        wiki={wiki}
      />
      {parts}
      <div className={classNames(styles, 'bar')}>
        <Button size="large" onPress={() => (typed.isDirty ? setIsAsking(true) : leave())}>
          {typed.isDirty ? text.pages.discard : text.app.cancel}
        </Button>
        <Button
          tone="primary"
          size="large"
          onPress={() => act(onSave)}
          isDisabled={isIncomplete}
          isPending={busy}
        >
          {saveLabel}
        </Button>
      </div>
      <ConfirmDialog
        title={text.pages.discardTitle}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirmLabel={text.pages.discard}
        cancelLabel={text.app.cancel}
        onConfirm={leave}
      >
        {text.pages.discardBody}
      </ConfirmDialog>
    </div>
  );
}

/** Error for a text above the length limit. */
export function tooLong(words: string, most: number): string | undefined {
  return words.length > most ? text.pages.tooLong(most) : undefined;
}

/** Context of the preview: guides, templates and pictures of this device. */
export function usePageContext(): WikiContext {
  const { templates, images, langid } = useLive('textSources');
  const template = useMemo(() => templateLookup(templates, langid, langid), [templates, langid]);
  return useWikiContext(images, template);
}
