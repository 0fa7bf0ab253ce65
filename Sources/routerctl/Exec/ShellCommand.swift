import Dispatch
import Glibc
import Router
import RouterCommandLine

struct ShellCommand: Sendable {
  struct Result: Sendable, Hashable {
    var status: ChildProcess.ExitCode
    var output: [UInt8]
    var errors: [UInt8]
  }

  static let maximumOutput = 4 << 20
  static let grace = DispatchTimeInterval.seconds(2)
  /// The maximum time from a cancellation to the end of the command, unless the kernel cannot end it.
  static let longestEnd = Duration.seconds(3)

  let command: String

  /// Runs the command. Canceling the task kills it with its descendants and waits until it has exited.
  func run(input: [UInt8]) async throws -> Result {
    let (toChild, fromChild, errors) = (try Pipe(), try Pipe(), try Pipe())
    let child = try ChildProcess(
      "/bin/sh", ["-c", command],
      descriptors: (toChild.readEnd, fromChild.writeEnd, errors.writeEnd))
    close(toChild.readEnd)
    close(fromChild.writeEnd)
    close(errors.writeEnd)
    return await withTaskCancellationHandler {
      async let written: Void = blockingWork { toChild.writeAll(input) }
      async let output = blockingWork { fromChild.readAll(keeping: Self.maximumOutput) }
      async let errors = blockingWork { errors.readAll(keeping: 65_536) }
      async let status = blockingWork { child.wait() }
      return await Result(status: status, output: output, errors: (errors, written).0)
    } onCancel: {
      child.signal(SIGTERM)
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) { child.signal(SIGKILL) }
    }
  }
}
