import Glibc
import OrderedCollections
import Router

/// The environment of a command: an allowlist of this program's variables, and the named ones.
struct RunEnvironment: Sendable {
  /// The account's own values, which are not shown. Other values are shown, since programs read their configuration from these
  /// locations.
  struct Account: Sendable {
    let uid: UInt32
    let entry: AccountNames.Entry?

    static var current: Account { Account(uid: getuid(), entry: try? AccountNames.entry(of: getuid())) }

    fileprivate func hasUsual(_ name: String, _ value: String) -> Bool {
      switch name {
      case "HOME": value == entry?.home
      case "SHELL": value == entry?.shell
      case "USER", "LOGNAME": value == entry?.name
      case "XDG_RUNTIME_DIR": value == "/run/user/\(uid)"
      case "SSH_AUTH_SOCK": true
      case "PATH": false
      case "DISPLAY": value.begins(with: ":") && !value.utf8.contains(UInt8(ascii: "/"))
      // The name of a time zone. A value that begins with a slash or a colon, or contains "..", is a file.
      case "TZ": value.first.map { $0.isLetter } ?? true && !value.contains("..")
      // A value with a slash is the file of a locale, a terminal or a socket.
      default: RunEnvironment.isAllowed(name) && !value.utf8.contains(UInt8(ascii: "/"))
      }
    }
  }

  private static let allowed: Set = [
    "HOME", "PATH", "LANG", "TERM", "USER", "LOGNAME", "SHELL", "TZ", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY",
    "SSH_AUTH_SOCK",
  ]

  /// The variables for the kernel, as `NAME=value`.
  private(set) var entries: [[UInt8]] = []
  /// The variables shown in the act: `PATH`, variables outside the allowlist, and unusual values.
  private(set) var shown: OrderedDictionary<String, String> = [:]

  /// - Parameters:
  ///   - all: This program's variables, as `NAME=value`.
  ///   - named: The arguments of `--env`: a name, or a name with a value.
  ///   - passesAll: Whether to pass all variables.
  ///   - account: This program's user.
  init(
    _ all: [[UInt8]] = Self.current, named: [String] = [], passesAll: Bool = false, account: Account = .current
  ) throws(RunFailure) {
    var variables: OrderedDictionary<[UInt8], [UInt8]> = [:]
    for entry in all {
      guard let end = entry.firstIndex(of: UInt8(ascii: "=")), variables[Array(entry[..<end])] == nil else { continue }
      variables[Array(entry[..<end])] = Array(entry[(end + 1)...])
    }
    var chosen = passesAll ? variables : variables.filter { Self.isAllowed(String(decoding: $0.key, as: UTF8.self)) }
    for argument in named {
      let parts = argument.split(at: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard !parts[0].isEmpty else { throw RunFailure(.failed, "cannot pass --env \(argument): the name is missing") }
      guard let value = parts.count > 1 ? Array(parts[1].utf8) : variables[Array(parts[0].utf8)] else {
        throw RunFailure(.failed, "cannot pass --env \(parts[0]): it is not set; give a value with \(parts[0])=VALUE")
      }
      chosen[Array(parts[0].utf8)] = value
    }
    let names = Set(named.map { $0.split(at: "=", omittingEmptySubsequences: false).first.map(String.init) ?? "" })
    for (name, value) in chosen {
      entries.append(name + [UInt8(ascii: "=")] + value)
      let (text, content) = (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
      guard names.contains(text) || !account.hasUsual(text, content) else { continue }
      guard let name = String(validating: name, as: UTF8.self), let value = String(validating: value, as: UTF8.self) else {
        throw RunFailure(
          .failed,
          "cannot show the variable \(text): it is not UTF-8, so nobody could check it")
      }
      guard shown.updateValue(value, forKey: name) == nil else {
        throw RunFailure(.failed, "cannot show the variable \(text): another one's name looks the same")
      }
    }
    guard shown.count <= 64 else {
      throw RunFailure(.failed, "cannot show \(shown.count) variables: at most 64; name those that it needs with --env")
    }
  }

  private static func isAllowed(_ name: String) -> Bool { allowed.contains(name) || name.begins(with: "LC_") }

  /// The directories to search for a command.
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
