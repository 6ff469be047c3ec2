/** The part of the browser's BarcodeDetector that is used. */
interface Detector {
  detect(image: ImageBitmapSource): Promise<{ rawValue: string }[]>;
}

function isConstructor(value: unknown): value is new () => Detector {
  return typeof value === 'function';
}

/** Whether this browser finds barcodes in pictures. Chromium does on Android, macOS and ChromeOS. */
export function findsBarcodes(): boolean {
  return isConstructor(Reflect.get(globalThis, 'BarcodeDetector'));
}

/** The text of a barcode in a picture; null if there is none. */
export async function barcodeIn(picture: Blob): Promise<string | null> {
  const Made: unknown = Reflect.get(globalThis, 'BarcodeDetector');
  if (!isConstructor(Made)) return null;
  const bitmap = await createImageBitmap(picture);
  try {
    const [found] = await new Made().detect(bitmap);
    return found?.rawValue ?? null;
  } finally {
    bitmap.close();
  }
}
