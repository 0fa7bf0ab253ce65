import Observation
import Router
import RouterCompatibility
import RouterTesting
import Testing

/// Queries presented through a coordinator.
@Suite(.timeLimit(.minutes(10)))
struct QueryableBrokerTests {
  struct Trouble: Error, Equatable {}

  private let deletion = Queryable<String, Bool>(alert: { name in
    AlertState("Delete \(name)?") {
      ButtonState("Delete", id: "delete", role: .destructive, action: true)
      ButtonState("Keep", id: "keep", action: false)
      ButtonState("Later", id: "later", role: .cancel)
    }
  })

  private func expect<Value>(
    _ reason: NoAnswer, _ query: () async throws -> Value
  ) async {
    let error = await #expect(throws: NoAnswer.self) { _ = try await query() }
    #expect(error == reason)
  }

  @Test func `calls back once a sheet has ended, and its observers see when a query begins and ends`() async throws {
    try await FlowScene.run { scene in
      let editing = Queryable<Void, String>(sheet: { AddressForm() }, onDismiss: { scene.notes("dismissed") })
      #expect(!editing.isQuerying)
      withObservationTracking {
        _ = editing.isQuerying
      } onChange: {
        scene.notes("begun: \(editing.isQuerying)")
      }
      async let address = editing.query()
      let shown = try await scene.showing("AddressForm")
      withObservationTracking {
        _ = editing.isQuerying
      } onChange: {
        scene.notes("ended: \(editing.isQuerying)")
      }
      try await scene.presenter.answer("Hill Road", on: shown)
      #expect(try await address == "Hill Road")
      await scene.notes.wait(for: "dismissed")
      #expect(Set(scene.notes.all) == ["begun: true", "ended: false", "dismissed"])
    }
  }

  @Test func `returns the action of an alert's button`() async throws {
    try await FlowScene.run { scene in
      for (button, answer) in [("delete", true), ("keep", false)] {
        async let isDeleted = deletion.query(with: "notes.txt")
        try await scene.presenter.press(id: button, on: try await scene.showing("Delete notes.txt?"))
        #expect(try await isDeleted == answer)
      }
      let nothing = Task { try await deletion.query(with: "a") }
      try await scene.presenter.press(id: "later", on: try await scene.showing("Delete a?"))
      await expect(.dismissed) { try await nothing.value }
    }
  }

  @Test func `returns a sheet's typed answer, and ends without one when closed`() async throws {
    try await FlowScene.run { scene in
      let coupon = Queryable<String, String?>(sheet: { Coupon(address: $0) })
      async let none = coupon.query(with: "Hill Road")
      #expect(try await scene.answer("Coupon", .null).request.payload == ["address": "Hill Road"])
      #expect(try await none == .some(.none))

      let done = Queryable<String, Void>(sheet: { Done($0) })
      async let dismissed: Void = done.query(with: "Hill Road")
      try await scene.back(from: "Done")
      try await dismissed
    }
  }

  @Test func `presents dialogs and covers`() async throws {
    try await FlowScene.run { scene in
      let what = Queryable<String, Int>(confirmationDialog: { name in
        ConfirmationDialogState("What about \(name)?") { ButtonState("Rename", id: "rename", action: 1) }
      })
      async let action = what.query(with: "a")
      let dialog = try await scene.showing("What about a?")
      #expect(dialog.request.kind == .confirmationDialog)
      try await scene.presenter.press(id: "rename", on: dialog)
      #expect(try await action == 1)
      let cover = Queryable<Void, String>(fullScreenCover: { AddressForm() })
      async let address = cover.query()
      #expect(try await scene.answer("AddressForm", "Hill Road").request.kind == .fullScreenCover)
      #expect(try await address == "Hill Road")
    }
  }

