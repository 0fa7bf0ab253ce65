import Glibc
import Router

/// What is executed: a program by its descriptor, or a script by its interpreter's.
struct CheckedProgram: Sendable {
  private enum Form: Sendable {
    /// The file itself.
    case program
    /// The path: the kernel opens it again.
    case path
    /// The script, by its interpreter, which is the second file. The arguments are those before the script; without a path, a sealed
    /// copy of it.
    case interpreted(arguments: [String], path: String?)
  }

  /// The arguments, with the command's name as it was typed.
  let arguments: [String]
  /// The program, its interpreter if it is a script, and the files that arguments name.
  private(set) var files: [CheckedFile]
  /// Files that arguments name and this user may not read, such as one that `sudo` edits.
  private(set) var unreadable: [String] = []
  /// Files that arguments may name in ways that are not checked, such as `x:NAME`.
  private(set) var unchecked: [String] = []
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
      guard let command = line.command else {
        throw RunFailure(
          .notExecutable,
          """
          cannot execute \(program.path): its first line has more than an interpreter and options, so that it may run what nobody \
          saw. Pass the interpreter as the command, or use --by-path
          """)
      }
      let interpreter = try Self.open(command[0], path: path)
      guard !interpreter.head.starts(with: "#!".utf8) else {
        throw RunFailure(.notExecutable, "cannot execute \(program.path): its interpreter \(interpreter.path) is a script too")
      }
      files.append(interpreter)
      let isFixed = FileOwnership.isFixed(program.path)
      // The kernel finds the interpreter again, and env(1) looks its command up.
      if isFixed, line.interpreter.hasPrefix("/"), command[0] == line.interpreter, FileOwnership.isFixed(line.interpreter),
        FileOwnership.isFixed(interpreter.path)
      {
        (form, execution) = (.path, nil)
      } else {
        form = .interpreted(arguments: command, path: isFixed ? program.path : nil)
        execution = isFixed ? nil : .sealed
      }
    }
    try addFiles(more)
  }

  /// Finds and opens a command, as execvp(3) would.
  private static func open(_ name: String, path: String) throws(RunFailure) -> CheckedFile {
    var failure = SystemFailure(ENOENT)
    let directories = path.split(at: ":", omittingEmptySubsequences: false).map(String.init)
    let places = name.utf8.contains(UInt8(ascii: "/")) ? [name] : directories.map { $0.isEmpty ? "./" + name : $0 + "/" + name }
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
    let bytes = Array(argument.utf8)
    let isOption = bytes.starts(with: "-".utf8) && !bytes.starts(with: "--".utf8)
    return texts([bytes[...]] + bytes.ends(of: "=@") + (isOption ? [bytes.dropFirst(2)] : []))
  }

  /// What else in an argument may be the name of a file: the parts between separators, as of `x:NAME` and `NAME,ro`, the path of a URL,
  /// and what follows several letters of options, as in `-xfNAME`.
  private static func otherNames(in argument: String) -> [String] {
    let bytes = Array(argument.utf8)
    let parts = bytes.split(maxSplits: maximumParts) { ":,=@".utf8.contains($0) }
    let paths = bytes.ends(of: ":").filter { $0.starts(with: "//".utf8) }.map { $0.dropFirst(2) }
    let letters = bytes.starts(with: "-".utf8) ? (2..<max(2, min(bytes.count, 20))).map { bytes[$0...] } : []
    return texts(parts + bytes.ends(of: ":,") + paths + letters)
  }

  private static func texts(_ parts: [ArraySlice<UInt8>]) -> [String] {
    parts.filter { !$0.isEmpty && $0.count <= Int(PATH_MAX) }.compactMap { String(validating: $0, as: UTF8.self) }
  }

  /// The number of separators in an argument to look at.
  fileprivate static let maximumParts = 64

  /// Opens the files that arguments name, and others.
  private mutating func addFiles(_ more: [String]) throws(RunFailure) {
    var names: [String] = []
    for argument in arguments.dropFirst() {
      let found = Self.names(in: argument).filter { FileStatus(of: $0)?.isRegular == true }
      names += found
      for name in Self.otherNames(in: argument) where !found.contains(name) && !unchecked.contains(name) {
        if FileStatus(of: name)?.isRegular == true { unchecked.append(name) }
      }
    }
    for name in more where !names.contains(where: { $0.isSame(as: name) }) { names.append(name) }
    var room = Self.maximumBytes
    var seen: Set<JSONValue> = []
    for name in names where seen.insert(.string(name)).inserted {
      guard seen.count <= Self.maximumFiles else {
        throw RunFailure(.failed, "cannot check more than \(Self.maximumFiles) files; pass fewer in one command")
      }
      do {
        var file = try CheckedFile(name, limit: room)
        file.noteReopening()
        room -= file.shown.bytes
        files.append(file)
      } catch let error where error.number == EACCES && !more.contains(where: { $0.isSame(as: name) }) {
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
    case .interpreted(let start, let path):
      let script = if let path { path } else { "/dev/fd/\(try SealedFile.make(content, named: "script"))" }
      return (.descriptor(files[1].descriptor), start + [script] + arguments.dropFirst())
    }
  }
}

extension [UInt8] {
  /// What follows each of the first separators.
  fileprivate func ends(of separators: String) -> [ArraySlice<UInt8>] {
    indices.lazy.filter { separators.utf8.contains(self[$0]) }.prefix(CheckedProgram.maximumParts).map { self[($0 + 1)...] }
  }
}
