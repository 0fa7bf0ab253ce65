#if PostgreSQL
import Router
import Testing

/// What `Config/shared.sql` creates, and the rights that its functions run with.
/// Promise P22.
@Suite(.timeLimit(.minutes(10)))
struct SharedSchemaTests {
  /// The code that a host's own function raises if it runs with other rights than the host's.
  private static let ranWithOtherRights = "RT666"

  /// The functions that a host could attack: those without the safe search path, and those that it may call and that belong to
  /// somebody with rights.
  private static let unsafeFunctions = """
    SELECT p.proname FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner
    WHERE p.pronamespace = 'router'::regnamespace AND NOT (
      coalesce(p.proconfig, '{}') @> '{"search_path=pg_catalog, pg_temp"}'
      AND (r.rolname = 'router_owner' OR NOT p.prosecdef AND NOT has_function_privilege('router_leader', p.oid, 'EXECUTE')
        AND NOT has_function_privilege('router_host', p.oid, 'EXECUTE')))
    ORDER BY 1
    """

  /// The rights to write tables, which would let a host lock them.
  private static let writableTables = """
    SELECT c.relname, role, privilege FROM pg_class c,
      unnest('{router_host,router_leader,public}'::text[]) AS role,
      unnest('{INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) AS privilege
    WHERE c.relnamespace = 'router'::regnamespace AND c.relkind = 'r' AND (
      has_table_privilege(role, c.oid, privilege)
      OR privilege IN ('INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege(role, c.oid, privilege))
    """

