import { useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import styles from './archives.module.css';

const words = text.archives;
/** Maximum number of rows; others are found by search. */
const mostRows = 100;

/** A guide that can be selected. */
export interface ChoosableGuide {
  guideid: string;
  title: string;
}

interface ChooseGuidesProps {
  guides: readonly ChoosableGuide[];
  isOpen: boolean;
  onClose: () => void;
  onExport: (guideids: string[]) => void;
}

/** Dialog that selects guides for an archive, one by one or by tag. */
export function ChooseGuides({ isOpen, onClose, ...props }: ChooseGuidesProps) {
  return isOpen ? <Choosing {...props} onClose={onClose} /> : null;
}

function Choosing({ guides, onClose, onExport }: Omit<ChooseGuidesProps, 'isOpen'>) {
  const { tags, tag, chosen, found, shown, word, setWord, chooseTag, choose } = useChoice(guides);
  return (
    <Dialog
      title={words.chooseTitle}
      isOpen
      onClose={onClose}
      closeLabel={text.app.close}
      size="medium"
      actions={
        <Button
          tone="primary"
          isDisabled={chosen.size === 0}
          onPress={() => {
            onExport([...chosen]);
            onClose();
          }}
        >
          {words.exportChosen(chosen.size)}
        </Button>
      }
    >
      <Stack>
        {tags.length > 0 && (
          <SelectField
            label={words.chooseTag}
            placeholder={words.chooseTagNone}
            choices={tags.map((one) => ({ id: one.tag, name: one.tag }))}
            value={tag}
            onChange={chooseTag}
          />
        )}
        <TextField label={words.chooseFind} value={word} onChange={setWord} />
        <div className={classNames(styles, 'choices')} role="group" aria-label={words.chooseTitle}>
          {shown.map(({ guideid, title }) => (
            <CheckboxField
              key={guideid}
              label={title}
              value={chosen.has(guideid)}
              onChange={(isChosen) => choose(guideid, isChosen)}
            />
          ))}
        </div>
        {found.length > shown.length && <p>{words.chooseMore(found.length - shown.length)}</p>}
      </Stack>
    </Dialog>
  );
}

/** The selection and the guides to choose from: those of the tag first, filtered by the typed text. */
function useChoice(guides: readonly ChoosableGuide[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [tag, setTag] = useState<string | null>(null);
  // The guides of the chosen tag. Fixed when the tag is chosen, so that rows do not move while they are selected.
  const [first, setFirst] = useState<ReadonlySet<string>>(new Set());
  const [word, setWord] = useState('');
  const offered = new Set(guides.map(({ guideid }) => guideid));
  const tags = (useLiveSoon('taggedGuides') ?? []).filter(({ guideids }) =>
    guideids.some((id) => offered.has(id)),
  );
  const chooseTag = (name: string) => {
    const guideids = tags.find((one) => one.tag === name)?.guideids ?? [];
    const tagged = new Set(guideids.filter((id) => offered.has(id)));
    setTag(name);
    setFirst(tagged);
    setChosen(tagged);
  };
  const choose = (guideid: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(guideid);
    else next.delete(guideid);
    setTag(null);
    setChosen(next);
  };
  const wanted = word.trim().toLocaleLowerCase();
  const found = guides.filter(({ title }) => title.toLocaleLowerCase().includes(wanted));
  const shown = found
    .toSorted((a, b) => Number(first.has(b.guideid)) - Number(first.has(a.guideid)))
    .slice(0, mostRows);
  return { tags, tag, chosen, found, shown, word, setWord, chooseTag, choose };
}
