import { MonitorSmartphone, ListChecks } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { useLocation } from 'wouter';

import { isBeyondKiosk } from '#shared/rules/kiosk.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';

import { Page } from '../shell/page.tsx';
import styles from './training.module.css';

interface TrainingPageProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** Whether the person may manage quizzes, courses and modules. */
export function useManages(): boolean {
  const { user } = useLive('session');
  const privileges = user?.privileges ?? [];
  return (
    ['Author', 'Moderator', 'Admin'].some((one) => privileges.includes(one)) && !privileges.includes('Kiosk')
  );
}

/** Whether the person takes quizzes and courses; shared accounts do not. */
export function useLearns(): boolean {
  const { user } = useLive('session');
  return user !== null && !isBeyondKiosk(user, 'quiz.take');
}

/** A screen of the training area, with its navigation. */
export function TrainingPage({ title, lead, actions, children }: TrainingPageProps) {
  const learns = useLearns();
  if (!learns)
    return (
      <Page title={title} hideTitle>
        <EmptyState icon={<MonitorSmartphone />} title={text.training.kiosk}>
          {text.training.kioskHint}
        </EmptyState>
      </Page>
    );
  return (
    <Page title={title} lead={lead} actions={actions} over={<Sections />}>
      {children}
    </Page>
  );
}

function Sections() {
  const [path] = useLocation();
  const manages = useManages();
  const { sections } = text.training;
  const results = ['/training/sessions', sections.sessions] as const;
  const take: Place[] = [
    ['/training', sections.courses],
    ['/training/quizzes', sections.quizzes],
    ['/training/results', sections.results],
    ...(manages ? [] : [results]),
  ];
  const manage: Place[] = [
    ['/training/plans', sections.manage],
    ['/training/modules', sections.modules],
    results,
  ];
  return (
    <nav className={classNames(styles, 'sections')} aria-label={text.training.sectionsLabel}>
      <Places {...(manages && { title: text.training.take })} places={take} path={path} />
      {manages && <Places title={text.training.manage} places={manage} path={path} />}
    </nav>
  );
}

type Place = readonly [href: string, name: string];

/** A group of sections; without a title if it is the only one. */
function Places({ title, places, path }: { title?: string; places: readonly Place[]; path: string }) {
  return (
    <div className={classNames(styles, 'group')}>
      {title !== undefined && <span className={classNames(styles, 'groupTitle')}>{title}</span>}
      {places.map(([href, name]) => (
        <Link
          key={href}
          href={href}
          className={classNames(styles, 'section', path === href && 'here')}
          {...(path === href && { 'aria-current': 'page' as const })}
        >
          {name}
        </Link>
      ))}
    </div>
  );
}

/** Shown if a quiz or attempt does not exist on this device. */
export function QuizGone({ title }: { title: string }) {
  return (
    <TrainingPage title={title}>
      <EmptyState
        icon={<ListChecks />}
        title={text.quizzes.gone}
        action={<ButtonLink href="/training/quizzes">{text.training.sections.quizzes}</ButtonLink>}
      >
        {text.quizzes.goneHint}
      </EmptyState>
    </TrainingPage>
  );
}
