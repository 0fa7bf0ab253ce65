-- Config/shared.sql as it first was, for the test that a newer one can be applied to its database.
BEGIN;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'router_host') THEN CREATE ROLE router_host NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'router_leader') THEN
    CREATE ROLE router_leader NOLOGIN IN ROLE router_host;
  END IF;
END $$;
CREATE SCHEMA IF NOT EXISTS router;
CREATE TABLE IF NOT EXISTS router.hosts (
  name text PRIMARY KEY,
  role name NOT NULL UNIQUE,
  process bigint,        -- a number that each start of the daemon chooses
  session bigint,        -- the advisory lock that the daemon holds while it is connected
  seen timestamptz       -- the last sign of life
);
CREATE TABLE IF NOT EXISTS router.surfaces (
  name text PRIMARY KEY,
  leader text REFERENCES router.hosts,
  epoch bigint NOT NULL DEFAULT 0,
  expires timestamptz NOT NULL DEFAULT '-infinity'
);
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
CREATE INDEX IF NOT EXISTS inbox_waiting ON router.inbox (surface, id) WHERE processed IS NULL;
CREATE TABLE IF NOT EXISTS router.progress (
  presentation text NOT NULL,
  surface text NOT NULL REFERENCES router.surfaces,
  host text NOT NULL REFERENCES router.hosts,
  fraction double precision NOT NULL,
  label text,
  PRIMARY KEY (presentation, host)
);
CREATE OR REPLACE FUNCTION router.this_host() RETURNS text LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = pg_catalog
  AS $$ BEGIN RETURN (SELECT name FROM router.hosts WHERE role = session_user); END $$;
CREATE OR REPLACE FUNCTION router.is_gone(host text) RETURNS boolean LANGUAGE sql STABLE
  SET search_path = pg_catalog
  AS $$
    SELECT NOT EXISTS (
      SELECT FROM router.hosts h JOIN pg_locks l
        ON l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND l.classid::bigint = h.session >> 32 AND l.objid::bigint = h.session & 4294967295
        JOIN pg_stat_activity a ON a.pid = l.pid AND a.usename = h.role
      WHERE h.name = host)
  $$;
CREATE OR REPLACE FUNCTION router.lead(surface text, known bigint, lease interval) RETURNS bigint LANGUAGE plpgsql
  SET search_path = pg_catalog
  AS $$
  DECLARE s router.surfaces;
  BEGIN
    SELECT * INTO s FROM router.surfaces WHERE name = surface FOR UPDATE;
    IF s.epoch <> known THEN RETURN NULL; END IF;
    IF s.leader <> router.this_host() AND s.expires > clock_timestamp() AND NOT router.is_gone(s.leader) THEN
      RETURN NULL;
    END IF;
    UPDATE router.surfaces
      SET leader = router.this_host(), epoch = s.epoch + 1, expires = clock_timestamp() + lease WHERE name = surface;
    RETURN s.epoch + 1;
  END $$;
CREATE OR REPLACE FUNCTION router.append(
  surface text, epoch bigint, previous bytea, first bigint, ats text[], types text[], presentations text[],
  details text[], hashes bytea[], rows bigint[], replies text[]
) RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog
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
    UPDATE router.inbox i SET processed = now(), reply = r.reply
      FROM unnest($10, $11) AS r (id, reply) WHERE i.id = r.id AND i.processed IS NULL;
  END $$;
CREATE OR REPLACE FUNCTION router.events_after(surfaces text[], heads bigint[], most bigint) RETURNS SETOF router.events
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
  AS $$ BEGIN
    FOR n IN 1..cardinality(surfaces) LOOP
      RETURN QUERY
        SELECT * FROM router.events e WHERE e.surface = surfaces[n] AND e.seq > heads[n] ORDER BY e.seq LIMIT most;
    END LOOP;
  END $$;
CREATE OR REPLACE FUNCTION router.replies_after(surfaces text[], host text, process bigint, numbers bigint[])
  RETURNS TABLE (surface text, number bigint, reply text) LANGUAGE plpgsql STABLE SET search_path = pg_catalog
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
  AS $$ BEGIN
    FOR n IN 1..cardinality(surfaces) LOOP
      RETURN QUERY
        SELECT i.surface, i.number, i.reply FROM router.inbox i
        WHERE i.surface = surfaces[n] AND i.host = $2 AND i.process = $3 AND i.number > numbers[n] AND i.processed IS NOT NULL
        ORDER BY i.number;
    END LOOP;
  END $$;
CREATE OR REPLACE FUNCTION router.inputs(surfaces text[], taken bigint[], most bigint)
  RETURNS TABLE (surface text, id bigint, host text, requested text, input text, is_used boolean)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
  AS $$ BEGIN
    FOR n IN 1..cardinality(surfaces) LOOP
      RETURN QUERY
        SELECT i.surface, i.id, i.host, i.requested, i.input,
          EXISTS (SELECT FROM router.events e WHERE e.type = 'requested' AND e.presentation = i.requested)
        FROM router.inbox i WHERE i.surface = surfaces[n] AND i.processed IS NULL AND i.id <> ALL (taken)
        ORDER BY i.id LIMIT most;
    END LOOP;
  END $$;
