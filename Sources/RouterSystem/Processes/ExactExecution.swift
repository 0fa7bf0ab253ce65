import CLinux
package import Glibc

/// Executes an open file in a child process, within this process group (execveat(2)).
package enum ExactExecution {
  package enum Program: Sendable {
    case descriptor(CInt)
    case path(String)
  }

  /// Signals with actions that this program changes, to be restored in the child.
  private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGUSR1, SIGUSR2, SIGIO, SIGTSTP, SIGCONT]

  /// The subset of these signals that is ignored now, as in a program started by nohup(1).
  package static var ignoredSignals: [CInt] {
    numbers.filter { number in
      var action = sigaction()
      return sigaction(number, nil, &action) == 0 && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
  }

  /// Starts a program. Returns the child's id once the program is executed.
  ///
  /// - Parameters:
  ///   - directory: The descriptor of the working directory.
  ///   - ignored: The signals that the child ignores.
  /// - Throws: The error number of fork(2), fchdir(2) or execveat(2).
  package static func start(
    _ program: Program, arguments: [String], environment: [[UInt8]], directory: CInt, ignoring ignored: [CInt]
  ) throws(SystemFailure) -> pid_t {
    guard let (reading, writing) = Descriptors.pipe() else { throw SystemFailure() }
    defer { close(reading) }
    let vector = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { strndup($0.map { CChar(bitPattern: $0) }, $0.count) } + [nil]
    let path: UnsafeMutablePointer<CChar>? = if case .path(let path) = program { strdup(path) } else { nil }
    defer { for pointer in vector + variables + [path] { free(pointer) } }
    let file = if case .descriptor(let file) = program { file } else { CInt(-1) }
    let defaults = numbers.filter { !ignored.contains($0) } + [0]
    let child = vector.withUnsafeBufferPointer { vector in
      variables.withUnsafeBufferPointer { variables in
        defaults.withUnsafeBufferPointer { defaults in
          (ignored + [0]).withUnsafeBufferPointer { ignored in
            var program = clinux_program(
              directory: directory, file: file, path: path, arguments: vector.baseAddress, environment: variables.baseAddress,
              defaults: defaults.baseAddress, ignored: ignored.baseAddress, failure: writing)
            return clinux_start(&program)
          }
        }
      }
    }
    let error = errno
    close(writing)
    guard child > 0 else { throw SystemFailure(error) }
    var failure: CInt = 0
    var count = 0
    repeat { count = read(reading, &failure, MemoryLayout<CInt>.size) } while count < 0 && errno == EINTR
    guard count > 0 else { return child }
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    throw SystemFailure(failure)
  }
}

/// The error number of a failed system call.
package struct SystemFailure: Error, Sendable, Hashable, CustomStringConvertible {
  package let number: CInt

  package init(_ number: CInt = errno) { self.number = number }

  package var description: String { String(cString: strerror(number)) }
}