  @Test func `throws the recorded reason of each end without an answer`() async throws {
    try await FlowScene.run { scene in
      func asked() -> (query: Task<Bool, any Error>, shown: () async throws -> Presentation) {
        (Task { [deletion] in try await deletion.query(with: "a") }, { try await scene.showing("Delete a?") })
      }
      let dismissed = asked()
      try await scene.presenter.dismiss(try await dismissed.shown())
      await expect(.dismissed) { try await dismissed.query.value }

      let cancelled = asked()
      _ = try await cancelled.shown()
      cancelled.query.cancel()
      await expect(.cancelled(.requester)) { try await cancelled.query.value }

      let failed = asked()
      try await scene.presenter.fail(try await failed.shown(), detail: "no screen")
      await expect(.failed("no screen")) { try await failed.query.value }

      let superseded = asked()
      _ = try await superseded.shown()
      await expect(.cancelled(.busy)) { try await deletion.query(with: "b", conflictPolicy: .cancelNew) }
      async let last = deletion.query(with: "c", conflictPolicy: .cancelPrevious)
      await expect(.cancelled(.superseded)) { try await superseded.query.value }
      try await scene.presenter.press(id: "keep", on: try await scene.showing("Delete c?"))
      #expect(try await last == false)

      let expired = Task {
        try await withEnvironment(\.presentationOptions.timeout, .seconds(1)) { try await deletion.query(with: "d") }
      }
      _ = try await scene.showing("Delete d?")
      scene.clock.advance(by: .seconds(1))
      await expect(.expired(.presented)) { try await expired.value }
      #expect(
        try await scene.endings() == [
          "Delete a? dismissed", "Delete a? cancelled/requester", "Delete a? failed", "Delete b? cancelled/busy",
          "Delete a? cancelled/superseded", "Delete c? answered", "Delete d? expired/presented",
        ])
    }
  }

  @Test func `queues with other requests on the surface`() async throws {
    try await FlowScene.run { scene in
      let other = scene.coordinator.submit(PresentationRequest(kind: .alert, title: "Other"))
      let shown = try await scene.showing("Other")
      async let isDeleted = deletion.query(with: "a")
      var begun = deletion.queries.makeAsyncIterator()
      #expect(await begun.next()?.input == "a")
      #expect(deletion.isQuerying)
      try await scene.presenter.press(id: "ok", on: shown)
      try await scene.presenter.press(id: "keep", on: try await scene.showing("Delete a?"))
      #expect(try await isDeleted == false)
      #expect(!deletion.isQuerying)
      _ = try await other.resolved()
    }
  }

  @Test func `cancel withdraws shown and queued queries`() async throws {
    try await FlowScene.run { scene in
      var begun = deletion.queries.makeAsyncIterator()
      var ends = deletion.ends.makeAsyncIterator()
      let first = Task { try await deletion.query(with: "a") }
      _ = await begun.next()
      let second = Task { try await deletion.query(with: "b") }
      _ = await begun.next()
      _ = try await scene.showing("Delete a?")
      deletion.cancel()
      for query in [first, second] { await expect(.cancelled(.requester)) { try await query.value } }
      #expect(Set([await ends.next()?.input, await ends.next()?.input]) == ["a", "b"])
      #expect(try await scene.endings() == ["Delete b? cancelled/requester", "Delete a? cancelled/requester"])
    }
  }

  @Test func `returns the program's own answer and withdraws the presentation`() async throws {
    try await FlowScene.run { scene in
      var begun = deletion.queries.makeAsyncIterator()
      async let isDeleted = deletion.query(with: "a")
      let observation = await begun.next()
      let shown = try await scene.showing("Delete a?")
      observation?.resolver.answer(with: true)
      observation?.resolver.answer(with: false)
      #expect(try await isDeleted)
      #expect(try await scene.event() == "- Delete a? 1 cancelled")
      #expect(try await scene.reader.presentation(shown.id)?.outcome == .cancelled(.requester))

      let thrown = Task { try await deletion.query(with: "b") }
      await begun.next()?.resolver.answer(throwing: Trouble())
      await #expect(throws: Trouble.self) { _ = try await thrown.value }
      let closed = Task { try await deletion.query(with: "c") }
      await begun.next()?.resolver.cancelQuery()
      await expect(.cancelled(.requester)) { try await closed.value }
      // Dropping the resolver ends nothing: the coordinator presents the query.
      async let other = deletion.query(with: "d")
      _ = await begun.next()
      try await scene.presenter.press(id: "delete", on: try await scene.showing("Delete d?"))
      #expect(try await other)
    }
  }

  @Test func `keeps a person's answer that came first`() async throws {
    try await FlowScene.run { scene in
      var begun = deletion.queries.makeAsyncIterator()
      async let isDeleted = deletion.query(with: "a")
      let observation = await begun.next()
      try await scene.presenter.press(id: "keep", on: try await scene.showing("Delete a?"))
      observation?.resolver.answer(with: true)
      #expect(try await isDeleted == false)
    }
  }

  @Test func `throws for a query that cannot be presented and ends it`() async throws {
    let none = await #expect(throws: RouterError.self) { _ = try await deletion.query(with: "a") }
    #expect(none?.code == .notInjected)
    try await FlowScene.run { scene in
      let refused = Queryable<Void, String>(sheet: { Refused() })
      var ends = refused.ends.makeAsyncIterator()
      let error = await #expect(throws: RouterError.self) { _ = try await refused.query() }
      #expect(error?.field == "/title")
      #expect(await ends.next() != nil)
      let broken = Queryable<Void, String>(sheet: { NotEncodable() })
      #expect(await #expect(throws: RouterError.self) { _ = try await broken.query() }?.code == .invalid)
      let unread = Task { try await Queryable<Void, String>(sheet: { AddressForm() }).query() }
      try await scene.answer("AddressForm", 7)
      let unreadable = await #expect(throws: RouterError.self) { _ = try await unread.value }
      #expect(unreadable?.message == "cannot read the answer to the sheet AddressForm as String")
      #expect(!refused.isQuerying && !broken.isQuerying)
    }
  }

  @Test func `stacks a query on a flow's top screen`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        scene.notes("\(try await deletion.query(with: address))")
        try await proxy.finish()
      }
      let root = try await scene.answer("AddressForm", "Hill Road")
      let shown = try await scene.showing("Delete Hill Road?")
      #expect(shown.request.over == root.id)
      try await scene.presenter.press(id: "delete", on: shown)
      #expect(try await ended.result == .success("Hill Road"))
      #expect(scene.notes.all == ["true"])
    }
  }
}
