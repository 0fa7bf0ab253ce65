import Router
import RouterTesting
import Testing

/// What requesters report of acts that were approved.
@Suite(.timeLimit(.minutes(10)))
struct ReportBehaviorTests {
  private let act = Act("deploy", object: "host", directory: "/srv")

  private func ask(_ host: any Host, answering button: String) async throws -> PresentationID {
    let presenter = TestPresenter(host.broker)
    var request = PresentationRequest.alert("Deploy?")
    request.act = act
    let id = try await host.detach(request).id
    try await presenter.press(id: button, on: try await presenter.nextPresentation())
    try await host.eventually("\(id) has ended") { try await host.reader.presentation(id)?.state == .resolved }
    return id
  }

  @Test(arguments: Place.allCases)
  func `records a report once, and keeps it`(place: Place) async throws {
    try await place.run(alone: true) { host in
      let id = try await ask(host, answering: "yes")
      let report = ActReport(act: act.digest, .status(3), duration: .milliseconds(1500))
      try await host.report(report, of: id)
      for again in [report, ActReport(act: act.digest, .status(0))] {
        let error = await #expect(throws: RouterError.self) { try await host.report(again, of: id) }
        #expect(error?.code == .resolved)
      }
      func expectRecorded(_ host: any Host) async throws {
        let ran = try #require(try await host.reader.presentation(id)?.ran)
        #expect(ran.report == report)
        #expect(ran.by.process.uid == ProcessIdentity.current.uid)
        #expect(try await host.reader.events(of: id).filter { $0.kind == .ran }.count == 1)
        #expect(try await host.reader.verify().fault == nil)
      }
      try await expectRecorded(host)
      let next = try await host.killAndRestart()
      try await expectRecorded(next)
      let error = await #expect(throws: RouterError.self) { try await next.report(report, of: id) }
      // After the leader of a shared surface was killed, the requester's host may be another one.
      #expect(error?.code == .resolved || place != .inProcess && error?.code == .notFound)
    }
  }

  @Test(arguments: Place.allCases)
  func `refuses a report of another act, of none, and of one that was not approved`(place: Place) async throws {
    try await place.run { host in
      let report = ActReport(act: act.digest, .status(0))
      func code(_ report: ActReport, of id: PresentationID) async -> RouterError? {
        await #expect(throws: RouterError.self) { try await host.report(report, of: id) }
      }
      let approved = try await ask(host, answering: "yes")
      let other = await code(ActReport(act: Act("deploy").digest, .status(0)), of: approved)
      #expect(other?.code == .impossible && other?.field == "/act")
      #expect(other?.message.contains("is not the act that was approved") == true)
      #expect(await code(report, of: try await ask(host, answering: "no"))?.code == .notAnswered)
      #expect(await code(report, of: try #require(PresentationID("01936f5e-1b2c-7def-8a90-000000000019")))?.code == .notFound)
      var request = PresentationRequest.alert("Deploy?")
      request.act = act
      let open = try await host.detach(request).id
      #expect(await code(report, of: open)?.code == .notAnswered)
      try await host.report(report, of: approved)
      var query = host.query
      query.isUnreported = true
      #expect(try await host.reader.presentationPage(query).page.isEmpty)
    }
  }

  @Test(arguments: Place.allCases)
  func `reports one of several at the same time`(place: Place) async throws {
    try await place.run { host in
      let id = try await ask(host, answering: "yes")
      let digest = act.digest
      let results = await withTaskGroup(of: Bool.self) { group in
        for status in 0..<8 {
          group.addTask { (try? await host.report(ActReport(act: digest, .status(status)), of: id)) != nil }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(results == 1)
      #expect(try await host.reader.events(of: id).filter { $0.kind == .ran }.count == 1)
    }
  }
}
