import type { Translation } from '#shared/text/message.ts';

import type {
  settingChoiceText,
  settingGroupText,
  settingSectionText,
  settingText,
} from '../en/site-settings.ts';

export const settingGroup: Translation<typeof settingGroupText> = {
  names: { title: 'Namen' },
  access: { title: 'Zugang' },
  passwords: { title: 'Passwörter' },
  sign_on: {
    title: 'Single Sign-on',
    lead: 'Genehmigungen lassen sich statt mit dem Passwort über einen Identitätsanbieter (SAML 2) unterschreiben. Wenn Sie es erlauben, ist auch die Anmeldung darüber möglich. Jedes Konto braucht dafür seine Single-Sign-on-Kennung.',
  },
  languages: { title: 'Sprachen und Anleitungen' },
  mail: { title: 'E-Mail' },
  translation: { title: 'Maschinelle Übersetzung' },
  limits: { title: 'Grenzen' },
  backups: { title: 'Zeitplan' },
};

export const settingSection: Translation<typeof settingSectionText> = {
  site: { title: 'Plattform', lead: 'Diese Einstellungen gelten für alle auf diesem Server.' },
  signIn: { title: 'Anmeldung', lead: 'Wie Personen nachweisen, wer sie sind.' },
  mail: {
    title: 'E-Mail',
    lead: 'Einladungen, Passwort-Links und Warnungen gehen über Ihren Mailserver hinaus.',
  },
  backups: {
    title: 'Sicherungen',
    lead: 'Kopien von allem auf diesem Server, und wie lange sie aufbewahrt werden.',
  },
};

const list = (add: string, none: string) => ({
  add,
  none,
  addButton: 'Hinzufügen',
  remove: '{name} entfernen',
  nothingFound: 'Nichts gefunden',
});

export const settingChoice: Translation<typeof settingChoiceText> = {
  anyone: 'Alle',
  members: 'Angemeldete Personen',
  language: 'Sprache wählen',
  main: 'Hauptsprache',
  timeZones: 'Zeitzonen zeigen',
  nothingFound: 'Nichts gefunden',
  byDefault: 'Voreinstellung: {value}.',
  lists: {
    languages: list('Sprache hinzufügen', 'Noch keine Sprachen'),
    guide_types: list('Art von Anleitung hinzufügen', 'Noch keine Arten von Anleitungen'),
    private_networks: list('Netzwerk hinzufügen', 'Keine'),
    cors_origins: list('Website hinzufügen', 'Keine'),
  },
  guideTypes: {
    replacement: 'Austausch',
    installation: 'Installation',
    repair: 'Reparatur',
    disassembly: 'Demontage',
    teardown: 'Zerlegung',
    technique: 'Technik',
    maintenance: 'Wartung',
    'how-to': 'How-to',
  },
};