  private func expectSafe(_ database: SharedTestDatabase, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    #expect(try await database.psql(Self.unsafeFunctions) == [], sourceLocation: sourceLocation)
    #expect(try await database.psql(Self.writableTables) == [], sourceLocation: sourceLocation)
    #expect(
      try await database.psql(
        """
        SELECT rolsuper, rolcanlogin, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
          (SELECT count(*) FROM pg_auth_members WHERE member = r.oid), has_schema_privilege('router_owner', 'router', 'CREATE')
        FROM pg_roles r WHERE rolname = 'router_owner'
        """) == ["f|f|f|f|f|f|0|f"], sourceLocation: sourceLocation)
  }

  @Test func `runs functions with the rights of a role that has none besides the tables`() async throws {
    try await PostgreSQLServer.common.withDatabase { database async throws in
      try await expectSafe(database)
      #expect(try await database.psql("SELECT count(*) > 12 FROM pg_proc WHERE pronamespace = 'router'::regnamespace") == ["t"])
      // The check notices a function that is added later, and rights.
      try await database.psql(
        """
        CREATE FUNCTION router.later() RETURNS void LANGUAGE sql SET search_path = pg_catalog AS '';
        CREATE FUNCTION router.owned() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS '';
        GRANT UPDATE (seen) ON router.hosts TO router_host
        """)
      #expect(try await database.psql(Self.unsafeFunctions) == ["later", "owned"])
      #expect(try await database.psql(Self.writableTables).contains("hosts|router_host|UPDATE"))
    }
  }

  @Test func `runs no code of a host in the place of a type`() async throws {
    try await PostgreSQLServer.common.withDatabase { database async throws in
      try await database.psql("SELECT router.add_surface('main'), router.lead('main', 0, '1 hour')", as: "alpha")
      try await database.psql(
        """
        INSERT INTO router.events VALUES ('main', 1, '2000-01-01T00:00:00.000Z', 'x', NULL, '{}', ''),
          ('main', 2, '2026-01-01T00:00:00.000Z', 'pruned', NULL, '{"through":1}', '')
        """)
      let attack = """
        CREATE FUNCTION pg_temp.attack(value pg_catalog.timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
          IF current_user <> session_user THEN RAISE EXCEPTION 'as %', current_user USING ERRCODE = '\(Self.ranWithOtherRights)'; END IF;
          RETURN true;
        END $$;
        CREATE DOMAIN pg_temp.timestamptz AS pg_catalog.timestamptz CHECK (pg_temp.attack(VALUE));
        SELECT router.remove('main', 1, 1)
        """
      #expect(try await database.refusal(of: attack, as: "alpha") == nil)
      #expect(try await database.psql("SELECT min(seq) FROM router.events") == ["2"])
    }
  }

  @Test func `believes no host about the locks of others`() async throws {
    try await PostgreSQLServer.common.withDatabase { database async throws in
      try await database.hold(
        "SELECT router.add_surface('main'), router.enter(1)", "SELECT router.lead('main', 0, '1 hour')", as: "alpha")
      let attack = """
        CREATE TEMPORARY TABLE pg_locks AS SELECT * FROM pg_catalog.pg_locks LIMIT 0;
        CREATE TEMPORARY TABLE pg_stat_activity AS SELECT * FROM pg_catalog.pg_stat_activity LIMIT 0;
        GRANT SELECT ON pg_temp.pg_locks, pg_temp.pg_stat_activity TO PUBLIC;
        SELECT router.is_gone('alpha'), router.lead('main', 1, '1 hour') IS NULL
        """
      #expect(try await database.psql(attack, as: "beta") == ["f|t"])
    }
  }

  @Test func `fails behind an open transaction instead of making everybody wait, and can be repeated`() async throws {
    let server = try await PostgreSQLServer()
    try await server.withDatabase { database async throws in
      try await database.psql("SELECT router.add_surface('main')", as: "watcher")
      try await database.hold("BEGIN", "SELECT FROM router.hosts", as: "watcher")
      let failure = await #expect(throws: SQLFailure.self) { try await server.apply("Config/shared.sql", to: database.name) }
      #expect(failure?.code == "55P03", "\(failure?.messages ?? [])")
      try await database.psql("SELECT router.beat()", as: "alpha")
      let sessions = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'watcher'"
      #expect(try await database.psql(sessions) == ["1"])
      try await server.apply("Config/shared.sql", to: database.name)
    }
    await server.kill()
  }

  @Test(arguments: ["superuser", "owner"])
  func `can be applied again, and to a database of the first version`(administrator: String) async throws {
    let server = try await PostgreSQLServer()
    // The owner makes the roles.
    let names = PostgreSQLServer.hosts + ["router_owner", "router_leader", "router_host"]
    let cleaning = ["DROP DATABASE template"] + names.map { "DROP ROLE \($0)" } + ["CREATE ROLE owner LOGIN CREATEROLE"]
    for sql in cleaning { _ = try await server.psql(sql, on: "postgres") }
    let role = administrator == "owner" ? "owner" : "postgres"
    let database = SharedTestDatabase(server: server, name: "shared")
    _ = try await server.psql("CREATE DATABASE shared OWNER owner", on: "postgres")
    try await server.apply("Tests/EndToEndTests/Shared/first.sql", to: "shared", as: role)
    try await database.psql(
      "SELECT router.add_host('alpha', may_lead => true), router.add_host('watcher')", as: role)
    try await database.psql(
      """
      INSERT INTO router.surfaces VALUES ('main', 'alpha', 3, 'infinity'), ('an old name', NULL, 0, '-infinity');
      INSERT INTO router.inbox (surface, host, process, number, input) VALUES ('main', 'watcher', 1, 1, '{}')
      """)
    for _ in 1...2 {
      try await server.apply("Config/shared.sql", to: "shared", as: role)
      try await expectSafe(database)
    }
    if administrator == "owner" {
      try await server.apply("Config/shared.sql", to: "shared")
      try await server.apply("Config/shared.sql", to: "shared", as: role)
    }
    try await database.psql("SELECT router.add_host('beta', may_lead => true)", as: role)
    try await expectSafe(database)
    #expect(try await database.psql("SELECT count(*) FROM router.inputs('{main}', '{}', 10)", as: "alpha") == ["1"])
    #expect(try await database.psql("SELECT router.add_surface('new'), router.beat()", as: "watcher") == ["|"])
    #expect(try await database.psql("SELECT router.lead('new', 0, '1 hour')", as: "beta") == ["1"])
    // Others cannot connect, and so cannot notify.
    _ = try await server.psql("CREATE ROLE stranger LOGIN", on: "postgres")
    let refusal = await #expect(throws: SQLFailure.self) { try await database.psql("SELECT", as: "stranger") }
    #expect(refusal?.messages.contains { $0.contains("permission denied for database") } == true)
    #expect(try await database.refusal(of: "CREATE TEMPORARY TABLE t ()", as: "watcher") == "42501")
    let limits = """
      SELECT r.rolconnlimit, s.setconfig @> '{statement_timeout=60s,lock_timeout=2s,idle_in_transaction_session_timeout=10s}'
      FROM pg_roles r JOIN pg_db_role_setting s ON s.setrole = r.oid WHERE r.rolname IN ('alpha', 'beta', 'watcher')
      """
    #expect(try await database.psql(limits) == ["25|t", "25|t", "25|t"])
    await server.kill()
  }
}
#endif
