import Foundation
import Router
import RouterSystem
import Testing

/// A child process of a test, from this build or the system, with its output as lines.
///
/// Uses Router's own code to start it rather than Foundation's `Process`, which copies a whole `dirent` per descriptor where
/// the kernel returned a shorter one, and so sometimes reads past the end of its memory.
final class ChildProcess: Sendable {
  /// The lines of standard error and standard output as they arrive, until the last writer closes them.
  let errors: AsyncStream<String>
  let output: AsyncStream<String>
  private let process: RouterSystem.ChildProcess
  private let exited: Task<Int32, Never>
  private let command: String
  /// The output so far, for failure messages.
  private let transcript = Transcript()

  /// The directory of this build's binaries.
  static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  private static func path(of name: String) -> String { name.hasPrefix("/") ? name : products.appending(path: name).path }

  /// Starts a binary of this build that the kernel kills when this process ends, however it ends.
  static func untilExit(
    _ name: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> ChildProcess {
    try await onLastingThread {
      try ChildProcess("/usr/bin/setpriv", ["--pdeathsig", "KILL", path(of: name)] + arguments, environment: environment)
    }
  }

  /// Starts a process on a thread that stays, because the signal of `setpriv --pdeathsig` comes when that thread ends.
  static func onLastingThread(_ start: @escaping @Sendable () throws -> ChildProcess) async throws -> ChildProcess {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try start() })
        while true { pause() }
      }
    }
  }

  /// Starts a binary of this build, or one at an absolute path.
  ///
  /// - Parameters:
  ///   - environment: Variables to add to this process's environment.
  ///   - input: The descriptor for its standard input (default: /dev/null).
  init(_ name: String, _ arguments: [String], environment: [String: String] = [:], input: CInt? = nil) throws {
    let path = Self.path(of: name)
    // env(1) executes the program with the same process id.
    let words = (environment.isEmpty ? [] : ["/usr/bin/env"] + environment.map { "\($0)=\($1)" }) + [path] + arguments
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(nothing) }
    let (standardOutput, standardError) = (try ChildPipe(), try ChildPipe())
    let process = try RouterSystem.ChildProcess(
      words[0], Array(words.dropFirst()),
      descriptors: (input ?? nothing, standardOutput.writing, standardError.writing))
    self.process = process
    command = ([name] + arguments).joined(separator: " ")
    for pipe in [standardOutput, standardError] { pipe.closeWriting() }
    output = Self.lines(of: standardOutput, transcript)
    errors = Self.lines(of: standardError, transcript)
    exited = Task {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: process.wait()) }
      }
    }
  }

  deinit {
    signal(SIGKILL)
  }

  var pid: pid_t { process.pid }

  /// Sends a signal unless the process has ended, because its id may have been reused.
  func signal(_ signal: Int32) {
    if !hasEnded { kill(pid, signal) }
  }

  /// Sends a signal to its process group.
  func signalGroup(_ signal: Int32) {
    if !hasEnded { kill(-pid, signal) }
  }

  /// Whether the process has ended.
  var hasEnded: Bool { process.hasEnded }

  /// The processor time that the process has used, in steps of 10 ms.
  func processorTime() throws -> Duration {
    // utime and stime of proc(5), after the name, which may contain spaces and parentheses.
    let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    let fields = try #require(stat.split(separator: ")").last).split(separator: " ")
    return .milliseconds(10 * (try #require(Int(fields[11])) + #require(Int(fields[12]))))
  }

  /// Waits for the process to end.
  ///
  /// - Returns: The exit status, or 128 plus the number of the signal that ended it, like `$?`.
  func exitStatus() async -> Int32 {
    await exited.value
  }

  /// The last lines of its output.
  var printed: String { transcript.lines.withLock { $0.joined(separator: "\n") } }

  /// Expects an exit status. A failure shows the command and its output.
  func expectExit(
    _ status: Int32 = 0, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let found = await exitStatus()
    // Callers look at what it printed.
    await transcript.complete()
    #expect(found == status, "\(comment)\n\(command)\n\(printed)", sourceLocation: sourceLocation)
  }

  /// Returns the remaining lines of standard output.
  func allOutput() async -> [String] {
    var lines: [String] = []
    for await line in output { lines.append(line) }
    return lines
  }

  /// Returns the next line of standard error that contains a text.
  func line(with text: String) async -> String? {
    for await line in errors where line.contains(text) { return line }
    return nil
  }

  /// Reads a pipe to its end on a dedicated thread.
  private static func lines(of pipe: ChildPipe, _ transcript: Transcript) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    transcript.readers.enter()
    Thread.detachNewThread {
      defer { transcript.readers.leave() }
      var line: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(pipe.reading, &buffer, buffer.count)
        guard count > 0 else { break }
        for byte in buffer[..<count] {
          if byte == UInt8(ascii: "\n") {
            transcript.add(line)
            continuation.yield(String(decoding: line, as: UTF8.self))
            line.removeAll()
          } else {
            line.append(byte)
          }
        }
      }
      if !line.isEmpty {
        transcript.add(line)
        continuation.yield(String(decoding: line, as: UTF8.self))
      }
      continuation.finish()
    }
    return stream
  }

  /// The last lines of a process's output.
  private final class Transcript: Sendable {
    let lines = Mutex<[String]>([])
    let readers = DispatchGroup()

    /// Waits briefly for a process's final output. One of its children may keep the pipe open.
    func complete() async {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          _ = self.readers.wait(timeout: .now() + 2)
          continuation.resume()
        }
      }
    }

    func add(_ line: [UInt8]) {
      lines.withLock { lines in
        lines.append(String(decoding: line, as: UTF8.self))
        if lines.count > 100 { lines.removeFirst() }
      }
    }
  }
}
