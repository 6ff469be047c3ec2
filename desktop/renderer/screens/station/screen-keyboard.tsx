import { ArrowBigUp, ChevronDown, CornerDownLeft, Delete } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';

import { stationHomeText } from '#desktop/renderer/text/en/station-home.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import { canType, lettersOf, numbers, symbols, type TypedField } from './keyboard-layouts.ts';
import styles from './screen-keyboard.module.css';

/** A finger that is lifted clicks within this time, ms; after scrolling it does not. */
const longestToClick = 350;

/**
 * A keyboard on the screen for the field that has the focus, of letters or of numbers. It never takes the focus. React
 * Aria counts it as part of an open dialog (`data-react-aria-top-layer`).
 */
export function ScreenKeyboard() {
  const [field, setField] = useState<TypedField | null>(null);
  useEffect(() => {
    let isHeld = false;
    let isLate = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // From the touch to the click nothing may move: the click would go to what is there then.
    const look = (): void => {
      if (isHeld) isLate = true;
      else setField(fieldOf(document.activeElement));
    };
    const away = (): void => void setTimeout(look);
    const down = (): void => {
      clearTimeout(timer);
      isHeld = true;
    };
    const releaseAfter = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isHeld = false;
        if (isLate) look();
        isLate = false;
      }, ms);
    };
    const up = (): void => releaseAfter(longestToClick);
    const click = (): void => releaseAfter(0);
    look();
    const heard = [
      ['focusin', look],
      ['focusout', away],
      ['pointerdown', down],
      ['pointerup', up],
      ['pointercancel', up],
      ['click', click],
    ] as const;
    for (const [kind, listener] of heard) document.addEventListener(kind, listener, { capture: true });
    return () => {
      clearTimeout(timer);
      for (const [kind, listener] of heard) document.removeEventListener(kind, listener, { capture: true });
    };
  }, []);
  if (field === null) return null;
  const isNumeric = field.inputMode === 'decimal' || field.inputMode === 'numeric';
  return <Keys key={String(isNumeric)} field={field} isNumeric={isNumeric} onHide={() => setField(null)} />;
}

function fieldOf(element: Element | null): TypedField | null {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  return isField && canType(element) ? element : null;
}

interface KeysProps {
  field: TypedField;
  isNumeric: boolean;
  onHide: () => void;
}

function Keys({ field, isNumeric, onHide }: KeysProps) {
  const [isUpper, setUpper] = useState(false);
  const [hasSymbols, setSymbols] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  // What is behind the keyboard must be reachable.
  useLayoutEffect(() => {
    const root = document.documentElement;
    const height = `${box.current?.offsetHeight ?? 0}px`;
    root.style.setProperty('--keyboard', height);
    root.style.scrollPaddingBlockEnd = height;
    field.scrollIntoView({ block: 'center' });
    return () => {
      root.style.removeProperty('--keyboard');
      root.style.scrollPaddingBlockEnd = '';
    };
  }, [field, isNumeric]);
  const type = (text: string): void => {
    insert(text);
    setUpper(false);
  };
  const rows = isNumeric ? numbers : hasSymbols ? symbols : lettersOf(isUpper);
  const { keys } = stationHomeText;
  const isLong = field instanceof HTMLTextAreaElement;
  const erase = (
    <Key label={keys.erase} onPress={() => erased()} isWide>
      <Delete aria-hidden="true" />
    </Key>
  );
  const enter = (
    <Key label={isLong ? keys.line : keys.enter} onPress={() => (isLong ? insert('\n') : send(field))} isWide>
      <CornerDownLeft aria-hidden="true" />
    </Key>
  );
  const hide = (
    <Key label={keys.hide} onPress={onHide} isWide>
      <ChevronDown aria-hidden="true" />
    </Key>
  );
  return (
    <div
      ref={box}
      className={classNames(styles, 'keyboard', isNumeric && 'numeric')}
      role="group"
      aria-label={keys.label}
      data-react-aria-top-layer="true"
    >
      {rows.map((row, at) => (
        <div key={row} className={classNames(styles, 'row')}>
          {!isNumeric && at === rows.length - 1 && (
            <Key label={keys.shift} isOn={isUpper} onPress={() => setUpper((now) => !now)} isWide>
              <ArrowBigUp aria-hidden="true" />
            </Key>
          )}
          {Array.from(row, (key) => (
            <Key key={key} label={key} onPress={() => type(key)}>
              {key}
            </Key>
          ))}
          {!isNumeric && at === rows.length - 1 && erase}
        </div>
      ))}
      <div className={classNames(styles, 'row')}>
        {isNumeric ? (
          erase
        ) : (
          <>
            <Key label={hasSymbols ? 'abc' : '?123'} onPress={() => setSymbols((now) => !now)} isWide>
              {hasSymbols ? 'abc' : '?123'}
            </Key>
            <Key label={keys.space} onPress={() => type(' ')} isSpace>
              {keys.space}
            </Key>
          </>
        )}
        {enter}
        {hide}
      </div>
    </div>
  );
}

interface KeyProps {
  label: string;
  onPress: () => void;
  isWide?: boolean;
  isSpace?: boolean;
  isOn?: boolean;
  children: ReactNode;
}

function Key({ label, onPress, isWide = false, isSpace = false, isOn, children }: KeyProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classNames(styles, 'key', isWide && 'wide', isSpace && 'space', isOn === true && 'on')}
      aria-label={label}
      {...(isOn !== undefined && { 'aria-pressed': isOn })}
      // The focus stays in the field.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

/** Types into the field that has the focus, as a keyboard would, so that React and the undo history know it. */
function insert(text: string): void {
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else types text where the cursor is
  document.execCommand('insertText', false, text);
}

function erased(): void {
  // oxlint-disable-next-line typescript/no-deprecated -- as above
  document.execCommand('delete');
}

function send(field: TypedField): void {
  const isHeard = !field.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true }),
  );
  if (!isHeard) field.form?.requestSubmit();
}
