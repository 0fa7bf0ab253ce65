import Testing

@testable import routerctl

@Suite(.timeLimit(.minutes(20)))
struct ShellCommandTests {
  @Test func `a command reads its input and is heard on both ways`() async throws {
    let result = try await ShellCommand(command: "cat; echo oops >&2; exit 3").run(input: Array("hello".utf8))
    #expect(result == ShellCommand.Result(status: 3, output: Array("hello".utf8), errors: Array("oops\n".utf8)))
  }

  @Test func `a command that reads nothing is no trouble`() async throws {
    let input = [UInt8](repeating: 65, count: 1 << 20)
    #expect(try await ShellCommand(command: "exec <&-; echo yes").run(input: input).output == Array("yes\n".utf8))
  }

  @Test func `cancelling ends the command and what it has started`() async throws {
    let running = Task { try await ShellCommand(command: "sleep 1000 & echo started; wait").run(input: []) }
    running.cancel()
    let result = try await running.value
    #expect(result.status == 128 + 15)
  }
}
