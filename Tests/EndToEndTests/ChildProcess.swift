import Foundation
import Router

/// A process of a test: a binary of this build or of the system, with what it prints on standard error line by line.
final class ChildProcess: Sendable {
  let pid: pid_t
  /// The lines of standard error and of standard output, each as it comes; ended with the process' last writer.
  let errors: AsyncStream<String>
  let output: AsyncStream<String>
  private let status = Mutex<Int32?>(nil)
  private let exited: AsyncStream<Void>

  /// The directory in which this build's binaries are.
  static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  /// Starts a binary of this build, or one at an absolute path.
  ///
  /// - Parameter input: What its standard input is; nothing by default.
  init(
    _ name: String, _ arguments: [String], environment: [String: String] = [:],
    input: FileHandle = FileHandle.nullDevice
  ) throws {
    let process = Process()
    process.executableURL = name.hasPrefix("/") ? URL(fileURLWithPath: name) : Self.products.appending(path: name)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    let (standardError, standardOutput) = (Pipe(), Pipe())
    process.standardError = standardError
    process.standardOutput = standardOutput
    let (exited, exit) = AsyncStream<Void>.makeStream()
    self.exited = exited
    errors = Self.lines(of: standardError)
    output = Self.lines(of: standardOutput)
    let box = ExitBox()
    process.terminationHandler = { process in
      box.set(process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
      exit.finish()
    }
    // A child has its parent's mask of signals, and the threads that run tasks keep every signal from themselves.
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
    // What reads has descriptors of its own.
    for pipe in [standardError, standardOutput] { try pipe.fileHandleForReading.close() }
    pid = process.processIdentifier
    exitBox = box
  }

  private let exitBox: ExitBox

  deinit {
    signal(SIGKILL)
  }

  /// Sends a signal, unless the process has ended: its id may be another's by then.
  func signal(_ signal: Int32) {
    if exitBox.value == nil { kill(pid, signal) }
  }

  /// Whether the process has ended.
  var hasEnded: Bool { exitBox.value != nil }

  /// Waits for the end. The status is negative where a signal ended it.
  func exitStatus() async -> Int32 {
    for await _ in exited {}
    return exitBox.value ?? -1
  }

  /// The next line of standard error that has this in it.
  func line(with text: String) async -> String? {
    for await line in errors where line.contains(text) { return line }
    return nil
  }

  /// All that it still prints on standard output.
  func allOutput() async -> [String] {
    var lines: [String] = []
    for await line in output { lines.append(line) }
    return lines
  }

  private final class ExitBox: Sendable {
    private let status = Mutex<Int32?>(nil)
    var value: Int32? { status.withLock(\.self) }
    func set(_ value: Int32) { status.withLock { $0 = value } }
  }

  /// Reads a pipe to its end on a thread of its own.
  private static func lines(of pipe: Pipe) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    let descriptor = dup(pipe.fileHandleForReading.fileDescriptor)
    Thread.detachNewThread {
      var line: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        for byte in buffer[..<count] {
          if byte == UInt8(ascii: "\n") {
            continuation.yield(String(decoding: line, as: UTF8.self))
            line.removeAll()
          } else {
            line.append(byte)
          }
        }
      }
      if !line.isEmpty { continuation.yield(String(decoding: line, as: UTF8.self)) }
      continuation.finish()
      close(descriptor)
    }
    return stream
  }
}
