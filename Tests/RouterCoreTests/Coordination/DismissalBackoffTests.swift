import OrderedCollections
import TestSupport
import Testing

@testable import RouterCore

// Promise P72.
@Suite struct DismissalBackoffTests {
  private var backoff = DismissalBackoff(rule: DismissalBackoff.Rule())
  private let asker = DismissalBackoff.Asker(owner: Owner(host: "", uid: 7), app: "agent")

  /// Three dismissals in a row, a second apart.
  private mutating func pause(from start: Duration) -> Duration? {
    _ = backoff.dismissed(asker, at: start)
    _ = backoff.dismissed(asker, at: start + .seconds(1))
    return backoff.dismissed(asker, at: start + .seconds(2))
  }

  @Test mutating func `backs off at the third dismissal in a row within a minute`() {
    #expect(backoff.dismissed(asker, at: .zero) == nil)
    #expect(backoff.dismissed(asker, at: .seconds(30)) == nil)
    #expect(backoff.remaining(for: asker, at: .seconds(30)) == nil)
    #expect(backoff.dismissed(asker, at: .seconds(60)) == .seconds(10))
    #expect(backoff.remaining(for: asker, at: .seconds(61)) == .seconds(9))
    #expect(backoff.remaining(for: asker, at: .seconds(70)) == nil)
  }

  @Test mutating func `does not back off if three dismissals take more than a minute`() {
    #expect(backoff.dismissed(asker, at: .zero) == nil)
    #expect(backoff.dismissed(asker, at: .seconds(30)) == nil)
    #expect(backoff.dismissed(asker, at: .milliseconds(60_001)) == nil)
    #expect(backoff.dismissed(asker, at: .milliseconds(60_002)) == .seconds(10))
  }

  @Test mutating func `resets the count and the backoff on an answer`() {
    #expect(pause(from: .zero) == .seconds(10))
    backoff.answered(asker)
    #expect(backoff.remaining(for: asker, at: .seconds(3)) == nil)
    #expect(backoff.dismissed(asker, at: .seconds(3)) == nil)
    #expect(backoff.dismissed(asker, at: .seconds(4)) == nil)
    #expect(backoff.dismissed(asker, at: .seconds(5)) == .seconds(10))
  }

  @Test mutating func `doubles the backoff with each further dismissal, up to ten minutes`() {
    var now = Duration.seconds(2)
    var pauses = [pause(from: .zero)]
    for _ in 1...8 {
      now += pauses.last!! + .seconds(1)
      pauses.append(backoff.dismissed(asker, at: now))
    }
    #expect(pauses == [10, 20, 40, 80, 160, 320, 600, 600, 600].map { .seconds($0) })
  }

  @Test mutating func `does not extend the backoff for a request made before it`() {
    #expect(pause(from: .zero) == .seconds(10))
    #expect(backoff.dismissed(asker, at: .seconds(5)) == nil)
    #expect(backoff.remaining(for: asker, at: .seconds(5)) == .seconds(7))
  }

  @Test mutating func `forgets all refusals after ten minutes without one`() {
    #expect(pause(from: .zero) == .seconds(10))
    #expect(backoff.dismissed(asker, at: .seconds(612)) == .seconds(20))
    #expect(backoff.dismissed(asker, at: .seconds(1233)) == nil)
  }