CREATE OR REPLACE FUNCTION router.remove(surface text, epoch bigint, through bigint) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog
  AS $$
  BEGIN
    PERFORM FROM router.surfaces s
      WHERE s.name = $1 AND s.epoch = $2 AND s.leader = router.this_host() FOR SHARE;
    IF NOT FOUND THEN RAISE EXCEPTION 'this host does not lead the surface' USING ERRCODE = 'RT001'; END IF;
    IF NOT EXISTS (
      SELECT FROM router.events e
      WHERE e.surface = $1 AND e.type = 'pruned' AND (e.detail::json ->> 'through')::bigint >= $3
    ) THEN RAISE EXCEPTION 'no pruning is recorded through event %', $3; END IF;
    DELETE FROM router.inbox i
      WHERE i.surface = $1
        AND i.processed < (SELECT e.at::timestamptz FROM router.events e WHERE e.surface = $1 AND e.seq = $3);
    DELETE FROM router.events e WHERE e.surface = $1 AND e.seq <= $3;
  END $$;
CREATE OR REPLACE FUNCTION router.add_host(host text, role name DEFAULT NULL, may_lead boolean DEFAULT false)
  RETURNS void LANGUAGE plpgsql
  AS $$
  BEGIN
    role := coalesce(role, host);
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN EXECUTE format('CREATE ROLE %I LOGIN', role); END IF;
    EXECUTE format('REVOKE router_leader, router_host FROM %I', role);
    EXECUTE format('GRANT %I TO %I', CASE WHEN may_lead THEN 'router_leader' ELSE 'router_host' END, role);
    INSERT INTO router.hosts AS h (name, role) VALUES (host, add_host.role)
      ON CONFLICT (name) DO UPDATE SET role = EXCLUDED.role;
  END $$;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA router FROM PUBLIC;
GRANT USAGE ON SCHEMA router TO router_host;
GRANT SELECT ON router.hosts, router.surfaces, router.events, router.inbox, router.progress TO router_host;
GRANT INSERT, UPDATE, DELETE ON router.progress TO router_host;
GRANT UPDATE (process, session, seen) ON router.hosts TO router_host;
GRANT INSERT (name) ON router.surfaces TO router_host;
GRANT INSERT (surface, host, process, number, requested, input) ON router.inbox TO router_host;
GRANT EXECUTE ON FUNCTION router.this_host, router.is_gone, router.events_after, router.replies_after TO router_host;
GRANT UPDATE (leader, epoch, expires) ON router.surfaces TO router_leader;
GRANT INSERT ON router.events TO router_leader;
GRANT UPDATE (processed, reply) ON router.inbox TO router_leader;
GRANT EXECUTE ON FUNCTION router.lead, router.append, router.inputs, router.remove TO router_leader;
ALTER TABLE router.hosts ENABLE ROW LEVEL SECURITY;
ALTER TABLE router.inbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE router.surfaces ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS read ON router.hosts;
CREATE POLICY read ON router.hosts FOR SELECT USING (true);
DROP POLICY IF EXISTS own ON router.hosts;
CREATE POLICY own ON router.hosts FOR UPDATE USING (name = (SELECT router.this_host()));
DROP POLICY IF EXISTS own ON router.inbox;
CREATE POLICY own ON router.inbox FOR INSERT WITH CHECK (host = (SELECT router.this_host()));
DROP POLICY IF EXISTS read ON router.inbox;
CREATE POLICY read ON router.inbox FOR SELECT
  USING (host = (SELECT router.this_host()) OR (SELECT pg_has_role(session_user, 'router_leader', 'MEMBER')));
DROP POLICY IF EXISTS process ON router.inbox;
CREATE POLICY process ON router.inbox FOR UPDATE TO router_leader USING (true);
ALTER TABLE router.progress ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS read ON router.progress;
CREATE POLICY read ON router.progress FOR SELECT USING (true);
DROP POLICY IF EXISTS own ON router.progress;
CREATE POLICY own ON router.progress USING (host = (SELECT router.this_host()));
DROP POLICY IF EXISTS read ON router.surfaces;
CREATE POLICY read ON router.surfaces FOR SELECT USING (true);
DROP POLICY IF EXISTS use ON router.surfaces;
CREATE POLICY use ON router.surfaces FOR INSERT WITH CHECK (true);
DROP POLICY IF EXISTS lead ON router.surfaces;
CREATE POLICY lead ON router.surfaces FOR UPDATE TO router_leader
  USING (true) WITH CHECK (leader = (SELECT router.this_host()));
COMMIT;
