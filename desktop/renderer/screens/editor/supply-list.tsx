import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react';
import { useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import type { SupplyFacts } from '#shared/model/guide.ts';

import { DraftNumber, DraftText } from './draft-text.tsx';
import styles from './supply-list.module.css';
import { SupplyName } from './supply-name.tsx';
import { useEditor } from './use-editor.ts';

type SupplyField = 'parts' | 'tools';

/** The parts or tools of a guide: quantity and name, with further details behind a button. */
export function SupplyList({ field }: { field: SupplyField }) {
  const { draft, pendingEdits, content, edit } = useEditor();
  const change = (make: (now: SupplyFacts[]) => SupplyFacts[]) =>
    void pendingEdits.flush().then(() => edit({ op: 'setList', field, value: make(content()[field]) }));
  const isTools = field === 'tools';
  return (
    <>
      {draft.content[field].length === 0 ? (
        <p className={classNames(styles, 'nothing')}>{isTools ? text.editor.noTools : text.editor.noParts}</p>
      ) : (
        <ul className={classNames(styles, 'list')}>
          {draft.content[field].map((supply, index) => (
            // A supply has no id, and its name changes while it is typed.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <Supply
                field={field}
                index={index}
                supply={supply}
                onRemove={() => change((now) => now.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ul>
      )}
      <Button icon={<Plus aria-hidden="true" />} onPress={() => change((now) => [...now, emptySupply()])}>
        {isTools ? text.editor.addTool : text.editor.addPart}
      </Button>
    </>
  );
}

interface SupplyProps {
  field: SupplyField;
  index: number;
  supply: SupplyFacts;
  onRemove: () => void;
}

function Supply({ field, index, supply, onRemove }: SupplyProps) {
  const { content } = useEditor();
  const [isOpen, setIsOpen] = useState(false);
  const toEdit = (change: Partial<SupplyFacts>) => ({
    op: 'setList' as const,
    field,
    value: content()[field].map((other, at) => (at === index ? { ...other, ...change } : other)),
  });
  const name = supply.text === '' ? text.editor.unnamedSupply : supply.text;
  const place = { list: field, element: String(index) };
  return (
    <div className={classNames(styles, 'supply')}>
      <div className={classNames(styles, 'head')}>
        <div className={classNames(styles, 'quantity')}>
          <DraftNumber
            label={text.editor.supplyQuantity}
            least={1}
            error={text.editor.needQuantity}
            stored={supply.quantity}
            toEdit={(quantity) => toEdit({ quantity })}
          />
        </div>
        <div className={classNames(styles, 'words')}>
          <SupplyName field={field} index={index} supply={supply} toEdit={toEdit} />
        </div>
        <div className={classNames(styles, 'buttons')}>
          <IconButton
            label={text.editor.supplyMore(name)}
            icon={isOpen ? <ChevronUp /> : <ChevronDown />}
            onPress={() => setIsOpen(!isOpen)}
          />
          <IconButton label={text.editor.supplyRemove(name)} icon={<X />} onPress={onRemove} />
        </div>
      </div>
      {isOpen && (
        <div className={classNames(styles, 'details')}>
          <DraftText
            label={text.editor.supplyType}
            place={{ ...place, field: 'type' }}
            stored={supply.type}
            toEdit={(type) => toEdit({ type })}
          />
          <DraftText
            label={text.editor.supplyUrl}
            place={{ ...place, field: 'url' }}
            kind="url"
            stored={supply.url}
            toEdit={(url) => toEdit({ url })}
          />
          <DraftText
            label={text.editor.supplyNotes}
            place={{ ...place, field: 'notes' }}
            stored={supply.notes ?? ''}
            toEdit={(notes) => toEdit({ notes: notes === '' ? null : notes })}
          />
        </div>
      )}
    </div>
  );
}

function emptySupply(): SupplyFacts {
  return { text: '', notes: null, type: '', quantity: 1, url: '', thumbnail: null };
}
