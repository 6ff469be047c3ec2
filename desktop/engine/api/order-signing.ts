import type { RecordMeaning } from '#shared/model/record-signature.ts';
import type { ProofMethod, SecondPersonState } from '#shared/model/second-person.ts';
import type { FormField } from '#shared/model/step-form.ts';

import type { GivenProof } from './account.ts';

/** The second person in a value, as screens show it. `name`: who confirmed, is named, or was before a value changed. */
export interface SecondPersonView {
  state: SecondPersonState;
  name: string;
  /** Whom the value names, if somebody else confirmed it. */
  named: string | null;
  /** When it was confirmed, on the clock of the server, ms since 1970; null: it is not. */
  at: number | null;
  method: ProofMethod | null;
  /** Confirmed after the end of the order, so that it is not part of the record. */
  isLate: boolean;
}

/** The part of a field that says who may confirm. */
export interface AskedPerson extends Pick<FormField, 'second_person' | 'second_person_teams'> {
  stepid: string;
}

/** A field whose second person confirms. */
export interface ConfirmedField {
  field_revisionid: number;
  stepid: string;
}

/** A step of an order that this person is named to confirm. */
export interface WaitingConfirmation {
  entryid: string;
  workorderid: string;
  guideTitle: string;
  label: string;
  /** Who named them, and when (ms since 1970). */
  username: string;
  at: number;
}

/** What a person signs about the record of an order. */
export interface NewRecordSignature {
  meaning: RecordMeaning;
  comment: string;
  sha256: string;
}

/**
 * Confirmations of second persons and signatures of records. They need the network: each asks the server and throws its
 * `Problem`. Passwords go to the server and nowhere else: they are neither stored nor logged on this device.
 */
export interface OrderSigningActions {
  /**
   * A colleague confirms the values of a step with their password, on this device. Throws conflict when the server has other
   * values than this device shows.
   */
  confirmAsColleague(entryid: string, field: ConfirmedField, userid: number, password: string): Promise<void>;
  /** This person confirms the values of a step. Throws as above. */
  confirmStep(entryid: string, field: ConfirmedField, proof: GivenProof): Promise<void>;
  /** Signs the record of an order. `sha256`: its hash, as this person saw it; throws conflict when it is another one. */
  signRecord(entryid: string, signature: NewRecordSignature, proof: GivenProof): Promise<void>;
}
