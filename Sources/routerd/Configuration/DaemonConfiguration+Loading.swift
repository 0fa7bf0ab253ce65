import Configuration
import FoundationEssentials
import Router

extension DaemonConfiguration {
  /// Puts together flags, environment, file and defaults, in this order of precedence.
  ///
  /// - Parameter file: A file that must exist; without it the one at the default path is read if it is there.
  /// - Throws: ``RouterError`` that names the setting and what it may be.
  static func load(
    file: String?, socket: String?, database: String?, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> DaemonConfiguration {
    let paths = DefaultPaths(environment: environment)
    let settings = try ConfigurationFile(path: file ?? paths.configuration, mayBeMissing: file == nil)
    let values = Values(
      reader: ConfigReader(providers: [
        EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "routerd"), settings.provider,
      ]))
    var configuration = DaemonConfiguration(
      socket: try socket ?? values.string(.socket) ?? paths.socket,
      database: try database ?? values.string(.database) ?? paths.database)
    configuration.socketMode = try values.mode(.socketMode) ?? configuration.socketMode
    configuration.socketGroup = try values.checked(.socketGroup, by: AccountNames.group)
    configuration.durability = try values.choice(.durability) ?? configuration.durability
    configuration.logLevel = try values.choice(.logLevel) ?? configuration.logLevel
    configuration.shutdownSeconds = try values.count(.shutdownSeconds, 1...3600) ?? configuration.shutdownSeconds
    configuration.graceSeconds = try values.count(.graceSeconds, 0...3600) ?? configuration.graceSeconds
    configuration.retentionDays = try values.count(.retentionDays, 0...36_500) ?? configuration.retentionDays
    configuration.forbidSelfAnswer = try values.choice(.forbidSelfAnswer) ?? configuration.forbidSelfAnswer
    for role in Role.allCases {
      configuration.access[role] = try values.grant(Setting(role)) ?? configuration.access[role]
    }
    let limits = configuration.limits
    configuration.limits = PresentationSurfaces.Limits(
      perSurface: try values.count(.perSurface, 1...1_000_000) ?? limits.perSurface,
      perUser: try values.count(.perUser, 1...1_000_000) ?? limits.perUser,
      total: try values.count(.total, 1...10_000_000) ?? limits.total,
      stackDepth: try values.count(.stackDepth, 0...64) ?? limits.stackDepth)
    configuration.attachments.perMinute =
      try values.count(.attachmentsPerMinute, 1...1_000_000) ?? configuration.attachments.perMinute
    configuration.bodyBytes = try values.count(.bodyBytes, 1024...(64 << 20)) ?? configuration.bodyBytes
    configuration.callbacks.tries = try values.count(.callbackTries, 1...1000) ?? configuration.callbacks.tries
    configuration.callbackTimeoutSeconds =
      try values.count(.callbackTimeoutSeconds, 1...600) ?? configuration.callbackTimeoutSeconds
    configuration.callsAnyUser = try values.truth(.callbackAnyUser) ?? configuration.callsAnyUser
    configuration.backoff = try values.backoff()
    let connections = configuration.connections
    configuration.connections = ConnectionLimits(
      total: try values.count(.connectionsTotal, 1...1_000_000) ?? connections.total,
      perUser: try values.count(.connectionsPerUser, 1...1_000_000) ?? connections.perUser,
      headerBytes: try values.count(.headerBytes, 1024...(1 << 20)) ?? connections.headerBytes,
      requestTime: try values.seconds(.requestSeconds, 0.1...3600) ?? connections.requestTime,
      stallTime: try values.seconds(.stallSeconds, 0.1...3600) ?? connections.stallTime,
      unreadBytes: try values.count(.unreadBytes, 65536...(1 << 30)) ?? connections.unreadBytes)
    configuration.webAddress = try values.checked(.webAddress, by: WebAddress.init)
    configuration.webSessionSeconds =
      try values.count(.webSessionSeconds, 60...31_536_000) ?? configuration.webSessionSeconds
    return configuration
  }

  /// Reads values and says which setting is wrong.
  private struct Values {
    let reader: ConfigReader

