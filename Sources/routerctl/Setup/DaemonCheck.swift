import Glibc
import Router
import RouterClient
import RouterCommandLine
import RouterConfiguration
import RouterFrontEnds

/// Checks a daemon as one of its clients.
struct DaemonCheck {
  let client: RouterClient
  let surface: String
  /// The daemon's database, if it reported one.
  private(set) var database: String?

  mutating func findings() async -> [Finding] {
    if let directory = DefaultPaths.current.unsafeDirectory {
      return [
        .problem("socket: \(directory) is not yours, or others can write to it. Fix: chmod go-w \(directory.shellQuoted)")
      ]
    }
    do {
      try await client.checkHealth()
    } catch {
      return [.problem("socket: \(Self.sentence(error)) Fix: routerctl setup, or start routerd")]
    }
    var findings = [socket]
    do {
      findings += daemon(try await client.status())
    } catch {
      findings.append(Self.refused("daemon", error, "running; its status requires the role admin"))
    }
    if let switched = try? await client.switched(), switched.isOff {
      findings.append(.problem("switch: Router is \(switched.words()). Fix: routerctl on"))
    }
    do {
      findings.append(Self.rules(try await client.rules()))
    } catch {
      findings.append(Self.refused("rules", error, "not checked; requires the role audit"))
    }
    do {
      findings.append(presenters(try await client.surfaces()))
    } catch {
      findings.append(Self.refused("presenters", error, "not checked; requires the role present"))
    }
    return findings
  }

  /// Checks whether other users could replace the socket.
  private var socket: Finding {
    let path = client.socketPath
    let directory = path.split(at: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    var status = stat()
    guard stat(directory.isEmpty ? "/" : directory, &status) == 0 else { return .fine("socket: \(path)") }
    let isOthers = status.st_uid != 0 && status.st_uid != geteuid() && status.st_uid != owner(of: path)
    let isOpen = status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0
    return isOthers || isOpen
      ? .problem("permissions: others can replace \(path). Fix: chmod go-w \(directory.shellQuoted), or move the socket")
      : .fine("socket: \(path)")
  }

  private func owner(of path: String) -> UInt32? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_uid : nil
  }

  private mutating func daemon(_ status: DaemonStatus) -> [Finding] {
    var findings: [Finding] = [
      status.version == routerVersion
        ? .fine("daemon: routerd \(status.version)")
        : .problem(
          "daemon: routerd is \(status.version), routerctl \(routerVersion). Fix: restart it (systemctl --user restart routerd)"
        )
    ]
    database = status.database
    if !status.isWritable {
      findings.append(.problem("disk: routerd cannot write its log. Fix: free space on the disk of \(database ?? "its log")"))
    }
    for surface in status.shared where !surface.isReachable {
      findings.append(
        .problem(
          "shared: routerd cannot reach the database of \(surface.name). Fix: see its log (journalctl), and check shared.database "
            + "with psql"))
    }
    for warning in status.warnings {
      findings.append(.problem("environment: \(warning) Fix: correct or unset it where routerd starts"))
    }
    switch status.page {
    case let page? where page.isServed: findings.append(.fine("page: http://\(page.address) (routerctl web --open)"))
    case let page?:
      findings.append(
        .problem(
          "page: \(page.address) is in use by another program. Fix: change web.address or free the port, and restart routerd"))
    case nil: findings.append(.fine("page: off (set web.address to enable it)"))
    }
    return findings
  }

  private func presenters(_ surfaces: [SurfaceState]) -> Finding {
    let names = surfaces.first { $0.name == surface }?.presenters.map(\.name) ?? []
    return names.isEmpty
      ? .problem("presenters: surface \(surface) has none. Fix: routerctl present, or routerctl web --open")
      : .fine("presenters: \(names.joined(separator: ", "))")
  }

  private static func rules(_ status: RulesStatus) -> Finding {
    if let problem = status.problem {
      return .problem("rules: \(problem). Fix: see routerctl rules check, and reload routerd")
    }
    if status.pending != nil {
      return .problem("rules: \(status.file) has changed and is not in force. Fix: answer the prompt of routerd")
    }
    let count = status.rules.count
    if let finding = unloaded(status.file, status.digest) { return finding }
    // The default file of the other commands.
    let own = RulesFileOption.defaultPath
    if count == 0, own != status.file, access(own, F_OK) == 0 {
      return .problem("rules: \(own) is not read by this daemon, which reads \(status.file). Fix: set rules.file, or move it")
    }
    return .fine("rules: \(count == 0 ? "none" : "\(count) in force (routerctl rules)")")
  }

  /// Returns a finding if the file's rules differ from those in force; `nil` if they are the same or the file cannot be read.
  ///
  /// - Parameter digest: The SHA-256 of the text in force.
  private static func unloaded(_ path: String, _ digest: String?) -> Finding? {
    guard let bytes = try? InputFile(path: path).bytes(for: "the rules"),
      Cryptography.sha256(bytes).hexadecimal != digest
    else { return nil }
    if digest == nil, let file = try? RulesFileOption.read(path), file.rules.rules.isEmpty { return nil }
    return .problem(
      "rules: \(path) is not in force as it is. Fix: see routerctl rules check, and reload routerd (systemctl --user reload routerd)"
    )
  }

  private static func refused(_ subject: String, _ error: any Error, _ words: String) -> Finding {
    if let error = error as? RouterError, error.code == .forbidden { return .fine("\(subject): \(words)") }
    return .problem("\(subject): \(Self.sentence(error)) Fix: see the daemon's log (journalctl --user -u routerd)")
  }

  static func sentence(_ error: any Error) -> String {
    let words = words(error)
    return words.hasSuffix("?") || words.hasSuffix(".") ? words : words + "."
  }

  static func words(_ error: any Error) -> String { CommandFailure(diagnosing: error)?.message ?? String(describing: error) }
}
