import { Send } from 'lucide-react';
import { useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { jobsText } from '#desktop/renderer/text/en/jobs.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { fieldErrorMessage } from '#desktop/renderer/use-async-action.ts';

import { SettingsScreen } from '../site/settings-section.tsx';

/**
 * The mail server, and a test of it.
 *
 * - ADMIN-12 An administrator sends a test mail to their own address, and reads in words why it could not be sent.
 */
export function MailScreen() {
  return <SettingsScreen section="mail" after={({ smtp }) => smtp !== null && <TestMail />} />;
}

function TestMail() {
  const actions = useActions();
  const [result, setResult] = useState<'sending' | 'sent' | { failure: string } | null>(null);
  const send = () => {
    setResult('sending');
    actions.sendTestMail().then(
      () => setResult('sent'),
      (error: unknown) => setResult({ failure: fieldErrorMessage(error) }),
    );
  };
  return (
    <SectionCard title={jobsText.testMail}>
      <p>{jobsText.testMailLead}</p>
      <div role="status">
        {result === 'sent' && <Notice tone="info" title={jobsText.testMailSent} />}
        {result !== null && typeof result === 'object' && (
          <Notice tone="danger" title={jobsText.testMailFailed}>
            {result.failure}
          </Notice>
        )}
      </div>
      <div>
        <Button icon={<Send aria-hidden="true" />} onPress={send} isPending={result === 'sending'}>
          {jobsText.testMail}
        </Button>
      </div>
      <Note>{jobsText.queue}</Note>
    </SectionCard>
  );
}
