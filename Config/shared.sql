-- The tables, roles and rules of Router's shared surfaces, for PostgreSQL 14 or newer. Apply as a superuser, or as an
-- owner of the database who may create roles; can be repeated:
--
--   psql -d DATABASE -f shared.sql
--   psql -d DATABASE -c "SELECT router.add_host('alpha', may_lead => true)"
--
-- Hosts can only read tables and call functions: in PostgreSQL, a role that can write a table can also lock it against others.
\set ON_ERROR_STOP on
BEGIN;
SET LOCAL search_path = pg_catalog, pg_temp;
-- While it waits for a table, everybody else waits behind it. Rather fail, change nothing, and be repeated.
SET LOCAL lock_timeout = '5s';
SET LOCAL client_min_messages = warning;

DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'router_host') THEN CREATE ROLE router_host NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'router_leader') THEN
    CREATE ROLE router_leader NOLOGIN IN ROLE router_host;
  END IF;
  -- Owns the tables and the functions, and may do nothing else.
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'router_owner') THEN CREATE ROLE router_owner NOLOGIN; END IF;
  -- Only a member can give it something. A superuser needs no membership; in PostgreSQL 16, its creator has one of no use.
  IF NOT pg_has_role(current_user, 'router_owner', 'USAGE') THEN GRANT router_owner TO CURRENT_USER; END IF;
END $$;

CREATE SCHEMA IF NOT EXISTS router;
GRANT USAGE, CREATE ON SCHEMA router TO router_owner;

-- The hosts, each with its own role.
CREATE TABLE IF NOT EXISTS router.hosts (
  name text PRIMARY KEY,
  role name NOT NULL UNIQUE,
  process bigint,        -- a number that each start of the daemon chooses
  session bigint,        -- the advisory lock that the daemon holds while it is connected
  seen timestamptz       -- the last sign of life
);
ALTER TABLE router.hosts
  ADD COLUMN IF NOT EXISTS number integer GENERATED ALWAYS AS IDENTITY,
  ADD COLUMN IF NOT EXISTS surfaces_limit bigint NOT NULL DEFAULT 256,      -- how many surfaces it may add
  ADD COLUMN IF NOT EXISTS inputs_limit bigint NOT NULL DEFAULT 10000,      -- how many inputs of it may wait
  ADD COLUMN IF NOT EXISTS bytes_limit bigint NOT NULL DEFAULT 16777216;    -- their bytes

-- Who leads, until when, and how often that has changed.
CREATE TABLE IF NOT EXISTS router.surfaces (
  name text PRIMARY KEY,
  leader text REFERENCES router.hosts,
  epoch bigint NOT NULL DEFAULT 0,
  expires timestamptz NOT NULL DEFAULT '-infinity'
);
-- The host that has added it.
ALTER TABLE router.surfaces ADD COLUMN IF NOT EXISTS host text REFERENCES router.hosts;
ALTER TABLE router.surfaces DROP CONSTRAINT IF EXISTS surfaces_name;
ALTER TABLE router.surfaces ADD CONSTRAINT surfaces_name
  CHECK (name ~ '^[A-Za-z0-9._-]{1,64}$' AND name NOT IN ('.', '..')) NOT VALID;

-- The record: for each surface one hash chain, as in Router's own log.
CREATE TABLE IF NOT EXISTS router.events (
  surface text NOT NULL REFERENCES router.surfaces,
  seq bigint NOT NULL,
  at text NOT NULL,
  type text NOT NULL,
  presentation text,
  detail text NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (surface, seq)
);

-- What hosts tell the leader, and its replies.
CREATE TABLE IF NOT EXISTS router.inbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  surface text NOT NULL REFERENCES router.surfaces,
  host text NOT NULL REFERENCES router.hosts,
  process bigint NOT NULL,
  number bigint NOT NULL,
  requested text,        -- the presentation that it requests
  input text NOT NULL,
  sent timestamptz NOT NULL DEFAULT now(),
  processed timestamptz,
  reply text,
  UNIQUE (surface, host, process, number)
);
CREATE INDEX IF NOT EXISTS events_pruned ON router.events (surface, seq) WHERE type = 'pruned';
CREATE INDEX IF NOT EXISTS events_requested ON router.events (presentation) WHERE type = 'requested';
DROP INDEX IF EXISTS router.inbox_waiting;
CREATE INDEX IF NOT EXISTS inbox_waiting_by_host ON router.inbox (host, surface, id) WHERE processed IS NULL;
CREATE INDEX IF NOT EXISTS inbox_processed_by_host ON router.inbox (host, id) WHERE processed IS NOT NULL;
ALTER TABLE router.inbox DROP CONSTRAINT IF EXISTS inbox_size;
-- The daemon knows the limit, too.
ALTER TABLE router.inbox ADD CONSTRAINT inbox_size
  CHECK (octet_length(input) <= 4194304 AND octet_length(requested) <= 64) NOT VALID;

