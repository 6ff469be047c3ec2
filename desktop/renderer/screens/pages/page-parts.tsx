import { FilePlus, ImagePlus, Plus, X } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { FileTrigger } from 'react-aria-components';

import type { WikiPage } from '#desktop/engine/views/page-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { NamedValue, Supplier } from '#shared/model/wiki.ts';

import { documentTypes } from '../editor/documents.tsx';
import styles from './page-parts.module.css';
import type { KeptText } from './use-kept-text.ts';

interface PartsProps {
  page: WikiPage;
  typed: KeptText;
}

/** What stands beside the words of a page, as far as its kind has it. */
export function PageParts({ page, typed }: PartsProps) {
  return (
    <div className={classNames(styles, 'parts')}>
      <Part title={text.pages.picture}>
        <PictureField image={typed.text.image ?? null} onChange={(image) => typed.change({ image })} />
      </Part>
      {page.namespace === 'CATEGORY' && !page.isTranslation && (
        <Part title={text.pages.above}>
          <Parent page={page} typed={typed} />
        </Part>
      )}
      {page.namespace === 'CATEGORY' && (
        <Part title={text.pages.facts}>
          <Info typed={typed} />
        </Part>
      )}
      {page.namespace === 'ITEM' && (
        <Part title={text.pages.suppliers}>
          <Suppliers typed={typed} />
        </Part>
      )}
      <Part title={text.pages.documents}>
        <PageDocuments typed={typed} />
      </Part>
      <FlagPart page={page} typed={typed} />
    </div>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className={classNames(styles, 'part')} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}

interface PictureFieldProps {
  image: ImageRef | null;
  onChange: (image: ImageRef | null) => void;
}

/** The one picture of a page or person. */
export function PictureField({ image, onChange }: PictureFieldProps) {
  const actions = useActions();
  const { act, busy } = useAct();
  const choose = (files: FileList | null) => {
    const file = files?.[0];
    if (file === undefined) return;
    act(async () => onChange(await actions.keepPagePicture(file, file.name)));
  };
  return (
    <>
      {image === null ? (
        <p className={classNames(styles, 'nothing')}>{text.pages.noPicture}</p>
      ) : (
        <div className={classNames(styles, 'picture')}>
          <Picture guid={image.guid} size="medium" alt={text.pages.picture} fit="cover" />
        </div>
      )}
      <div className={classNames(styles, 'buttons')}>
        <FileTrigger acceptedFileTypes={['image/*']} onSelect={choose}>
          <Button icon={<ImagePlus aria-hidden="true" />} isPending={busy}>
            {image === null ? text.pages.addPicture : text.pages.changePicture}
          </Button>
        </FileTrigger>
        {image !== null && <Button onPress={() => onChange(null)}>{text.pages.removePicture}</Button>}
      </div>
    </>
  );
}

/** As many suggestions as one reads. */
const suggestionCount = 40;

function Parent({ page, typed }: PartsProps) {
  const categories = useLive('pages', 'CATEGORY');
  const parent = typed.text.parent ?? '';
  const [words, setWords] = useState<string | null>(null);
  const wanted = (words ?? '').trim().toLowerCase();
  const found = [...new Set(categories.map(({ title }) => title))].filter(
    (title) => title !== page.title && title.toLowerCase().includes(wanted),
  );
  return (
    <>
      <ComboField
        label={text.pages.parentField}
        choices={found.slice(0, suggestionCount).map((title) => ({ id: title, name: title }))}
        input={words ?? parent}
        onInput={setWords}
        onChoose={(title) => {
          setWords(null);
          if (title !== null) typed.change({ parent: title });
        }}
        placeholder={text.pages.atTheTop}
        emptyText={text.pages.nothingFound}
        openLabel={text.pages.openCategories}
      />
      {parent !== '' && (
        <Button onPress={() => typed.change({ parent: null })}>{text.pages.moveToTop}</Button>
      )}
    </>
  );
}

function Info({ typed }: { typed: KeptText }) {
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

function Suppliers({ typed }: { typed: KeptText }) {
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

/** A short table that is written in. */
function Rows<T>({ rows, nothing, addLabel, onAdd, onRemove, removeLabel, children }: RowsProps<T>) {
  return (
    <>
      {rows.length === 0 ? (
        <p className={classNames(styles, 'nothing')}>{nothing}</p>
      ) : (
        <ul className={classNames(styles, 'rows')}>
          {rows.map((row, index) => (
            // What a row is called is its only identity, and it changes while it is typed.
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

function PageDocuments({ typed }: { typed: KeptText }) {
  const actions = useActions();
  const { act, busy } = useAct();
  const documents = typed.text.documents ?? [];
  const add = (files: File[]) =>
    act(async () => {
      const kept = [];
      for (const file of files) kept.push(await actions.keepPageDocument(file, file.name));
      typed.change({ documents: [...documents, ...kept] });
    });
  return (
    <>
      {documents.length === 0 ? (
        <p className={classNames(styles, 'nothing')}>{text.editor.noDocuments}</p>
      ) : (
        <ul className={classNames(styles, 'rows')}>
          {documents.map(({ guid, text: title, extension }) => {
            const name = extension === '' ? title : `${title}.${extension}`;
            return (
              <li key={guid} className={classNames(styles, 'row')}>
                <span className={classNames(styles, 'name')}>{name}</span>
                <IconButton
                  label={text.editor.removeDocument(name)}
                  icon={<X />}
                  onPress={() =>
                    typed.change({ documents: documents.filter((other) => other.guid !== guid) })
                  }
                />
              </li>
            );
          })}
        </ul>
      )}
      <FileTrigger
        acceptedFileTypes={documentTypes}
        allowsMultiple
        onSelect={(files) => add([...(files ?? [])])}
      >
        <Button icon={<FilePlus aria-hidden="true" />} isPending={busy}>
          {text.editor.addDocument}
        </Button>
      </FileTrigger>
    </>
  );
}

/** Flags that the person can set, and those that stand there already. */
function FlagPart({ page, typed }: PartsProps) {
  const chosen = typed.text.flags ?? [];
  const known = new Map(page.flagChoices.map(({ flagid, title }) => [flagid, title]));
  const all = [...new Set([...known.keys(), ...page.text.flags])];
  if (all.length === 0) return null;
  return (
    <Part title={text.editor.flags}>
      {all.map((flagid) => (
        <CheckboxField
          key={flagid}
          label={known.get(flagid) ?? flagid}
          value={chosen.includes(flagid)}
          onChange={(on) =>
            typed.change({ flags: on ? [...chosen, flagid] : chosen.filter((other) => other !== flagid) })
          }
        />
      ))}
    </Part>
  );
}
