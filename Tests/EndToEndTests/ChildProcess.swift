import Foundation
import Router
import Testing

@testable import routerctl

/// A process of a test: a binary of this build or of the system, with what it prints line by line.
///
/// It is started as `routerctl` starts one, and not by Foundation's `Process`, which copies a whole `dirent` for each of its
/// descriptors where the kernel gave a shorter one, and so now and then reads beyond the end of its memory.
final class ChildProcess: Sendable {
  /// The lines of standard error and of standard output, each as it comes; ended with the process' last writer.
  let errors: AsyncStream<String>
  let output: AsyncStream<String>
  private let process: routerctl.ChildProcess
  private let exited: Task<Int32, Never>
  private let command: String
  /// What it has printed so far, for a test that fails.
  private let transcript = Transcript()

  /// The directory in which this build's binaries are.
  static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  /// Starts a binary of this build, or one at an absolute path.
  ///
  /// - Parameters:
  ///   - environment: What it has besides this process' environment.
  ///   - input: The descriptor that becomes its standard input; nothing by default.
  init(_ name: String, _ arguments: [String], environment: [String: String] = [:], input: CInt? = nil) throws {
    let path = name.hasPrefix("/") ? name : Self.products.appending(path: name).path
    // env(1) becomes the program, with its process id.
    let words = (environment.isEmpty ? [] : ["/usr/bin/env"] + environment.map { "\($0)=\($1)" }) + [path] + arguments
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(nothing) }
    let (standardOutput, standardError) = (try ChildPipe(), try ChildPipe())
    let process = try routerctl.ChildProcess(
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

  /// Sends a signal, unless the process has ended: its id may be another's by then.
  func signal(_ signal: Int32) {
    if !hasEnded { kill(pid, signal) }
  }

  /// Sends a signal to it and to all that it has started.
  func signalGroup(_ signal: Int32) {
    if !hasEnded { kill(-pid, signal) }
  }

  /// Whether the process has ended.
  var hasEnded: Bool { process.hasEnded }

  /// Waits for the end.
  ///
  /// - Returns: The status, or 128 and the number of the signal that ended it, as `$?` has it.
  func exitStatus() async -> Int32 {
    await exited.value
  }

  /// The last lines that it has printed.
  var printed: String { transcript.lines.withLock { $0.joined(separator: "\n") } }

  /// Expects it to end with a status. A failure shows the command and what it has printed.
  func expectExit(
    _ status: Int32 = 0, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let found = await exitStatus()
    if found != status { await transcript.complete() }
    #expect(found == status, "\(comment)\n\(command)\n\(printed)", sourceLocation: sourceLocation)
  }

  /// All that it still prints on standard output.
  func allOutput() async -> [String] {
    var lines: [String] = []
    for await line in output { lines.append(line) }
    return lines
  }

  /// The next line of standard error that has this in it.
  func line(with text: String) async -> String? {
    for await line in errors where line.contains(text) { return line }
    return nil
  }

  /// Reads a pipe to its end on a thread of its own.
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

  /// The last lines that a process has printed.
  private final class Transcript: Sendable {
    let lines = Mutex<[String]>([])
    let readers = DispatchGroup()

    /// Waits a moment for what a process printed at its end. A child of it may keep its output open.
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