    func string(_ setting: Setting) throws -> String? {
      guard let text = reader.string(forKey: ConfigKey(setting.path)) else { return nil }
      guard !text.isEmpty else { throw RouterError(.invalid, "cannot use the setting \(setting.rawValue): it is empty") }
      return text
    }

    /// Reads what a function makes sense of; its error says why it does not.
    func checked<Value>(_ setting: Setting, by read: (String) throws -> Value) throws -> Value? {
      guard let text = try string(setting) else { return nil }
      return try blaming(setting) { try read(text) }
    }

    /// Reads who has a role; an empty list is nobody.
    func grant(_ setting: Setting) throws -> AccessPolicy.Grant? {
      guard let members = reader.stringArray(forKey: ConfigKey(setting.path)) else { return nil }
      return try blaming(setting) { try AccessPolicy.Grant(members) }
    }

    private func blaming<Value>(_ setting: Setting, _ body: () throws -> Value) throws -> Value {
      do {
        return try body()
      } catch let error as RouterError {
        throw RouterError(.invalid, "cannot use the setting \(setting.rawValue): \(error.message)")
      }
    }

    /// Reads permissions in octal digits, as chmod(1) takes them: reading and writing for the owner, the group, others.
    func mode(_ setting: Setting) throws -> UInt32? {
      try checked(setting) { text in
        guard let mode = UInt32(text, radix: 8), mode & ~0o666 == 0, mode & 0o600 == 0o600 else {
          throw RouterError(.invalid, "\(text) is not a mode from 0600 to 0666, in octal digits")
        }
        return mode
      }
    }

    func seconds(_ setting: Setting, _ range: ClosedRange<Double>) throws -> Duration? {
      try checked(setting) { text in
        guard let seconds = Double(text), range.contains(seconds) else {
          throw RouterError(.invalid, "\(text) is not a number of seconds from \(range.lowerBound) to \(range.upperBound)")
        }
        return .milliseconds(Int((seconds * 1000).rounded()))
      }
    }

    func count(_ setting: Setting, _ range: ClosedRange<Int>) throws -> Int? {
      guard let text = try string(setting) else { return nil }
      guard let count = Int(text), range.contains(count) else {
        let bounds = "\(range.lowerBound) to \(range.upperBound)"
        throw RouterError(
          .invalid, "cannot use the setting \(setting.rawValue): \(text) is not a whole number from \(bounds)")
      }
      return count
    }

    func truth(_ setting: Setting) throws -> Bool? {
      guard let text = try string(setting) else { return nil }
      switch text {
      case "true": return true
      case "false": return false
      default: throw RouterError(.invalid, "cannot use the setting \(setting.rawValue): \(text) is not true or false")
      }
    }

    /// The rule against prompt bombing; `nil` where no number of refusals is too many.
    func backoff() throws -> DismissalBackoff.Rule? {
      var rule = DismissalBackoff.Rule()
      rule.refusals = try count(.backoffRefusals, 0...1000) ?? rule.refusals
      rule.window = try count(.backoffWindowSeconds, 1...86_400).map(Duration.seconds) ?? rule.window
      rule.firstPause = try count(.backoffFirstSeconds, 1...86_400).map(Duration.seconds) ?? rule.firstPause
      rule.longestPause = try count(.backoffLongestSeconds, 1...86_400).map(Duration.seconds) ?? rule.longestPause
      return rule.refusals == 0 ? nil : rule
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ setting: Setting) throws -> Choice? {
      guard let text = try string(setting) else { return nil }
      guard let choice = Choice(rawValue: text) else {
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw RouterError(.invalid, "cannot use the setting \(setting.rawValue): \(text) is not one of \(known)")
      }
      return choice
    }
  }
}

extension ConfigurationFile {
  /// The file's values for swift-configuration.
  fileprivate var provider: InMemoryProvider {
    let pairs = values.map { setting, texts in
      let content = setting.isList ? ConfigContent.stringArray(texts) : .string(texts[0])
      return (AbsoluteConfigKey(setting.path), ConfigValue(content, isSecret: false))
    }
    return InMemoryProvider(name: "file", values: Dictionary(uniqueKeysWithValues: pairs))
  }
}
