import Glibc
import Router
import RouterCommandLine

/// Moves lines between standard input and output, and an agent's pipes.
///
/// A thread for each direction reads a line, asks the relay, and writes: a slow reader slows the writer, as without Router.
final class ACPStream: Sendable {
  /// The maximum length of a line that the relay sees. The rest of a longer one passes through.
  private static let maximumLine = 4 << 20

  private struct State {
    var relay: ACPRelay
    var tasks: [JSONValue: Task<Void, Never>] = [:]
  }

  private let state: Mutex<State>
  /// The agent's input, held while writing a line; `nil` once the client has closed it.
  private let agent: Mutex<CInt?>
  private let client = Mutex(STDOUT_FILENO)
  private let questions: AsyncStream<ACPRelay.Action>
  private let asked: AsyncStream<ACPRelay.Action>.Continuation

  init(relay: ACPRelay, agent: CInt) {
    state = Mutex(State(relay: relay))
    self.agent = Mutex(agent)
    (questions, asked) = AsyncStream.makeStream()
  }

  /// Starts the threads. They end with their inputs.
  func start(agentsOutput: CInt) throws {
    try Thread.start { [self] in
      Self.lines(STDIN_FILENO) { line in perform(state.withLock { $0.relay.fromClient(line) }) }
      agent.withLock { descriptor in
        if let open = descriptor { close(open) }
        descriptor = nil
      }
    }
    try Thread.start { [self] in
      Self.lines(agentsOutput) { line in perform(state.withLock { $0.relay.fromAgent(line) }) }
      asked.finish()
    }
  }

  /// Asks each question, until the agent closes its output.
  func answer(_ decide: @escaping @Sendable (ACPPermission) async -> ToolDecision) async {
    await withDiscardingTaskGroup { group in
      for await action in questions {
        switch action {
        case .ask(let permission):
          let question = Task { [self] in
            let decision = await decide(permission)
            perform(state.withLock { $0.relay.decided(permission, decision) })
          }
          state.withLock { $0.tasks[permission.id] = question }
          group.addTask { [self] in
            await question.value
            state.withLock { $0.tasks[permission.id] = nil }
          }
        case .withdraw(let permission): state.withLock { $0.tasks.removeValue(forKey: permission.id) }?.cancel()
        case .toAgent, .toClient: break
        }
      }
      for task in state.withLock({ $0.tasks }).values { task.cancel() }
    }
  }

  private func perform(_ actions: [ACPRelay.Action]) {
    for action in actions {
      switch action {
      case .toAgent(let line): agent.withLock { if let agent = $0 { Self.write(line, to: agent) } }
      case .toClient(let line): client.withLock { Self.write(line, to: $0) }
      case .ask, .withdraw: asked.yield(action)
      }
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: CInt) {
    bytes.withUnsafeBytes { _ = Descriptors.writeAll(descriptor, $0) }
  }

  /// Calls `body` with each line, including its end.
  private static func lines(_ descriptor: CInt, _ body: ([UInt8]) -> Void) {
    var line: [UInt8] = []
    while let chunk = StandardInput.next(descriptor) {
      var rest = chunk[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        body(line + rest[...end])
        line = []
        rest = rest[(end + 1)...]
      }
      line += rest
      if line.count > maximumLine {
        body(line)
        line = []
      }
    }
    if !line.isEmpty { body(line) }
  }
}
