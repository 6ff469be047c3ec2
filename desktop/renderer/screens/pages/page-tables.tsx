import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import type { NamedValue, Supplier } from '#shared/model/wiki.ts';

import styles from './page-parts.module.css';
import type { TypedPage } from './use-typed-page.ts';

/** The named values of a category. */
export function Info({ typed }: { typed: TypedPage }) {
  const info = typed.text.info ?? [];
  const change = (index: number, part: Partial<NamedValue>) =>
    typed.change({ info: info.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  return (
    <Rows
      rows={info}
      nothing={text.pages.noFacts}
      addLabel={text.pages.addFact}
      onAdd={() => typed.change({ info: [...info, { name: '', value: '' }] })}
      onRemove={(index) => typed.change({ info: info.toSpliced(index, 1) })}
      removeLabel={({ name }) => text.pages.removeFact(name)}
    >
      {({ name, value }, index) => (
        <>
          <TextField
            label={text.pages.factName}
            value={name}
            onChange={(next) => change(index, { name: next })}
          />
          <TextField
            label={text.pages.factValue}
            value={value}
            onChange={(next) => change(index, { value: next })}
          />
        </>
      )}
    </Rows>
  );
}

/** The suppliers of an item. */
export function Suppliers({ typed }: { typed: TypedPage }) {
  const suppliers = typed.text.suppliers ?? [];
  const change = (index: number, part: Partial<Supplier>) =>
    typed.change({ suppliers: suppliers.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  const blank: Supplier = { supplier: '', 'part_#': '', type: '', url: '' };
  const fields = ['supplier', 'part_#', 'type', 'url'] as const;
  return (
    <Rows
      rows={suppliers}
      nothing={text.pages.noSuppliers}
      addLabel={text.pages.addSupplier}
      onAdd={() => typed.change({ suppliers: [...suppliers, blank] })}
      onRemove={(index) => typed.change({ suppliers: suppliers.toSpliced(index, 1) })}
      removeLabel={({ supplier }) => text.pages.removeSupplier(supplier)}
    >
      {(one, index) =>
        fields.map((field) => (
          <TextField
            key={field}
            label={text.pages.supplierFields[field]}
            {...(field === 'url' && { kind: 'url' as const })}
            value={one[field]}
            onChange={(next) => change(index, { [field]: next })}
          />
        ))
      }
    </Rows>
  );
}

interface RowsProps<T> {
  rows: readonly T[];
  nothing: string;
  addLabel: string;
  onAdd: () => void;
  onRemove: (index: number) => void;
  removeLabel: (row: T) => string;
  children: (row: T, index: number) => ReactNode;
}

/** An editable table with a few rows. */
function Rows<T>({ rows, nothing, addLabel, onAdd, onRemove, removeLabel, children }: RowsProps<T>) {
  return (
    <>
      {rows.length === 0 ? (
        <p className={classNames(styles, 'nothing')}>{nothing}</p>
      ) : (
        <ul className={classNames(styles, 'rows')}>
          {rows.map((row, index) => (
            // A row has no id, and its name changes while it is typed.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className={classNames(styles, 'row')}>
              <div className={classNames(styles, 'fields')}>{children(row, index)}</div>
              <IconButton label={removeLabel(row)} icon={<X />} onPress={() => onRemove(index)} />
            </li>
          ))}
        </ul>
      )}
      <Button icon={<Plus aria-hidden="true" />} onPress={onAdd}>
        {addLabel}
      </Button>
    </>
  );
}
