import { useDeferredValue, useId, useMemo, useRef } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Disclosure } from '#desktop/renderer/ui/disclosure.tsx';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';
import { renderBlocks } from '#shared/formats/wikitext/html.ts';

import { marks } from './marks.ts';
import { MarksToolbar, useMarks } from './marks-toolbar.tsx';
import styles from './wiki-text.module.css';

interface WikiTextFieldProps {
  label: string;
  hint: string;
  value: string;
  onChange: (value: string) => void;
  onLeave?: () => void;
  error: string | undefined;
  /** What the text may refer to. */
  wiki: WikiContext;
}

/** A field for wiki text with a toolbar for marks, a preview and a short syntax help. */
export function WikiTextField({ wiki, ...field }: WikiTextFieldProps) {
  const heading = useId();
  const pen = useRef<HTMLDivElement>(null);
  const { set, onKeyDown } = useMarks({ around: pen, value: field.value, onChange: field.onChange });
  return (
    <div className={classNames(styles, 'wiki')}>
      {/* The keys belong to the field in it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div ref={pen} className={classNames(styles, 'pen')} onKeyDown={onKeyDown}>
        <TextField
          {...field}
          kind="long"
          tools={<MarksToolbar label={text.editor.marksOf(field.label)} marks={marks} set={set} />}
        />
        <Syntax />
      </div>
      <section className={classNames(styles, 'preview')} aria-labelledby={heading}>
        <h2 id={heading} className={classNames(styles, 'name')}>
          {text.editor.preview}
        </h2>
        <Preview words={field.value} wiki={wiki} />
      </section>
    </div>
  );
}

function Preview({ words, wiki }: { words: string; wiki: WikiContext }) {
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
    <Disclosure summary={text.editor.syntax}>
      <dl className={classNames(styles, 'syntax')}>
        {text.editor.syntaxList.map(([sign, meaning]) => (
          <div key={sign}>
            <dt>
              <code>{sign}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}
