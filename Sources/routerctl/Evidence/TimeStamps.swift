import FoundationEssentials
import Glibc
import Router
import RouterCommandLine

/// Time stamps (RFC 3161) of anchors, created and checked with openssl(1).
struct TimeStamps: Sendable {
  /// The directory of the anchors (`.json`) and their stamps (`.tsr`).
  let directory: String
  /// The trusted certificates, in PEM; `nil` for the system's.
  let authorities: String?

  /// Requests a stamp for an anchor from an authority, checks the stamp, and stores both.
  func add(_ anchor: AuditAnchor, from authority: HTTPAddress) async throws {
    guard mkdir(directory, 0o755) == 0 || errno == EEXIST else { throw TargetFailure(failed: "create \(directory)") }
    let time = (anchor.at?.description ?? "").filter { $0.isLetter || $0.isNumber }
    let base = "\(directory)/\(time)-\(anchor.head.seq)"
    let (data, query, stamp) = (base + ".json", base + ".tsq", base + ".tsr")
    try Self.write(Array((anchor.line + "\n").utf8), to: data)
    defer { unlink(query) }
    do {
      try await Self.openssl("-query -data \(data.shellQuoted) -sha256 -cert -out \(query.shellQuoted)")
      guard let question = try? [UInt8](Data(contentsOf: URL(filePath: query))) else {
        throw TargetFailure(failed: "read \(query)")
      }
      let reply = await blockingWork { Result { try authority.post(question, type: "application/timestamp-query") } }
      try Self.write(try reply.get(), to: stamp)
      // The query contains a nonce that the authority cannot predict.
      try await Self.openssl("-verify -queryfile \(query.shellQuoted) -in \(stamp.shellQuoted) \(trust)")
    } catch {
      for file in [data, stamp] { unlink(file) }
      throw error
    }
  }

  /// Checks the stamp of an anchor in a file. Throws ``TargetFailure`` with the reason if it does not match.
  func check(_ stamp: String, of data: String) async throws {
    try await Self.openssl("-verify -data \(data.shellQuoted) -in \(stamp.shellQuoted) \(trust)")
  }

  private var trust: String { authorities.map { "-CAfile \($0.shellQuoted)" } ?? "-CApath /etc/ssl/certs" }

  private static func openssl(_ arguments: String) async throws {
    let result = try await ShellCommand(command: "exec openssl ts " + arguments).run(input: [])
    guard result.status != 0 else { return }
    // openssl prints its progress before its errors, each with its source location.
    let lines = String(decoding: result.errors, as: UTF8.self).lines.filter { !$0.isEmpty }
    let error = lines.first { $0.contains(":error:") } ?? lines.last ?? "it failed without a message"
    throw TargetFailure("openssl: \(error.trimmingWhiteSpace)")
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(TargetFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw TargetFailure(failed: "create \(path)") }
    defer { close(descriptor) }
    let failure = bytes.withUnsafeBytes { Descriptors.writeAll(descriptor, $0) }
    guard failure == nil, fsync(descriptor) == 0 else {
      if let failure { errno = failure }
      throw TargetFailure(failed: "write \(path)")
    }
  }
}
