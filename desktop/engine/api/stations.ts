import type { NewStation, StationEdit } from '#shared/api/stations.ts';
import type {
  Station,
  StationAccess,
  StationArrival,
  StationBadge,
  StationDetail,
} from '#shared/model/station.ts';

import type { GivenProof } from './account.ts';

/** What a new station begins with. */
export type StationPlan = Omit<NewStation, 'current_password' | 'sign_on_token'>;

/** A code by which a device enrols. `until`: UNIX seconds. */
export interface EnrolmentCode {
  code: string;
  until: number;
  /** Ends station mode on the device; null: an older server has none. */
  exitCode: string | null;
}

/**
 * Administration of stations, badges and PINs, for administrators and leads. It needs the network: each call asks the
 * server and throws its `Problem`. Nothing of it is stored on this device.
 */
export interface StationAdminActions {
  /** The stations that this person may see, at most 200, by id. */
  listStations(): Promise<Station[]>;
  /** Makes a station. Only this answer has its first code. */
  makeStation(
    plan: StationPlan,
    proof: GivenProof,
  ): Promise<{ station: Station; code: EnrolmentCode | null }>;
  readStation(stationid: number): Promise<StationDetail>;
  /** `seen`: the change is refused (`Problem` conflict) if somebody saved its name, place, teams or settings since. */
  changeStation(stationid: number, edit: StationEdit, seen: StationDetail): Promise<StationDetail>;
  /** A new code; earlier ones end. */
  newStationCode(stationid: number, proof: GivenProof): Promise<EnrolmentCode>;
  revokeStation(stationid: number): Promise<StationDetail>;
  addStationPerson(stationid: number, userid: number): Promise<StationDetail>;
  removeStationPerson(stationid: number, userid: number): Promise<StationDetail>;
  /** Decides about what the station still holds in the name of a former member. */
  decideFormer(stationid: number, userid: number, decision: 'accept' | 'refuse'): Promise<StationDetail>;
  /** What arrived, newest first; `offset`: how many to leave out. */
  stationArrivals(stationid: number, offset: number): Promise<StationArrival[]>;
  /** How a person signs in at stations. */
  stationAccess(userid: number): Promise<StationAccess>;
  setStationPin(userid: number, pin: string, proof: GivenProof): Promise<void>;
  removeStationPin(userid: number): Promise<void>;
  issueBadge(userid: number, number: string, label: string, proof: GivenProof): Promise<StationBadge[]>;
  revokeBadge(badgeid: number): Promise<StationBadge>;
}
