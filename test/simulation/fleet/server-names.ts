/** The address of the server. */
export const address = 'https://bench.example';
/** Another address of the same server. */
export const otherAddress = 'https://bench2.example';

export const password = 'a long password';

export interface Account {
  name: string;
  email: string;
  userid: number;
  token: string;
  privileges: string[];
}

/** The station in plans that have one. */
export const stationName = 'Press';
/** Seconds without a touch after which it locks. */
export const stationIdle = 120;

/** The team of everyone who works; its owner is the lead. */
export const lineTeam = 2;
/** Limits of the torque in forms. */
export const torqueLimits = { min: 10, max: 40 };
