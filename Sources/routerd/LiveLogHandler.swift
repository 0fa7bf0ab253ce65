import Logging
import Router

/// Writes to standard error what the configuration of the moment lets through.
struct LiveLogHandler: LogHandler {
  private var base: StreamLogHandler
  private let configuration: LiveConfiguration
  /// Set for one logger; else the configuration's level holds.
  private var ownLevel: Logger.Level?

  init(label: String, configuration: LiveConfiguration) {
    base = .standardError(label: label)
    // What is let through is decided here.
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
