import { ScanQrCode } from 'lucide-react';
import { FileTrigger } from 'react-aria-components';

import { barcodeIn, findsBarcodes } from '#desktop/renderer/platform/barcode-detector.ts';
import { paletteText } from '#desktop/renderer/text/en/palette.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

/** Takes a code by the camera; renders nothing where the browser finds no codes in pictures. */
export function ScanButton({ onCode, onMissed }: { onCode: (code: string) => void; onMissed: () => void }) {
  const { act, busy } = useAsyncAction();
  if (!findsBarcodes()) return null;
  const read = (files: FileList | null) => {
    const picture = files?.[0];
    if (picture === undefined) return;
    act(async () => {
      const code = await barcodeIn(picture);
      if (code === null || code.trim() === '') onMissed();
      else onCode(code);
    });
  };
  return (
    <div data-scans>
      <FileTrigger acceptedFileTypes={['image/*']} defaultCamera="environment" onSelect={read}>
        <IconButton label={paletteText.scan} icon={<ScanQrCode aria-hidden="true" />} isDisabled={busy} />
      </FileTrigger>
    </div>
  );
}
