import Glibc
import RouterCore

/// The default file paths of the daemon and its tools, by the XDG Base Directory Specification for a user's daemon and
/// file-hierarchy(7) for the system's.
///
/// The system's daemon runs as root without a session, or as the system unit, whose `$RUNTIME_DIRECTORY` is `/run/routerd`.
package struct DefaultPaths: Sendable, Hashable {
  /// The path on which a daemon listens.
  package let socket: String
  /// The paths where tools look for a daemon, in order. ``socket`` is the first.
  package let sockets: [String]
  /// The database of a daemon's log.
  package let database: String
  package let configuration: String
  /// The user's runtime directory: `$XDG_RUNTIME_DIR`, otherwise `/run/user/UID`; `nil` if neither belongs to the user.
  package let runtime: String?
  /// The files and directories that a daemon creates.
  private let traces: [String]
  /// The system's socket.
  private let systemSocket: String
  /// Whether these are a user's paths, not the system's.
  package let isUser: Bool
  /// The directory of the log.
  package var stateDirectory: String {
    String(database.prefix(upTo: database.utf8.lastIndex(of: UInt8(ascii: "/")) ?? database.startIndex))
  }
  /// The directory for the socket, if it belongs to or is writable by other users; otherwise `nil`.
  package let unsafeDirectory: String?

  /// - Parameter run: `/run`.
  package init(environment: [String: String], uid: UInt32 = geteuid(), run: String = "/run") {
    /// Returns an absolute directory from the environment. The specification requires relative paths to be ignored.
    func directory(_ name: String) -> String? {
      environment[name].flatMap { $0.begins(with: "/") ? $0 : nil }
    }
    // `su` keeps the previous user's variable, with a directory that this user cannot use.
    systemSocket = run + "/routerd/routerd.sock"
    let session = directory("XDG_RUNTIME_DIR").flatMap { Self.isOwn($0, uid) ? $0 : nil }
    isUser = session != nil || (uid != 0 && environment["RUNTIME_DIRECTORY"] != run + "/routerd")
    let userDirectory = "\(run)/user/\(uid)"
    let runtime = session ?? (isUser && Self.isOwn(userDirectory, uid) ? userDirectory : nil)
    let home = isUser ? directory("HOME") : nil
    let state = directory("XDG_STATE_HOME") ?? home.map { $0 + "/.local/state" }
    let config = directory("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }

    // Without a runtime directory, the socket is beside the log, where no other user can create it first, as in /tmp.
    let fallback = isUser ? state.map { $0 + "/routerd" } : nil
    let isSafe = fallback.map { Self.isPrivateOrMissing($0, uid) } ?? true
    let own = [runtime.map { $0 + "/routerd" }, isSafe ? fallback : nil].compactMap { $0.map { $0 + "/routerd.sock" } }
    let usual = own + (session == nil ? [systemSocket] : [])
    let named = environment["ROUTERD_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    sockets = named.map { [$0] } ?? usual
    socket = sockets.first ?? systemSocket
    unsafeDirectory = isSafe || runtime != nil || named != nil ? nil : fallback
    database = state.map { $0 + "/routerd/routerd.db" } ?? Self.systemDatabase
    let logs = [state.map { $0 + "/routerd" }, session == nil ? "/var/lib/routerd" : nil].compactMap(\.self)
    traces = sockets.flatMap(Self.files) + (named == nil ? logs : [])
    configuration = config.map { $0 + "/routerd/routerd.yaml" } ?? "/etc/routerd/routerd.yaml"
    self.runtime = runtime
  }

  /// Returns the path of the rules file beside a configuration file.
  package static func rules(besides configuration: String) -> String { file("rules.yaml", besides: configuration) }

  /// Returns the path of the configuration file beside a rules file.
  package static func configuration(besides rules: String) -> String { file("routerd.yaml", besides: rules) }

  /// Returns the default path of the socket for asking. Only that socket is in its directory, which a sandbox can have as a whole, so
  /// that it also has the socket of a daemon that starts later.
  package static func askSocket(besides socket: String) -> String {
    let name = socket.utf8.lastIndex(of: UInt8(ascii: "/")).map { socket[socket.utf8.index(after: $0)...] } ?? socket[...]
    return file("ask/", besides: socket) + name
  }

  private static func file(_ name: String, besides path: String) -> String {
    path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex)] + name
  }

  /// The paths for this process.
  package static var current: DefaultPaths {
    let names = ["HOME", "ROUTERD_SOCKET", "RUNTIME_DIRECTORY", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"]
    return DefaultPaths(
      environment: names.reduce(into: [:]) { values, name in values[name] = getenv(name).map { String(cString: $0) } })
  }

  /// The socket for a tool: the first that exists, otherwise the default for a new daemon.
  package var socketToUse: String { sockets.first { access($0, F_OK) == 0 } ?? socket }

  /// The database of the daemon at ``socketToUse``.
  package var databaseToUse: String { isUser && socketToUse == systemSocket ? Self.systemDatabase : database }

  /// Whether a daemon has run or was set up, so that it may return: a socket, its lock, or a log directory exists.
  ///
  /// - Parameter socket: The only socket to check; `nil` for the default paths.
  package func hasTraces(of socket: String?) -> Bool {
    (socket.map { Self.files(of: $0) } ?? traces).contains { access($0, F_OK) == 0 }
  }

  private static func files(of socket: String) -> [String] { [socket, socket + ".lock"] }

  private static let systemDatabase = "/var/lib/routerd/routerd.db"

  private static func isOwn(_ directory: String, _ uid: UInt32) -> Bool {
    var status = stat()
    return stat(directory, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == uid
  }

  /// Whether a directory (not a link to one) is writable only for this user, or missing but creatable.
  private static func isPrivateOrMissing(_ directory: String, _ uid: UInt32) -> Bool {
    var status = stat()
    guard lstat(directory, &status) == 0 else { return errno == ENOENT }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == uid && status.st_mode & 0o022 == 0
  }
}
