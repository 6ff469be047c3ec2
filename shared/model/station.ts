import { z } from 'zod';

import { imageObject } from './image.ts';

/** How people may sign in at a station. `pin`: a PIN alone; `tile`: a PIN after the person's name was chosen. */
export const stationSignIns = ['badge', 'tile', 'pin'] as const;

/** What is set for a station. The defaults are those of a new one. */
export const stationSettings = z
  .strictObject({
    /** Seconds without a touch after which the station locks. */
    idle_seconds: z.int().min(15).max(3600).default(120),
    sign_in: z.array(z.enum(stationSignIns)).min(1).max(stationSignIns.length).default(['badge', 'tile']),
    /** What everybody at the station should know, in one or two sentences. */
    notice: z.string().trim().max(500).default(''),
    /** Categories and tags of the guides that matter there: they come first, and are kept for work without a network. */
    categories: z.array(z.string().trim().min(1).max(255)).max(50).default([]),
    tags: z.array(z.string().trim().min(1).max(255)).max(50).default([]),
  })
  .meta({ id: 'StationSettings' });
export type StationSettings = z.output<typeof stationSettings>;

/**
 * `waiting`: no device has enrolled yet. `revoked`: its device was shut out, or its session ended unused; a new code lets one
 * enrol again.
 */
export const stationStatuses = ['waiting', 'enrolled', 'revoked'] as const;

const named = {
  /** The id of the station's account, a userid. */
  stationid: z.int(),
  /** Names the station's account for ever, as `accountid` of a person. */
  accountid: z.uuid(),
  name: z.string(),
  place: z.string(),
  teams: z.array(z.int()),
  settings: stationSettings,
};

/** A station, as administrators and leads of its teams see it. Times are UNIX seconds. */
export const station = z
  .strictObject({
    ...named,
    status: z.enum(stationStatuses),
    created_date: z.int(),
    /** When the enrolment code that is waiting ends; null: none is waiting. */
    code_expires_date: z.int().nullable(),
    enrolled_date: z.int().nullable(),
    /** The device's name for itself, and the version of its app, at its last contact. */
    device: z.string().nullable(),
    app_version: z.string().nullable(),
    /** Last contact; null: never. */
    contact_date: z.int().nullable(),
    /** Whether its device follows the changes of the server at this moment. */
    is_connected: z.boolean(),
    /** What waited on the device at its last contact; null: it has not said. `since`: when the oldest was recorded. */
    waiting: z.strictObject({ count: z.int(), since: z.int().nullable() }).nullable(),
    /** Wrong badges and PINs since the device enrolled, as it says; null: it has not said. */
    failed_tries: z.int().nullable(),
    revoked_date: z.int().nullable(),
    /** Number of former members whose calls wait for a lead. */
    former_waiting: z.int(),
  })
  .meta({ id: 'Station' });
export type Station = z.infer<typeof station>;

/** A person of a station. `by_name`: added by name, besides those of its teams. `since`: UNIX seconds. */
const stationPerson = z.strictObject({
  userid: z.int(),
  username: z.string(),
  since: z.int(),
  by_name: z.boolean(),
  has_pin: z.boolean(),
  /** Number of badges that work. */
  badges: z.int(),
});

/**
 * A former member in whose name the station sends calls: they wait on the device until a lead accepts or refuses them.
 * `earliest` and `latest`: when the calls were recorded, as the station says. UNIX seconds.
 */
const formerMember = z.strictObject({
  userid: z.int(),
  username: z.string(),
  /** When the person stopped being of the station. */
  until: z.int(),
  first_tried: z.int(),
  last_tried: z.int(),
  earliest: z.int(),
  latest: z.int(),
  decision: z.enum(['accepted', 'refused']).nullable(),
  decided_by: z.int().nullable(),
  decided_date: z.int().nullable(),
});

/** A station with its people, and its former members whose calls wait or were decided. */
export const stationDetail = station
  .extend({ people: z.array(stationPerson), former: z.array(formerMember) })
  .meta({ id: 'StationDetail' });
export type StationDetail = z.infer<typeof stationDetail>;

const cost = z.strictObject({ memory: z.int(), passes: z.int() });
const verifier = z.string().regex(/^[0-9a-f]{64}$/);

/** A person as the station itself gets them, with what it checks badges and PINs by (`shared/rules/stations.ts`). */
const ownPerson = z.strictObject({
  userid: z.int(),
  accountid: z.uuid(),
  username: z.string(),
  image: imageObject.nullable(),
  pin: verifier.nullable(),
  badges: z.array(verifier),
});

/** What a station gets about itself: everything that signing in there needs without a network. */
export const stationSelf = z
  .strictObject({
    ...named,
    /** Salt (hexadecimal) and costs of argon2id, the same for everybody on the site. */
    verifiers: z.strictObject({ salt: z.string(), pin: cost, badge: cost }),
    /** Of the code that ends station mode. Absent or null: there is none. */
    exit: verifier.nullable().optional(),
    people: z.array(ownPerson),
  })
  .meta({ id: 'StationSelf' });
export type StationSelf = z.infer<typeof stationSelf>;

/** A badge of a person. Its number is not kept. Times are UNIX seconds. */
export const stationBadge = z
  .strictObject({
    station_badgeid: z.int(),
    userid: z.int(),
    label: z.string(),
    issued_date: z.int(),
    issued_by: z.int(),
    revoked_date: z.int().nullable(),
    revoked_by: z.int().nullable(),
  })
  .meta({ id: 'StationBadge' });
export type StationBadge = z.infer<typeof stationBadge>;

/** How a person signs in at stations. `pin_date`: when the PIN was set, UNIX seconds; null: there is none. */
export const stationAccess = z
  .strictObject({
    userid: z.int(),
    pin_date: z.int().nullable(),
    badges: z.array(stationBadge),
    /** The stations that the person is of. */
    stations: z.array(z.strictObject({ stationid: z.int(), name: z.string() })),
  })
  .meta({ id: 'StationAccess' });
export type StationAccess = z.infer<typeof stationAccess>;

/** A call that a station sent in the name of a person. `date`: arrival; `recorded_date`: as the station said. UNIX seconds. */
export const stationArrival = z
  .strictObject({
    arrivalid: z.int(),
    date: z.int(),
    recorded_date: z.int(),
    userid: z.int(),
    username: z.string(),
    /** Method and path of the endpoint, as in the audit log. */
    action: z.string(),
    /** The record that the call made or changed, as in the audit log. */
    object: z.string(),
    objectid: z.string(),
  })
  .meta({ id: 'StationArrival' });
export type StationArrival = z.infer<typeof stationArrival>;
