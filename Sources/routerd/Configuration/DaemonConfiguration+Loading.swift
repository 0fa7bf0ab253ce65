import FoundationEssentials
import Router

extension DaemonConfiguration {
  /// Combines flags, environment, file and defaults, in this order of precedence. The file may be missing if `file` is
  /// `nil`.
  static func load(
    file: String?, socket: String?, database: String?, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> DaemonConfiguration {
    let paths = DefaultPaths(environment: environment)
    let settings = try ConfigurationFile(path: file ?? paths.configuration, mayBeMissing: file == nil)
    let flags = ["socket": socket, "database": database].compactMapValues(\.self)
    var configuration = DaemonConfiguration(socket: paths.socket, database: paths.database)
    configuration.grants.always = paths.isUser
    configuration.rules.defaultFile = DefaultPaths.rules(besides: file ?? paths.configuration)
    for setting in Setting.all {
      let variable = environment[setting.variable]
        .map { setting.isList ? $0.split(at: ",").map(String.init) : [$0] }
      guard let texts = flags[setting.name].map({ [$0] }) ?? variable ?? settings.values[setting.name] else { continue }
      do {
        try setting.read(texts, &configuration)
      } catch let error as RouterError {
        throw RouterError(.invalid, "cannot use the setting \(setting.name): \(error.message)")
      }
    }
    let isNamed = (flags["socket"] ?? environment["ROUTERD_SOCKET"] ?? settings.values["socket"]?.first) != nil
    if configuration.askSocket == nil, !isNamed {
      configuration.askSocket = DefaultPaths.askSocket(besides: configuration.socket)
    }
    if configuration.socket == paths.socket, let directory = paths.unsafeDirectory {
      throw RouterError(
        .invalid,
        "cannot listen in \(directory): it must be a directory of yours that others cannot write to (chmod go-w), or pass --socket"
      )
    }
    return configuration
  }

  /// The configuration as a configuration file.
  var yaml: String {
    var lines: [String] = []
    var section: String?
    for setting in Setting.all {
      if setting.section != section, let name = setting.section { lines.append("\(name):") }
      section = setting.section
      guard let value = setting.write(self) else { continue }
      let name = setting.name.split(at: ".").last ?? ""
      lines.append("\(section == nil ? "" : "  ")\(name): \(value)")
    }
    return lines.joined(separator: "\n")
  }
}
