import { ScanBarcode } from 'lucide-react';
import { useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components';

import { barcodeIn, findsBarcodes } from '#desktop/renderer/platform/barcode-detector.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import type { FieldProps } from '#desktop/renderer/ui/field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import styles from './scan-field.module.css';
import { useScanner } from './use-scanner.ts';

interface ScanFieldProps extends FieldProps {
  value: string;
  placeholder: string;
  /** `isWhole`: the text is complete. */
  onChange: (value: string, isWhole: boolean) => void;
  onLeave: () => void;
}

/**
 * A text that is scanned. A scanner that acts as a keyboard fills in the field that has the focus; without one, it fills in
 * the first empty field of this kind. Where the browser finds barcodes in pictures, the camera works, too.
 */
export function ScanField({ onChange, ...field }: ScanFieldProps) {
  const { act, busy } = useAsyncAction();
  const [missed, setMissed] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const take = (code: string) => {
    setMissed(false);
    onChange(code, true);
  };
  useScanner(box, field.isDisabled !== true && field.value === '', take);
  const read = (files: FileList | null) => {
    const picture = files?.[0];
    if (picture === undefined) return;
    act(async () => {
      const code = await barcodeIn(picture);
      if (code === null) setMissed(true);
      else take(code);
    });
  };
  return (
    <div ref={box} className={classNames(styles, 'field')}>
      <TextField
        {...field}
        hint={text.player.scanHint}
        error={missed ? text.player.noCode : field.error}
        onChange={(value) => {
          setMissed(false);
          onChange(value, false);
        }}
      />
      {findsBarcodes() && (
        <div data-scans>
          <FileTrigger acceptedFileTypes={['image/*']} defaultCamera="environment" onSelect={read}>
            <Button
              icon={<ScanBarcode aria-hidden="true" />}
              wide
              isDisabled={field.isDisabled === true}
              isPending={busy}
            >
              {text.player.scanWithCamera}
            </Button>
          </FileTrigger>
        </div>
      )}
    </div>
  );
}
