import Glibc
import OrderedCollections
import Router

/// The environment of a command: an allow-list of this program's variables, and those that are named.
struct RunEnvironment: Sendable {
  private static let allowed: Set = [
    "HOME", "PATH", "LANG", "TERM", "USER", "LOGNAME", "SHELL", "TZ", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY",
    "SSH_AUTH_SOCK",
  ]

  /// `NAME=value` each, as the kernel takes them.
  private(set) var entries: [[UInt8]] = []
  /// What the act names: `PATH`, and all that is not on the allow-list.
  private(set) var shown: OrderedDictionary<String, String> = [:]

  /// - Parameters:
  ///   - all: This program's variables, `NAME=value` each.
  ///   - named: The arguments of `--env`: a name, or a name with a value.
  ///   - passesAll: Whether to take all variables.
  init(_ all: [[UInt8]] = Self.current, named: [String] = [], passesAll: Bool = false) throws(RunFailure) {
    var variables: OrderedDictionary<[UInt8], [UInt8]> = [:]
    for entry in all {
      guard let end = entry.firstIndex(of: UInt8(ascii: "=")), variables[Array(entry[..<end])] == nil else { continue }
      variables[Array(entry[..<end])] = Array(entry[(end + 1)...])
    }
    var chosen = passesAll ? variables : variables.filter { Self.isAllowed($0.key) }
    for argument in named {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard !parts[0].isEmpty else { throw RunFailure(.failed, "cannot pass --env \(argument): the name is missing") }
      guard let value = parts.count > 1 ? Array(parts[1].utf8) : variables[Array(parts[0].utf8)] else {
        throw RunFailure(.failed, "cannot pass --env \(parts[0]): it is not set; give a value with \(parts[0])=VALUE")
      }
      chosen[Array(parts[0].utf8)] = value
    }
    let names = Set(named.map { $0.split(separator: "=", omittingEmptySubsequences: false).first.map(String.init) ?? "" })
    for (name, value) in chosen {
      entries.append(name + [UInt8(ascii: "=")] + value)
      let isShown = name == Array("PATH".utf8) || !Self.isAllowed(name) || names.contains(String(decoding: name, as: UTF8.self))
      guard isShown else { continue }
      guard let name = String(validating: name, as: UTF8.self), let value = String(validating: value, as: UTF8.self) else {
        throw RunFailure(
          .failed,
          "cannot show the variable \(String(decoding: name, as: UTF8.self)): it is not UTF-8, so nobody could check it")
      }
      shown[name] = value
    }
    guard shown.count <= 64 else {
      throw RunFailure(.failed, "cannot show \(shown.count) variables: at most 64; name those that it needs with --env")
    }
  }

  private static func isAllowed(_ name: [UInt8]) -> Bool {
    let name = String(decoding: name, as: UTF8.self)
    return allowed.contains(name) || name.hasPrefix("LC_")
  }

  /// The directories in which to find a command.
  var path: String { shown["PATH"] ?? "/usr/local/bin:/usr/bin:/bin" }

  static var current: [[UInt8]] {
    var entries: [[UInt8]] = []
    var pointer = environ
    while let entry = pointer.pointee {
      entries.append(Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry))))
      pointer += 1
    }
    return entries
  }
}
