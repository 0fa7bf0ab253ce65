import FoundationEssentials
import Glibc
import Router
import RouterCommandLine

/// The file system and the namespaces of an agent, as arguments of bwrap(1): a list of what the agent has. It has nothing else.
struct Sandbox: Sendable {
  /// The directory in which the agent works and that it may change.
  let project: String
  let home: String
  /// The daemon's socket. In the sandbox, the socket for asking is at this path.
  let socket: String
  /// The socket for asking. The sandbox has its directory.
  let askSocket: String
  /// The user's runtime directory; `nil` if there is none.
  let runtime: String?
  /// The agent, if Router knows its settings.
  var host: AgentHost?
  /// Further paths to read, and to change.
  var readable: [String] = []
  var writable: [String] = []
  var hasNetwork = true

  /// Variables that name what the sandbox does not have.
  private static let variables = [
    "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "GPG_AGENT_INFO", "SSH_AUTH_SOCK", "STY", "TMUX", "WAYLAND_DISPLAY", "XAUTHORITY",
  ]

  /// Returns the arguments that precede the agent's command.
  ///
  /// - Parameter program: The path of the agent's program.
  func arguments(for program: String) -> [String] {
    let network = hasNetwork ? ["--share-net"] : []
    return ["--unshare-all"] + network + ["--cap-drop", "ALL", "--die-with-parent"]
      + system + ["--tmpfs", "/tmp", "--tmpfs", home] + runtimeDirectory
      + ["--ro-bind", askSocket.parentDirectory, socket.parentDirectory, "--setenv", "ROUTERD_SOCKET", socket]
      // A directory before what is in it.
      + Set(programs(program) + ownFiles + readable).sorted().flatMap(Self.readOnly)
      + state + ["--bind", project, project] + writable.flatMap { ["--bind", $0, $0] } + guarded
      + Self.variables.flatMap { ["--unsetenv", $0] } + ["--chdir", project, "--"]
      // bwrap ignores the signals of the terminal's keys, so that they interrupt the agent only.
      + ["/usr/bin/env", "--default-signal=INT,QUIT"]
  }

  private static func readOnly(_ path: String) -> [String] { ["--ro-bind-try", path, path] }

  /// The system's files, without those of the system's daemon.
  private var system: [String] {
    let top = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"].map { "/" + $0 }
    let links = top.flatMap { path in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: path)).map { ["--symlink", $0, path] } ?? Self.readOnly(path)
    }
    let settings = "/etc/routerd"
    return ["--ro-bind", "/usr", "/usr"] + links + ["--ro-bind", "/etc", "/etc"]
      + (access(settings, F_OK) == 0 ? ["--tmpfs", settings, "--remount-ro", settings] : [])
      + Self.readOnly("/opt") + ["--proc", "/proc", "--dev", "/dev"] + nameServers
  }

  /// The file with the name servers, which may be in `/run`.
  private var nameServers: [String] {
    let file = "/etc/resolv.conf"
    let path = ToolPath.resolve(file) ?? file
    return path == file ? [] : Self.readOnly(path)
  }

  private var runtimeDirectory: [String] { runtime.map { ["--perms", "0700", "--tmpfs", $0] } ?? [] }

  /// The directories that `PATH` names, and those of the agent's program and of routerctl.
  private func programs(_ program: String) -> [String] {
    let search = (environmentVariable("PATH") ?? "").split(at: ":").map(String.init)
    let files = [program, RealProgram.own].flatMap { [$0, ToolPath.resolve($0) ?? $0] }
    return (search + files.filter(isBelowHome).map(installation) + files).filter {
      $0.begins(with: "/") && !isVisible($0) && !(home + "/").begins(with: $0 + "/")
    }
  }

  /// Returns the directory that a program was installed into: the one above `bin`, otherwise its own.
  private func installation(_ program: String) -> String {
    let directory = program.parentDirectory
    let above = directory.parentDirectory
    return directory.ends(with: "/bin") && isBelowHome(above) && above != home + "/.local" ? above : directory
  }

  private func isVisible(_ path: String) -> Bool {
    ["/usr/", "/bin/", "/sbin/", "/opt/"].contains { path.begins(with: $0) }
  }

  private func isBelowHome(_ path: String) -> Bool { path.begins(with: home + "/") }

  /// What the hook and the agent's commands read.
  private var ownFiles: [String] {
    [AgentEnvironment.own.directory] + [".gitconfig", ".config/git"].map { home + "/" + $0 }
  }

  /// The agent's own directory: its sessions and its login.
  private var state: [String] {
    guard let host else { return [] }
    let folder = host.settings.directory
    return ["--bind", folder, folder] + host.settings.otherState.map { home + "/" + $0 }.flatMap { ["--bind-try", $0, $0] }
  }

  /// Returns the outermost directory in the project that is missing on the way to one, otherwise the directory itself.
  private func firstMissing(of directory: String) -> String {
    let parent = directory.parentDirectory
    return parent == project || access(parent, F_OK) == 0 ? directory : firstMissing(of: parent)
  }

  /// What the agent may read but not change, in the directories that it may change: the settings that start the hook, and what
  /// your own git executes.
  private var guarded: [String] {
    let settings = host.map { $0.settings.files + [firstMissing(of: $0.settings.path(isProject: true).parentDirectory)] }
    let projects = AgentHost.all.map { $0.settings.path(isProject: true).parentDirectory }
    let git = ["hooks", "config"].map { "\(project)/.git/\($0)" }
    let paths = Set((settings ?? []) + projects + git).filter { settings?.contains($0) == true || access($0, F_OK) == 0 }
      .sorted()
    // A directory can be renamed if only something in it is a mount.
    let parents = Set(paths.map(\.parentDirectory)).filter { $0.begins(with: project + "/") && access($0, F_OK) == 0 }.sorted()
    return parents.flatMap { ["--bind", $0, $0] }
      + paths.flatMap { access($0, F_OK) == 0 ? ["--ro-bind", $0, $0] : ["--tmpfs", $0, "--remount-ro", $0] }
  }
}

extension HostSettings {
  /// The user's directory.
  var directory: String { path(isProject: false).parentDirectory }

  /// The user's files that decide whether the hook runs.
  var files: [String] { [path(isProject: false)] + otherFiles.map { directory + "/" + $0 } }
}
