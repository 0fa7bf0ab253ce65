import Logging
import Router

/// Logs to standard error, with the level of the current configuration.
struct LiveLogHandler: LogHandler {
  private var base: StreamLogHandler
  private let configuration: LiveConfiguration
  /// The level set on this logger; overrides the configured one.
  private var ownLevel: Logger.Level?

  init(label: String, configuration: LiveConfiguration) {
    base = .standardError(label: label)
    // This handler filters by level itself.
    base.logLevel = .trace
    self.configuration = configuration
  }

  var logLevel: Logger.Level {
    get { ownLevel ?? configuration.logLevel }
    set { ownLevel = newValue }
  }

  var metadata: Logger.Metadata {
    get { base.metadata }
    set { base.metadata = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { base[metadataKey: key] }
    set { base[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) { base.log(event: event) }
}
