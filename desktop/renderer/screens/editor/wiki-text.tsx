import { useDeferredValue, useId, useMemo } from 'react';

import { wikiContext } from '#desktop/engine/views/rendering.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { placeId } from '#shared/rules/guide-content.ts';
import type { WikiContext } from '#shared/wikitext/context.ts';
import { renderBlocks } from '#shared/wikitext/html.ts';

import { placeAttribute } from './problems.ts';
import { useEditor, useProblem } from './use-editor.ts';
import { useTyped } from './use-typed.ts';
import styles from './wiki-text.module.css';

interface WikiTextProps {
  label: string;
  hint: string;
  field: 'introduction_raw' | 'conclusion_raw';
}

/** Wiki text with how it will read beside it, and the few signs one needs. */
export function WikiText({ label, hint, field }: WikiTextProps) {
  const { draft } = useEditor();
  const heading = useId();
  const typed = useTyped({
    stored: draft.content[field],
    toEdit: (value) => ({ op: 'setText', field, value }),
  });
  const problem = useProblem({ field });
  return (
    <div className={classNames(styles, 'wiki')} {...{ [placeAttribute]: placeId({ field }) }}>
      <div className={classNames(styles, 'pen')}>
        <TextField
          label={label}
          hint={hint}
          kind="long"
          value={typed.value}
          onChange={typed.change}
          onLeave={typed.flush}
          error={problem}
        />
        <Syntax />
      </div>
      <section className={classNames(styles, 'preview')} aria-labelledby={heading}>
        <h2 id={heading} className={classNames(styles, 'name')}>
          {text.editor.preview}
        </h2>
        <Preview words={typed.value} />
      </section>
    </div>
  );
}

function Preview({ words }: { words: string }) {
  const wiki = useWikiContext();
  const shown = useDeferredValue(words);
  const html = useMemo(() => renderBlocks(shown, wiki), [shown, wiki]);
  return html === '' ? (
    <p className={classNames(styles, 'nothing')}>{text.editor.emptyPreview}</p>
  ) : (
    <RichHtml html={html} />
  );
}

function Syntax() {
  return (
    <details className={classNames(styles, 'syntax')}>
      <summary>{text.editor.syntax}</summary>
      <dl>
        {text.editor.syntaxList.map(([sign, meaning]) => (
          <div key={sign}>
            <dt>
              <code>{sign}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** What the texts of this draft may name: guides on this device and its own pictures. */
export function useWikiContext(): WikiContext {
  const { draft } = useEditor();
  const { server } = useLive('session');
  const { guides } = useLive('library', { category: null });
  const { content } = draft;
  return useMemo(
    () =>
      wikiContext(
        server ?? '',
        new Map(guides.map((guide) => [guide.guideid, guide.title])),
        new Map(imagesOf(content).map((image) => [image.id, image])),
      ),
    [server, guides, content],
  );
}

function imagesOf({ image, steps }: GuideContent): ImageRef[] {
  const ofSteps = steps.flatMap(({ media }) => (media.type === 'image' ? media.data : []));
  return image === null ? ofSteps : [image, ...ofSteps];
}
