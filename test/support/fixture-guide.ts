import type {
  FormFieldView,
  LineView,
  PictureView,
  PlayableGuide,
  StepView,
} from '#desktop/engine/api/records.ts';
import { bullet } from '#shared/model/guide.ts';
import { formField } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';
import type { Marker } from '#shared/rules/markers.ts';
import { timeRequired } from '#shared/rules/guide-record.ts';

import grinder from '#server/demo-content/own/guides/9001.json' with { type: 'json' };
import lockout from '#server/demo-content/own/guides/9002.json' with { type: 'json' };
import markup from '#server/demo-content/own/pictures/markup.json' with { type: 'json' };
import forms from '#server/demo-content/own/step-forms.json' with { type: 'json' };

import { revisionSeven } from './demo-orders.ts';

/** All drawings of the demo guides have this size. */
const pictureSize = { width: 1600, height: 1200 };

type Recorded = typeof grinder | typeof lockout;
type RecordedStep = Recorded['steps'][number];

function markersOf(guid: string): Marker[] {
  const source = Object.entries(markup).find(([name]) => name === guid)?.[1] ?? '';
  return source.split(';').flatMap((part) => {
    const [shape, first, second, colour] = part.split(',');
    const points = [first, second].flatMap((pair) => (pair ?? '').split('x').map(Number));
    if (colour === undefined) return [];
    return [
      {
        shape: must(
          shapes.find((known) => known === shape),
          'a marker shape',
        ),
        colour,
        points,
      },
    ];
  });
}

const shapes = ['circle', 'rectangle', 'line', 'arrow', 'gap'] as const;

function picturesOf(step: RecordedStep): PictureView[] {
  return step.media.data.map(({ guid }) => ({ guid, ...pictureSize, markers: markersOf(guid) }));
}

function linesOf(step: RecordedStep): LineView[] {
  return step.lines.map((line) => ({
    id: String(line.lineid),
    bullet: bullet.parse(line.bullet),
    level: line.level,
    text: line.text_raw,
    html: line.text_rendered,
  }));
}

function fieldsOf(step: RecordedStep): FormFieldView[] {
  const form = forms.find((other) => other.stepid === step.stepid);
  return (form?.fields ?? []).map((field) => ({ ...formField.parse(field), stepid: String(step.stepid) }));
}

function stepView(step: RecordedStep, guideid: number): StepView {
  return {
    stepid: String(step.stepid),
    key: String(step.stepid),
    guideid: String(guideid),
    title: step.title,
    lines: linesOf(step),
    pictures: picturesOf(step),
    video: null,
    embedHtml: null,
    fields: fieldsOf(step),
    comments: [],
  };
}

function supplies(list: (Recorded['tools'] | Recorded['parts'])[number][]) {
  return list.map(({ text, type, quantity, notes, url }) => ({ text, type, quantity, notes, url }));
}

function playable(guide: Recorded): PlayableGuide {
  return {
    guideid: String(guide.guideid),
    title: guide.title,
    category: guide.category,
    type: guide.type,
    summary: guide.summary,
    difficulty: guide.difficulty,
    timeRequired: timeRequired(guide.time_required_min, guide.time_required_max),
    revisionid: guide.guide_revisionid,
    public: guide.public,
    author: guide.author.username,
    modifiedAt: guide.modified_date * 1000,
    introductionHtml: guide.introduction_rendered,
    conclusionHtml: guide.conclusion_rendered,
    flags: [],
    imageGuid: guide.image.guid,
    steps: guide.steps.map((step) => stepView(step, guide.guideid)),
    prerequisites:
      guide.guideid === grinder.guideid
        ? [
            {
              guideid: '9002',
              title: lockout.title,
              steps: lockout.steps.length,
              release: null,
              completed: false,
            },
          ]
        : [],
    parts: supplies(guide.parts),
    tools: supplies(guide.tools),
    documents: guide.documents.map(({ documentid, text, extension, url }) => ({
      guid: String(documentid),
      title: text,
      extension,
      url,
    })),
    comments: [],
    favorite: false,
    completed: false,
    canEdit: true,
    tags: ['belt', 'workshop'],
    canTag: true,
    editState: 'none',
    readiness: { state: 'ready' },
    archive: null,
    release: null,
    revision: revisionSeven,
  };
}

/** The guides of the demo content as the engine shows them. */
export function demoGuides(): PlayableGuide[] {
  return [playable(grinder), playable(lockout)];
}
