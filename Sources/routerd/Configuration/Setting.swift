import Logging
import Router

/// One setting: its name, its parser and its formatter. ``all`` lists every setting.
///
/// `limits.total` is the key `total` in the section `limits` of the file, and `ROUTERD_LIMITS_TOTAL` in the
/// environment.
struct Setting: Sendable {
  typealias Path<Value> = WritableKeyPath<DaemonConfiguration, Value> & Sendable

  let name: String
  /// Whether a reload applies it while the daemon runs.
  let isLive: Bool
  var isList = false
  /// Whether the setting contains lists by name; its texts are then `name=value`.
  var isTable = false
  /// Parses the texts. Throws a ``RouterError`` worded to follow "cannot use the setting …: ".
  let read: @Sendable ([String], inout DaemonConfiguration) throws -> Void
  /// Formats the value for the file; `nil` if it has none.
  let write: @Sendable (DaemonConfiguration) -> String?
  let copy: @Sendable (DaemonConfiguration, inout DaemonConfiguration) -> Void

  static let all: [Setting] =
    [
      text("socket", \.socket),
      Setting("askSocket", \.askSocket, write: { $0.map(quoted) }, read: { $0 }),
      Setting("socketMode", \.socketMode, write: { "\"0\(String($0, radix: 8))\"" }, read: mode),
      Setting("socketGroup", \.socketGroup, write: { $0.map { String($0) } }, read: { try AccountNames.group($0) }),
      text("database", \.database),
      choice("durability", \.durability),
      choice("logLevel", \.logLevel, isLive: true),
      count("shutdownSeconds", \.shutdownSeconds, 1...3600),
      count("idleSeconds", \.idleSeconds, 0...31_536_000, isLive: true),
      count("graceSeconds", \.graceSeconds, 0...3600),
      count("retentionDays", \.retentionDays, 0...36_500, isLive: true),
      choice("forbidSelfAnswer", \.forbidSelfAnswer, isLive: true),
    ] + Role.allCases.map(grant) + [
      Setting(
        name: "approvers", isLive: true, isList: true, isTable: true, read: { $1.approvers = try Approvers(texts: $0) },
        write: { "{\($0.approvers.yaml)}" }, copy: { $1.approvers = $0.approvers }),
      count("limits.perSurface", \.limits.perSurface, 1...1_000_000),
      count("limits.perUser", \.limits.perUser, 1...1_000_000),
      count("limits.bytesPerUser", \.limits.bytesPerUser, 65536...(1 << 40)),
      count("limits.total", \.limits.total, 1...10_000_000),
      count("limits.stackDepth", \.limits.stackDepth, 0...64),
      count("limits.attachmentsPerMinute", \.attachmentsPerMinute, 1...1_000_000),
      count("limits.bodyBytes", \.bodyBytes, 1024...(64 << 20)),
      count("callbacks.tries", \.callbacks.tries, 1...1000),
      count("callbacks.timeoutSeconds", \.callbackTimeoutSeconds, 1...600),
      Setting("callbacks.anyUser", \.callsAnyUser, write: { "\($0)" }, read: truth),
      count("backoff.dismissals", \.backoff.dismissals, 0...1000),
      count("backoff.requests", \.backoff.requests, 1...1_000_000),
      wholeSeconds("backoff.windowSeconds", \.backoff.window, 1...86_400),
      wholeSeconds("backoff.firstSeconds", \.backoff.firstDelay, 1...86_400),
      wholeSeconds("backoff.longestSeconds", \.backoff.longestDelay, 1...86_400),
      wholeSeconds("grants.longestSeconds", \.grants.longest, 0...31_536_000),
      Setting("grants.always", \.grants.always, write: { "\($0)" }, read: truth),
      Setting("grants.checksPrograms", \.grants.checksPrograms, write: { "\($0)" }, read: truth),
      count("grants.unusedDays", \.grants.unusedDays, 0...36_500),
      count("grants.perUser", \.grants.perUser, 1...100_000),
      count("grants.perMinute", \.grants.perMinute, 1...1_000_000),
      Setting(
        name: "grants.verbs", isLive: false, isList: true,
        read: { texts, configuration in
          for text in texts { _ = try name(text) }
          configuration.grants.verbs = Set(texts)
        }, write: { "[\($0.grants.verbs.sorted().map(quoted).joined(separator: ", "))]" },
        copy: { $1.grants.verbs = $0.grants.verbs }),
      Setting(
        name: "grants.prefixes", isLive: false, isList: true,
        read: { texts, configuration in
          var commands = CommandTable.standard
          for text in texts where !text.isEmpty {
            do throws(JSONError) { try commands.add(text) } catch {
              throw RouterError(.invalid, "\(text.shortened) \(error.message)")
            }
          }
          configuration.grants.commands = commands
        }, write: { "[\($0.grants.commands.added.map(quoted).joined(separator: ", "))]" },
        copy: { $1.grants.commands = $0.grants.commands }),
      Setting("log.journal", \.journal.socket, write: journal, read: journal),
      Setting("log.journalTexts", \.journal.hasTexts, write: { "\($0)" }, read: truth),
      Setting("rules.file", \.rules.file, write: { $0.map(quoted) }, read: { $0 }),
      Setting(
        "rules.confirm", \.rules.confirmation, write: { $0?.rawValue },
        read: { text in
          guard let confirmation = Rulebook.Confirmation(rawValue: text) else {
            throw RouterError(.invalid, "\(text) is not one of person, none")
          }
          return confirmation
        }),
      count("connections.total", \.connections.total, 1...1_000_000, isLive: true),
      count("connections.perUser", \.connections.perUser, 1...1_000_000, isLive: true),
      count("connections.headerBytes", \.connections.headerBytes, 1024...(1 << 20), isLive: true),
      seconds("connections.requestSeconds", \.connections.requestTime, 0.1...3600, isLive: true),
      seconds("connections.stallSeconds", \.connections.stallTime, 0.1...3600, isLive: true),
      count("connections.unreadBytes", \.connections.unreadBytes, 65536...(1 << 30), isLive: true),
      Setting(
        "web.address", \.webAddress, write: { $0.map { JSONValue.string("\($0)").description } }, read: { try WebAddress($0) }),
      count("web.sessionSeconds", \.webSessionSeconds, 60...31_536_000),
      Setting(
        "shared.database", \.shared.database, write: { $0.map { quoted(ConnectionString.withoutSecrets($0)) } }, read: { $0 }),
      Setting(
        name: "shared.surfaces", isLive: false, isList: true, read: { $1.shared.surfaces = $0 },
        write: { $0.shared.surfaces.isEmpty ? nil : "[\($0.shared.surfaces.map(quoted).joined(separator: ", "))]" },
        copy: { $1.shared.surfaces = $0.shared.surfaces }),
      Setting("shared.host", \.shared.host, write: { $0.map(quoted) }, read: name),
      wholeSeconds("shared.silenceSeconds", \.shared.silence, 1...3600),
      count("shared.limit", \.shared.limit, 1...10_000),
      Setting(
        name: "shared.people", isLive: false, isList: true, isTable: true, read: { $1.shared.people = try People(texts: $0) },
        write: { "{\($0.shared.people.yaml)}" }, copy: { $1.shared.people = $0.shared.people }),
    ]

