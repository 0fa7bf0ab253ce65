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
    configuration.durability = try values.choice(.durability) ?? configuration.durability
    configuration.logLevel = try values.choice(.logLevel) ?? configuration.logLevel
    configuration.shutdownSeconds = try values.count(.shutdownSeconds, 1...3600) ?? configuration.shutdownSeconds
    configuration.graceSeconds = try values.count(.graceSeconds, 0...3600) ?? configuration.graceSeconds
    let limits = configuration.limits
    configuration.limits = PresentationSurfaces.Limits(
      perSurface: try values.count(.perSurface, 1...1_000_000) ?? limits.perSurface,
      perUser: try values.count(.perUser, 1...1_000_000) ?? limits.perUser,
      total: try values.count(.total, 1...10_000_000) ?? limits.total,
      stackDepth: try values.count(.stackDepth, 0...64) ?? limits.stackDepth)
    configuration.bodyBytes = try values.count(.bodyBytes, 1024...(64 << 20)) ?? configuration.bodyBytes
    configuration.callbacks.tries = try values.count(.callbackTries, 1...1000) ?? configuration.callbacks.tries
    configuration.callbackTimeoutSeconds =
      try values.count(.callbackTimeoutSeconds, 1...600) ?? configuration.callbackTimeoutSeconds
    configuration.callsAnyUser = try values.truth(.callbackAnyUser) ?? configuration.callsAnyUser
    configuration.backoff = try values.backoff()
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
    let pairs = values.map { (AbsoluteConfigKey($0.key.path), ConfigValue(.string($0.value), isSecret: false)) }
    return InMemoryProvider(name: "file", values: Dictionary(uniqueKeysWithValues: pairs))
  }
}
