import type { GuideApproval } from '#shared/model/approval.ts';
import type { GuideFacts, LineFacts, StepFacts } from '#shared/model/guide.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';

/** A minimal guide named `Guide {guideid}`. */
export function plainGuide(guideid: number, changes: Partial<GuideFacts>): GuideFacts {
  return {
    guideid,
    revisionid: 10,
    guide_revisionid: 10,
    langid: 'en',
    userid: 7,
    public: true,
    type: 'replacement',
    category: 'Bench Grinder',
    subject: 'Belt',
    title: `Guide ${guideid}`,
    summary: 'Change the belt.',
    introduction_raw: 'Unplug it.',
    conclusion_raw: '',
    difficulty: 'Easy',
    time_required_min: 900,
    time_required_max: 1800,
    flags: [],
    image: null,
    parts: [],
    tools: [],
    documents: [],
    featured_documentid: null,
    featured_document_embed_url: '',
    featured_document_thumbnail_url: '',
    intro_video: null,
    prerequisites: [],
    steps: [plainStep({ lines: [plainLine("Remove the '''cover'''.")] })],
    created_date: 1_767_225_600,
    published_date: 1_767_225_600,
    modified_date: 1_767_230_000,
    patrol_threshold: 0,
    ogdc_enabled: '',
    per_step_time_enabled: false,
    work_log_enabled: false,
    should_use_granular_permissions: false,
    ...changes,
  };
}

export function plainStep(changes: Partial<StepFacts>): StepFacts {
  return {
    stepid: 31,
    revisionid: 4,
    title: '',
    lines: [],
    media: { type: 'image', data: [] },
    time_estimate: 0,
    ...changes,
  };
}

export function plainLine(text: string, changes: Partial<LineFacts> = {}): LineFacts {
  return { id: text, lineid: null, bullet: 'black', level: 0, text_raw: text, ...changes };
}

export function plainCategory(title: string, parent: string | null): WikiFacts {
  return {
    wikiid: 5,
    revisionid: 6,
    namespace: 'CATEGORY',
    title,
    display_title: title,
    langid: 'en',
    parent,
    description: 'Grinds.',
    contents_raw: '== About ==',
    image: null,
    flags: [],
    table_of_contents: false,
    source_revisionid: null,
    userid: 7,
    created_date: 1_767_225_600,
    modified_date: 1_767_225_600,
  };
}

/** The approval by Quinn of a guide made by `plainGuide`. */
export const signedApproval: GuideApproval = {
  approval_processid: 2,
  requests: [
    {
      approval_requestid: 9,
      process: 'Machine safety',
      purpose: 'publish',
      status: 'approved',
      revisionid: 10,
      guide_revisionid: 10,
      published_guide_revisionid: null,
      revision_hash: '6a1f'.repeat(16),
      userid: 7,
      init_date: 1_767_225_600,
      end_date: 1_767_225_600,
      reason: null,
      stages: [
        {
          approval_stageid: 3,
          name: 'Quality',
          orderby: 1,
          meaning: 'approved',
          required_approvals: 1,
          userids: [8],
          teamids: [],
        },
      ],
      signatures: [
        {
          approval_stageid: 3,
          userid: 8,
          name: 'Quinn',
          meaning: 'approved',
          comment: '',
          method: 'password',
          date: 1_767_225_600,
        },
      ],
    },
  ],
};
