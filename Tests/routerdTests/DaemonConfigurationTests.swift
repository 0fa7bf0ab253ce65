import FoundationEssentials
import Logging
import Router
import TestSupport
import Testing

@testable import routerd

struct DaemonConfigurationTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Loads with the given sources only.
  private func load(
    _ yaml: String? = nil, socket: String? = nil, database: String? = nil, environment: [String: String] = [:]
  ) throws -> DaemonConfiguration {
    let file = try yaml.map { try directory.write($0, to: "test.yaml") }
    let around = ["XDG_CONFIG_HOME": directory.path, "RUNTIME_DIRECTORY": "/run/routerd"].merging(environment) { $1 }
    return try DaemonConfiguration.load(file: file, socket: socket, database: database, environment: around)
  }

  private func refusal(_ body: () throws -> Void) throws -> String {
    let error = try #require(throws: RouterError.self) { try body() }
    #expect(error.code == .invalid)
    return error.description
  }

  // MARK: Precedence

  @Test func `flags override the environment, then the file, then defaults`() throws {
    let file = "socket: /file.sock"
    let environment = ["ROUTERD_SOCKET": "/environment.sock"]
    #expect(try load().socket == "/run/routerd/routerd.sock")
    #expect(try load(file).socket == "/file.sock")
    #expect(try load(file, environment: environment).socket == "/environment.sock")
    #expect(try load(file, socket: "/flag.sock", environment: environment).socket == "/flag.sock")
    #expect(try load("database: /file.db").database == "/file.db")
    #expect(try load("database: /file.db", database: "/flag.db").database == "/flag.db")
  }

  @Test func `reads every setting from the file`() throws {
    let configuration = try load(
      """
      socket: /s.sock
      askSocket: /a.sock
      socketMode: "0660"
      socketGroup: 14
      database: /d.db
      durability: relaxed
      logLevel: trace
      shutdownSeconds: 7
      forbidSelfAnswer: user
      access:
        request: [1001, group:1002]
        critical: [1003]
        present: group:root
        audit: []
        admin: [root, self]
      limits:
        perSurface: 11
        perUser: 12
        bytesPerUser: 70000
        total: 13
        stackDepth: 0
        attachmentsPerMinute: 30
        bodyBytes: 2048
      connections:
        total: 21
        perUser: 22
        headerBytes: 2323
        requestSeconds: 2.5
        stallSeconds: 0.25
        unreadBytes: 70000
      web:
        address: "[::1]:8170"
        sessionSeconds: 90
      shared:
        database: postgresql://alpha:secret@db/router
        surfaces: [ops, "team-*"]
        host: alpha
        silenceSeconds: 7
      """)
    #expect(configuration.shared.database == "postgresql://alpha:secret@db/router" && configuration.shared.host == "alpha")
    #expect(configuration.shared.surfaces == ["ops", "team-*"] && configuration.shared.silence == .seconds(7))
    #expect(configuration.socketMode == 0o660 && configuration.socketGroup == 14 && configuration.askSocket == "/a.sock")
    #expect(configuration.forbidSelfAnswer == .user)
    #expect(configuration.access[.request] == AccessPolicy.Grant(users: [1001], groups: [1002]))
    #expect(configuration.access[.critical] == AccessPolicy.Grant(users: [1003]))
    #expect(configuration.access[.present] == AccessPolicy.Grant(groups: [0]))
    #expect(configuration.access[.audit] == AccessPolicy.Grant())
    #expect(configuration.access[.admin] == .own)
    #expect(
      configuration.connections
        == ConnectionLimits(
          total: 21, perUser: 22, headerBytes: 2323, requestTime: .milliseconds(2500), stallTime: .milliseconds(250),
          unreadBytes: 70000))
    #expect(configuration.webAddress?.description == "[::1]:8170" && configuration.webSessionSeconds == 90)
    #expect(configuration.socket == "/s.sock" && configuration.database == "/d.db")
    #expect(configuration.durability == .relaxed && configuration.logLevel == .trace && configuration.shutdownSeconds == 7)
    #expect(
      configuration.limits
        == Presentation.Limits(perSurface: 11, perUser: 12, total: 13, stackDepth: 0, bytesPerUser: 70000))
    #expect(configuration.bodyBytes == 2048 && configuration.attachmentsPerMinute == 30)
  }

  @Test func `reads every setting from the environment`() throws {
    let configuration = try load(
      environment: [
        "ROUTERD_DATABASE": "/d.db", "ROUTERD_DURABILITY": "relaxed", "ROUTERD_LOG_LEVEL": "error",
        "ROUTERD_SHUTDOWN_SECONDS": "9", "ROUTERD_LIMITS_PER_SURFACE": "1", "ROUTERD_LIMITS_PER_USER": "2",
        "ROUTERD_LIMITS_BYTES_PER_USER": "80000",
        "ROUTERD_LIMITS_TOTAL": "3", "ROUTERD_LIMITS_STACK_DEPTH": "4", "ROUTERD_LIMITS_BODY_BYTES": "4096",
        "ROUTERD_LIMITS_ATTACHMENTS_PER_MINUTE": "31",
        "ROUTERD_SOCKET_MODE": "0666", "ROUTERD_SOCKET_GROUP": "root", "ROUTERD_FORBID_SELF_ANSWER": "process",
        "ROUTERD_ACCESS_REQUEST": "self, 7,group:8", "ROUTERD_ACCESS_ASK": "4", "ROUTERD_ACCESS_CRITICAL": "6",
        "ROUTERD_ACCESS_PRESENT": "7",
        "ROUTERD_ACCESS_GRANT": "5",
        "ROUTERD_ACCESS_AUDIT": "8",
        "ROUTERD_ACCESS_ADMIN": "9", "ROUTERD_CONNECTIONS_TOTAL": "5", "ROUTERD_CONNECTIONS_PER_USER": "6",
        "ROUTERD_CONNECTIONS_HEADER_BYTES": "7000", "ROUTERD_CONNECTIONS_REQUEST_SECONDS": "0.5",
        "ROUTERD_CONNECTIONS_STALL_SECONDS": "2", "ROUTERD_CONNECTIONS_UNREAD_BYTES": "80000",
        "ROUTERD_WEB_ADDRESS": "localhost:80", "ROUTERD_WEB_SESSION_SECONDS": "60",
        "ROUTERD_SHARED_DATABASE": "dbname=router", "ROUTERD_SHARED_SURFACES": "ops,desk", "ROUTERD_SHARED_HOST": "beta",
        "ROUTERD_SHARED_SILENCE_SECONDS": "8",
      ])
    #expect(configuration.shared.database == "dbname=router" && configuration.shared.host == "beta")
    #expect(configuration.shared.surfaces == ["ops", "desk"] && configuration.shared.silence == .seconds(8))
    #expect(configuration.socketMode == 0o666 && configuration.socketGroup == 0)
    #expect(configuration.forbidSelfAnswer == .process)
    #expect(configuration.access[.request] == AccessPolicy.Grant(users: [ProcessIdentity.current.uid, 7], groups: [8]))
    #expect(Role.allCases.dropFirst().map { configuration.access[$0].users } == [[4], [6], [7], [5], [8], [9]])
    #expect(
      configuration.connections
        == ConnectionLimits(
          total: 5, perUser: 6, headerBytes: 7000, requestTime: .milliseconds(500), stallTime: .seconds(2),
          unreadBytes: 80000))
    #expect(configuration.webAddress?.description == "127.0.0.1:80" && configuration.webSessionSeconds == 60)
    #expect(configuration.database == "/d.db" && configuration.durability == .relaxed && configuration.logLevel == .error)
    #expect(configuration.shutdownSeconds == 9 && configuration.bodyBytes == 4096)
    #expect(configuration.attachmentsPerMinute == 31)
    #expect(
      configuration.limits
        == Presentation.Limits(perSurface: 1, perUser: 2, total: 3, stackDepth: 4, bytesPerUser: 80000))
  }

  @Test func `prints YAML that loads as the same configuration`() throws {
    var configuration = DaemonConfiguration(socket: "/tmp/a: b #\"c\".sock", database: "/tmp/ü\\.db")
    configuration.limits.total = 5
    configuration.logLevel = .critical
    configuration.socketMode = 0o620
    configuration.socketGroup = 12
    configuration.askSocket = "/tmp/ask.sock"
    configuration.access[.present] = AccessPolicy.Grant(users: [3, 1], groups: [2])
    configuration.access[.audit] = AccessPolicy.Grant()
    configuration.forbidSelfAnswer = .process
    configuration.connections.requestTime = .milliseconds(1250)
    configuration.webAddress = try WebAddress("127.0.0.1:8170")
    configuration.webSessionSeconds = 61
    configuration.shared = .init(database: "host=db user=a", surfaces: ["a,b", "*"], host: "alpha", silence: .seconds(9))
    #expect(try load(configuration.yaml) == configuration)
  }

  @Test func `has a socket for asking beside the default socket, and none beside another`() throws {
    let configuration = try load()
    #expect(configuration.askSocket == DefaultPaths.askSocket(besides: configuration.socket))
    #expect(DefaultPaths.askSocket(besides: "/run/routerd/routerd.sock") == "/run/routerd/ask/routerd.sock")
    #expect(try load("socket: /s.sock").askSocket == nil)
    #expect(try load(environment: ["ROUTERD_SOCKET": "/s.sock"]).askSocket == nil)
    #expect(try load(environment: ["ROUTERD_SOCKET": "/s.sock", "ROUTERD_ASK_SOCKET": "/a.sock"]).askSocket == "/a.sock")
  }

  // MARK: Files

  @Test func `reads the default file if it exists`() throws {
    #expect(try load().shutdownSeconds == 2)
    try directory.write("shutdownSeconds: 5", to: "routerd/routerd.yaml")
    #expect(try load().shutdownSeconds == 5)
  }

  @Test func `requires a named file to exist`() throws {
    let path = directory.file("nowhere.yaml")
    let message = try refusal {
      _ = try DaemonConfiguration.load(file: path, socket: nil, database: nil, environment: [:])
    }
    #expect(message.hasPrefix("cannot read the configuration \(path): No such file"))
  }

  @Test func `rejects a directory, even at the default path`() throws {
    try directory.write("", to: "routerd/routerd.yaml/file")
    #expect(try refusal { _ = try load() }.contains("routerd.yaml"))
  }

  @Test(arguments: ["", "# nothing but a comment\n", "limits:\n", "---\n"])
  func `an empty file leaves the defaults`(yaml: String) throws {
    #expect(try load(yaml) == load())
  }

  @Test(arguments: [
    ("/a", "/a"), ("\"/a b\"", "/a b"), ("'null'", "null"), ("\"\\u00e9\"", "é"), ("yes", "yes"), ("0o17", "0o17"),
    ("1_000", "1_000"), ("2026-01-01", "2026-01-01"), ("|\n  a\n  b", "a\nb"), (">-\n  a\n  b", "a b"),
  ])
  func `reads a scalar as it is written`(yaml: String, text: String) throws {
    #expect(try ConfigurationFile(yaml: "socket: \(yaml)").values == ["socket": [text]])
  }

  @Test(arguments: ["", "~", "null", "Null", "NULL", "# nothing"]) func `reads an empty value as none`(yaml: String) throws {
    #expect(try ConfigurationFile(yaml: "socket: \(yaml)").values == ["socket": [""]])
    #expect(try ConfigurationFile(yaml: "limits: \(yaml)").values.isEmpty)
  }

  @Test func `warns of variables that belong to no setting`() {
    #expect(
      Setting.warnings(["ROUTERD_LIMIT_TOTAL": "1", "ROUTERD_LIMITS_TOTAL": "1", "ROUTERD_Q": "1", "HOME": "/"]) == [
        "ROUTERD_LIMIT_TOTAL is not a setting and has no effect. Did you mean ROUTERD_LIMITS_TOTAL?",
        "ROUTERD_Q is not a setting and has no effect.",
      ])
  }

  @Test func `reads a file with a byte order mark, a directive and an end`() throws {
    #expect(try ConfigurationFile(yaml: "\u{FEFF}%YAML 1.2\n---\nsocket: /a\n...\n").values == ["socket": ["/a"]])
  }

  // MARK: Mistakes

  @Test(arguments: [
    ("sokcet: /x", "line 1: sokcet is not a setting. Did you mean socket?"),
    ("durability: full\nlimits:\n  totl: 5", "line 3: limits.totl is not a setting. Did you mean limits.total?"),
    ("limits: {total: 5, perUsr: 1}", "limits.perUsr is not a setting"),
    ("total: 5", "total is not a setting. Did you mean limits.total?"),
    ("limits.total: 5", "limits.total is not a setting. Indent it below its section: limits: total"),
    ("limits: 5", "limits is a section"),
    ("durability: [full]", "durability takes one value"),
    ("socket: {path: /x}", "socket takes one value"),
    ("limits:\n  total:\n    all: 5", "limits.total takes one value"),
    ("- socket", "name: value"),
    ("socket: /a\nsocket: /b", "line 2: socket is set again, first on line 1"),
    ("limits:\n  total: 5\n  \"total\": 6", "line 3: total is set again, first on line 2"),
    ("limits:\n  total: 5\nsocket: /a\nlimits:\n  perUser: 6", "line 4: limits is set again, first on line 1"),
    ("socket: \"/a", "line 1: this is not YAML"),
    ("socket: /a\n\tdatabase: /b", "line 2: this is not YAML"),
    ("socket: /a\ndatabase: /\u{7}", "line 2: this is not YAML"),
    ("socket: &a /a", "line 1: anchors (&name) are not supported"),
    ("limits: &a\n  total: 5", "line 1: anchors (&name) are not supported"),
    ("access: {request: &a [1]}", "line 1: anchors (&name) are not supported"),
    ("socket: /a\ndatabase: *a", "line 2: aliases (*name) are not supported"),
    ("socket: /a\nlimits:\n  <<: *a", "line 3: aliases (*name) are not supported"),
    ("durability: full\nsocket: !!str /a", "line 2: tags (!name) are not supported"),
    ("access: {request: !!seq [1]}", "line 1: tags (!name) are not supported"),
    ("socket: ! 5", "line 1: tags (!name) are not supported"),
    ("socket: /a\n---\nsocket: /b", "line 2: expected the end: a file has one document"),
    ("access:\n  request: [[[[[[[1]]]]]]]", "line 2: more than 8 levels"),
    (String(repeating: "[", count: 100_000), "line 1: more than 8 levels"),
    ("limits:\n  [total]: 5", "line 2: expected settings as name: value"),
    ("~: /a", "line 1: expected settings as name: value"),
    ("limit:\n  total: 5", "line 1: limit is not a setting. Did you mean limits?"),
    ("1: 2", "1 is not a setting. To list all: routerd --check --config /dev/null"),
    ("access: {request: {users: [1]}}", "access.request takes a list of values"),
    ("access: {request: [1, [2]]}", "access.request takes a list of values"),
    ("access: {request: [~]}", "access.request takes a list of values"),
    ("access: {reqest: [1]}", "access.reqest is not a setting"),
  ])
  func `reports a mistake in the file`(yaml: String, message: String) throws {
    #expect(try refusal { _ = try load(yaml) }.contains(message))
  }

  @Test(arguments: [
    ("socket", "\"\""), ("socket", "~"), ("durability", "half"), ("logLevel", "loud"), ("shutdownSeconds", "0"),
    ("shutdownSeconds", "1.5"), ("shutdownSeconds", "soon"), ("limits.perSurface", "0"), ("limits.perUser", "-1"),
    ("limits.bytesPerUser", "1"),
    ("limits.total", "10000001"), ("limits.stackDepth", "65"), ("limits.bodyBytes", "1023"),
    ("limits.bodyBytes", "99999999999999999999"), ("socketMode", "0777"), ("socketMode", "0400"), ("socketMode", "rw"),
    ("socketMode", "\"0888\""), ("socketGroup", "no-such-group"), ("forbidSelfAnswer", "false"),
    ("forbidSelfAnswer", "always"), ("access.request", "[no-such-user]"), ("access.request", "[group:no-such-group]"),
    ("access.request", "[\"\"]"), ("access.request", ""), ("access.admin", "[\"group:\"]"), ("access.audit", "[-1]"),
    ("access.audit", "[4294967296]"), ("connections.total", "0"), ("connections.perUser", "x"),
    ("connections.headerBytes", "1023"), ("connections.requestSeconds", "0.01"), ("connections.requestSeconds", "nan"),
    ("connections.stallSeconds", "1h"), ("connections.unreadBytes", "1"),
    ("web.address", "8170"), ("web.address", "0.0.0.0:8170"), ("web.address", "127.0.0.1:99999"),
    ("web.address", "example.org:1"),
    ("web.sessionSeconds", "59"), ("shared.database", "\"\""), ("shared.silenceSeconds", "0"),
    ("shared.limit", "0"),
  ])
  func `reports the setting of a bad value`(name: String, value: String) throws {
    let parts = name.split(separator: ".")
    let yaml = parts.count == 1 ? "\(name): \(value)" : "\(parts[0]):\n  \(parts[1]): \(value)"
    #expect(try refusal { _ = try load(yaml) }.contains("the setting \(name)"))
  }

  @Test func `reads the people with accounts on several hosts, and names what is none`() throws {
    let yaml = #"shared: {people: {ada: ["1000@alpha", "1003@beta"], bob: ["7@beta"]}}"#
    let ada: Set = [Owner(host: "alpha", uid: 1000), Owner(host: "beta", uid: 1003)]
    let configuration = try load(yaml)
    #expect(configuration.shared.people.accounts == ["ada": ada, "bob": [Owner(host: "beta", uid: 7)]])
    #expect(try load(configuration.yaml).shared.people == configuration.shared.people)
    #expect(
      try load(environment: ["ROUTERD_SHARED_PEOPLE": "ada=1000@alpha,ada=1003@beta"]).shared.people.accounts == ["ada": ada])
    for text in ["ada", "ada=ada@alpha", "ada=1000", "ada=1000@", "ada=-1@alpha", "ada=1@a/b", "a b=1@alpha", "a=1@x,b=1@x"] {
      let refusal = try refusal { _ = try load(environment: ["ROUTERD_SHARED_PEOPLE": text]) }
      #expect(refusal.contains("shared.people"), "\(text): \(refusal)")
    }
  }

  @Test func `reports the setting of a bad value in the environment`() throws {
    #expect(try refusal { _ = try load(environment: ["ROUTERD_LIMITS_TOTAL": "many"]) }.contains("limits.total"))
  }

  // MARK: The shipped file

  private static let shipped = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Config/routerd.yaml").path

  @Test func `Config/routerd.yaml contains the defaults`() throws {
    let shipped = try DaemonConfiguration.load(file: Self.shipped, socket: nil, database: nil, environment: [:])
    #expect(try shipped == load())
  }

  @Test func `Config/routerd.yaml lists every setting`() throws {
    // Paths depend on the user and are therefore commented out.
    let text = try String(contentsOf: URL(filePath: Self.shipped), encoding: .utf8)
      .replacing("\n# socket: ", with: "\nsocket: ").replacing("\n# database: ", with: "\ndatabase: ")
      .replacing("\n# askSocket: ", with: "\naskSocket: ")
      .replacing("\n# socketGroup: ", with: "\nsocketGroup: ").replacing("\n  # address: ", with: "\n  address: ")
      .replacing("\n  # database: ", with: "\n  database: ").replacing("\n  # host: ", with: "\n  host: ")
      .replacing("\n  # file: ", with: "\n  file: ").replacing("\n  # confirm: ", with: "\n  confirm: ")
      .replacing("\n  # always: ", with: "\n  always: ")
    let file = try ConfigurationFile(path: directory.write(text, to: "whole.yaml"), mayBeMissing: false)
    #expect(Set(file.values.keys) == Set(Setting.all.map(\.name)))
    let paths = DefaultPaths(environment: [:], uid: 0)
    #expect(file.values["askSocket"] == [DefaultPaths.askSocket(besides: paths.socket)])
    #expect(file.values["socket"] == [paths.socket] && file.values["database"] == [paths.database])
  }
}