  @Test mutating func `does not apply to another app or another user`() {
    #expect(pause(from: .zero) == .seconds(10))
    #expect(
      backoff.remaining(for: DismissalBackoff.Asker(owner: Owner(host: "", uid: 7), app: "deploy"), at: .seconds(3)) == nil)
    #expect(
      backoff.remaining(for: DismissalBackoff.Asker(owner: Owner(host: "", uid: 8), app: "agent"), at: .seconds(3)) == nil)
  }

  @Test mutating func `says how many prompts were closed in a row`() {
    _ = pause(from: .zero)
    #expect(backoff.asked(asker, at: .seconds(3))?.delay == .init(.seconds(9), .dismissals(3)))
    _ = backoff.dismissed(asker, at: .seconds(13))
    #expect(backoff.asked(asker, at: .seconds(13))?.delay == .init(.seconds(20), .dismissals(4)))
    let error = RouterError(.throttled(.init(.seconds(20), .dismissals(4)), app: "bash"))
    #expect(error.message == "cannot ask: you closed 4 prompts of bash in a row; try again in 20 s")
  }

  @Test mutating func `does not count a prompt without an answer, which can only be closed`() {
    var request = PresentationRequest(kind: .sheet, sheet: "settings")
    request.hasAnswer = false
    let requester = Presentation.Requester(app: "agent", process: ProcessIdentity(uid: 7, gid: 7, pid: 9))
    let presentation = Presentation(
      id: PresentationID(name: "a"), requester: requester, request: request, requestedAt: Timestamp(milliseconds: 0),
      outcome: .dismissed)
    for _ in 0..<9 { #expect(backoff.ended(presentation, answer: nil, at: .zero) == nil) }
  }

  @Test func `counts each session and each terminal of an app on its own`() {
    func asker(shell: Int32, runsCommand: Bool = false, session: String? = nil) -> DismissalBackoff.Asker {
      var ancestors = [
        ProcessIdentity.Ancestor(pid: 9, started: 1, executable: "/usr/bin/routerctl"),
        ProcessIdentity.Ancestor(pid: shell, started: 1, executable: "/bin/bash"),
      ]
      ancestors[1].runsCommand = runsCommand
      let process = ProcessIdentity(uid: 7, gid: 7, pid: 9, ancestry: ancestors)
      var request = PresentationRequest(kind: .alert, title: "?")
      if let session { request.options.metadata["agent.session"] = session }
      return DismissalBackoff.Asker(Presentation.Requester(app: "bash", process: process), request)
    }
    #expect(asker(shell: 1) == asker(shell: 1) && asker(shell: 1) != asker(shell: 2))
    #expect(asker(shell: 1, session: "a") == asker(shell: 2, session: "a"))
    #expect(asker(shell: 1, session: "a") != asker(shell: 1, session: "b"))
    #expect(asker(shell: 1, runsCommand: true) == asker(shell: 2, runsCommand: true))
  }

  @Test mutating func `never backs off on negative answers, and keeps the count of dismissals`() {
    for second in 0..<100 { backoff.declined(asker, at: .seconds(second * 10)) }
    #expect(backoff.asked(asker, at: .seconds(1000)) == nil)
    #expect(backoff.dismissed(asker, at: .seconds(1001)) == nil)
  }

  @Test mutating func `backs off at the eleventh request within a minute after a negative answer`() {
    for second in 0..<100 { #expect(backoff.asked(asker, at: .milliseconds(second)) == nil) }
    backoff.declined(asker, at: .seconds(1))
    for second in 1...10 { #expect(backoff.asked(asker, at: .seconds(second)) == nil) }
    let pause = backoff.asked(asker, at: .seconds(11))
    #expect(pause?.delay == .init(.seconds(10), .requests(11)))
    #expect(pause?.begins == true)
    let later = backoff.asked(asker, at: .seconds(12))
    #expect(later?.delay.remaining == .seconds(9))
    #expect(later?.begins == false)
    // After the backoff it may ask again; the next backoff is longer.
    #expect(backoff.asked(asker, at: .seconds(21)) == nil)
    backoff.declined(asker, at: .seconds(22))
    for _ in 1...10 { #expect(backoff.asked(asker, at: .seconds(23)) == nil) }
    #expect(backoff.asked(asker, at: .seconds(24))?.delay.remaining == .seconds(20))
  }

  @Test mutating func `allows slow requests after a negative answer, and resets the count on a positive one`() {
    backoff.declined(asker, at: .zero)
    for request in 1...100 { #expect(backoff.asked(asker, at: .seconds(request * 7)) == nil) }
    backoff.declined(asker, at: .seconds(701))
    for _ in 1...3 { #expect(backoff.asked(asker, at: .seconds(702)) == nil) }
    backoff.answered(asker)
    for _ in 1...100 { #expect(backoff.asked(asker, at: .seconds(703)) == nil) }
  }
}
