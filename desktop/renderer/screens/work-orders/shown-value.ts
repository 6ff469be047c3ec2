import type { RecordedValue } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDigits, withUnit } from '#desktop/renderer/text/format.ts';

/** A value in words. */
export function shownValue({
  value,
  fieldType,
  fileName,
  unit,
  isFailed,
  morePhotos,
}: RecordedValue): string {
  if (fieldType === 'Checkbox' && isFailed) return text.player.checkFailed;
  if (morePhotos.length > 0) return text.workOrders.photoCount(morePhotos.length + 1);
  if (fieldType === 'Checkbox') return value === '1' ? text.workOrders.yes : text.workOrders.no;
  if (fileName !== null) return fileName;
  if (value === '') return text.workOrders.emptyValue;
  // File ids mean nothing to people, so the type is shown.
  if (isFileType(fieldType)) return text.workOrders.files[fieldType];
  return withUnit(fieldType === 'Numeric Input' ? formatDigits(value) : value, unit);
}

function isFileType(type: RecordedValue['fieldType']): type is keyof typeof text.workOrders.files {
  return type in text.workOrders.files;
}
