import { X } from 'lucide-react';
import { useState } from 'react';

import type { WikiPage } from '#desktop/engine/api/page-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { FieldGroup } from '#desktop/renderer/ui/field-group.tsx';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { DocumentButton, documentName } from '../editor/document-button.tsx';
import styles from './page-parts.module.css';
import { Info, Suppliers } from './page-tables.tsx';
import { PictureField } from './picture-field.tsx';
import type { TypedPage } from './use-typed-page.ts';

interface PartsProps {
  page: WikiPage;
  typed: TypedPage;
}

/** The further parts that this kind of page has. */
export function PageParts({ page, typed }: PartsProps) {
  return (
    <div className={classNames(styles, 'parts')}>
      <FieldGroup align="start" title={text.pages.picture}>
        <PictureField image={typed.text.image ?? null} onChange={(image) => typed.change({ image })} />
      </FieldGroup>
      {page.namespace === 'CATEGORY' && !page.isTranslation && (
        <FieldGroup align="start" title={text.pages.above}>
          <Parent page={page} typed={typed} />
        </FieldGroup>
      )}
      {page.namespace === 'CATEGORY' && (
        <FieldGroup align="start" title={text.pages.facts}>
          <Info typed={typed} />
        </FieldGroup>
      )}
      {page.namespace === 'ITEM' && (
        <FieldGroup align="start" title={text.pages.suppliers}>
          <Suppliers typed={typed} />
        </FieldGroup>
      )}
      <FieldGroup align="start" title={text.pages.documents}>
        <PageDocuments typed={typed} />
      </FieldGroup>
      <FlagPart page={page} typed={typed} />
    </div>
  );
}

/** Maximum number of suggestions. */
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

function PageDocuments({ typed }: { typed: TypedPage }) {
  const actions = useActions();
  const documents = typed.text.documents ?? [];
  const add = async (files: File[]) => {
    const kept = [];
    for (const file of files) kept.push(await actions.keepPageDocument(file, file.name));
    typed.change({ documents: [...documents, ...kept] });
  };
  return (
    <>
      {documents.length === 0 ? (
        <p className={classNames(styles, 'nothing')}>{text.editor.noDocuments}</p>
      ) : (
        <ul className={classNames(styles, 'rows')}>
          {documents.map((document) => (
            <li key={document.guid} className={classNames(styles, 'row')}>
              <span className={classNames(styles, 'name')}>{documentName(document)}</span>
              <IconButton
                label={text.editor.removeDocument(documentName(document))}
                icon={<X />}
                onPress={() =>
                  typed.change({ documents: documents.filter(({ guid }) => guid !== document.guid) })
                }
              />
            </li>
          ))}
        </ul>
      )}
      <DocumentButton onChoose={add} />
    </>
  );
}

/** Flags that the person can set, and those that are set already. */
function FlagPart({ page, typed }: PartsProps) {
  const chosen = typed.text.flags ?? [];
  const known = new Map(page.flagChoices.map(({ flagid, title }) => [flagid, title]));
  const all = [...new Set([...known.keys(), ...page.text.flags])];
  if (all.length === 0) return null;
  return (
    <FieldGroup align="start" title={text.editor.flags}>
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
    </FieldGroup>
  );
}
