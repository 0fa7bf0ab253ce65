import Logging
import Router

/// A logger that records its lines.
final class Lines: Sendable {
  struct Line: Sendable {
    var level: Logger.Level
    var message: String
    var metadata: [String: String]
  }

  private let noted = Mutex<[Line]>([])
  private let continuation: AsyncStream<Line>.Continuation
  let stream: AsyncStream<Line>

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  var lines: [Line] { noted.withLock { $0 } }

  var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

  private struct Handler: LogHandler {
    let lines: Lines
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let line = Line(
        level: event.level, message: event.message.description,
        metadata: (event.metadata ?? [:]).mapValues { "\($0)" })
      lines.noted.withLock { $0.append(line) }
      lines.continuation.yield(line)
    }
  }
}
