import Glibc

/// The identity of a process, as reported by the kernel.
public struct ProcessIdentity: Sendable, Hashable {
  /// The user id, from `SO_PEERCRED` (unix(7)) for a program on the socket.
  public var uid: UInt32
  /// The group id, from the same source.
  public var gid: UInt32
  /// The process id at connect time. The process may have exited since, and the id may have been reused.
  public var pid: Int32
  /// The executable (`/proc/PID/exe`) at connect time; `nil` if it could not be read.
  public var executable: String?
  /// The systemd unit at connect time, as from sd_pid_get_unit(3); `nil` if there is none or it could not be read.
  public var unit: String?
  /// The host of the process; empty for this machine.
  public var host: String
  /// The working directory at connect time; `nil` if it could not be read.
  public var directory: String?
  /// The process and its ancestors at connect time, nearest first: at most 16. Empty if they could not be read.
  public var ancestry: [ProcessAncestor] { didSet { ancestryJSON = Self.json(ancestry) } }
  /// The ancestry as a JSON array, encoded once because every event and response contains it.
  private(set) var ancestryJSON: JSONText

  public init(
    uid: UInt32, gid: UInt32, pid: Int32, executable: String? = nil, unit: String? = nil, host: String = "",
    directory: String? = nil, ancestry: [ProcessAncestor] = []
  ) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    self.executable = executable
    self.unit = unit
    self.host = host
    self.directory = directory
    self.ancestry = ancestry
    ancestryJSON = Self.json(ancestry)
  }

  private static func json(_ ancestry: [ProcessAncestor]) -> JSONText { JSONText(.array(ancestry.map(\.json))) }

  /// The file name of the executable, converted to a valid ``PresentationOptions/app``: letters, digits, `.`, `_` and
  /// `-`.
  public var name: String {
    Self.appName(executable?.split(separator: "/").last.map(String.init) ?? "") ?? "unknown"
  }

  /// Converts text to a valid ``PresentationRequest/app``; returns `nil` if no character is valid.
  static func appName(_ text: String) -> String? {
    let name = String(text.unicodeScalars.filter(\.isNameScalar).prefix(64).map(Character.init))
    return ["", ".", ".."].contains(name) ? nil : name
  }
}

extension ProcessIdentity {
  /// The name of the process's user on this machine (getpwuid_r(3)); `nil` if unknown.
  public var userName: String? { Self.userName(of: uid) }

  /// Returns the name of a user of this machine; `nil` if unknown.
  public static func userName(of uid: UInt32) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      guard getpwuid_r(uid, &entry, buffer.baseAddress!, buffer.count, &found) == 0, found != nil else { return nil }
      return entry.pw_name.map { String(cString: $0) }
    }
  }
}
