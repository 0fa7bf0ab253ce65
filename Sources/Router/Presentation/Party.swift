import Glibc

/// Who asked.
public struct Requester: Sendable, Hashable {
  /// The program's name by its own word.
  public var app: String
  public var process: ProcessIdentity

  public init(app: String, process: ProcessIdentity) {
    self.app = app
    self.process = process
  }
}

/// Who answered, dismissed or took back a presentation.
public struct Resolver: Sendable, Hashable {
  public var process: ProcessIdentity
  /// The presenter's name, where it was a presenter that did it.
  public var presenter: String?

  public init(process: ProcessIdentity, presenter: String? = nil) {
    self.process = process
    self.presenter = presenter
  }
}

/// A process as the kernel knows it.
public struct ProcessIdentity: Sendable, Hashable {
  /// The user's and the group's id, from `SO_PEERCRED` (unix(7)) for a program on the socket.
  public var uid: UInt32
  public var gid: UInt32
  /// The process id at connect time; a process may have ended and its id be in use again since.
  public var pid: Int32
  /// What `/proc/PID/exe` said at connect time; `nil` where it could not be read.
  public var executable: String?

  public init(uid: UInt32, gid: UInt32, pid: Int32, executable: String? = nil) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    self.executable = executable
  }

  /// The executable's file name, made to fit where ``PresentationRequest/app`` must: letters, digits, `.`, `_` and `-`.
  public var name: String {
    let last = executable?.split(separator: "/").last.map(String.init) ?? ""
    let name = String(last.unicodeScalars.filter(\.isNameScalar).prefix(64).map(Character.init))
    return name.isEmpty ? "unknown" : name
  }
}

extension Requester {
  var json: JSONValue {
    [
      "app": .string(app), "uid": .integer(Int(process.uid)), "gid": .integer(Int(process.gid)),
      "pid": .integer(Int(process.pid)), "executable": .optional(process.executable),
    ]
  }

  init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    app = try reader.requiredString("app")
    process = try ProcessIdentity(reading: &reader)
    try reader.finish()
  }
}

extension Resolver {
  var json: JSONValue {
    [
      "uid": .integer(Int(process.uid)), "gid": .integer(Int(process.gid)), "pid": .integer(Int(process.pid)),
      "executable": .optional(process.executable), "presenter": .optional(presenter),
    ]
  }

  init(json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    process = try ProcessIdentity(reading: &reader)
    presenter = try reader.string("presenter")
    try reader.finish()
  }
}

extension ProcessIdentity {
  fileprivate init(reading reader: inout JSONObjectReader) throws(JSONError) {
    guard let uid = try reader.count("uid").flatMap(UInt32.init(exactly:)) else { throw reader.error("is missing", at: "uid") }
    guard let pid = try reader.count("pid").flatMap(Int32.init(exactly:)) else { throw reader.error("is missing", at: "pid") }
    self.uid = uid
    self.pid = pid
    gid = try reader.count("gid").flatMap(UInt32.init(exactly:)) ?? 0
    executable = try reader.string("executable")
  }
}

extension Unicode.Scalar {
  /// Whether it may stand in the name of an app, a surface, a sheet or a button.
  var isNameScalar: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
    default: false
    }
  }
}

extension ProcessIdentity {
  /// This process.
  public static let current = ProcessIdentity(
    uid: getuid(), gid: getgid(), pid: getpid(), executable: readLink("/proc/self/exe"))

  /// What the kernel says of a process: its ids are given, the executable is looked up in `/proc`.
  public init(uid: UInt32, gid: UInt32, lookingUp pid: Int32) {
    self.init(uid: uid, gid: gid, pid: pid, executable: Self.readLink("/proc/\(pid)/exe"))
  }

  private static func readLink(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
