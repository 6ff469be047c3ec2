import { SettingsScreen } from './settings-section.tsx';

/** The names, access, languages and limits of the site. */
export function SiteScreen() {
  return <SettingsScreen section="site" />;
}

/** How people sign in. */
export function SignInSettingsScreen() {
  return <SettingsScreen section="signIn" />;
}