-- The last progress that each open sheet's requester has reported.
CREATE TABLE IF NOT EXISTS router.progress (
  presentation text NOT NULL,
  surface text NOT NULL REFERENCES router.surfaces,
  host text NOT NULL REFERENCES router.hosts,
  fraction double precision NOT NULL,
  label text,
  PRIMARY KEY (presentation, host)
);
ALTER TABLE router.progress DROP CONSTRAINT IF EXISTS progress_size;
ALTER TABLE router.progress ADD CONSTRAINT progress_size
  CHECK (octet_length(presentation) <= 64 AND octet_length(label) <= 1024) NOT VALID;

-- The host of the connected role. PL/pgSQL keeps the plan of the query.
CREATE OR REPLACE FUNCTION router.this_host() RETURNS text LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$ BEGIN RETURN (SELECT name FROM router.hosts WHERE role = session_user); END $$;

-- The host of the connected role, whose other sessions wait until this transaction ends.
CREATE OR REPLACE FUNCTION router.locked_host() RETURNS router.hosts LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp
  AS $$
  DECLARE h router.hosts;
  BEGIN
    SELECT * INTO h FROM router.hosts WHERE role = session_user;
    IF NOT FOUND THEN RAISE EXCEPTION 'the role % is not a host', session_user USING ERRCODE = '42501'; END IF;
    PERFORM pg_advisory_xact_lock('router.hosts'::regclass::oid::integer, h.number);
    RETURN h;
  END $$;

-- Refuses what was written in a subtransaction: each takes a lock, so many would use up the server's memory for locks.
CREATE OR REPLACE FUNCTION router.refuse_nested(written xid) RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp
  AS $$ BEGIN
    IF written <> pg_current_xact_id()::xid THEN RAISE EXCEPTION 'savepoints are not allowed' USING ERRCODE = '25001'; END IF;
  END $$;

