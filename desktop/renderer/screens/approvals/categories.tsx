import { useActions } from '#desktop/renderer/engine-context.tsx';
import { X } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { ApprovalProcess } from '#shared/model/approval.ts';

import styles from './approvals.module.css';

/** The categories in which new guides start with this process. */
export function Categories({ process, onChanged }: { process: ApprovalProcess; onChanged: () => void }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const pages = useLive('pages', 'CATEGORY');
  const { approval_processid, wikiids } = process;
  const set = (wikiid: number, processid: number | null) =>
    act(async () => {
      await actions.setDefaultProcess(wikiid, processid);
      onChanged();
    });
  const titleOf = (wikiid: number) =>
    pages.find((page) => page.wikiid === String(wikiid))?.displayTitle ?? String(wikiid);
  const choices = pages
    .filter((page) => /^\d+$/.test(page.wikiid) && !wikiids.includes(Number(page.wikiid)))
    .map(({ wikiid, displayTitle }) => ({ id: wikiid, name: displayTitle }));
  return (
    <Stack gap="s">
      <h3>{text.approvals.categories}</h3>
      {wikiids.length === 0 && <p className={classNames(styles, 'note')}>{text.approvals.noCategories}</p>}
      {wikiids.map((wikiid) => (
        <Row key={wikiid}>
          <span>{titleOf(wikiid)}</span>
          <IconButton
            label={text.approvals.removeCategory(titleOf(wikiid))}
            icon={<X />}
            onPress={() => set(wikiid, null)}
          />
        </Row>
      ))}
      <SelectField
        label={text.approvals.addCategory}
        choices={choices}
        value={null}
        placeholder={text.approvals.chooseSigner}
        onChange={(id) => set(Number(id), approval_processid)}
      />
    </Stack>
  );
}
