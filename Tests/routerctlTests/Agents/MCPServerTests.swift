import Router
import Testing

@testable import RouterCore
@testable import RouterFrontEnds
@testable import RouterLog
@testable import routerctl

// Promise P41.
struct MCPServerTests {
  /// A tool whose results the test decides, even after a call was canceled.
  private final class Tool: Sendable {
    private let waiting = Mutex<[String: CheckedContinuation<String, Never>]>([:])
    let started: AsyncStream<String>
    private let starting: AsyncStream<String>.Continuation

    init() { (started, starting) = AsyncStream.makeStream() }

    @Sendable func call(_ tool: MCPTools.Tool, _ arguments: JSONValue, _ app: String?, _ page: MCPPage?) async
      -> MCPTools.Result
    {
      let text = await withCheckedContinuation { continuation in
        let name = arguments["question"]?.string ?? ""
        waiting.withLock { $0[name] = continuation }
        starting.yield(name)
      }
      return MCPTools.Result(text: text)
    }

    func end(_ name: String, _ result: String) { waiting.withLock { $0.removeValue(forKey: name) }?.resume(returning: result) }
  }

  private func line(_ method: String, _ parameters: JSONValue, id: Int? = nil) -> [UInt8] {
    let id: [(String, JSONValue)] = id.map { [("id", .integer($0))] } ?? []
    return Array(
      JSONValue.members([("jsonrpc", "2.0"), ("method", .string(method)), ("params", parameters)] + id).description.utf8)
  }

  private func call(_ question: JSONValue, id: Int) -> [UInt8] {
    line("tools/call", ["name": "confirm", "arguments": ["question": question]], id: id)
  }

  @Test(.timeLimit(.minutes(10))) func `does not give a canceled call's result to a later call with its id`() async throws {
    let (tool, (written, writing)) = (Tool(), AsyncStream<JSONValue>.makeStream())
    let server = MCPServer(call: tool.call) { writing.yield($0) }
    var started = tool.started.makeAsyncIterator()
    var replies = written.makeAsyncIterator()
    server.receive(call("old", id: 1))
    #expect(await started.next() == "old")
    server.receive(line("notifications/cancelled", ["requestId": 1]))
    server.receive(call("new", id: 1))
    #expect(await started.next() == "new")
    tool.end("old", "allow")
    // A later call's reply comes after what the old call could have written.
    for id in 2...100 {
      server.receive(call("other", id: id))
      #expect(await started.next() == "other")
      tool.end("other", "done")
      #expect(await replies.next()?["id"] == .integer(id))
    }
    tool.end("new", "deny")
    let reply = await replies.next()
    #expect(reply?["id"] == 1)
    #expect(reply?["result"]?["content"]?.array?.first?["text"] == "deny")
  }

  @Test func `tells a rule's refusal from a person's "none of these"`() {
    func result(_ outcome: FrontEndOutcome) -> MCPTools.Result {
      MCPTools.result(outcome, expiry: "Nobody answered.", declined: "none of these") { _ in nil }
    }
    var presentation = Presentation.ended(.answered(.button("cancel")))
    #expect(result(.declined(presentation)) == MCPTools.Result(text: "none of these"))
    let refusal = MCPTools.Result(
      text: "The rule no-agents of this machine refuses this question; nobody was asked.", isError: true)
    presentation.because = .rule("no-agents", rules: String(repeating: "0", count: 64))
    #expect(result(.declined(presentation)) == refusal)
    presentation.outcome = .cancelled(.refused)
    #expect(result(FrontEndOutcome(presentation)) == refusal)
    let ends = [FrontEndOutcome.declined(presentation), .dismissed(presentation), .expired, .withdrawn, .unavailable("x")].map(
      result)
    #expect(Set(ends.map(\.text)).count == ends.count)
  }
}
