import { Printer } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';

import type { FormFieldView, PictureView, PlayableGuide, StepView } from '#desktop/engine/api/records.ts';
import { findBridge } from '#desktop/renderer/platform/bridge.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';

import styles from './all-steps-page.module.css';
import { labelAndUnit, limitWords, targetWords } from './number-words.ts';
import { PrintedCopy } from './printed-copy.tsx';
import { supplyWords } from './supply-words.ts';
import { StepLines } from './step-page.tsx';
import { useNearView } from './use-near-view.ts';
import { picturesArrived } from './pictures-arrived.ts';

interface AllStepsPageProps {
  guide: PlayableGuide;
  isPrinting: boolean;
  onPrint: () => void;
  onPrinted: () => void;
  onOpenStep: (index: number) => void;
}

/**
 * The whole guide on one page, to be read and printed.
 *
 * - READ-1 All steps of a guide are on one page, each with its pictures, lines and the fields to record.
 * - READ-2 Ctrl+P prints the whole guide from each page of the player. The print dialog opens once its pictures are there.
 */
export function AllStepsPage({ guide, isPrinting, onPrint, onPrinted, onOpenStep }: AllStepsPageProps) {
  const article = useRef<HTMLElement>(null);
  const print = useEffectEvent(async (signal: AbortSignal) => {
    if (article.current !== null) await picturesArrived(article.current, signal);
    if (signal.aborted) return;
    window.print();
    onPrinted();
  });
  useEffect(() => {
    if (!isPrinting) return;
    const control = new AbortController();
    void print(control.signal);
    return () => control.abort();
  }, [isPrinting]);
  return (
    <article ref={article} className={classNames(styles, 'all')}>
      <div className={classNames(styles, 'head')}>
        <h1>{guide.title}</h1>
        <Button icon={<Printer aria-hidden="true" />} onPress={onPrint} isPending={isPrinting}>
          {findBridge() === undefined ? text.workOrders.printOrPdf : text.workOrders.print}
        </Button>
      </div>
      <PrintedCopy guide={guide} />
      {guide.summary !== '' && <p className={classNames(styles, 'summary')}>{guide.summary}</p>}
      <Needed guide={guide} />
      {guide.introductionHtml !== '' && <RichHtml html={guide.introductionHtml} size="line" />}
      {guide.steps.map((step, index) => (
        <Step
          key={step.stepid}
          step={step}
          title={text.player.numberedStep(index + 1, step.title)}
          isPrinting={isPrinting}
          onOpen={() => onOpenStep(index)}
        />
      ))}
      {guide.conclusionHtml !== '' && (
        <section className={classNames(styles, 'words')}>
          <h2>{text.player.conclusion}</h2>
          <RichHtml html={guide.conclusionHtml} size="line" />
        </section>
      )}
    </article>
  );
}

/** What a person does first and fetches, in a line each. */
function Needed({ guide }: { guide: PlayableGuide }) {
  const lists: (readonly [string, readonly string[]])[] = [
    [text.player.prerequisites, guide.prerequisites.map(({ title }) => title)],
    [text.player.tools, guide.tools.map(supplyWords)],
    [text.player.parts, guide.parts.map(supplyWords)],
  ];
  const needed = lists.filter(([, names]) => names.length > 0);
  if (needed.length === 0) return null;
  return (
    <dl className={classNames(styles, 'needed')}>
      {needed.map(([name, names]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <ul>
              {names.map((one, index) => (
                // A guide may name the same part twice.
                <li key={`${index} ${one}`}>{one}</li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface StepProps {
  step: StepView;
  title: string;
  isPrinting: boolean;
  onOpen: () => void;
}

function Step({ step, title, isPrinting, onOpen }: StepProps) {
  const { place, isNear } = useNearView<HTMLElement>();
  const opens =
    step.video === null && step.embedHtml === null ? text.player.openStep : text.player.watchInStep;
  return (
    <section ref={place} className={classNames(styles, 'step', step.pictures.length === 0 && 'bare')}>
      {step.pictures.length > 0 && (
        <div className={classNames(styles, 'pictures')}>
          {step.pictures.map((picture, index) => (
            <StepPicture
              key={picture.guid}
              picture={picture}
              alt={text.player.pictureOf(title, index + 1, step.pictures.length)}
              isShown={isNear || isPrinting}
            />
          ))}
        </div>
      )}
      <div className={classNames(styles, 'words')}>
        <h2>{title}</h2>
        <StepLines lines={step.lines} />
        {step.fields.length > 0 && <ToRecord fields={step.fields} />}
        <div className={classNames(styles, 'open')}>
          <Button tone="quiet" onPress={onOpen} label={text.player.openStepNamed(opens, title)}>
            {opens}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Not loaded before it is near the window: a long guide has hundreds. */
function StepPicture({ picture, alt, isShown }: { picture: PictureView; alt: string; isShown: boolean }) {
  const ratio = picture.height > 0 ? picture.width / picture.height : 4 / 3;
  return (
    <div className={classNames(styles, 'picture')} style={{ aspectRatio: ratio }} data-awaits-picture="">
      {isShown && (
        <Picture
          guid={picture.guid}
          size="large"
          alt={alt}
          fit="cover"
          dimensions={picture}
          markers={picture.markers}
        />
      )}
    </div>
  );
}

/** The fields of a step with what is expected, and on paper a place to write. */
function ToRecord({ fields }: { fields: readonly FormFieldView[] }) {
  return (
    <table className={classNames(styles, 'fields')}>
      <caption>{text.player.record}</caption>
      <tbody>
        {fields.map((field) => {
          const { label, unit } = labelAndUnit(field);
          const expected = [targetWords(field, unit), limitWords(field)].filter((words) => words !== '');
          return (
            <tr key={field.field_revisionid}>
              <th scope="row">
                {label}
                {expected.length > 0 && <span> {expected.join(' · ')}</span>}
              </th>
              <td>{unit}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
