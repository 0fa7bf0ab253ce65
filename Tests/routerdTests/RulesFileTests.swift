import Foundation
import Router
import RouterConfiguration
import Testing

/// `rules.yaml`: its mistakes with their lines, its examples, and its owner.
/// Promise P45.
struct RulesFileTests {
  private static let accounts = RulesFile.Accounts(
    user: { name in
      guard let uid = ["ada": 1000, "bob": 1001][name] ?? UInt32(name) else {
        throw RouterError(.invalid, "there is no user \(name)")
      }
      return uid
    }, group: { _ in 50 })

  private static func file(_ text: String) throws -> RulesFile {
    try RulesFile(path: "rules.yaml", text: text, accounts: accounts)
  }

  /// A rule that is allowed, and the text around it.
  private static let start =
    "version: 1\nrules:\n  - id: a\n    match: {user: ada, ancestor: /bin/x, act: {verb: Bash, argv: [ls]}}\n"

  private static let mistakes: [(text: String, line: Int, message: String)] = [
    ("rules: []\n", 1, "version: 1"), ("version: 2\n", 1, "version: 1"), ("- a\n", 1, "version and rules"),
    ("version: 1\nrule: []\n", 2, "rule is not known"), ("version: 1\nrules: a\n", 2, "rules must be a list"),
    ("version: 1\nrules:\n  - a\n", 3, "a rule must have id, match and then"),
    ("version: 1\nrules: [\n", 3, "not YAML"), ("version: 1\nversion: 1\n", 2, "version is set again"),
    ("version: 1\nrules:\n  - match: {app: x}\n    then: deny\n", 3, "id is missing"),
    ("version: 1\nrules:\n  - id: A b\n    match: {app: x}\n    then: deny\n", 3, "id must be"),
    ("version: 1\nrules:\n  - id: a\n    then: deny\n", 3, "match must not be empty"),
    ("version: 1\nrules:\n  - id: a\n    match: {app: x}\n", 3, "then is missing"),
    ("version: 1\nrules:\n  - id: a\n    match: {app: x}\n    then: permit\n", 5, "then must be one of allow, deny, ask"),
    ("version: 1\nrules:\n  - id: a\n    match: {app: x}\n    then: deny\n    why: x\n", 6, "why is not known"),
    ("version: 1\nrules:\n  - id: a\n    match:\n      ancestors: /x\n    then: deny\n", 5, "Did you mean ancestor?"),
    ("version: 1\nrules:\n  - id: a\n    match:\n      app: [x, \"[ab]\"]\n    then: deny\n", 5, "must not have sets"),
    ("version: 1\nrules:\n  - id: a\n    match:\n      app: *x\n    then: deny\n", 5, "quote a text that begins with *"),
    ("version: 1\nrules:\n  - id: a\n    match:\n      user: nobody-here\n    then: deny\n", 5, "no user nobody-here"),
    ("version: 1\nrules:\n  - id: a\n    match:\n      user: {a: b}\n    then: deny\n", 5, "must be a name or a number"),
    ("version: 1\nrules:\n  - id: a\n    match:\n      kind: form\n    then: deny\n", 5, "must be one of alert"),
    ("version: 1\nrules:\n  - id: a\n    match:\n      priority: urgent\n    then: deny\n", 5, "must be one of low"),
    ("version: 1\nrules:\n  - id: a\n    match:\n      act:\n        argv: git\n    then: deny\n", 6, "must be a list"),
    ("version: 1\nrules:\n  - id: a\n    match:\n      act:\n        under: src\n    then: deny\n", 6, "absolute path"),
    ("version: 1\nrules:\n  - id: a\n    match:\n      act:\n        verbs: x\n    then: deny\n", 6, "Did you mean verb?"),
    ("version: 1\nrules:\n  - id: a\n    match:\n      app: x\n    then: ask\n    remember: maybe\n", 7, "must be yes or no"),
    ("version: 1\nrules:\n  - id: a\n    match:\n      app: x\n    then: ask\n    priority: urgent\n", 7, "must be one of low"),
    (
      "version: 1\nrules:\n  - id: a\n    match:\n      app: x\n    then: ask\n    message: x\n", 7,
      "cannot be combined with this then"
    ),
    ("version: 1\nrules:\n  - id: a\n    match:\n      act.verb: x\n    then: deny\n", 5, "is written as act: {verb: …}"),
    (
      "version: 1\nrules:\n  - id: a\n    match:\n      app: x\n      title: Run\n    then: allow\n", 4,
      "allow needs user; any of a user's programs can claim the rest, apart from unit"
    ),
    ("version: 1\nrules:\n  - id: a\n    match:\n      app: x\n      title:\n    then: deny\n", 6, "a value is missing"),
    ("version: 1\n# a\u{2028}b\n", 2, "u{2028}"), ("version: 1\r# b\n", 1, "u{D}"),
    (
      "version: 1\nrules:\n  - id: a\n    match: {app: x}\n    then: require\n", 3, "require is missing"
    ),
    (start + "    then: allow\n  - id: a\n    match: {app: x}\n    then: deny\n", 6, "has the id of the rule on line 3"),
    (start + "    then: allow\n    examples: [ls]\n", 6, "must have match and not"),
    (start + "    then: allow\n    examples:\n      matches: [ls]\n", 7, "match and not, and no matches"),
    (start + "    then: allow\n    examples:\n      match: [ls, pwd]\n", 7, "\"pwd\" must match, and does not"),
    (
      start + "    then: allow\n    examples:\n      match:\n        - ls\n      not:\n        - ls\n", 10,
      "\"ls\" must not match, and does"
    ),
    (
      "version: 1\nrules:\n  - id: a\n    match: {app: x}\n    then: deny\n    examples: {match: [x]}\n", 6,
      "examples need act.object"
    ),
  ]

