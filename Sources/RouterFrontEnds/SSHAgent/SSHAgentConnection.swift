import Glibc
import Router
import RouterCommandLine

/// The connection of one client, with a separate connection to the upstream agent, which binds sessions to it. Runs on a
/// dedicated thread, so that a stuck agent or a waiting prompt delays no other client.
struct SSHAgentConnection {
  let client: CInt
  let settings: SSHAgentSettings

  /// Serves the client until one side disconnects or breaks the protocol, or the upstream agent does not reply in time.
  func run() {
    guard let process = SSHAgentClient(socket: client), process.uid == 0 || process.uid == geteuid() else {
      return SSHAgentSettings.warn("refused a connection of another user")
    }
    guard let upstream = connect() else { return }
    defer { close(upstream) }
    do {
      try relay(process, upstream, WakePipe())
    } catch {
      SSHAgentSettings.warn("\(error)")
    }
  }

  private func connect() -> CInt? {
    guard let upstream = SSHAgentSocket.connect(to: settings.upstream) else {
      SSHAgentSettings.warn("cannot reach the agent at \(settings.upstream): \(String(cString: strerror(errno)))")
      return nil
    }
    // The path may have become a link to this agent's socket.
    guard PeerCredentials(ofSocket: upstream)?.pid != getpid() else {
      close(upstream)
      SSHAgentSettings.warn("\(settings.upstream) is this agent itself")
      return nil
    }
    return upstream
  }

  /// - Parameter answers: Receives a byte for each answered question: 1 if it is allowed.
  private func relay(_ process: SSHAgentClient, _ upstream: CInt, _ answers: WakePipe) throws {
    var relay = SSHAgentRelay()
    var question: Task<Void, Never>?
    defer { question?.cancel() }
    var deadline: Int64?
    while !relay.hasEnded {
      if let use = relay.question, question == nil { question = ask(use, process, answers) }
      deadline = relay.isWaiting ? deadline ?? MonotonicClock.microseconds + settings.upstreamTimeout.milliseconds * 1000 : nil
      var events = [
        pollfd(client, reading: relay.acceptsBytes, writing: !relay.toClient.isEmpty),
        pollfd(upstream, reading: true, writing: !relay.toUpstream.isEmpty), pollfd(answers.readEnd, reading: true),
      ]
      let left = deadline.map { max(0, ($0 - MonotonicClock.microseconds + 999) / 1000) } ?? -1
      let count = poll(&events, nfds_t(events.count), CInt(clamping: left))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        return SSHAgentSettings.warn("\(settings.upstream) did not reply within \(settings.upstreamTimeout.compact)")
      }
      if events[2].isReadable {
        var answer: UInt8 = 0
        guard read(answers.readEnd, &answer, 1) == 1 else { return }
        question = nil
        relay.answer(isAllowed: answer == 1)
      }
      if events[1].isReadable {
        guard let bytes = SSHAgentSocket.receive(upstream) else { return }
        if !bytes.isEmpty { deadline = nil }
        relay.receive(fromUpstream: bytes)
      }
      if events[0].isReadable {
        guard let bytes = SSHAgentSocket.receive(client) else { return }
        relay.receive(fromClient: bytes)
      } else if events[0].hasEnded {
        return
      }
      guard let sent = SSHAgentSocket.send(client, relay.toClient) else { return }
      relay.remove(toClient: sent)
      guard let passed = SSHAgentSocket.send(upstream, relay.toUpstream) else { return }
      relay.remove(toUpstream: passed)
    }
  }

  /// Asks in a task, which ends with the answer, or is canceled with the connection.
  private func ask(_ use: SSHKeyUse, _ process: SSHAgentClient, _ answers: WakePipe) -> Task<Void, Never> {
    let caller = process.caller
    let question = SSHAgentQuestion(use, by: caller, SSHKnownHosts(home: AgentHost.userHome))
    let request = question.request(surface: settings.surface, timeout: FrontEnd.timeout)
    return Task { [socket = settings.socket] in
      // A new one for each question, because it withdraws the question when the parent of its time exits.
      var frontEnd = FrontEnd(socket: socket)
      frontEnd.callers = caller.pid.map { [$0] } ?? []
      let outcome = await frontEnd.ask(request)
      switch outcome {
      // While Router is switched off, keys sign as without it.
      case .answered(.button(SSHAgentQuestion.allow), _), .unavailable(_, isOff: true): return answers.wake(1)
      case .unavailable(let reason, _): SSHAgentSettings.warn("denied: \(reason)")
      case .answered, .declined, .dismissed, .expired, .withdrawn: break
      }
      answers.wake(2)
    }
  }
}

extension pollfd {
  fileprivate init(_ descriptor: CInt, reading: Bool = false, writing: Bool = false) {
    self.init(fd: descriptor, events: Int16((reading ? POLLIN : 0) | (writing ? POLLOUT : 0)), revents: 0)
  }

  fileprivate var isReadable: Bool { events & Int16(POLLIN) != 0 && revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 }
  fileprivate var hasEnded: Bool { revents & Int16(POLLHUP | POLLERR) != 0 }
}
