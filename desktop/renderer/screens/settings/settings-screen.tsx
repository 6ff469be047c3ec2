import { handOverAll } from '#desktop/renderer/hand-over.ts';
import { changePreferences, densities, themes, usePreferences } from '#desktop/renderer/preferences.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { accountText } from '#desktop/renderer/text/en/account.ts';
import { offlineText } from '#desktop/renderer/text/en/offline.ts';
import { chooseLanguage, chosenLanguage, languages } from '#desktop/renderer/text/language.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { useAdministers } from '#desktop/renderer/use-administers.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { screens } from '#shared/rules/screens.ts';

import { Page } from '../shell/page.tsx';
import { useSignOut } from '../shell/sign-out.tsx';
import { Protection } from '../unlock/protection.tsx';
import { WaitingElsewhereList } from '../sync/waiting-elsewhere.tsx';
import { AppUpdates } from './app-updates.tsx';
import { OfflineCard } from './offline-card.tsx';
import { StoragePanel } from './storage-panel.tsx';
import styles from './settings-screen.module.css';

/** Settings: appearance, account and storage of this device. */
export function SettingsScreen() {
  return (
    <Page title={text.settings.title}>
      <div className={classNames(styles, 'settings')}>
        <SectionCard title={text.settings.display}>
          <Display />
        </SectionCard>
        <OfflineCard />
        <SectionCard title={offlineText.storage.title}>
          <Storage />
        </SectionCard>
        <Protection />
        <AppUpdates />
        <SectionCard title={text.settings.account}>
          <Account />
        </SectionCard>
        <Administration />
      </div>
    </Page>
  );
}

/** Link to the administration, for administrators. */
function Administration() {
  if (!useAdministers()) return null;
  return (
    <SectionCard title={text.app.administration}>
      <Row>
        <ButtonLink href={screens.administration.path}>{text.settings.toAdministration}</ButtonLink>
      </Row>
    </SectionCard>
  );
}

function Display() {
  const { density, theme } = usePreferences();
  return (
    <>
      <SegmentedField
        look="compact"
        label={text.app.density}
        segments={densities.map((id) => ({ id, name: text.app.densities[id] }))}
        value={density}
        onChange={(id) => changePreferences({ density: densities.find((known) => known === id) ?? density })}
      />
      <SegmentedField
        look="compact"
        label={text.app.theme}
        segments={themes.map((id) => ({ id, name: text.app.themes[id] }))}
        value={theme}
        onChange={(id) => changePreferences({ theme: themes.find((known) => known === id) ?? theme })}
      />
      <SegmentedField
        look="compact"
        label={text.app.language}
        segments={languages.map((id) => ({ id, name: text.app.languages[id] }))}
        value={chosenLanguage()}
        onChange={(id) => {
          chooseLanguage(languages.find((known) => known === id) ?? 'system');
          handOverAll();
          location.reload();
        }}
      />
    </>
  );
}

function Storage() {
  const { journal, insecure } = useLive('storage');
  const promise = {
    file: text.settings.journalFile,
    'private-file-system': text.settings.journalPrivate,
    full: text.sync.safety.diskFullHint,
    none: text.settings.journalNone,
  }[journal];
  return (
    <>
      {insecure && (
        <Notice tone="warn" title={text.signIn.insecure}>
          {text.signIn.insecureHint}
        </Notice>
      )}
      <p>{promise}</p>
      {!insecure && <StoragePanel />}
    </>
  );
}

function Account() {
  const session = useLive('session');
  const signOut = useSignOut();
  return (
    <>
      {session.user && <p>{text.settings.signedInAs(session.user.username, session.server ?? '')}</p>}
      <p className={classNames(styles, 'facts')}>{text.settings.signOutHint}</p>
      <WaitingElsewhereList />
      <Row>
        <Button onPress={signOut.ask} isPending={signOut.busy}>
          {text.app.signOut}
        </Button>
        {session.user?.privileges.includes('Kiosk') === false && (
          <ButtonLink href="/settings/account">{accountText.settings}</ButtonLink>
        )}
      </Row>
      {signOut.question}
    </>
  );
}