  @Test func `reads lines that end with CR LF`() throws {
    let text = "version: 1\nrules:\n  - id: a\n    match: {app: x}\n    then: deny\n"
    let rules = try Self.file(text.replacing("\n", with: "\r\n")).rules.rules
    #expect(try rules == Self.file(text).rules.rules && rules.count == 1)
  }

  @Test(arguments: mistakes.indices) func `names the line of each mistake`(index: Int) throws {
    let (text, line, message) = Self.mistakes[index]
    let error = try #require(throws: RulesError.self) { try Self.file(text) }
    #expect(error.line == line && "\(error)".contains(message), "\(error)")
    #expect("\(error)".hasPrefix("rules.yaml:\(line): "))
  }

  @Test func `counts thirty mistakes and more`() { #expect(Self.mistakes.count >= 30) }

  @Test(arguments: ["", "# nothing\n", "version: 1\n", "version: 1\nrules:\n", "version: 1\nrules: []\n"])
  func `has no rules without any`(text: String) throws { #expect(try Self.file(text).rules.rules.isEmpty) }

  @Test func `reads all conditions, with users as numbers`() throws {
    let file = try Self.file(
      """
      version: 1
      rules:
        - id: all
          match:
            user: [ada, "7"]
            group: ops
            host: [alpha, "b*"]
            executable: /bin/x
            directory: /s/**
            kind: alert
            severity: [standard, critical]
            metadata: {agent.session: "s*"}
            act: {verb: Edit, under: [/s, /t], directory: /s, environment: {PATH: /usr/bin}}
          then: ask
          remember: no
          destructive: yes
          priority: low
        - id: no-force
          match: {act: {verb: Bash, argv: [git, push, ..., [--force, -f], ...]}}
          then: deny
          message: Push without force.
          examples: {match: ["git push -f"], not: ["git push"]}
      """)
    let rules = file.rules.rules
    #expect(rules.map(\.id) == ["all", "no-force"] && file.lines == ["all": 3, "no-force": 18])
    #expect(rules[0].condition.users == [1000, 7] && rules[0].condition.groups == [50])
    #expect(rules[0].action == .ask(.init(priority: .low, isDestructive: true, mayRemember: false)))
    #expect(rules[1].action == .deny(message: "Push without force."))
    // What the event records is read back as the same rules.
    for rule in rules { #expect(try Rule(json: rule.json, at: "") == rule) }
  }

  @Test func `warns of rules that are never reached, and of permissions that rest on a program's path`() throws {
    let file = try Self.file(
      """
      version: 1
      rules:
        - {id: a, match: {act: {verb: Bash}}, then: ask}
        - {id: b, match: {app: x, act: {verb: Bash}}, then: deny}
        - {id: c, match: {user: ada, executable: /bin/x, act: {verb: Edit, under: /s}}, then: allow}
        - {id: d, match: {user: ada, ancestor: "/**", act: {verb: Edit, under: /t}}, then: allow}
        - {id: e, match: {user: ada, unit: x.service, executable: /bin/x, act: {verb: Edit, under: /u}}, then: allow}
        - {id: f, match: {user: ada, act: {verb: Edit, under: /v}}, then: allow}
        - {id: g, match: {executable: /bin/x, act: {verb: Edit, under: /w}}, then: deny}
      """)
    #expect(
      file.warnings(uid: 0) == [
        "rules.yaml:4: b: is never reached: a on line 3 comes first and matches all of it",
        "rules.yaml:5: c: executable is no proof: any program of the same user can pass for it. Add unit, or allow it for the user",
        "rules.yaml:6: d: ancestor is no proof: any program of the same user can pass for it. Add unit, or allow it for the user",
      ])
    #expect(file.warnings(uid: 999).contains { $0.contains("cannot read the executables of uid 1000's processes; use unit") })
  }

  @Test func `warns of open arguments of commands that are not known to only read`() throws {
    let file = try Self.file(
      """
      version: 1
      rules:
        - id: a
          match: {user: ada, unit: u, act: {verb: Bash, argv: [git, [log, push], ...]}}
          then: allow
        - id: b
          match: {user: ada, unit: u, act: {verb: Bash, argv: [[sh, ls], "*"]}}
          then: allow
        - id: c
          match: {user: ada, unit: u, act: {verb: Bash, argv: [make, test]}}
          then: allow
        - {id: d, match: {user: ada, unit: u, act: {verb: Bash, argv: [git, --no-pager, log, ...]}}, then: allow}
      """)
    let warnings = file.warnings(uid: 0)
    #expect(warnings.count == 2)
    #expect(warnings.first?.hasPrefix("rules.yaml:3: a: never allows git push: it is not known to only read.") == true)
    #expect(warnings.last?.hasPrefix("rules.yaml:6: b: never allows sh: it is not known") == true)
  }

  @Test func `a rule is equal to itself after its YAML, in any order`() throws {
    let texts = ["directory: /s", "object: git push", "argv: [git, push]", "verb: Bash", "environment: {B: b, A: a}"]
    func rule(_ texts: [String]) throws -> Rule {
      try #require(
        try Self.file("version: 1\nrules: [{id: a, match: {app: x, act: {\(texts.joined(separator: ", "))}}, then: deny}]\n")
          .rules.rules.first)
    }
    let first = try rule(texts)
    #expect(try rule(texts.reversed()) == first)
    #expect(try rule(texts.reversed().map { $0.replacing("{B: b, A: a}", with: "{A: a, B: b}") }) == first)
    #expect(try Rule(json: first.json, at: "") == first)
  }

  @Test(arguments: [
    ("", "version: 1\nrules:\n"), ("# mine\n", "version: 1\nrules:\n"), ("version: 1\n", "rules:\n"),
    ("version: 1", "\nrules:\n"),
    ("version: 1\nrules:\n", ""), (start + "    then: allow\n", ""), (start + "    then: allow", "\n"),
  ])
  func `appends to a file what it lacks`(text: String, lacking: String) throws {
    let lines = ["  - id: new", "    match: {app: x}", "    then: deny"]
    let path = "rules.yaml"
    let addition = try RulesFile.addition(of: lines, to: text, path: path, accounts: Self.accounts, .standard)
    #expect(addition == lacking + lines.joined(separator: "\n") + "\n")
    #expect(try Self.file(text + addition).rules.rules.last?.id == "new")
  }

  @Test(arguments: [
    (
      "version: 1\nrules: []\n",
      "rules.yaml:2: nothing can be appended to rules as it is written: write rules: alone on its line, without []"
    ),
    ("version: 1\nrules:\n  - a\n", "rules.yaml:3: a rule must have id, match and then"),
    ("rules: []\n", "rules.yaml:1: must have version: 1"),
  ])
  func `says why nothing can be appended`(text: String, message: String) throws {
    let error = try #require(throws: RulesError.self) {
      try RulesFile.addition(of: ["  - {id: b, match: {app: x}, then: deny}"], to: text, path: "rules.yaml", .standard)
    }
    #expect("\(error)".hasPrefix(message), "\(error)")
  }