export const setting: Translation<typeof settingText> = {
  name: { label: 'Kurzname' },
  title: { label: 'Titel' },
  description: { label: 'Beschreibung' },
  time_zone: {
    label: 'Zeitzone',
    hint: 'Geplante Aufträge wiederholen sich in dieser Zeitzone. Tippen Sie eine Stadt ein, um sie zu finden.',
  },
  support_url: { label: 'Adresse für Supportanfragen' },
  address: {
    label: 'Adresse dieses Servers',
    hint: 'Für Links in E-Mails und für den Identitätsanbieter, z. B. https://guides.example.org. Lassen Sie das Feld leer, um die Adresse der jeweiligen Anfrage zu nutzen.',
  },

  private: { label: 'Wer lesen darf' },
  public_registration: { label: 'Jeder kann sich registrieren' },
  releases: { label: 'Anleitungen werden in Versionen freigegeben' },
  compatibility: { label: 'Kompatibilität mit älteren Apps' },

  password_days: {
    label: 'Passwörter müssen geändert werden nach',
    hint: 'Lassen Sie das Feld leer, wenn Passwörter nicht ablaufen. Jedes Passwort braucht mindestens zehn Zeichen. Nach zu vielen falschen Passwörtern gibt es eine Wartezeit.',
    suffix: 'Tagen',
  },

  sign_on: { label: 'Genehmigungen lassen sich über einen Identitätsanbieter unterschreiben' },
  'sign_on.entry_point': {
    label: 'Single-Sign-on-Adresse',
    hint: 'Anmeldeseite des Identitätsanbieters (HTTP-Redirect)',
  },
  'sign_on.certificates': {
    label: 'Zertifikate des Identitätsanbieters',
    hint: 'Eines oder mehrere im PEM-Format, beginnend mit -----BEGIN CERTIFICATE-----. Während ein Zertifikat ersetzt wird, fügen Sie das alte und das neue ein.',
  },
  'sign_on.idp_issuer': {
    label: 'Entitäts-ID des Identitätsanbieters',
    hint: 'Lassen Sie das Feld leer, um jeden Anbieter mit einem der Zertifikate zuzulassen.',
  },
  'sign_on.attribute': {
    label: 'Attribut mit der Single-Sign-on-Kennung',
    hint: 'Lassen Sie das Feld leer, um die NameID zu nutzen.',
  },
  'sign_on.issuer': {
    label: 'Entitäts-ID dieser Plattform',
    hint: 'Lassen Sie das Feld leer, um die Metadaten-Adresse zu nutzen.',
  },
  'sign_on.sign_in_name': {
    label: 'Name auf der Anmeldeseite',
    hint: 'Erscheint als „Mit … anmelden“. Lassen Sie das Feld leer, um den Identitätsanbieter nur für Genehmigungen zu nutzen.',
  },
  'sign_on.match_email': {
    label:
      'Bei der Anmeldung Konten ohne Single-Sign-on-Kennung anhand der E-Mail-Adresse finden und ihr Passwort entfernen',
  },
  'sign_on.create_accounts': {
    label: 'Bei der Anmeldung ein Konto für alle anlegen, die der Identitätsanbieter kennt',
  },
  'sign_on.email_attribute': {
    label: 'Attribut mit der E-Mail-Adresse',
    hint: 'Lassen Sie das Feld leer, um die NameID zu nutzen, wenn sie eine Adresse ist. Vertrauen Sie ihr nur, wenn niemand sie selbst ändern kann.',
  },
  'sign_on.name_attribute': {
    label: 'Attribut mit dem Namen für ein neues Konto',
    hint: 'Lassen Sie das Feld leer, um den Teil der Adresse vor dem @ zu nutzen.',
  },

  langid: { label: 'Hauptsprache' },
  languages: { label: 'Sprachen' },
  guide_types: { label: 'Arten von Anleitungen' },

  smtp: { label: 'E-Mails über einen Mailserver senden' },
  'smtp.host': { label: 'Mailserver' },
  'smtp.port': { label: 'Port des Mailservers' },
  'smtp.tls': { label: 'Implizites TLS nutzen (Port 465)' },
  'smtp.user': {
    label: 'Benutzername für den Mailserver',
    hint: 'Lassen Sie das Feld leer, um ohne Anmeldung zu senden.',
  },
  'smtp.password': {
    label: 'Passwort für den Mailserver',
    forget: 'Gespeichertes Passwort entfernen',
  },
  'smtp.from': { label: 'Absender', hint: 'Zum Beispiel Guides <guides@example.org>' },

  translation: { label: 'Seitentitel mit einem Übersetzungsdienst übersetzen' },
  'translation.url': {
    label: 'Adresse des Dienstes',
    hint: 'Er muss mit LibreTranslate kompatibel sein.',
  },
  'translation.key': {
    label: 'API-Schlüssel für den Dienst',
    forget: 'Gespeicherten API-Schlüssel entfernen',
  },

  upload_megabytes: { label: 'Größte Datei beim Hochladen', suffix: 'MB' },
  upload_gigabytes_per_day: { label: 'Tägliche Menge zum Hochladen je Person', suffix: 'GB' },
  requests_per_minute: {
    label: 'Anfragen pro Minute',
    hint: 'Je Gerät, und je IP-Adresse bei Anfragen ohne Anmeldung. Lassen Sie das Feld leer für 60.000 je Gerät und 3.000 je Adresse.',
  },
  backup_hours: {
    label: 'Zeit zwischen Sicherungen',
    suffix: 'Stunden',
    hint: 'Gilt nur, wenn der Server mit einem Sicherungsordner gestartet wurde (--backup).',
  },
  backup_days: { label: 'Neueste Sicherung jedes Tages behalten für', suffix: 'Tage' },
  backup_weeks: { label: 'Neueste Sicherung jeder Woche behalten für', suffix: 'Wochen' },
  backup_months: { label: 'Neueste Sicherung jedes Monats behalten für', suffix: 'Monate' },
  private_networks: {
    label: 'Private Netzwerke, mit denen sich der Server verbinden darf',
    hint: 'Zum Beispiel 10.1.0.0/16',
  },
  cors_origins: {
    label: 'Websites, die von diesem Server lesen dürfen (CORS)',
    hint: 'Zum Beispiel https://shop.example.org. Mit „any“ darf jede Website öffentliche Inhalte lesen.',
  },
};
