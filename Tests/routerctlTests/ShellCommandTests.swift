import Testing

@testable import routerctl

@Suite(.timeLimit(.minutes(10)))
struct ShellCommandTests {
  @Test func `passes input to a command and captures both outputs`() async throws {
    let result = try await ShellCommand(command: "cat; echo oops >&2; exit 3").run(input: Array("hello".utf8))
    #expect(result == ShellCommand.Result(status: 3, output: Array("hello".utf8), errors: Array("oops\n".utf8)))
  }

  @Test func `runs a command that does not read its input`() async throws {
    let input = [UInt8](repeating: 65, count: 1 << 20)
    #expect(try await ShellCommand(command: "exec <&-; echo yes").run(input: input).output == Array("yes\n".utf8))
  }

  @Test func `ends the command and its children when canceled`() async throws {
    let running = Task { try await ShellCommand(command: "sleep 1000 & echo started; wait").run(input: []) }
    running.cancel()
    let result = try await running.value
    #expect(result.status == 128 + 15)
  }
}
