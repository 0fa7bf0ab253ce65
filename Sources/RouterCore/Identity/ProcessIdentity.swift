/// The identity of a process, as reported by the kernel.
///
/// Events, presentations and connections share the storage of their copies.
public struct ProcessIdentity: Sendable, Hashable {
  package struct Fields: Sendable, Hashable {
    package var uid: UInt32
    package var gid: UInt32
    package var pid: Int32
    package var loginUser: UInt32?
    package var executable: String?
    package var executableDoubt: ExecutableDoubt?
    package var unit: String?
    package var host: String
    package var directory: String?
    package var ancestry: [Ancestor]?

    package init(
      uid: UInt32, gid: UInt32, pid: Int32, executable: String? = nil, executableDoubt: ExecutableDoubt? = nil,
      unit: String? = nil, host: String = "", directory: String? = nil, ancestry: [Ancestor]? = nil
    ) {
      (self.uid, self.gid, self.pid, self.host) = (uid, gid, pid, host)
      (self.executable, self.executableDoubt, self.unit) = (executable, executableDoubt, unit)
      (self.directory, self.ancestry) = (directory, ancestry)
    }
  }

  private final class Storage: Sendable {
    let fields: Fields
    /// The ancestry as a JSON object; `nil` if unknown.
    let ancestryText: JSONText?
    /// All members as a JSON object, encoded once because every event and response contains them.
    let text: JSONText

    package init(_ fields: Fields) {
      var fields = fields
      // A known ancestry begins with the process itself.
      if fields.ancestry?.isEmpty == true { fields.ancestry = nil }
      self.fields = fields
      let ancestryText = fields.ancestry.map { ancestry in JSONText { $0.add("ancestry", ancestry) } }
      // The ancestry is the last member.
      fields.ancestry = nil
      let text = JSONText { writer in
        fields.addMembers(to: &writer)
        if let ancestryText { writer.add(membersOf: ancestryText) }
      }
      (self.ancestryText, self.text) = (ancestryText?.compact, text.compact)
    }
  }

  private var storage: Storage
  private(set) var fields: Fields {
    get { storage.fields }
    set { storage = Storage(newValue) }
  }

  /// The user id, from `SO_PEERCRED` (unix(7)) for a program on the socket.
  public package(set) var uid: UInt32 {
    get { storage.fields.uid }
    set { fields.uid = newValue }
  }
  /// The group id, from the same source.
  public var gid: UInt32 { storage.fields.gid }
  /// The process id at connect time. The process may have exited since, and the id may have been reused.
  public var pid: Int32 { storage.fields.pid }
  /// The login user, if it differs from ``uid``: su and sudo do not change it (`/proc/PID/loginuid`, pam_loginuid(8)).
  package var loginUser: UInt32? {
    get { storage.fields.loginUser }
    set { fields.loginUser = newValue }
  }
  /// The executable (`/proc/PID/exe`) when the daemon accepted the connection; `nil` if it could not be read.
  public var executable: String? { storage.fields.executable }
  /// Why ``executable`` may not name the program that connected; `nil` without a known reason.
  package var executableDoubt: ExecutableDoubt? {
    get { storage.fields.executableDoubt }
    set { fields.executableDoubt = newValue }
  }
  /// The systemd unit when accepted, as from sd_pid_get_unit(3); `nil` if there is none or it could not be read.
  public var unit: String? { storage.fields.unit }
  /// The host of the process; empty for this machine.
  public package(set) var host: String {
    get { storage.fields.host }
    set { fields.host = newValue }
  }
  /// The working directory when accepted; `nil` if it could not be read.
  public package(set) var directory: String? {
    get { storage.fields.directory }
    set { fields.directory = newValue }
  }
  /// The process and its ancestors when accepted, nearest first: at most 16. `nil` if they could not be read.
  public package(set) var ancestry: [ProcessIdentity.Ancestor]? {
    get { storage.fields.ancestry }
    set { fields.ancestry = newValue }
  }
  /// The ancestry as a JSON object, as a row of the log stores it; `nil` if it is unknown.
  package var ancestryText: JSONText? { storage.ancestryText }
  /// A JSON object with all members.
  var text: JSONText { storage.text }

  package init(
    uid: UInt32, gid: UInt32, pid: Int32, executable: String? = nil, executableDoubt: ExecutableDoubt? = nil,
    unit: String? = nil, host: String = "", directory: String? = nil, ancestry: [Ancestor]? = nil
  ) {
    storage = Storage(
      Fields(
        uid: uid, gid: gid, pid: pid, executable: executable, executableDoubt: executableDoubt, unit: unit, host: host,
        directory: directory, ancestry: ancestry))
  }

  package init(_ fields: Fields) { storage = Storage(fields) }

  public static func == (left: ProcessIdentity, right: ProcessIdentity) -> Bool {
    left.storage === right.storage || left.storage.fields == right.storage.fields
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(storage.fields) }

  /// The file name of the executable, converted to a valid ``PresentationOptions/app``: letters, digits, `.`, `_` and
  /// `-`.
  public var name: String {
    executable.flatMap { Self.appName($0.fileName) } ?? "unknown"
  }

  /// Converts text to a valid ``PresentationRequest/app``; returns `nil` if no character is valid.
  static func appName(_ text: String) -> String? {
    let name = String(text.unicodeScalars.filter(\.isNameScalar).prefix(64).map(Character.init))
    return ["", ".", ".."].contains(name) ? nil : name
  }
}
