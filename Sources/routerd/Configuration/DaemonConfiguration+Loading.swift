import Configuration
import FoundationEssentials
import Logging
import Router
import SystemPackage

extension DaemonConfiguration {
  /// Puts together flags, environment, file and defaults, in this order of precedence.
  ///
  /// - Parameter file: A file that must exist; without it the one at the default path is read if it is there.
  /// - Throws: ``RouterError`` that names the key and what it may be.
  static func load(
    file: String?, socket: String?, database: String?, environment: [String: String] = ProcessInfo.processInfo.environment
  ) async throws -> DaemonConfiguration {
    let paths = DefaultPaths(environment: environment)
    let path = file ?? paths.configuration
    let reader: ConfigReader
    do {
      let settings = try await FileProvider<YAMLSnapshot>(filePath: FilePath(path), allowMissing: file == nil)
      reader = ConfigReader(providers: [
        EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "routerd"), settings,
      ])
    } catch {
      throw RouterError(.invalid, "cannot read the configuration \(path)", cause: error)
    }
    var values = Values(reader: reader)
    var configuration = DaemonConfiguration(
      socket: try socket ?? values.string("socket") ?? paths.socket,
      database: try database ?? values.string("database") ?? paths.database)
    configuration.durability = try values.choice("durability") ?? configuration.durability
    configuration.logLevel = try values.choice("logLevel") ?? configuration.logLevel
    configuration.shutdownSeconds = try values.count("shutdownSeconds", 1...3600) ?? configuration.shutdownSeconds
    let limits = configuration.limits
    configuration.limits = PresentationSurfaces.Limits(
      perSurface: try values.count("limits.perSurface", 1...1_000_000) ?? limits.perSurface,
      perUser: try values.count("limits.perUser", 1...1_000_000) ?? limits.perUser,
      total: try values.count("limits.total", 1...10_000_000) ?? limits.total,
      stackDepth: try values.count("limits.stackDepth", 0...64) ?? limits.stackDepth)
    configuration.bodyBytes = try values.count("limits.bodyBytes", 1024...(64 << 20)) ?? configuration.bodyBytes
    return configuration
  }

  /// Reads values and says which key is wrong.
  private struct Values {
    let reader: ConfigReader

    mutating func string(_ key: String) throws -> String? {
      guard let text = reader.string(forKey: ConfigKey(key)) else { return nil }
      guard !text.isEmpty else { throw RouterError(.invalid, "cannot use the setting \(key): it is empty") }
      return text
    }

    mutating func count(_ key: String, _ range: ClosedRange<Int>) throws -> Int? {
      guard let text = try string(key) ?? reader.int(forKey: ConfigKey(key)).map(String.init) else { return nil }
      guard let count = Int(text), range.contains(count) else {
        throw RouterError(
          .invalid,
          "cannot use the setting \(key): \(text) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return count
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String) throws -> Choice? {
      guard let text = try string(key) else { return nil }
      guard let choice = Choice(rawValue: text) else {
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw RouterError(.invalid, "cannot use the setting \(key): \(text) is not one of \(known)")
      }
      return choice
    }
  }
}
