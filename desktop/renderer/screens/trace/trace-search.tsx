import { ScanBarcode, Search } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useLocation } from 'wouter';

import { barcodeIn, findsBarcodes } from '#desktop/renderer/platform/barcode-detector.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';

import { useScanner } from '../player/use-scanner.ts';
import { traceHref } from '../work-orders/number-link.tsx';
import styles from './trace.module.css';

/** How long a person must not type until the server is asked for suggestions, ms. */
const restMs = 150;

/** Asks for a number, by scanner, camera or keyboard. `present`: the number that is shown. */
export function TraceSearch({ present }: { present: string }) {
  const [, navigate] = useLocation();
  const { act, busy } = useAsyncAction();
  const [words, setWords] = useState(present);
  const box = useRef<HTMLFormElement>(null);
  const numbers = useSuggestions(words);
  const go = (number: string) => {
    if (number.trim() === '') return;
    setWords(number);
    navigate(traceHref(number.trim()));
  };
  useScanner(box, true, go);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(words);
  };
  /** Enter without a chosen suggestion takes the text as it is, as scanners end with Enter. */
  const enter = (event: KeyboardEvent) => {
    const { target } = event;
    if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
    if (target.hasAttribute('aria-activedescendant')) return;
    event.preventDefault();
    event.stopPropagation();
    target.blur();
    go(target.value);
  };
  const read = (files: FileList | null) => {
    const picture = files?.[0];
    if (picture === undefined) return;
    act(async () => {
      const code = await barcodeIn(picture);
      if (code === null) showToast(text.player.noCode, 'danger');
      else go(code);
    });
  };
  return (
    <form
      ref={box}
      className={classNames(styles, 'search')}
      onSubmit={submit}
      onKeyDownCapture={enter}
      role="search"
      noValidate
    >
      <ComboField
        label={text.tracing.number}
        hint={text.tracing.numberHint}
        choices={numbers.map((number) => ({ id: number, name: number }))}
        input={words}
        onInput={setWords}
        onChoose={(number) => number !== null && go(number)}
        allowsOther
        emptyText={text.tracing.noSuggestions}
        openLabel={text.tracing.suggestions}
      />
      <Button type="submit" tone="primary" icon={<Search aria-hidden="true" />}>
        {text.tracing.find}
      </Button>
      {findsBarcodes() && (
        <div data-scans>
          <FileTrigger acceptedFileTypes={['image/*']} defaultCamera="environment" onSelect={read}>
            <Button icon={<ScanBarcode aria-hidden="true" />} isPending={busy}>
              {text.tracing.camera}
            </Button>
          </FileTrigger>
        </div>
      )}
    </form>
  );
}

/** Numbers that begin with a text: those of the server, or without it those on this device. */
function useSuggestions(words: string): readonly string[] {
  const actions = useActions();
  const isOffline = useLive('syncState').connection === 'offline';
  const here = useLiveSoon('numbersHere', words) ?? [];
  const [found, setFound] = useState<{ words: string; numbers: readonly string[] } | null>(null);
  useEffect(() => {
    if (isOffline || words.trim() === '') return undefined;
    let isHere = true;
    const timer = setTimeout(() => {
      // Without the server, those of this device are shown.
      actions.suggestNumbers(words).then(
        (numbers) => isHere && setFound({ words, numbers }),
        () => undefined,
      );
    }, restMs);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [actions, isOffline, words]);
  return found?.words === words && !isOffline ? found.numbers : here;
}