-- Whether no daemon of a host is connected. Another host's lock of the same number does not count.
CREATE OR REPLACE FUNCTION router.is_gone(host text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT NOT EXISTS (
      SELECT FROM router.hosts h JOIN pg_locks l
        ON l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND l.classid::bigint = h.session >> 32 AND l.objid::bigint = h.session & 4294967295
        JOIN pg_stat_activity a ON a.pid = l.pid AND a.usename = h.role
      WHERE h.name = host)
  $$;

-- Joins as the host of the connected role, until the session ends. Hosts cannot take other advisory locks.
CREATE OR REPLACE FUNCTION router.enter(process bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s'
  AS $$
  DECLARE
    h router.hosts := router.locked_host();
    lock bigint;
    written xid;
  BEGIN
    PERFORM pg_advisory_unlock_all();
    LOOP
      lock := 1 + floor(random() * 9007199254740992)::bigint;
      EXIT WHEN pg_try_advisory_lock(lock);
    END LOOP;
    UPDATE router.hosts AS o SET process = $1, session = lock, seen = clock_timestamp()
      WHERE o.name = h.name RETURNING xmin INTO written;
    PERFORM router.refuse_nested(written);
    IF h.process <> $1 THEN
      DELETE FROM router.progress p WHERE p.host = h.name;
      -- Nobody reads the replies to the daemon's last process.
      DELETE FROM router.inbox i WHERE i.host = h.name AND i.process <> $1 AND i.processed IS NOT NULL;
    END IF;
  END $$;

-- Shows that the connected host is alive.
CREATE OR REPLACE FUNCTION router.beat() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s'
  AS $$
  DECLARE written xid;
  BEGIN
    UPDATE router.hosts SET seen = clock_timestamp() WHERE role = session_user RETURNING xmin INTO written;
    PERFORM router.refuse_nested(written);
  END $$;

-- Adds a surface, unless it is there. Fails with RT003 for a host that has added as many as it may, and with 55P03 while
-- another transaction adds it.
CREATE OR REPLACE FUNCTION router.add_surface(surface text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET lock_timeout = '20ms'
  AS $$
  DECLARE
    h router.hosts;
    written xid;
  BEGIN
    IF EXISTS (SELECT FROM router.surfaces WHERE name = surface) THEN RETURN; END IF;
    h := router.locked_host();
    IF (SELECT count(*) FROM router.surfaces s WHERE s.host = h.name) >= h.surfaces_limit THEN
      RAISE EXCEPTION 'the host % may add % surfaces (router.hosts.surfaces_limit)', h.name, h.surfaces_limit
        USING ERRCODE = 'RT003';
    END IF;
    INSERT INTO router.surfaces (name, host) VALUES (surface, h.name) ON CONFLICT DO NOTHING RETURNING xmin INTO written;
    PERFORM router.refuse_nested(written);
  END $$;

-- Puts inputs into the inbox, in order, until the host has as many waiting as it may. Returns how many of them are there. Removes
-- those up to the last whose reply the daemon has read, on each surface, and the oldest replies beyond inputs_limit.
DROP FUNCTION IF EXISTS router.send(bigint, text[], bigint[], text[], text[]);
CREATE OR REPLACE FUNCTION router.send(
  process bigint, surfaces text[], numbers bigint[], requests text[], inputs text[], known text[] DEFAULT '{}',
  replied bigint[] DEFAULT '{}'
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s'
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
  AS $$
  DECLARE
    h router.hosts := router.locked_host();
    waiting bigint;
    bytes bigint;
    taken bigint;
    surplus bigint;
    written xid;
  BEGIN
    SELECT count(*), coalesce(sum(octet_length(i.input)), 0) INTO waiting, bytes
      FROM router.inbox i WHERE i.host = h.name AND i.processed IS NULL;
    WITH fitting AS MATERIALIZED (
      SELECT * FROM (
        SELECT *, sum(octet_length(t.input)) OVER (ORDER BY t.n) AS total
        FROM unnest($2, $3, $4, $5) WITH ORDINALITY AS t (surface, number, requested, input, n)) t
      WHERE waiting + t.n <= h.inputs_limit AND bytes + t.total <= h.bytes_limit
    ), new AS (
      INSERT INTO router.inbox AS i (surface, host, process, number, requested, input)
        SELECT f.surface, h.name, $1, f.number, f.requested, f.input FROM fitting f ORDER BY f.n
        ON CONFLICT DO NOTHING RETURNING i.xmin AS by
    )
    SELECT (SELECT count(*) FROM fitting), (SELECT by FROM new LIMIT 1) INTO taken, written;
    PERFORM router.refuse_nested(written);
    -- Only after the check above, which a transaction without new inputs does not make.
    IF written IS NULL THEN RETURN taken; END IF;
    FOR n IN 1..coalesce(cardinality($6), 0) LOOP
      DELETE FROM router.inbox i
        WHERE i.surface = $6[n] AND i.host = h.name AND i.process = $1 AND i.processed IS NOT NULL
          -- A daemon waits for at most 1000 replies, so none is older, and removed rows are not read again and again.
          AND i.number BETWEEN $7[n] - 1000 AND $7[n];
    END LOOP;
    SELECT count(*) - h.inputs_limit INTO surplus FROM router.inbox i WHERE i.host = h.name AND i.processed IS NOT NULL;
    IF surplus > 0 THEN
      DELETE FROM router.inbox i WHERE i.id IN (
        SELECT o.id FROM router.inbox o WHERE o.host = h.name AND o.processed IS NOT NULL ORDER BY o.id LIMIT surplus);
    END IF;
    RETURN taken;
  END $$;

-- Reports the progress of a sheet, or without a fraction its end. A host has at most 256 sheets with progress.
CREATE OR REPLACE FUNCTION router.report(presentation text, surface text, fraction double precision, label text)
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s'
  AS $$
  #variable_conflict use_column
  DECLARE
    h router.hosts := router.locked_host();
    written xid;
  BEGIN
    IF $3 IS NULL THEN
      DELETE FROM router.progress p WHERE p.presentation = $1 AND p.host = h.name;
      RETURN;
    END IF;
    IF (SELECT count(*) FROM router.progress p WHERE p.host = h.name AND p.presentation <> $1) >= 256 THEN RETURN; END IF;
    INSERT INTO router.progress AS p (presentation, surface, host, fraction, label) VALUES ($1, $2, h.name, $3, $4)
      ON CONFLICT (presentation, host) DO UPDATE SET fraction = EXCLUDED.fraction, label = EXCLUDED.label
      RETURNING p.xmin INTO written;
    PERFORM router.refuse_nested(written);
  END $$;

-- Takes the lead of a surface, unless somebody else has it. Returns the new epoch. Its lock does not wait for rows that
-- refer to the surface.
CREATE OR REPLACE FUNCTION router.lead(surface text, known bigint, lease interval) RETURNS bigint LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s'
  AS $$
  DECLARE s router.surfaces;
  BEGIN
    SELECT * INTO s FROM router.surfaces WHERE name = surface FOR NO KEY UPDATE;
    IF s.epoch <> known THEN RETURN NULL; END IF;
    IF s.leader <> router.this_host() AND s.expires > clock_timestamp() AND NOT router.is_gone(s.leader) THEN
      RETURN NULL;
    END IF;
    UPDATE router.surfaces
      SET leader = router.this_host(), epoch = s.epoch + 1, expires = clock_timestamp() + lease WHERE name = surface;
    RETURN s.epoch + 1;
  END $$;

-- Extends the lead of surfaces that the connected host has, or ends it with a negative lease.
CREATE OR REPLACE FUNCTION router.renew(surfaces text[], lease interval) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s'
  AS $$ BEGIN
    UPDATE router.surfaces s SET expires = clock_timestamp() + lease
      WHERE s.leader = router.this_host() AND s.name = ANY(surfaces);
  END $$;

-- Records events and replies as the leader. Fails with RT001 for any other host, and with RT002 if the events do
-- not continue the record.
CREATE OR REPLACE FUNCTION router.append(
  surface text, epoch bigint, previous bytea, first bigint, ats text[], types text[], presentations text[],
  details text[], hashes bytea[], rows bigint[], replies text[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
  #variable_conflict use_column
  DECLARE last router.events;
  BEGIN
    PERFORM FROM router.surfaces s
      WHERE s.name = $1 AND s.epoch = $2 AND s.leader = router.this_host() FOR SHARE;
    IF NOT FOUND THEN RAISE EXCEPTION 'this host does not lead the surface' USING ERRCODE = 'RT001'; END IF;
    IF cardinality($5) > 0 THEN
      SELECT * INTO last FROM router.events e WHERE e.surface = $1 ORDER BY e.seq DESC LIMIT 1;
      IF coalesce(last.seq, 0) <> $4 - 1 OR (last.seq IS NOT NULL AND last.hash <> $3) THEN
        RAISE EXCEPTION 'the events do not continue the record' USING ERRCODE = 'RT002';
      END IF;
      INSERT INTO router.events (surface, seq, at, type, presentation, detail, hash)
        SELECT $1, $4 - 1 + n, at, type, presentation, detail, hash
        FROM unnest($5, $6, $7, $8, $9) WITH ORDINALITY AS t (at, type, presentation, detail, hash, n);
    END IF;
    -- Nobody reads the text again, and it would take disk until the log is pruned.
    UPDATE router.inbox i SET processed = now(), reply = r.reply, input = ''
      FROM unnest($10, $11) AS r (id, reply) WHERE i.id = r.id AND i.surface = $1 AND i.processed IS NULL;
  END $$;

-- The next events of surfaces, after those that a host has copied. This query and the next two take longer to plan than to run,
-- so functions keep their plans. The settings make them index scans, even before the tables have statistics.
CREATE OR REPLACE FUNCTION router.events_after(surfaces text[], heads bigint[], most bigint) RETURNS SETOF router.events
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
  AS $$ BEGIN
    FOR n IN 1..cardinality(surfaces) LOOP
      RETURN QUERY
        SELECT * FROM router.events e WHERE e.surface = surfaces[n] AND e.seq > heads[n] ORDER BY e.seq LIMIT most;
    END LOOP;
  END $$;

-- The next replies to a host's inputs.
CREATE OR REPLACE FUNCTION router.replies_after(surfaces text[], host text, process bigint, numbers bigint[])
  RETURNS TABLE (surface text, number bigint, reply text) LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
  AS $$ BEGIN
    FOR n IN 1..cardinality(surfaces) LOOP
      RETURN QUERY
        SELECT i.surface, i.number, i.reply FROM router.inbox i
        WHERE i.surface = surfaces[n] AND i.host = $2 AND i.process = $3 AND i.number > numbers[n] AND i.processed IS NOT NULL
        ORDER BY i.number;
    END LOOP;
  END $$;

-- The next inputs of each host, except those taken, whether the presentation that they request is on record, and whether
-- the host has more. Hosts take turns: the first inputs of each, and at most a megabyte and one input.
DROP FUNCTION IF EXISTS router.inputs(text[], bigint[], bigint);
CREATE FUNCTION router.inputs(surfaces text[], taken bigint[], most bigint)
  RETURNS TABLE (surface text, id bigint, host text, requested text, input text, is_used boolean, has_more boolean)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
  AS $$
  #variable_conflict use_column
  BEGIN
    FOR n IN 1..cardinality(surfaces) LOOP
      RETURN QUERY
        SELECT surfaces[n], i.id, h.name, i.requested, i.input,
          EXISTS (SELECT FROM router.events e WHERE e.type = 'requested' AND e.presentation = i.requested),
          i.has_more
        FROM router.hosts h CROSS JOIN LATERAL (
          SELECT w.*, bool_or(w.place > most OR w.before >= 1048576) OVER () AS has_more
          FROM (
            SELECT i.id, i.requested, i.input, row_number() OVER (ORDER BY i.id) AS place,
              sum(octet_length(i.input)) OVER (ORDER BY i.id) - octet_length(i.input) AS before
            FROM router.inbox i WHERE i.host = h.name AND i.surface = surfaces[n] AND i.processed IS NULL
            ORDER BY i.id LIMIT most + 1) w) i
        WHERE i.place <= most AND i.before < 1048576 AND i.id <> ALL (taken)
        ORDER BY i.id;
    END LOOP;
  END $$;

-- Removes what a recorded pruning no longer needs, as the leader: events, and the inputs processed before them. Daemons never
-- prune the last day, so no host still waits for a reply.
CREATE OR REPLACE FUNCTION router.remove(surface text, epoch bigint, through bigint) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
  BEGIN
    PERFORM FROM router.surfaces s
      WHERE s.name = $1 AND s.epoch = $2 AND s.leader = router.this_host() FOR SHARE;
    IF NOT FOUND THEN RAISE EXCEPTION 'this host does not lead the surface' USING ERRCODE = 'RT001'; END IF;
    IF NOT EXISTS (
      SELECT FROM router.events e
      WHERE e.surface = $1 AND e.type = 'pruned' AND (e.detail::json ->> 'through')::bigint >= $3
    ) THEN RAISE EXCEPTION 'no pruning is recorded through event %', $3; END IF;
    -- Not those that a host is removing.
    DELETE FROM router.inbox i WHERE i.id IN (
      SELECT o.id FROM router.inbox o
      WHERE o.surface = $1
        AND o.processed < (SELECT e.at::timestamptz FROM router.events e WHERE e.surface = $1 AND e.seq = $3)
      FOR UPDATE SKIP LOCKED);
    DELETE FROM router.events e WHERE e.surface = $1 AND e.seq <= $3;
  END $$;

-- Limits the sessions of a host's role. A host can change what is not a superuser's setting, so this is for accidents.
CREATE OR REPLACE FUNCTION router.limit_role(role name) RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp
  AS $$
  DECLARE
    settings text[] := ARRAY['idle_in_transaction_session_timeout', '10s', 'statement_timeout', '60s', 'lock_timeout', '2s'];
  BEGIN
    IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
      settings := settings || ARRAY['temp_file_limit', '256MB'];
    END IF;
    EXECUTE format('ALTER ROLE %I CONNECTION LIMIT 25', role);
    FOR n IN 1..cardinality(settings) BY 2 LOOP
      EXECUTE format(
        'ALTER ROLE %I IN DATABASE %I SET %I = %L', role, current_database(), settings[n], settings[n + 1]);
    END LOOP;
  EXCEPTION WHEN insufficient_privilege THEN RAISE WARNING 'cannot limit the sessions of %: %', role, SQLERRM;
  END $$;

-- Lets a host in, as the role of the same name unless another is given. A host that may lead is trusted with the surfaces:
-- it can write the record.
CREATE OR REPLACE FUNCTION router.add_host(host text, role name DEFAULT NULL, may_lead boolean DEFAULT false)
  RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
  AS $$
  BEGIN
    role := coalesce(role, host);
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN EXECUTE format('CREATE ROLE %I LOGIN', role); END IF;
    EXECUTE format('REVOKE router_leader, router_host FROM %I', role);
    EXECUTE format('GRANT %I TO %I', CASE WHEN may_lead THEN 'router_leader' ELSE 'router_host' END, role);
    INSERT INTO router.hosts AS h (name, role) VALUES (host, add_host.role)
      ON CONFLICT (name) DO UPDATE SET role = EXCLUDED.role;
    PERFORM router.limit_role(role);
  END $$;

-- Those above that call others run as the administrator, who may create roles. All others run as router_owner or as the host.
DO $$
DECLARE
  item record;
BEGIN
  FOR item IN SELECT oid::regclass AS name FROM pg_class WHERE relnamespace = 'router'::regnamespace AND relkind = 'r' LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO router_owner', item.name);
  END LOOP;
  FOR item IN
    SELECT oid::regprocedure AS name FROM pg_proc
    WHERE pronamespace = 'router'::regnamespace AND proname NOT IN ('add_host', 'limit_role')
  LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO router_owner', item.name);
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA router FROM router_owner;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA router FROM PUBLIC, router_host, router_leader;
REVOKE ALL ON ALL TABLES IN SCHEMA router FROM PUBLIC, router_host, router_leader;
GRANT USAGE ON SCHEMA router TO router_host;
GRANT SELECT ON router.hosts, router.surfaces, router.events, router.inbox, router.progress TO router_host;
GRANT EXECUTE ON FUNCTION router.this_host, router.is_gone, router.enter, router.beat, router.add_surface, router.send,
  router.report, router.events_after, router.replies_after TO router_host;
GRANT EXECUTE ON FUNCTION router.lead, router.renew, router.append, router.inputs, router.remove TO router_leader;

DROP POLICY IF EXISTS read ON router.hosts;
DROP POLICY IF EXISTS own ON router.hosts;
DROP POLICY IF EXISTS own ON router.inbox;
DROP POLICY IF EXISTS process ON router.inbox;
DROP POLICY IF EXISTS read ON router.progress;
DROP POLICY IF EXISTS own ON router.progress;
DROP POLICY IF EXISTS read ON router.surfaces;
DROP POLICY IF EXISTS use ON router.surfaces;
DROP POLICY IF EXISTS lead ON router.surfaces;
ALTER TABLE router.hosts DISABLE ROW LEVEL SECURITY;
ALTER TABLE router.surfaces DISABLE ROW LEVEL SECURITY;
ALTER TABLE router.progress DISABLE ROW LEVEL SECURITY;
ALTER TABLE router.inbox ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS read ON router.inbox;
-- The subqueries are evaluated once for each statement, not for each row.
CREATE POLICY read ON router.inbox FOR SELECT
  USING (host = (SELECT router.this_host()) OR (SELECT pg_has_role(session_user, 'router_leader', 'MEMBER')));

-- What PostgreSQL lets everybody do: connect, create temporary objects, and take locks and disk without an end.
DO $$
DECLARE
  item record;
BEGIN
  EXECUTE format('REVOKE CONNECT, TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO router_host', current_database());
  PERFORM router.limit_role(h.role) FROM router.hosts h JOIN pg_roles r ON r.rolname = h.role;
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    RAISE WARNING 'cannot revoke advisory locks and large objects: a hostile host could use up locks and disk. Apply this file as a superuser, too';
    RETURN;
  END IF;
  FOR item IN
    SELECT oid::regprocedure AS name, proname LIKE '%lock' AS is_lock FROM pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace
      AND (proname ~ '^pg_(try_)?advisory_(xact_)?lock' OR proname IN ('lo_create', 'lo_creat', 'lo_from_bytea'))
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', item.name);
    IF item.is_lock THEN EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO router_owner', item.name); END IF;
  END LOOP;
  -- PostgreSQL 14 allows it.
  IF to_regnamespace('public') IS NOT NULL THEN REVOKE CREATE ON SCHEMA public FROM PUBLIC; END IF;
END $$;

COMMIT;