  static let sections = Set(all.compactMap(\.section))

  var section: String? { name.firstIndex(of: ".").map { String(name[..<$0]) } }

  var variable: String {
    name.reduce(into: "ROUTERD_") { variable, character in
      if character.isUppercase { variable += "_" }
      variable += character == "." ? "_" : character.uppercased()
    }
  }
}

extension Setting {
  /// Returns a suggestion for an unknown name, which may lack its section or name a section.
  static func advice(for name: String) -> String {
    let names = all.map(\.name)
    if names.contains(name) { return "Indent it below its section: \(name.replacing(".", with: ": "))" }
    let suggestion =
      sections.sorted().nearest(to: name) ?? names.first { $0.ends(with: "." + name) } ?? names.nearest(to: name)
    return suggestion.map { "Did you mean \($0)?" } ?? "To list all: routerd --check --config /dev/null"
  }

  /// Returns a warning for each variable that looks like a setting but is not one.
  static func warnings(_ environment: [String: String]) -> [String] {
    let known = all.map(\.variable)
    return environment.keys.filter { $0.begins(with: "ROUTERD_") && !known.contains($0) }.sorted().map { name in
      "\(name) is not a setting and has no effect." + (known.nearest(to: name).map { " Did you mean \($0)?" } ?? "")
    }
  }
}

