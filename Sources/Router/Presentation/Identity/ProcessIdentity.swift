import Glibc

/// A process as the kernel knows it.
public struct ProcessIdentity: Sendable, Hashable {
  /// The user's and the group's id, from `SO_PEERCRED` (unix(7)) for a program on the socket.
  public var uid: UInt32
  public var gid: UInt32
  /// The process id at connect time; the process may have ended and its id be in use again since.
  public var pid: Int32
  /// What `/proc/PID/exe` said at connect time; `nil` where it could not be read.
  public var executable: String?
  /// Its systemd unit at connect time, as sd_pid_get_unit(3) finds it; `nil` if there was none or it could not be read.
  public var unit: String?
  /// The host it runs on; empty for this machine.
  public var host: String
  /// The working directory at connect time; `nil` where it could not be read.
  public var directory: String?
  /// The process itself and those above it, nearest first, at connect time: at most 16. Empty where they could not be read.
  public var ancestry: [ProcessAncestor] { didSet { ancestryJSON = Self.json(ancestry) } }
  /// The ancestry as a JSON array. It is written once, because every event and every response repeats it.
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

  /// The executable's file name, made to fit where ``PresentationOptions/app`` must: letters, digits, `.`, `_` and `-`.
  public var name: String {
    Self.appName(executable?.split(separator: "/").last.map(String.init) ?? "") ?? "unknown"
  }

  /// A text made to fit where ``PresentationRequest/app`` must; `nil` if nothing of it does.
  static func appName(_ text: String) -> String? {
    let name = String(text.unicodeScalars.filter(\.isNameScalar).prefix(64).map(Character.init))
    return ["", ".", ".."].contains(name) ? nil : name
  }
}

extension ProcessIdentity {
  /// The name of the process' user on this machine (getpwuid_r(3)); `nil` if there is none of that id.
  public var userName: String? { Self.userName(of: uid) }

  /// The name of a user of this machine; `nil` if there is none of that id.
  public static func userName(of uid: UInt32) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      guard getpwuid_r(uid, &entry, buffer.baseAddress!, buffer.count, &found) == 0, found != nil else { return nil }
      return entry.pw_name.map { String(cString: $0) }
    }
  }
}
