import Glibc
import Router

/// What is executed: a program by its descriptor, or a script by its interpreter's.
struct CheckedProgram: Sendable {
  private enum Form: Sendable {
    /// The file itself.
    case program
    /// The path: the kernel opens it again.
    case path
    /// A sealed copy of the script, by its interpreter, which is the second file.
    case sealed(arguments: [String])
  }

  /// The arguments, with the command's name as it was typed.
  let arguments: [String]
  /// The program, its interpreter if it is a script, and the files that arguments name.
  private(set) var files: [CheckedFile]
  /// Files that arguments name and this user may not read, such as one that `sudo` edits.
  private(set) var unreadable: [String] = []
  private let form: Form
  /// How it is executed, if not by the descriptor of the file.
  let execution: Act.Execution?
  private let directory: CInt

  /// - Parameters:
  ///   - command: The command's name and arguments.
  ///   - path: The directories in which to find it.
  ///   - more: Other files to check.
  ///   - byPath: Whether to execute the path.
  ///   - directory: The working directory.
  init(_ command: [String], path: String, more: [String], byPath: Bool, directory: CInt) throws(RunFailure) {
    let program = try Self.open(command[0], path: path)
    (arguments, files, self.directory) = (command, [program], directory)
    if byPath {
      (form, execution) = (.path, .path)
    } else if !program.head.starts(with: "#!".utf8) {
      (form, execution) = (.program, nil)
    } else {
      guard let line = ScriptLine(program.head) else {
        throw RunFailure(.notExecutable, "cannot execute \(program.path): its first line names no interpreter")
      }
      let interpreter = try Self.open(line.lookedUp ?? line.interpreter, path: path)
      guard !interpreter.head.starts(with: "#!".utf8) else {
        throw RunFailure(.notExecutable, "cannot execute \(program.path): its interpreter \(interpreter.path) is a script too")
      }
      files.append(interpreter)
      if FileOwnership.isFixed(program.path), FileOwnership.isFixed(interpreter.path) {
        (form, execution) = (.path, nil)
      } else {
        let start = line.lookedUp.map { [$0] } ?? [line.interpreter] + (line.argument.map { [$0] } ?? [])
        (form, execution) = (.sealed(arguments: start), .sealed)
      }
    }
    try addFiles(more)
  }

  /// Finds and opens a command, as execvp(3) would.
  private static func open(_ name: String, path: String) throws(RunFailure) -> CheckedFile {
    var failure = SystemFailure(ENOENT)
    let directories = path.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let places = name.contains("/") ? [name] : directories.map { $0.isEmpty ? "./" + name : $0 + "/" + name }
    for place in name.isEmpty ? [] : places {
      guard access(place, F_OK) == 0 else {
        if errno == EACCES { failure = SystemFailure(EACCES) }
        continue
      }
      guard access(place, X_OK) == 0, FileStatus(of: place)?.isRegular == true else {
        failure = SystemFailure(EACCES)
        continue
      }
      do { return try CheckedFile(place) } catch { failure = error }
    }
    guard failure.number != ENOENT, failure.number != ENOTDIR else { throw RunFailure(.notFound, "cannot find \(name)") }
    throw RunFailure(.notExecutable, "cannot execute \(name): \(failure)")
  }

  private static let maximumFiles = 32
  private static let maximumBytes = 64 << 20

  /// What may be the name of a file in an argument: all of it, and what follows each `=` and `@`, or the letter of an option.
  private static func names(in argument: String) -> [String] {
    var names = [argument]
    for end in argument.indices where argument[end] == "=" || argument[end] == "@" {
      names.append(String(argument[end...].dropFirst()))
    }
    if argument.hasPrefix("-"), !argument.hasPrefix("--") { names.append(String(argument.dropFirst(2))) }
    return names.filter { !$0.isEmpty }
  }

  /// Opens the files that arguments name, and others.
  private mutating func addFiles(_ more: [String]) throws(RunFailure) {
    var names: [String] = []
    for argument in arguments.dropFirst() {
      names += Self.names(in: argument).filter { FileStatus(of: $0)?.isRegular == true }
    }
    for name in more where !names.contains(name) { names.append(name) }
    var room = Self.maximumBytes
    var seen: Set<String> = []
    for name in names where seen.insert(name).inserted {
      guard seen.count <= Self.maximumFiles else {
        throw RunFailure(.failed, "cannot check more than \(Self.maximumFiles) files; pass fewer in one command")
      }
      do {
        let file = try CheckedFile(name, limit: room)
        room -= file.shown.bytes
        files.append(file)
      } catch let error where error.number == EACCES && !more.contains(name) {
        unreadable.append(name)
      } catch {
        let reason = error.number == EFBIG ? "the files have more than 64 MiB together" : "\(error)"
        throw RunFailure(.failed, "cannot check \(name): \(reason)")
      }
    }
  }

  /// Checks all files again and executes the program. Returns the child's id.
  ///
  /// - Parameters:
  ///   - environment: `NAME=value` each.
  ///   - ignored: The signals that the child ignores.
  mutating func start(environment: [[UInt8]], ignoring ignored: [CInt]) throws(RunFailure) -> pid_t {
    defer { for file in files { file.release() } }
    var content: [UInt8] = []
    for index in files.indices {
      let read = try files[index].check(in: directory)
      if index == 0 { content = read }
    }
    do {
      let (program, arguments) = try prepared(content)
      for file in files { try file.checkLease() }
      return try ExactExecution.start(
        program, arguments: arguments, environment: environment, directory: directory, ignoring: ignored)
    } catch let error as RunFailure {
      throw error
    } catch {
      throw RunFailure(.notExecutable, "cannot execute \(files[0].path): \(error)")
    }
  }

  private func prepared(_ content: [UInt8]) throws(SystemFailure) -> (ExactExecution.Program, [String]) {
    switch form {
    case .program: return (.descriptor(files[0].descriptor), arguments)
    case .path: return (.path(files[0].path), arguments)
    case .sealed(let start):
      let copy = try SealedFile.make(content, named: "script")
      return (.descriptor(files[1].descriptor), start + ["/dev/fd/\(copy)"] + arguments.dropFirst())
    }
  }
}