// MARK: Kinds of settings

extension Setting {
  private init<Value>(
    _ name: String, _ path: any Path<Value>, isLive: Bool = false, write: @escaping @Sendable (Value) -> String?,
    read: @escaping @Sendable (String) throws -> Value
  ) {
    self.name = name
    self.isLive = isLive
    self.read = { texts, configuration in
      guard let text = texts.first, !text.isEmpty else { throw RouterError(.invalid, "it is empty") }
      configuration[keyPath: path] = try read(text)
    }
    self.write = { write($0[keyPath: path]) }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
  }

  // A JSON string is also a YAML string.
  @Sendable private static func quoted(_ text: String) -> String { JSONValue.string(text).description }

  private static func text(_ name: String, _ path: any Path<String>) -> Setting {
    Setting(name, path, write: quoted, read: { $0 })
  }

  private static func count(
    _ name: String, _ path: any Path<Int>, _ range: ClosedRange<Int>, isLive: Bool = false
  ) -> Setting {
    Setting(name, path, isLive: isLive, write: { "\($0)" }, read: { try number($0, range) })
  }

  private static func wholeSeconds(_ name: String, _ path: any Path<Duration>, _ range: ClosedRange<Int>) -> Setting {
    Setting(name, path, write: { "\($0.wholeSeconds)" }, read: { .seconds(try number($0, range)) })
  }

  private static func number(_ text: String, _ range: ClosedRange<Int>) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw RouterError(.invalid, "\(text) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func seconds(
    _ name: String, _ path: any Path<Duration>, _ range: ClosedRange<Double>, isLive: Bool
  ) -> Setting {
    Setting(name, path, isLive: isLive, write: { "\(JSONValue.seconds($0))" }) { text in
      guard let seconds = Double(text), range.contains(seconds) else {
        throw RouterError(.invalid, "\(text) is not a number of seconds from \(range.lowerBound) to \(range.upperBound)")
      }
      return .milliseconds(Int((seconds * 1000).rounded()))
    }
  }

  private static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: any Path<Choice>, isLive: Bool = false
  ) -> Setting {
    Setting(name, path, isLive: isLive, write: { $0.rawValue }) { text in
      guard let choice = Choice(rawValue: text) else {
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw RouterError(.invalid, "\(text) is not one of \(known)")
      }
      return choice
    }
  }

  private static func grant(_ role: Role) -> Setting {
    Setting(
      name: "access.\(role.rawValue)", isLive: true, isList: true,
      read: { $1.access[role] = try AccessPolicy.Grant($0) }, write: { "\($0.access[role])" },
      copy: { $1.access[role] = $0.access[role] })
  }

  /// An octal mode as in chmod(1), with read and write permissions only.
  @Sendable private static func mode(_ text: String) throws -> UInt32 {
    guard let mode = UInt32(text, radix: 8), mode & ~0o666 == 0, mode & 0o600 == 0o600 else {
      throw RouterError(.invalid, "\(text) is not a mode from 0600 to 0666, in octal digits")
    }
    return mode
  }

  @Sendable private static func name(_ text: String) throws -> String {
    let isName = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    guard (1...64).contains(text.utf8.count), isName else {
      throw RouterError(.invalid, "\(text) is not a name of up to 64 letters, digits, ., _ and -")
    }
    return text
  }

  /// `true`, `false`, or the path of a socket.
  @Sendable private static func journal(_ text: String) throws -> String? {
    if text.begins(with: "/") { return text }
    guard let isOn = Bool(text) else {
      throw RouterError(.invalid, "\(text) is not true, false or the path of a journal's socket")
    }
    return isOn ? DaemonConfiguration.Journal.systemSocket : nil
  }

  @Sendable private static func journal(_ socket: String?) -> String? {
    socket.map { $0 == DaemonConfiguration.Journal.systemSocket ? "true" : quoted($0) } ?? "false"
  }

  @Sendable private static func truth(_ text: String) throws -> Bool {
    guard let truth = Bool(text) else { throw RouterError(.invalid, "\(text) is not true or false") }
    return truth
  }
}
