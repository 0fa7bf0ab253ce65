import Foundation
import Router
import RouterClient
import RouterCompatibility
import RouterTesting
import Testing

/// Flows over the wire, with killed requesters, presenters and daemons.
/// Promise P3.
@Suite(.timeLimit(.minutes(10)))
struct DaemonFlowTests {
  /// Starts a curl that requests a flow and prints its event stream.
  private func curl(_ body: String, on daemon: TestDaemon) throws -> ChildProcess {
    try ChildProcess(
      "/usr/bin/curl",
      [
        "-sSN", "--unix-socket", daemon.socket, "http://routerd/v1/presentations", "-H", "Accept: text/event-stream",
        "-d", body,
      ])
  }

  @Test func `streams each answer and then the end to the requester`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let asker = try curl(#"{"kind":"sheet","sheet":"address","flow":true}"#, on: daemon)
      let shown = try await presenter.nextPresentation()
      try await presenter.answer("Ada", on: shown)
      try await presenter.answer("Grace", on: try await presenter.next("address"))
      let open = try await daemon.client.presentation(shown.id)
      #expect((open.state, open.generation, open.outcome) == (.presented, 3, nil))
      #expect(try await daemon.client.finish(shown.id).outcome == .answered(.value("Grace")))
      await asker.expectExit()
      // It may have been queued until the presenter was attached.
      let output = await asker.allOutput().split { $0.isEmpty }.filter { !$0.contains("event: queued") }.joined()
      let (names, data) = (lines(output, "event: "), try lines(output, "data: ").map { try JSONValue(parsing: $0) })
      #expect(names == ["presented", "answered", "presented", "answered", "presented", "resolved"])
      let id = JSONValue.string(shown.id.description)
      #expect(data[1] == ["id": id, "generation": 1, "outcome": ["type": "answered", "value": "Ada"]])
      #expect(data[3] == ["id": id, "generation": 2, "outcome": ["type": "answered", "value": "Grace"]])
      #expect(data[5]["outcome"] == ["type": "answered", "value": "Grace"])
    }
  }

  private func lines(_ output: some Sequence<String>, _ field: String) -> [String] {
    output.filter { $0.hasPrefix(field) }.map { String($0.dropFirst(field.count)) }
  }

  @Test func `withdraws the whole flow of a killed requester, and shows the next prompt`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let root = try curl(#"{"kind":"sheet","sheet":"address","flow":true}"#, on: daemon)
      let address = try await presenter.nextPresentation()
      try await presenter.answer("Ada", on: address)
      let payment = daemon.client.submit(.screen("payment", over: address.id))
      let summary = daemon.client.submit(.screen("summary", over: try await payment.accepted().id))
      _ = try await presenter.next("summary")
      let next = daemon.client.submit(.alert("next"))
      _ = try await next.accepted()
      root.signal(SIGKILL)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == "next")
      #expect(try await daemon.client.presentation(address.id).outcome == .cancelled(.requesterGone))
      for screen in [payment, summary] { #expect(try await screen.resolved().outcome == .cancelled(.parentEnded)) }
      try await presenter.press(id: "yes", on: shown)
    }
  }

  @Test func `keeps a deep flow when its presenter is killed`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try ChildProcess(
        "/usr/bin/curl", ["-sSN", "--unix-socket", daemon.socket, "http://routerd/v1/surfaces/main/stream?name=killed"])
      var screens = [daemon.client.submit(.screen("s0"))]
      for number in 1..<20 {
        screens.append(daemon.client.submit(.screen("s\(number)", over: try await screens.last!.accepted().id)))
      }
      let top = try await screens.last!.accepted().id
      while try await daemon.client.presentation(top).state == .queued {}
      presenter.signal(SIGKILL)
      while try await daemon.client.presentation(top).state == .presented {}
      #expect(try await daemon.client.presentations().map(\.request.sheet) == (0..<20).map { "s\($0)" })
      let next = TestPresenter(daemon.client)
      for number in (1..<20).reversed() {
        let shown = try await next.nextPresentation()
        #expect(shown.request.sheet == "s\(number)")
        try await next.dismiss(shown)
      }
      try await next.answer(1, on: try await next.nextPresentation())
      #expect(try await screens[0].finish().outcome == .answered(.value(1)))
    }
  }

  @Test func `ends a flow as interrupted on restart, after a kill or a clean stop`() async throws {
    for signal in [SIGKILL, SIGTERM] {
      try await TestDaemon.run { daemon in
        let presenter = TestPresenter(daemon.client)
        let root = daemon.client.submit(.screen("address"))
        let address = try await presenter.nextPresentation()
        try await presenter.answer("Ada", on: address)
        let screen = daemon.client.submit(.screen("payment", over: address.id))
        let payment = try await presenter.next("payment")
        daemon.process.signal(signal)
        _ = await daemon.process.exitStatus()
        let next = try await daemon.next()
        for id in [address.id, payment.id] {
          #expect(try await next.client.presentation(id).outcome == .cancelled(.interrupted))
        }
        #expect(try await next.client.presentations().isEmpty)
        // A clean stop still notifies the requesters.
        for handle in [root, screen] where signal == SIGTERM {
          #expect(try await handle.resolved().outcome == .cancelled(.interrupted))
        }
      }
    }
  }

  @Test func `fails the flow and ends its closures when the daemon is killed`() async throws {
    try await TestDaemon.run { daemon in
      try await withEnvironment(\.presentationBroker, daemon.client) {
        let scenario = Scenario(try DaemonHost(daemon))
        async let ended = NavigationFlow(root: ShippingForm()) { address, proxy in
          await proxy.show(Done(address: address)).then { _, _ in
            scenario.note("begin")
            await untilCancelled()
            scenario.note("end")
          }
        }
        try await scenario.answer("ShippingForm", "Hill Road")
        try await scenario.answer("Done")
        await scenario.wait(for: "begin")
        daemon.process.signal(SIGKILL)
        guard case .failed(let why) = await ended.result.end else {
          Issue.record("the flow did not fail")
          return
        }
        #expect(why.contains("routerd"))
        #expect(scenario.notes == ["begin", "end"])
      }
    }
  }

  /// Returns the status and the code or field.
  private func refusal(_ reply: HTTPReply) throws -> String {
    let problem = try Problem(json: JSONValue(parsing: reply.body))
    return [String(reply.status), problem.code ?? problem.field].compactMap(\.self).joined(separator: " ")
  }

  @Test func `refuses a flow without an event stream or detached`() async throws {
    try await TestDaemon.run { daemon in
      let flow = PresentationRequest.screen("address")
      for headers: HeaderFields in [[:], ["Prefer": "respond-async"], ["Prefer": "wait=5"]] {
        let call = HTTPCall(.POST, APIPath.presentations, headers: headers, json: flow.jsonText)
        let reply = try await daemon.http.reply(to: call)
        #expect(try refusal(reply) == "422 /flow", "\(headers)")
      }
      #expect(try await daemon.client.presentations().isEmpty)
    }
  }

  @Test func `explains why a presentation cannot be finished`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let sheet = try await daemon.client.detach(PresentationRequest(kind: .sheet, sheet: "plain"))
      func finish(_ id: PresentationID, _ body: String = "") async throws -> String {
        try refusal(
          try await daemon.http.reply(to: HTTPCall(.POST, APIPath.presentation(id) + "/finish", body: Array(body.utf8))))
      }
      #expect(try await finish(sheet.id) == "422")
      #expect(try await finish(PresentationID("01a1fdb6-ea24-7114-b4fd-98d4271e7c7c")!) == "404")
      #expect(try await finish(sheet.id, #"{"generation":1}"#) == "400 /generation")
      try await presenter.dismiss(try await presenter.nextPresentation())
      let root = daemon.client.submit(.screen("address"))
      let shown = try await presenter.nextPresentation()
      #expect(try await finish(shown.id) == "409 notAnswered")
      try await presenter.answer(1, on: shown)
      _ = try await root.finish()
      #expect(try await finish(shown.id) == "409 resolved")
    }
  }

  @Test func `shows each answer of a flow and who finished it in log show`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client, name: "page")
      let root = daemon.client.submit(.screen("address"))
      let shown = try await presenter.nextPresentation()
      try await presenter.answer("Ada", on: shown)
      _ = try await root.finish()
      let show = try ChildProcess("routerctl", ["log", "show", shown.id.description, "--database", daemon.database])
      let story = await show.allOutput()
      #expect(story.contains { $0.contains("answered") && $0.contains("Ada") && $0.hasSuffix("showing 1, and stays open") })
      #expect(story.contains { $0.contains("answered") && $0.contains("@page") && $0.contains("finished by ") })
    }
  }

  @Test func `presents each screen of a flow with --exec until the flow ends`() async throws {
    try await TestDaemon.run { daemon in
      let answering = try ChildProcess(
        "routerctl", ["present", "--once", "--exec", #"echo '{"value":7}'"#, "--socket", daemon.socket])
      let root = daemon.client.submit(.screen("address"))
      var answers = root.answers.makeAsyncIterator()
      #expect(await answers.next() == .value(7))
      let screen = daemon.client.submit(.screen("payment", over: try await root.accepted().id))
      var payments = screen.answers.makeAsyncIterator()
      #expect(await payments.next() == .value(7))
      _ = try await screen.finish()
      // The root is shown again as a new showing, so the command answers it once more.
      #expect(await answers.next() == .value(7))
      _ = try await root.finish()
      await answering.expectExit()
      #expect(await answers.next() == nil)
    }
  }
}
