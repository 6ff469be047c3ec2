import { Upload } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';

import { surveyJson } from '#shared/model/quiz.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { typedNumber } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';

import styles from './training.module.css';

/** Dialog that imports a survey, from a file or from pasted text. */
export function ImportQuiz() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button tone="primary" icon={<Upload aria-hidden="true" />} onPress={() => setIsOpen(true)}>
        {text.quizzes.import}
      </Button>
      {isOpen && <ImportDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ImportDialog({ onClose }: { onClose: () => void }) {
  const actions = useActions();
  const [title, setTitle] = useState('');
  const [passing, setPassing] = useState('80');
  const [json, setJson] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const send = () => {
    const survey = surveyOf(json);
    if (survey === null) return setFailure(text.quizzes.notJson);
    setFailure(null);
    setIsBusy(true);
    const quiz = {
      ...(title.trim() === '' ? {} : { title: title.trim() }),
      passing_score: typedNumber(passing),
      surveyjs: survey,
    };
    actions
      .importQuiz(quiz)
      .then((made) => {
        actions.syncNow();
        showToast(text.quizzes.imported(made.title));
        onClose();
      })
      .catch((error: unknown) => setFailure(errorMessage(error)))
      .finally(() => setIsBusy(false));
  };
  return (
    <Dialog
      title={text.quizzes.importTitle}
      size="medium"
      isOpen
      onClose={onClose}
      closeLabel={text.app.close}
      actions={
        <>
          <Button onPress={onClose}>{text.app.cancel}</Button>
          <Button tone="primary" onPress={send} isPending={isBusy} isDisabled={json.trim() === ''}>
            {text.quizzes.doImport}
          </Button>
        </>
      }
    >
      <Stack>
        <p>{text.quizzes.importHint}</p>
        {failure !== null && <Notice tone="danger" title={failure} />}
        <TextField label={text.quizzes.name} hint={text.quizzes.nameHint} value={title} onChange={setTitle} />
        <TextField label={text.quizzes.passing} kind="numeric" value={passing} onChange={setPassing} />
        <FileTrigger
          acceptedFileTypes={['.json', 'application/json']}
          onSelect={(files) => void files?.[0]?.text().then(setJson)}
        >
          <Button>{text.quizzes.chooseFile}</Button>
        </FileTrigger>
        <div className={classNames(styles, 'code')}>
          <TextField label={text.quizzes.json} kind="long" value={json} onChange={setJson} />
        </div>
      </Stack>
    </Dialog>
  );
}

function surveyOf(json: string) {
  try {
    return surveyJson.parse(JSON.parse(json));
  } catch {
    return null;
  }
}
