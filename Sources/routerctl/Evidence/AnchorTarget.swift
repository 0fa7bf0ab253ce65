import ArgumentParser
import Router
import RouterCommandLine

/// A destination for anchors.
enum AnchorTarget: Sendable, Hashable, ExpressibleByArgument, CustomStringConvertible {
  case file(String)
  case command(String)
  /// A Git repository, with the anchors committed in `heads.jsonl`.
  case git(String)
  /// A time-stamping authority (RFC 3161).
  case authority(HTTPAddress)

  init?(argument: String) {
    let parts = argument.split(at: ":", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let place = String(parts[1])
    switch parts[0] {
    case "file": self = .file(place)
    case "exec": self = .command(place)
    case "git": self = .git(place)
    case "tsa":
      guard let address = HTTPAddress(place) else { return nil }
      self = .authority(address)
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .file(let path): "file:\(path)"
    case .command(let command): "exec:\(command)"
    case .git(let directory): "git:\(directory)"
    case .authority(let address): "tsa:http://\(address.authority)\(address.path)"
    }
  }

  static let gitFile = "heads.jsonl"

  /// Writes an anchor, like ``write(_:stamps:pushes:)``, with a time limit. After the limit, kills a running command and
  /// returns, since a hanging file system cannot be interrupted.
  func write(
    _ anchor: AuditAnchor, stamps: TimeStamps, pushes: Bool, within limit: Duration
  ) async -> Result<Void, any Error> {
    let (results, result) = AsyncStream<Result<Void, any Error>>.makeStream()
    let late = TargetFailure("it took longer than \(limit.compact)")
    // Ends when it is canceled, or with the program.
    let writing = Task {
      do {
        try await write(anchor, stamps: stamps, pushes: pushes)
        result.yield(.success(()))
      } catch {
        result.yield(.failure(Task.isCancelled ? late : error))
      }
    }
    let timing = Task {
      try await Task.sleep(for: limit)
      writing.cancel()
      try await Task.sleep(for: ShellCommand.longestEnd)
      result.yield(.failure(late))
    }
    defer { timing.cancel() }
    for await result in results { return result }
    return .failure(late)
  }

  /// Writes an anchor durably.
  ///
  /// - Parameter pushes: Whether to push the commit to the repository's remote.
  func write(_ anchor: AuditAnchor, stamps: TimeStamps, pushes: Bool) async throws {
    let line = Array((anchor.line + "\n").utf8)
    switch self {
    case .file(let path): try await Self.append(line, to: path)
    case .command(let command): try await Self.run(command, input: line)
    case .git(let directory):
      let git = "git -C \(directory.shellQuoted)"
      try await Self.run("\(git) rev-parse --git-dir >/dev/null 2>&1 || git init -q \(directory.shellQuoted)")
      try await Self.append(line, to: directory + "/" + Self.gitFile)
      let author = "-c user.name=routerctl -c user.email=routerctl@\(anchor.host ?? "localhost")"
      try await Self.run(
        "\(git) add \(Self.gitFile) && \(git) \(author.shellWords) commit -q -m 'Anchor event \(anchor.head.seq)' -- \(Self.gitFile)"
      )
      if pushes { try await Self.run("\(git) push -q") }
    case .authority(let address): try await stamps.add(anchor, from: address)
    }
  }

  private static func append(_ line: [UInt8], to path: String) async throws {
    let file = AppendedFile(path: path, mode: 0o644)
    try await blockingWork { Result { () throws(TargetFailure) in try file.append(line) } }.get()
  }

  private static func run(_ command: String, input: [UInt8] = []) async throws {
    let result = try await ShellCommand(command: command).run(input: input)
    if result.status != 0 { throw TargetFailure(result) }
  }
}

extension String {
  /// The words, each quoted for a shell.
  fileprivate var shellWords: String { split(at: " ").map { String($0).shellQuoted }.joined(separator: " ") }
}
