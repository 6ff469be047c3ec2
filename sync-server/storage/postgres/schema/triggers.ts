const noteAccess = (whose: string): string =>
  `BEGIN INSERT INTO access_changes (userid) SELECT ${whose}; RETURN NULL; END`;

const noteName = (column: string): string =>
  `IF NEW.${column} IS NOT NULL THEN
     INSERT INTO account_names VALUES ('${column}', NEW.${column}, NEW.userid) ON CONFLICT DO NOTHING;
   END IF;`;

/** Functions of triggers: name and body in PL/pgSQL. */
const functions: Record<string, string> = {
  access_of_old_user: noteAccess('OLD.userid'),
  access_of_new_user: noteAccess('NEW.userid'),
  access_of_old_station: noteAccess('OLD.stationid'),
  access_of_new_station: noteAccess('NEW.stationid'),
  access_of_leads: noteAccess('userid FROM users WHERE userid IN (OLD.owner, NEW.owner)'),
  access_of_changed_user: `BEGIN
    INSERT INTO access_changes (userid) VALUES (OLD.userid);
    INSERT INTO access_changes (userid) SELECT userid FROM tokens WHERE impersonator = OLD.userid;
    RETURN NULL;
  END`,
  account_names: `BEGIN
    ${['email', 'sso_userid', 'unique_username'].map(noteName).join('\n    ')}
    RETURN NULL;
  END`,
  audit_log_continues: `BEGIN
    IF NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM audit_log) THEN
      RAISE EXCEPTION 'The audit log can only be added to';
    END IF;
    RETURN NEW;
  END`,
  refused: `BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END`,
  // The audience of a work order is that of its document.
  audience_of_order: `BEGIN
    UPDATE work_log SET audience = NEW.audience WHERE entryid = NEW.id::BIGINT;
    UPDATE finished_orders SET audience = NEW.audience WHERE entryid = NEW.id::BIGINT;
    UPDATE traced_numbers SET audience = NEW.audience WHERE entryid = NEW.id::BIGINT;
    UPDATE worked_revisions SET audience = NEW.audience WHERE entryid = NEW.id::BIGINT;
    RETURN NULL;
  END`,
  // Nothing can change a document and leave its pack or its summary.
  forget_copies: `BEGIN
    DELETE FROM packs WHERE audience = OLD.audience AND collection = OLD.collection
      AND since < OLD.seq AND until >= OLD.seq;
    IF OLD.collection = 'guides' THEN
      DELETE FROM guide_summaries WHERE guideid = OLD.id::BIGINT;
    END IF;
    RETURN NULL;
  END`,
};

const each = 'FOR EACH ROW';

const triggers = [
  `access_of_ended_token AFTER DELETE ON tokens ${each} EXECUTE FUNCTION access_of_old_user()`,
  `access_of_shortened_token AFTER UPDATE OF userid, expires_date, impersonator ON tokens ${each}
    WHEN (NEW.expires_date < OLD.expires_date OR NEW.userid <> OLD.userid
      OR NEW.impersonator IS DISTINCT FROM OLD.impersonator) EXECUTE FUNCTION access_of_old_user()`,
  `access_of_user AFTER UPDATE OF privileges, enabled ON users ${each}
    WHEN (NEW.privileges <> OLD.privileges OR NEW.enabled <> OLD.enabled)
    EXECUTE FUNCTION access_of_changed_user()`,
  `access_of_deleted_user AFTER DELETE ON users ${each} EXECUTE FUNCTION access_of_old_user()`,
  `access_of_new_member AFTER INSERT ON team_members ${each} EXECUTE FUNCTION access_of_new_user()`,
  `access_of_former_member AFTER DELETE ON team_members ${each} EXECUTE FUNCTION access_of_old_user()`,
  `access_of_leads AFTER UPDATE OF owner ON teams ${each} WHEN (NEW.owner IS DISTINCT FROM OLD.owner)
    EXECUTE FUNCTION access_of_leads()`,
  `access_of_new_station_member AFTER INSERT ON station_members ${each} EXECUTE FUNCTION access_of_new_station()`,
  `access_of_station_member AFTER UPDATE OF until ON station_members ${each} EXECUTE FUNCTION access_of_new_station()`,
  `access_of_former_station_member AFTER DELETE ON station_members ${each} EXECUTE FUNCTION access_of_old_station()`,
  `account_names AFTER INSERT OR UPDATE OF email, sso_userid, unique_username ON users ${each}
    EXECUTE FUNCTION account_names()`,
  `approval_requests_stay_signed BEFORE UPDATE OF approval_requestid, guideid, purpose, revisionid, guide_revisionid,
    revision_hash, prerequisites, forms, stages, userid, init_date ON approval_requests ${each}
    EXECUTE FUNCTION refused('What a request is about is never changed')`,
  `approval_signatures_stay BEFORE DELETE ON approval_signatures ${each}
    EXECUTE FUNCTION refused('A signature is never deleted')`,
  `approval_signatures_stay_as_they_are BEFORE UPDATE ON approval_signatures ${each}
    EXECUTE FUNCTION refused('A signature is never changed')`,
  `record_signatures_stay BEFORE DELETE ON record_signatures ${each}
    EXECUTE FUNCTION refused('A signature is never deleted')`,
  `record_signatures_stay_as_they_are BEFORE UPDATE ON record_signatures ${each}
    EXECUTE FUNCTION refused('A signature is never changed')`,
  `frozen_shift_summaries BEFORE UPDATE ON shift_summaries ${each}
    EXECUTE FUNCTION refused('A shift summary never changes')`,
  `audit_log_stays BEFORE UPDATE OR DELETE ON audit_log ${each}
    EXECUTE FUNCTION refused('The audit log can only be added to')`,
  `audit_log_is_not_emptied BEFORE TRUNCATE ON audit_log
    EXECUTE FUNCTION refused('The audit log can only be added to')`,
  `audit_log_continues BEFORE INSERT ON audit_log ${each} EXECUTE FUNCTION audit_log_continues()`,
  `orders_insert AFTER INSERT ON documents ${each} WHEN (NEW.collection = 'workLog')
    EXECUTE FUNCTION audience_of_order()`,
  `orders_update AFTER UPDATE OF audience ON documents ${each}
    WHEN (NEW.collection = 'workLog' AND NEW.audience <> OLD.audience) EXECUTE FUNCTION audience_of_order()`,
  `copies_update AFTER UPDATE ON documents ${each} EXECUTE FUNCTION forget_copies()`,
  `copies_delete AFTER DELETE ON documents ${each} EXECUTE FUNCTION forget_copies()`,
];

/** The triggers of schema 73: each does what those of SQLite do. */
export const triggerStatements: readonly string[] = [
  ...Object.entries(functions).map(
    ([name, body]) => `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $body$ ${body} $body$`,
  ),
  ...triggers.map((text) => `CREATE TRIGGER ${text}`),
];
