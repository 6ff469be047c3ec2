import { text } from '#desktop/renderer/text/en.ts';
import { difficultyName } from '#desktop/renderer/text/format.ts';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { FieldGroup } from '#desktop/renderer/ui/field-group.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { VisuallyHidden } from '#desktop/renderer/ui/visually-hidden.tsx';
import { difficulties } from '#shared/model/guide.ts';
import { guideLimits } from '#shared/rules/guide-limits.ts';

import styles from './about-page.module.css';
import { CategoryField } from './category-field.tsx';
import { DraftNumber, DraftText } from './draft-text.tsx';
import { Documents } from './documents.tsx';
import { Prerequisites } from './prerequisites.tsx';
import { SupplyList } from './supply-list.tsx';
import { useEditor } from './use-editor.ts';
import { WikiText } from './wiki-text.tsx';

/** The introduction page of the editor, laid out as in the player. */
export function AboutPage() {
  const { draft } = useEditor();
  const { image } = draft.content;
  return (
    <div className={classNames(styles, 'about')}>
      <div className={classNames(styles, 'main')}>
        {image !== null && (
          <div className={classNames(styles, 'picture')}>
            <Picture guid={image.guid} size="large" alt={text.editor.isCover} fit="cover" />
          </div>
        )}
        <VisuallyHidden as="h1">{text.editor.about}</VisuallyHidden>
        <Names />
        <WikiText
          field="introduction_raw"
          label={text.editor.introduction}
          hint={text.editor.introductionHint}
        />
      </div>
      <div className={classNames(styles, 'side')}>
        <FieldGroup title={text.editor.facts}>
          <Facts />
        </FieldGroup>
        {draft.flags.length > 0 && (
          <FieldGroup title={text.editor.flags}>
            <Flags />
          </FieldGroup>
        )}
        <FieldGroup title={text.editor.tools}>
          <SupplyList field="tools" />
        </FieldGroup>
        <FieldGroup title={text.editor.parts}>
          <SupplyList field="parts" />
        </FieldGroup>
        <FieldGroup title={text.editor.documents}>
          <Documents />
        </FieldGroup>
        <FieldGroup title={text.editor.prerequisites}>
          <Prerequisites />
        </FieldGroup>
      </div>
    </div>
  );
}

function Names() {
  const { draft, edit, saveAttempted } = useEditor();
  const { content } = draft;
  const types = [...new Set([...draft.guideTypes, content.type])].filter((type) => type !== '');
  return (
    <>
      <div className={classNames(styles, 'title')}>
        <DraftText
          label={text.editor.titleField}
          place={{ field: 'title' }}
          stored={content.title}
          toEdit={(value) => ({ op: 'setText', field: 'title', value })}
          isRequired
          error={saveAttempted && content.title.trim() === '' ? text.editor.needTitle : undefined}
        />
      </div>
      <DraftText
        label={text.editor.summary}
        hint={text.editor.summaryHint}
        place={{ field: 'summary' }}
        kind="long"
        stored={content.summary}
        toEdit={(value) => ({ op: 'setText', field: 'summary', value })}
        limit={guideLimits.summaryCharacters}
      />
      <div className={classNames(styles, 'fields')}>
        <CategoryField />
        <SelectField
          label={text.editor.type}
          choices={types.map((id) => ({ id, name: text.editor.types[id] ?? id }))}
          value={content.type === '' ? null : content.type}
          onChange={(value) => void edit({ op: 'setField', field: 'type', value })}
          placeholder={text.editor.chooseType}
        />
        <DraftText
          label={text.editor.subject}
          hint={text.editor.subjectHint}
          place={{ field: 'subject' }}
          stored={content.subject}
          toEdit={(value) => ({ op: 'setField', field: 'subject', value })}
        />
      </div>
    </>
  );
}

function Facts() {
  const { draft, edit } = useEditor();
  const { difficulty, time_required_min, time_required_max } = draft.content;
  return (
    <div className={classNames(styles, 'facts')}>
      <div className={classNames(styles, 'whole')}>
        <SelectField
          label={text.editor.difficulty}
          choices={difficulties.map((id) => ({ id, name: difficultyName(id) }))}
          value={difficulty === '' ? null : difficulty}
          onChange={(value) => void edit({ op: 'setField', field: 'difficulty', value })}
          placeholder={text.editor.chooseType}
        />
      </div>
      <DraftNumber
        label={text.editor.timeMin}
        unit={text.editor.minutes}
        least={0}
        error={text.editor.wholeNumber}
        stored={Math.round(time_required_min / 60)}
        toEdit={(minutes) => ({ op: 'setField', field: 'time_required_min', value: minutes * 60 })}
      />
      <DraftNumber
        label={text.editor.timeMax}
        unit={text.editor.minutes}
        least={0}
        error={text.editor.wholeNumber}
        stored={Math.round(time_required_max / 60)}
        toEdit={(minutes) => ({ op: 'setField', field: 'time_required_max', value: minutes * 60 })}
      />
    </div>
  );
}

function Flags() {
  const { draft, edit } = useEditor();
  const chosen = draft.content.flags;
  return (
    <div className={classNames(styles, 'flags')}>
      {draft.flags.map(({ flagid, title }) => (
        <CheckboxField
          key={flagid}
          label={title}
          value={chosen.includes(flagid)}
          onChange={(on) =>
            void edit({
              op: 'setList',
              field: 'flags',
              value: on ? [...chosen, flagid] : chosen.filter((other) => other !== flagid),
            })
          }
        />
      ))}
    </div>
  );
}

/** The conclusion page of the editor. */
export function ConclusionPage() {
  return (
    <div className={classNames(styles, 'single')}>
      <h1 className={classNames(styles, 'name')}>{text.editor.conclusion}</h1>
      <WikiText
        field="conclusion_raw"
        label={text.editor.conclusionField}
        hint={text.editor.conclusionHint}
      />
    </div>
  );
}
