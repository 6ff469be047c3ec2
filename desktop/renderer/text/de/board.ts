import type { Translation } from '#shared/text/message.ts';

import type { boardText } from '../en/board.ts';

export const board: Translation<typeof boardText> = {
  open: 'Übersicht',
  title: 'Übersicht',
  lead: 'Die Arbeit Ihrer Teams, jetzt und in den letzten 24 Stunden.',
  leadOwn:
    'Ihre Arbeit, jetzt und in den letzten 24 Stunden. Teamleitungen sehen auch die Arbeit der Mitglieder.',
  columns: {
    running: 'Laufend',
    paused: 'Pausiert',
    suspended: 'Angehalten oder unterbrochen',
    ended: 'Beendet',
  },
  nothing: 'Nichts',
  emptyTitle: 'Keine Arbeit in den letzten 24 Stunden',
  emptyHint: 'Laufende, pausierte, unterbrochene und beendete Aufträge erscheinen hier.',
  deviates: 'Abweichung',
  waitsForLead: 'Wartet auf die Teamleitung',
  progress: '{done} von {steps} Schritten besucht',
};
