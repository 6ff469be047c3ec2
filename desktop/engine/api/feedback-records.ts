import type { FeedbackView } from './records.ts';

/** Feedback on a step of a guide that this person may edit. */
export interface FeedbackTask extends FeedbackView {
  commentid: string;
  guideid: string;
  guideTitle: string;
  stepid: string;
  /** The identity of the step, by which the editor finds it. */
  stepKey: string;
  /** Position in the guide, from 1; null: the guide is not on this device as it was. */
  stepNumber: number | null;
  stepTitle: string;
  username: string;
  /** Whether this person gave it. */
  own: boolean;
  /** ms since 1970. */
  at: number;
  /** Not on the server yet. */
  pending: boolean;
  /** What was written besides the reason: with it, and as replies, oldest first. */
  words: readonly {
    id: string;
    username: string;
    own: boolean;
    text: string;
    at: number;
    pending: boolean;
  }[];
  /** Whether it is this person's task; else another's, who wrote the guide. */
  mine: boolean;
}
