import Glibc
import RouterCore

/// Reads ancestries from `/proc`.
package enum ProcessTree {
  /// A process and its image. After executing another program, the process has a different key.
  private struct Key: Hashable {
    let stat: Proc.Stat
    let image: Proc.Image
  }

  /// Cached entries of ancestors, since programs start many children.
  private static let known = Mutex<[Key: ProcessIdentity.Ancestor]>([:])

  /// Returns the ancestry of a process, starting with itself.
  static func ancestry(of process: Proc.Stat, executable: Proc.Executable?, unit: String?) -> [ProcessIdentity.Ancestor] {
    var ancestry = [entry(process, executable, unit: nil)]
    var (child, below) = (process, unit)
    // A parent is older than its child. A younger process has reused the pid of an exited parent.
    while ancestry.count < ProcessIdentity.Ancestor.limit, let parent = Proc.Stat(child.parent), parent.started <= child.started
    {
      var entry = entry(parent)
      // Keeps a unit only if it differs from the previous one.
      let unit = entry.unit
      if unit == below { entry.unit = nil }
      ancestry.append(entry)
      (child, below) = (parent, unit)
    }
    return ancestry
  }

  /// Returns the pid of the nearest ancestor of this process that runs a matching program, by the file name of its executable, or
  /// the kernel's name if the executable cannot be read; `nil` if there is none.
  package static func nearestAncestor(running matches: (_ program: String) -> Bool) -> Int32? {
    var child = Proc.Stat(getpid())
    for _ in 1..<ProcessIdentity.Ancestor.limit {
      guard let known = child, let parent = Proc.Stat(known.parent), parent.started <= known.started else { return nil }
      if matches(Proc.Executable(parent.pid, Proc.Image(parent))?.path.fileName ?? parent.command) { return parent.pid }
      child = parent
    }
    return nil
  }

  private static func entry(_ process: Proc.Stat) -> ProcessIdentity.Ancestor {
    let key = Key(stat: process, image: Proc.Image(process))
    if let entry = known.withLock({ $0[key] }) { return entry }
    let executable = Proc.Executable(process.pid, key.image)
    var read = entry(process, executable, unit: Proc.unit(process.pid))
    read.uid = ProcessStatus(process.pid)?.uid
    // Otherwise the process executed another program in the meantime.
    guard let now = Proc.Stat(process.pid), now == process, Proc.Image(now) == key.image else { return read }
    known.withLock { known in
      if known.count >= 1024 { known.removeAll() }
      known[key] = read
    }
    return read
  }

  private static func entry(_ process: Proc.Stat, _ executable: Proc.Executable?, unit: String?) -> ProcessIdentity.Ancestor {
    var entry = ProcessIdentity.Ancestor(
      pid: process.pid, started: process.started, executable: executable?.path, executableDoubt: executable?.doubt,
      command: executable == nil ? process.command : nil, unit: unit)
    if let executable { addScript(to: &entry, process, interpreter: executable.path) }
    return entry
  }

  /// Adds the script of an interpreter.
  private static func addScript(
    to entry: inout ProcessIdentity.Ancestor, _ process: Proc.Stat, interpreter: String
  ) {
    let file = interpreter.fileName
    let kind = file.prefix { $0.isLetter }
    guard ["sh", "bash", "dash", "ash", "zsh", "ksh", "python", "perl", "ruby", "node"].contains(kind) else { return }
    guard Proc.isOwn(process.pid) else {
      // Reading the memory of another user's process could block indefinitely. The kernel uses the name of a directly executed
      // script as the command name.
      entry.script = process.command == file.prefix(15) || kind == "node" ? nil : process.command
      return
    }
    guard let arguments = Proc.arguments(process.pid)?.dropFirst() else { return }
    entry.script = script(in: arguments, isShell: kind.ends(with: "sh"))
    entry.runsCommand = kind.ends(with: "sh") && runsCommand(arguments)
  }

  /// Whether a shell's leading options include `-c`.
  static func runsCommand(_ arguments: some Collection<String>) -> Bool {
    arguments.prefix { $0.begins(with: "-") && $0 != "-" }.contains { !$0.begins(with: "--") && $0.contains("c") }
  }

  /// Returns the first non-option argument, unless an option provides the program text or a module.
  static func script(in arguments: some Collection<String>, isShell: Bool) -> String? {
    for argument in arguments {
      if argument.isEmpty || argument == "-" { return nil }
      // A script read from a descriptor has no name.
      guard argument.begins(with: "-") else { return argument.begins(with: "/dev/") ? nil : argument }
      if argument.begins(with: "--") { continue }
      if isShell ? argument.contains("c") : argument.contains(where: "cmeEp".contains) { return nil }
    }
    return nil
  }
}
