import Glibc

/// A process in another one's ancestry, as `/proc` showed it at connect time.
public struct ProcessAncestor: Sendable, Hashable {
  public var pid: Int32
  /// The start time in clock ticks since boot. An id alone may be another process's later; with the start time it is not.
  public var started: Int
  /// The path of the executable; `nil` where it could not be read.
  public var executable: String?
  /// The name that the process goes by (`comm` of proc_pid_stat(5)), where the executable could not be read.
  public var command: String?
  /// The script that the executable runs, where that is an interpreter. The process can change this text.
  public var script: String?
  /// The systemd unit, where it is not that of the process before it in the ancestry.
  public var unit: String?

  public init(
    pid: Int32, started: Int, executable: String? = nil, command: String? = nil, script: String? = nil, unit: String? = nil
  ) {
    self.pid = pid
    self.started = started
    self.executable = executable
    self.command = command
    self.script = script
    self.unit = unit
  }

  /// The longest ancestry that is read. What is above is not known.
  package static let limit = 16

  /// What a person calls it: the file name of the script or of the executable.
  public var name: String {
    // The kernel marks an executable whose file was replaced, as by an upgrade.
    let path = script ?? executable?.replacing(" (deleted)", with: "") ?? command ?? ""
    return path.split(separator: "/").last.map(String.init) ?? "pid \(pid)"
  }

  /// Whether it is a shell that runs no script.
  package var isPlainShell: Bool {
    script == nil && ["sh", "bash", "dash", "ash", "zsh", "fish", "ksh"].contains(name)
  }
}

extension ProcessIdentity {
  /// The processes above this one, nearest first, such as `git ← deploy.sh ← bash ← tmux`; `nil` if none is known. Router's own
  /// command line tool, which asks for others, is left out, and so are the system's first process and a name that repeats.
  public var callChain: String? {
    var names: [String] = []
    for name in callers.map({ $0.name.replacing("←", with: "?") }) where name != names.last { names.append(name) }
    return names.isEmpty ? nil : names.joined(separator: " ← ")
  }

  /// The name of the program or script that asks through this process: the nearest in the ancestry that is not Router's command
  /// line tool, a shell without a script, or a service manager. It fits where ``PresentationRequest/app`` must.
  public var callerName: String {
    callers.first { !$0.isPlainShell && $0.name != "systemd" }.flatMap { Self.appName($0.name) } ?? name
  }

  private var callers: some Collection<ProcessAncestor> {
    ancestry.drop { $0.name == "routerctl" }.prefix { $0.pid != 1 }
  }

  /// The entry of a process in the ancestry.
  func ancestor(_ pid: Int32) -> ProcessAncestor? { ancestry.first { $0.pid == pid } }

  /// Whether another process is this one or above it, or may be: an ancestry that could not be read, or not to its end, can
  /// contain anything.
  func mayDescend(from process: ProcessAncestor) -> Bool {
    if ancestry.isEmpty || ancestry.count >= ProcessAncestor.limit { return true }
    return ancestry.contains { $0.pid == process.pid && $0.started == process.started }
  }

  /// The ancestry as a JSON object; `nil` if there is none.
  var ancestryText: JSONText? {
    ancestry.isEmpty ? nil : JSONText { $0.add("ancestry", text: ancestryJSON) }
  }

  /// Reads what ``ancestryText`` writes.
  static func ancestry(json: JSONValue) throws(JSONError) -> [ProcessAncestor] {
    var reader = try JSONObjectReader(json)
    return try reader.objects("ancestry", ProcessAncestor.init)
  }
}

extension ProcessAncestor: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("pid", Int(pid))
    writer.add("started", started)
    writer.add("executable", ifPresent: executable)
    writer.add("command", ifPresent: command)
    writer.add("script", ifPresent: script)
    writer.add("unit", ifPresent: unit)
  }

  // A newer program's members are passed over.
  package init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    guard let pid = Int32(exactly: try reader.requiredCount("pid")) else { throw reader.error("is out of range", at: "pid") }
    self.init(
      pid: pid, started: try reader.requiredCount("started"), executable: try reader.string("executable"),
      command: try reader.string("command"), script: try reader.string("script"), unit: try reader.string("unit"))
  }
}
