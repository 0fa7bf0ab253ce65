import Glibc
import Router

/// The executed program: opened by its descriptor, or run by an interpreter that is.
struct CheckedProgram: Sendable {
  private enum Form: Sendable {
    /// Executes the file by its descriptor.
    case program
    /// Executes the path, which the kernel opens again.
    case path
    /// Executes a script by its interpreter, the second file. `arguments` precede the script; without a path, uses a sealed
    /// copy of the script.
    case interpreted(arguments: [String], path: String?)
  }

  /// The arguments, with the command's name as typed.
  let arguments: [String]
  /// The program, the interpreter of a script, and the files named by arguments.
  private(set) var files: [CheckedFile]
  /// Files named by arguments that this user may not read, such as one that `sudo` edits.
  private(set) var unreadable: [String] = []
  /// Possible file names in arguments that are not checked, such as `x:NAME`.
  private(set) var unchecked: [String] = []
  private let form: Form
  /// How the program is executed, if not by its descriptor.
  let execution: Act.Execution?
  private let directory: CInt

  /// - Parameters:
  ///   - command: The command's name and arguments.
  ///   - path: The directories to search for the command.
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
      // The kernel looks up the interpreter again, and env(1) its command.
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

  /// Finds and opens a command like execvp(3).
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

  /// Returns the possible file names in an argument: the whole argument, and the rest after each `=`, `@`, or option letter.
  private static func names(in argument: String) -> [String] {
    let bytes = Array(argument.utf8)
    let isOption = bytes.starts(with: "-".utf8) && !bytes.starts(with: "--".utf8)
    return texts([bytes[...]] + bytes.ends(of: "=@") + (isOption ? [bytes.dropFirst(2)] : []))
  }

  /// Returns further possible file names in an argument: the parts between separators, as in `x:NAME` and `NAME,ro`, the path
  /// of a URL, and the rest after several option letters, as in `-xfNAME`.
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

  /// The maximum number of separators to examine in an argument.
  fileprivate static let maximumParts = 64

  /// Opens the files named by arguments, and further files.
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
  ///   - environment: The variables, as `NAME=value`.
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
  /// Returns the rest after each of the first separators.
  fileprivate func ends(of separators: String) -> [ArraySlice<UInt8>] {
    indices.lazy.filter { separators.utf8.contains(self[$0]) }.prefix(CheckedProgram.maximumParts).map { self[($0 + 1)...] }
  }
}