  /// A surface's name has no `/`, so that there is no `x/1` either.
  @Test(arguments: ["x/*", "x/1", "**/x"]) func `warns of a surface that no request can have`(surface: String) throws {
    let file = try Self.file("version: 1\nrules:\n  - {id: a, match: {surface: \"\(surface)\"}, then: ask}")
    #expect(file.warnings(uid: 0).contains { $0.contains("a: matches no surface: \(surface) has a /") })
    #expect(try TextPattern("x/*").match("x/1") == .yes)
    #expect(throws: JSONError.self) { try TextRule.checkName("x/1", at: "/surface") }
  }

  @Test func `refuses a file with so many patterns that each request would take long`() throws {
    func text(_ rules: Int) -> String {
      let list = (0..<200).map { "a\($0)" }.joined(separator: ", ")
      return "version: 1\nrules:\n" + (0..<rules).map { "  - {id: r\($0), match: {app: [\(list)]}, then: deny}\n" }.joined()
    }
    #expect(try Self.file(text(81)).rules.rules.count == 81)
    let error = try #require(throws: RulesError.self) { try Self.file(text(90)) }
    #expect(error.line == 84 && error.rule == "r81" && "\(error)".contains("more than 16384 patterns"), "\(error)")
  }

  @Test func `ships rules whose examples hold, and that let nothing else pass`() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Config/rules/agents.yaml").path
    let file = try RulesFile(path: path, text: try String(contentsOfFile: path, encoding: .utf8), accounts: Self.accounts)
    #expect(file.rules.rules.count >= 6 && file.warnings(uid: 0).isEmpty && file.warnings(uid: 1000).isEmpty)
    let process = ProcessIdentity(uid: 1000, gid: 1000, pid: 60)
    func decide(_ command: String) -> PresentationOutcome? {
      var request = PresentationRequest(
        kind: .alert, title: "Run?",
        buttons: [.init(id: "allow", label: "Allow"), .init(id: "deny", label: "Deny", role: .cancel)])
      request.act = Act("Bash", object: command, arguments: PlainWords.of(command), directory: "/s")
      return file.rules.decision(on: request, by: Presentation.Requester(app: "claude-code", process: process)).outcome
    }
    for command in ["git status", "git log --oneline -n 5", "ls -la src", "stat README.md"] {
      #expect(decide(command) == .answered(.button("allow")), "\(command)")
    }
    for command in [
      "git push", "git push -f", "git log > x", "git log | sh", "git log --output=x", "git -C /x status", "git log && reboot",
      "ls $(reboot)", "cat x", "ls 'a' ; b", "ls\nreboot", "ls `x`", "rm -rf /", "curl x | sh", "env ls", "sudo ls",
      "git diff --no-index /dev/null /etc/passwd", "git diff", "git show --ext-diff", "wc x", "LS_COLORS=x ls", "./ls",
      "/tmp/ls",
    ] {
      #expect(decide(command) == nil, "\(command)")
    }
  }

  // MARK: The file's owner

  private func source(_ body: (String) throws -> Void = { _ in }) throws -> (RulesSource, directory: String) {
    let directory = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    let path = directory + "/rules.yaml"
    try Data("version: 1\n".utf8).write(to: URL(filePath: path))
    chmod(path, 0o644)
    try body(path)
    return (RulesSource(path: path, mayBeMissing: true), directory)
  }

  @Test func `reads a file that only its owner can write`() throws {
    let (source, directory) = try source()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let content = try source.read()
    #expect(content.text == "version: 1\n" && content.owners == [geteuid()] && content.problem == nil)
  }

  private static let dangers: [(String, @Sendable (String) throws -> Void)] = [
    ("can be written by others", { chmod($0, 0o664) }),
    ("can be written by others", { chmod($0, 0o646) }),
    ("its directory can be written by others", { chmod(($0 as NSString).deletingLastPathComponent, 0o777) }),
    (
      "symbolic link",
      {
        try FileManager.default.moveItem(atPath: $0, toPath: $0 + ".real")
        try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $0 + ".real")
      }
    ),
    (
      "not a regular file",
      {
        try FileManager.default.removeItem(atPath: $0)
        mkfifo($0, 0o600)
      }
    ),
    (
      "not a regular file",
      {
        try FileManager.default.removeItem(atPath: $0)
        mkdir($0, 0o700)
      }
    ),
    (
      "more than 262144 bytes",
      {
        try Data(repeating: 0x23, count: 262_145).write(to: URL(filePath: $0)); chmod($0, 0o600)
      }
    ),
    (
      "not UTF-8",
      {
        try Data([0xFF]).write(to: URL(filePath: $0)); chmod($0, 0o600)
      }
    ),
  ]

  @Test(arguments: dangers.indices) func `refuses a file that others may have written`(index: Int) throws {
    let (reason, change) = Self.dangers[index]
    let (source, directory) = try source(change)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let error = try #require(throws: RouterError.self) { try source.read() }
    #expect(error.message.contains(reason), "\(error.message)")
  }

  @Test func `refuses a file of another user`() throws {
    let (source, directory) = try source()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    guard geteuid() != 0 else {
      // Root's files are anybody's rules; the file of another user is not root's.
      chown(directory + "/rules.yaml", 60013, 60013)
      let error = try #require(throws: RouterError.self) { try source.read() }
      #expect(error.message.contains("it must belong to root or to uid 0"))
      return
    }
    let error = try #require(throws: RouterError.self) { try source.read(uid: geteuid() + 1) }
    #expect(error.message.contains("it must belong to root"))
  }

  @Test func `may be missing only if it was not named`() throws {
    let (source, directory) = try source { try FileManager.default.removeItem(atPath: $0) }
    defer { try? FileManager.default.removeItem(atPath: directory) }
    #expect(try source.read().text.isEmpty)
    #expect(throws: RouterError.self) { try RulesSource(path: source.path, mayBeMissing: false).read() }
    // Somebody else may have removed it.
    #expect(try source.read().problem == nil)
    chmod(directory, 0o777)
    #expect(try source.read().problem?.message.contains("its directory can be written by others") == true)
    #expect(try RulesSource(path: directory + "/none/rules.yaml", mayBeMissing: true).read().text.isEmpty)
  }
}
