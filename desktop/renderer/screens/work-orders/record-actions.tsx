import { Download, FileText, Printer } from 'lucide-react';

import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import type { StepView, WorkOrder } from '#desktop/engine/api/records.ts';
import { findBridge } from '#desktop/renderer/platform/bridge.ts';
import { saveFile, savePdf } from '#desktop/renderer/platform/save-file.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { orderCsv } from './order-csv.ts';

interface RecordActionsProps {
  order: WorkOrder;
  deviations: readonly DeviationView[];
  steps: readonly StepView[];
}

/**
 * Prints the record, or saves it as a file. The desktop app makes the PDF itself; a browser does it in its print dialog, which
 * the words of the button say.
 */
export function RecordActions({ order, deviations, steps }: RecordActionsProps) {
  const { act } = useAsyncAction();
  const record = useLiveSoon('orderRecord', order.entryid) ?? null;
  const name = order.workorderid.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-');
  const bridge = findBridge();
  const saveCsv = () =>
    act(() =>
      saveFile({
        filename: `${name}.csv`,
        csv: orderCsv(order, deviations, steps, record?.file ?? null),
      }),
    );
  return (
    <>
      <Button icon={<Printer aria-hidden="true" />} onPress={() => window.print()}>
        {bridge === undefined ? text.workOrders.printOrPdf : text.workOrders.print}
      </Button>
      {bridge !== undefined && (
        <Button
          icon={<FileText aria-hidden="true" />}
          onPress={() => act(() => savePdf(text.workOrders.savePdf, name))}
        >
          {text.workOrders.savePdf}
        </Button>
      )}
      <Button icon={<Download aria-hidden="true" />} onPress={saveCsv}>
        {text.workOrders.exportCsv}
      </Button>
      {record !== null && (
        <Button
          icon={<Download aria-hidden="true" />}
          onPress={() =>
            act(() => saveFile({ filename: `${name}.json`, json: JSON.stringify(record.file, null, 2) }))
          }
        >
          {text.workOrders.exportJson}
        </Button>
      )}
    </>
  );
}
