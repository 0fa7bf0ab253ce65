import CCrypto
import FoundationEssentials
import Glibc
import Router

/// The names of hosts by their keys, from `known_hosts` files (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT").
///
/// Skips `@cert-authority` lines and names with patterns, which do not name a host.
struct SSHKnownHosts {
  struct Host: Hashable {
    /// The host's name; `nil` if no line has its key, or only under names that cannot be read.
    var name: String?
    var isRevoked = false
  }

  private static let maximumBytes = 16 << 20

  private let texts: [[UInt8]]

  init(texts: [[UInt8]]) { self.texts = texts }

  /// Reads the files of the user and the system. A missing file has no hosts.
  init(home: String) {
    self.init(
      texts: [home + "/.ssh/known_hosts", home + "/.ssh/known_hosts2", "/etc/ssh/ssh_known_hosts"].compactMap(Self.bytes))
  }

  private static func bytes(_ path: String) -> [UInt8]? {
    // Without O_NONBLOCK, opening a named pipe would block until another process writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard FileStatus(descriptor: descriptor)?.isRegular == true else { return nil }
    return Descriptors.readAll(descriptor, limit: maximumBytes).flatMap { $0.count <= maximumBytes ? $0 : nil }
  }

  /// Looks up a host.
  ///
  /// - Parameter candidates: Names that it may have. They take precedence, and are the only ones found in hashed lines.
  func host(_ key: SSHPublicKey, candidates: [String]) -> Host {
    let base64 = Array(key.base64.utf8)
    var (host, isCandidate) = (Host(), false)
    for line in texts.lazy.flatMap({ $0.split(separator: UInt8(ascii: "\n")) }) {
      guard !isCandidate || !host.isRevoked, line.count > base64.count, line.first != UInt8(ascii: "#")
      else { continue }
      var fields = line.split(maxSplits: 4) { [0x20, 0x09, 0x0D].contains($0) }[...]
      let marker = fields.first?.first == UInt8(ascii: "@") ? fields.popFirst() : nil
      guard fields.count >= 3, fields[fields.startIndex + 2].elementsEqual(base64) else { continue }
      if let marker {
        if marker.elementsEqual("@revoked".utf8) { host.isRevoked = true }
        continue
      }
      guard !isCandidate else { continue }
      let names = fields[fields.startIndex]
      if let name = candidates.first(where: { Self.line(names, has: $0) }) {
        (host.name, isCandidate) = (name, true)
      } else if host.name == nil {
        host.name = Self.plain(names).first
      }
    }
    return host
  }

  private static func line(_ names: ArraySlice<UInt8>, has name: String) -> Bool {
    guard names.starts(with: "|1|".utf8) else { return plain(names).contains { $0.isSame(as: name) } }
    let parts = names.dropFirst(3).split(separator: UInt8(ascii: "|"))
    guard parts.count == 2, let salt = Data(base64Encoded: Data(parts[0])), let hash = Data(base64Encoded: Data(parts[1]))
    else { return false }
    return Array(hash) == code(of: Array(name.utf8), salt: Array(salt))
  }

  /// Returns the names that are neither patterns, negated nor hashed.
  private static func plain(_ names: ArraySlice<UInt8>) -> [String] {
    guard names.first != UInt8(ascii: "|") else { return [] }
    return names.split(separator: UInt8(ascii: ",")).compactMap { name in
      name.contains { "*?!".utf8.contains($0) } ? nil : String(showing: name)
    }
  }

  /// The HMAC-SHA-1 code by which OpenSSH hides names; `nil` if libcrypto does not support it.
  private static func code(of name: [UInt8], salt: [UInt8]) -> [UInt8]? {
    guard (try? Cryptography.load()) != nil else { return nil }
    var code = [UInt8](repeating: 0, count: Int(crypto_sha1_size))
    return crypto_hmac_sha1(salt, salt.count, name, name.count, &code) ? code : nil
  }
}
